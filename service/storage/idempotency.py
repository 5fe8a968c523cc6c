"""The table of answers to requests with an Idempotency-Key, sealed, for as long as each is kept."""

import hashlib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from psycopg import errors as pg

from service.storage.errors import KeyTaken
from service.storage.pool import Connection
from service.storage.sealing import AnswerSealer

SWEPT: Final = 2
"""How many answers whose time is over go with each new one: more than one, so that none pile up."""

_HASH_BYTES: Final = 16

SHEET_PREFIX: Final = "ss_"
"""How the id of a score sheet begins; no other id does."""


@dataclass(frozen=True, slots=True)
class KeyedRequest:
    """A request that carries an Idempotency-Key.

    ``scope`` is everything that two requests have in common that are to be done once: the caller,
    the operation and the key. ``request_hash`` are 16 bytes that follow from what is asked for.
    """

    scope: bytes
    request_hash: bytes

    @property
    def name(self) -> bytes:
        """The name of its row, from which nothing of it can be found out."""
        return hashlib.sha256(b"idempotency|" + self.scope).digest()


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer given before, and the hash of the request that it answered."""

    request_hash: bytes
    answer: bytes


_FIND: Final = """
    SELECT answer FROM idempotency_keys
    WHERE name = %b AND (expires_at IS NULL OR expires_at > now())"""

_KEEP: Final = """
    WITH swept AS (
        DELETE FROM idempotency_keys WHERE name IN (
            SELECT name FROM idempotency_keys WHERE expires_at <= now() AND name <> %b
            ORDER BY expires_at LIMIT %s FOR UPDATE SKIP LOCKED))
    INSERT INTO idempotency_keys AS kept (name, answer, expires_at, game_id, score_sheet_id)
    VALUES (%b, %b, now() + %s::int * interval '1 second', %s, %s)
    ON CONFLICT (name) DO UPDATE
        SET answer = excluded.answer, expires_at = excluded.expires_at, game_id = excluded.game_id,
            score_sheet_id = excluded.score_sheet_id
        WHERE kept.expires_at <= now()
    RETURNING true"""


_FORGET: Final = "DELETE FROM idempotency_keys WHERE game_id = %s"
_FORGET_SHEETS: Final = "DELETE FROM idempotency_keys WHERE score_sheet_id = ANY(%s)"
_SWEEP: Final = """
    DELETE FROM idempotency_keys WHERE name IN (
        SELECT name FROM idempotency_keys WHERE expires_at <= now()
        ORDER BY expires_at LIMIT %s FOR UPDATE SKIP LOCKED)"""


def sweep(conn: Connection, limit: int) -> int:
    """Delete answers whose time is over, at most ``limit``; return how many it were."""
    return conn.execute(_SWEEP, (limit,)).rowcount


def forget(conn: Connection, game_id: str) -> None:
    """Delete every answer about a game: who played it stands in them."""
    conn.execute(_FORGET, (game_id,))


def forget_sheets(conn: Connection, sheet_ids: Sequence[str]) -> None:
    """Delete every answer about one of these score sheets: the names stand in them."""
    conn.execute(_FORGET_SHEETS, (list(sheet_ids),))


class KeptAnswers:
    """Keeps answers, sealed under ``secrets``: for ``seconds``, or as long as a game lives."""

    def __init__(self, secrets: Sequence[bytes], seconds: int) -> None:
        self._sealer = AnswerSealer(secrets)
        self._seconds = seconds

    def find(self, conn: Connection, request: KeyedRequest) -> KeptAnswer | None:
        """Return the answer that was kept under the key of ``request``, or None."""
        row = conn.execute(_FIND, (request.name,)).fetchone()
        if row is None:
            return None
        plain = self._sealer.open(request.scope, row[0])
        return KeptAnswer(plain[:_HASH_BYTES], zlib.decompress(plain[_HASH_BYTES:]))

    def keep(
        self,
        conn: Connection,
        request: KeyedRequest,
        answer: bytes,
        lives_with: str | None,
        about: str | None = None,
    ) -> None:
        """Keep ``answer``, within the transaction that did what ``request`` asks for.

        It is kept as long as the game ``lives_with``, or for the time that is set; then ``about``
        is a game or a score sheet with which it is erased before. Waits for another transaction
        that is about to keep one under the same key. Some answers whose time is over are deleted.

        :raises KeyTaken: if there is one already, or the other takes too long; what was done in
            this transaction must not stay.
        """
        plain = request.request_hash + zlib.compress(answer, 1)
        sealed = self._sealer.seal(request.scope, plain)
        seconds, made = (self._seconds, about) if lives_with is None else (None, lives_with)
        of_sheet = made is not None and made.startswith(SHEET_PREFIX)
        places = (None, made) if of_sheet else (made, None)
        values = (request.name, SWEPT, request.name, sealed, seconds, *places)
        try:
            kept = conn.execute(_KEEP, values).fetchone()
        except pg.LockNotAvailable as error:
            raise KeyTaken(str(error)) from error
        if kept is None:
            raise KeyTaken("an answer is kept under this key")
