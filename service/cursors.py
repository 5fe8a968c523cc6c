"""Cursors of pages: opaque to clients, and signed, so that they fit the list that gave them."""

import base64
import binascii
import hmac
from collections.abc import Sequence
from typing import Final

MAC_BYTES: Final = 9
VALUE_BYTES: Final = 6
"""Four for a number of a hand or move, two for one of a turn."""


class BadCursor(Exception):
    """The text is no cursor of this list."""


class Cursors:
    """Writes and reads the places where pages go on."""

    def __init__(self, secrets: Sequence[bytes]) -> None:
        self._keys = tuple(hmac.digest(secret, b"cursors", "sha256") for secret in secrets)

    def write(self, scope: str, first: int, second: int = 0) -> str:
        """Return the cursor of ``scope``, a list of one game, for a place of two numbers."""
        value = first.to_bytes(4, "big") + second.to_bytes(2, "big")
        signed = value + _mac(self._keys[0], scope, value)
        return base64.urlsafe_b64encode(signed).decode()

    def read(self, scope: str, text: str) -> tuple[int, int]:
        """Return the place that ``text`` names.

        :raises BadCursor: if it was not written for ``scope``.
        """
        try:
            signed = base64.b64decode(text, altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            raise BadCursor from None
        value, mac = signed[:VALUE_BYTES], signed[VALUE_BYTES:]
        if not any(hmac.compare_digest(mac, _mac(key, scope, value)) for key in self._keys):
            raise BadCursor
        return int.from_bytes(value[:4], "big"), int.from_bytes(value[4:], "big")


def _mac(key: bytes, scope: str, value: bytes) -> bytes:
    return hmac.digest(key, scope.encode() + b"|" + value, "sha256")[:MAC_BYTES]
