"""Cursors of pages: opaque to clients, and signed, so that they fit the list that gave them."""

import base64
import binascii
import hmac
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

MAC_BYTES: Final = 9
VALUE_BYTES: Final = 6
"""Four for a number of a hand or move, two for one of a turn."""

MOMENT_BYTES: Final = 8
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


class BadCursor(Exception):
    """The text is no cursor of this list."""


class Cursors:
    """Writes and reads the places where pages go on."""

    def __init__(self, secrets: Sequence[bytes]) -> None:
        self._keys = tuple(hmac.digest(secret, b"cursors", "sha256") for secret in secrets)

    def write(self, scope: str, first: int, second: int = 0) -> str:
        """Return the cursor of ``scope``, a list of one game, for a place of two numbers."""
        return self._sign(scope, first.to_bytes(4, "big") + second.to_bytes(2, "big"))

    def write_moment(self, scope: str, at: datetime, game_id: str) -> str:
        """Return the cursor of ``scope``, a list of games, for a time and a game."""
        since = (at - _EPOCH) // _MICROSECOND
        return self._sign(scope, since.to_bytes(MOMENT_BYTES, "big") + game_id.encode())

    def _sign(self, scope: str, value: bytes) -> str:
        signed = value + _mac(self._keys[0], scope, value)
        return base64.urlsafe_b64encode(signed).decode()

    def read(self, scope: str, text: str) -> tuple[int, int]:
        """Return the place that ``text`` names.

        :raises BadCursor: if it was not written for ``scope``.
        """
        value = self._signed(scope, text)
        if len(value) != VALUE_BYTES:
            raise BadCursor
        return int.from_bytes(value[:4], "big"), int.from_bytes(value[4:], "big")

    def read_moment(self, scope: str, text: str) -> tuple[datetime, str]:
        """Return the time and the game that ``text`` names.

        :raises BadCursor: if it was not written for ``scope``.
        """
        value = self._signed(scope, text)
        since = int.from_bytes(value[:MOMENT_BYTES], "big")
        return _EPOCH + since * _MICROSECOND, value[MOMENT_BYTES:].decode()

    def _signed(self, scope: str, text: str) -> bytes:
        """Return what was signed for ``scope``; a scope names what its values are."""
        try:
            signed = base64.b64decode(text, altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            raise BadCursor from None
        value, mac = signed[:-MAC_BYTES], signed[-MAC_BYTES:]
        if not any(hmac.compare_digest(mac, _mac(key, scope, value)) for key in self._keys):
            raise BadCursor
        return value


def _mac(key: bytes, scope: str, value: bytes) -> bytes:
    return hmac.digest(key, scope.encode() + b"|" + value, "sha256")[:MAC_BYTES]
