"""Portal keys: chance alone, shown once when they are made, and known here by their SHA-256."""

import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Final

PREFIX: Final = "grk_"
KEY_BYTES: Final = 32
_SHAPE: Final = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}")

SCORING: Final = "scoring"
GAMES_READ: Final = "games:read"
GAMES_WRITE: Final = "games:write"
WEBHOOKS: Final = "webhooks"
SANDBOX: Final = "sandbox"
SCOPES: Final = (SCORING, GAMES_READ, GAMES_WRITE, WEBHOOKS, SANDBOX)
"""What a key may be good for."""


@dataclass(frozen=True, slots=True)
class PortalKey:
    """A key that somebody sent: what it is looked up by."""

    hash: bytes


def new_key() -> str:
    """Return a new key: ``grk_`` and 43 URL-safe characters, 256 bits of chance."""
    return PREFIX + secrets.token_urlsafe(KEY_BYTES)


def new_id(prefix: str) -> str:
    """Return a new id for a portal or a key, which is no secret."""
    return f"{prefix}_{secrets.token_hex(8)}"


def hash_of(key: str) -> bytes:
    """Return the SHA-256 of a key. It needs no salt and no stretching: nobody guesses 256 bits."""
    return hashlib.sha256(key.encode()).digest()


def parse_key(text: str) -> PortalKey | None:
    """Return the key that ``text`` may be, or None if it has not the shape of one."""
    return PortalKey(hash_of(text)) if _SHAPE.fullmatch(text) else None
