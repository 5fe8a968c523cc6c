"""The one source of chance of the service, the operating system's. All else follows from it."""

import base64
import secrets
from typing import Final, Protocol

ID_BYTES: Final = 16
JOIN_CODE_BYTES: Final = 10


class Randomness(Protocol):
    """What is drawn when a game or a score sheet is made."""

    def game_id(self) -> str:
        """Return a new id: ``g_`` and 22 URL-safe characters."""

    def deal_key(self) -> bytes:
        """Return the secret of a game from which all its deals follow: 32 bytes."""

    def join_code(self) -> str:
        """Return a new join code: 16 letters and digits."""

    def score_sheet_id(self) -> str:
        """Return a new id: ``ss_`` and 22 URL-safe characters."""


class SystemRandomness:
    """Draws from the operating system."""

    def game_id(self) -> str:
        """Return a new id: ``g_`` and 22 URL-safe characters."""
        return "g_" + secrets.token_urlsafe(ID_BYTES)

    def deal_key(self) -> bytes:
        """Return the secret of a game from which all its deals follow: 32 bytes."""
        return secrets.token_bytes(32)

    def join_code(self) -> str:
        """Return a new join code: 16 letters and digits, none easily mistaken for another."""
        return base64.b32encode(secrets.token_bytes(JOIN_CODE_BYTES)).decode().lower()

    def score_sheet_id(self) -> str:
        """Return a new id: ``ss_`` and 22 URL-safe characters."""
        return "ss_" + secrets.token_urlsafe(ID_BYTES)
