"""Hidden facts at rest: AES-GCM under a key of each game, derived from the server's secret."""

import hmac
import os
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from service.storage.errors import StorageError

NONCE_BYTES: Final = 12
REMEMBERED_GAMES: Final = 4096


class SealBroken(StorageError):
    """A sealed fact does not open: it was altered, moved, or sealed under a secret that is gone."""


class Sealer:
    """Seals and opens. New seals are under the first of ``secrets``, old ones open under any.

    The game and the place of a fact are authenticated with it, so that no sealed fact can be put
    in the place of another.
    """

    def __init__(self, secrets: Sequence[bytes]) -> None:
        self._secrets = tuple(secrets)

    def seal(self, game_id: str, place: str, plain: bytes) -> bytes:
        """Return ``plain`` sealed for ``place`` in the game."""
        return _sealed(_cipher(self._secrets[0], game_id), plain, _context(game_id, place))

    def open(self, game_id: str, place: str, sealed: bytes) -> bytes:
        """Return what was sealed for ``place`` in the game.

        :raises SealBroken: if it does not open.
        """
        ciphers = (_cipher(secret, game_id) for secret in self._secrets)
        plain = _opened(ciphers, sealed, _context(game_id, place))
        if plain is None:
            raise SealBroken(
                f"{place} of game {game_id} does not open under any secret of GIN_SECRET"
            )
        return plain


class AnswerSealer:
    """Seals answers to requests, each under a key that follows from a secret and its request.

    So whoever has the database, and even the server's secret, needs the request as well. Secrets
    are used as by :class:`Sealer`.
    """

    def __init__(self, secrets: Sequence[bytes]) -> None:
        self._secrets = tuple(secrets)

    def seal(self, scope: bytes, plain: bytes) -> bytes:
        """Return ``plain`` sealed for the request that ``scope`` tells from others."""
        return _sealed(_answer_cipher(self._secrets[0], scope), plain, b"answer")

    def open(self, scope: bytes, sealed: bytes) -> bytes:
        """Return what was sealed for the request.

        :raises SealBroken: if it does not open; the message tells nothing of the request.
        """
        ciphers = (_answer_cipher(secret, scope) for secret in self._secrets)
        plain = _opened(ciphers, sealed, b"answer")
        if plain is None:
            raise SealBroken("a kept answer does not open under any secret of GIN_SECRET")
        return plain


def _sealed(cipher: AESGCM, plain: bytes, context: bytes) -> bytes:
    nonce = os.urandom(NONCE_BYTES)
    return nonce + cipher.encrypt(nonce, plain, context)


def _opened(ciphers: Iterable[AESGCM], sealed: bytes, context: bytes) -> bytes | None:
    nonce, text = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
    for cipher in ciphers:
        try:
            return cipher.decrypt(nonce, text, context)
        except (InvalidTag, ValueError):  # the latter if it is too short to be a seal
            continue
    return None


# A key follows from secret and game, and each request of a game needs it twice or more.
@lru_cache(maxsize=REMEMBERED_GAMES)
def _cipher(secret: bytes, game_id: str) -> AESGCM:
    return AESGCM(hmac.digest(secret, f"seal|{game_id}".encode(), "sha256"))


def _answer_cipher(secret: bytes, scope: bytes) -> AESGCM:
    return AESGCM(hmac.digest(secret, b"answer|" + scope, "sha256"))


def _context(game_id: str, place: str) -> bytes:
    return f"{game_id}|{place}".encode()
