"""The line on which processes call out to each other which games have changed.

A call is PostgreSQL's NOTIFY, sent on a connection of its own after the change was committed: in
the transaction of the change it would make all commits of the server wait for one another. The
line also tells how far games have come, for whoever may have missed a call, and which keys are
still good. Knows no waiting and no
threads; a line belongs to one thread.
"""

import contextlib
from collections.abc import Collection, Iterator
from types import TracebackType
from typing import Final, NamedTuple, Self

import psycopg

from service.settings import Settings
from service.storage import portal_events
from service.storage.errors import Unavailable
from service.storage.pool import CONNECT_SECONDS

CHANNEL: Final = "gin_games"
PORTALS: Final = "p_"
"""What the ids of portals begin with. A portal is called out when there is more in its feed."""

LONGEST_CALL: Final = 300
"""Games in one call: a payload is at most 8,000 bytes, the id of a game 24."""

LOST_AFTER_MS: Final = 5000
"""How long a server that has vanished without a word is waited for."""

_CALL: Final = "SELECT pg_notify(%s, %s)"
_VERSIONS: Final = (
    "SELECT id, version, cardinality(ended_tokens) FROM games "
    "WHERE id = ANY(%s) AND deleted_at IS NULL"
)
_GOOD_KEYS: Final = "SELECT hash FROM portal_keys WHERE hash = ANY(%s) AND revoked_at IS NULL"


class Standing(NamedTuple):
    """How far a game has come: its version, and how many seat tokens were ended one by one."""

    version: int
    ended: int


class Line:
    """One connection that listens, and calls out.

    :raises Unavailable: if there is none to be had; so does each method once it is lost.
    """

    def __init__(self, settings: Settings) -> None:
        with _unavailable():
            self._conn = psycopg.connect(
                settings.direct_database_url or settings.database_url or "",
                autocommit=True,
                connect_timeout=CONNECT_SECONDS,
                prepare_threshold=None,
                application_name="gin-rummy-updates",
                tcp_user_timeout=LOST_AFTER_MS,
            )
            self._own = self._conn.info.backend_pid
            self._conn.execute("SET synchronous_commit = off")  # a call is no record
            self._conn.execute(f"SET statement_timeout = {settings.statement_timeout_ms}")
            self._conn.execute(f"LISTEN {CHANNEL}")

    def fileno(self) -> int:
        """Return what becomes readable when a call has come."""
        return self._conn.fileno()

    def call(self, game_ids: Collection[str]) -> None:
        """Call out to the other processes that these games have changed."""
        said = list(game_ids)
        with _unavailable():
            for first in range(0, len(said), LONGEST_CALL):
                payload = ",".join(said[first : first + LONGEST_CALL])
                self._conn.execute(_CALL, (CHANNEL, payload))

    def heard(self) -> set[str]:
        """Return the games that other processes have called out; never waits."""
        with _unavailable():
            calls = [each for each in self._conn.notifies(timeout=0) if each.pid != self._own]
        return {game_id for each in calls for game_id in each.payload.split(",")}

    def standings(self, ids: Collection[str]) -> dict[str, Standing]:
        """Return how far those of the games have come that are there, and the feeds of portals."""
        portals = [each for each in ids if each.startswith(PORTALS)]
        with _unavailable():
            rows = self._conn.execute(_VERSIONS, (list(ids),)).fetchall()
            heads = portal_events.heads(self._conn, portals) if portals else {}
        found = {game_id: Standing(version, ended) for game_id, version, ended in rows}
        return found | {portal: Standing(head, 0) for portal, head in heads.items()}

    def good_keys(self, hashes: Collection[bytes]) -> set[bytes]:
        """Return those of the hashes that are of portal keys which are still good."""
        with _unavailable():
            rows = self._conn.execute(_GOOD_KEYS, (list(hashes),)).fetchall()
        return {row[0] for row in rows}

    def close(self) -> None:
        """Hang up."""
        self._conn.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.close()


@contextlib.contextmanager
def _unavailable() -> Iterator[None]:
    try:
        yield
    except psycopg.Error as error:
        raise Unavailable(str(error)) from error
