"""Addresses as they may be told on: shown, logged, sent to others by those who got them."""

import re
from typing import Final
from urllib.parse import unquote

_SECRET: Final = re.compile(r"(?<=/v1/invitations/).+|g(?:r[kstv]|s[er])_[A-Za-z0-9_-]+")
_HIDDEN: Final = "***"


def without_secrets(text: str) -> str:
    """Return an address without the join codes, tokens, keys and tickets in it.

    One that has some is returned decoded: they may be percent-encoded in it.
    """
    plain = unquote(text)
    shown = _SECRET.sub(_HIDDEN, plain)
    return text if shown == plain else shown
