"""The log of moves, and of the changes that are none."""

from dataclasses import dataclass
from typing import Any, Final

from engine.events import Change, ChangeKind
from service.storage.codec import Codec
from service.storage.games import LoggedMove, StoredGame
from service.storage.log_rows import Sender
from service.storage.pool import Connection

_SELECT: Final = "SELECT number, version, fact, made_at FROM moves WHERE game_id = %s"
_SENT: Final = "SELECT sent_by, request_hash FROM moves WHERE game_id = %s AND number = %s"
_FROM: Final = f"{_SELECT} AND number >= %s ORDER BY number LIMIT %s"
_AFTER_VERSION: Final = f"{_SELECT} AND number > %s AND version > %s ORDER BY number LIMIT %s"
_OF_HANDS: Final = f"{_SELECT} AND hand_number BETWEEN %s AND %s ORDER BY number"
_PAGE_OF_HAND: Final = f"{_SELECT} AND number > %s AND hand_number = %s ORDER BY number LIMIT %s"
_CHANGES: Final = (
    "SELECT version, kind, seat, fact FROM changes WHERE game_id = %s ORDER BY version"
)

ALL: Final = 1_000_000
_OF_A_HAND: Final = frozenset(ChangeKind)


@dataclass(frozen=True, slots=True)
class LoggedChange:
    """A version that is no move; ``change`` is None where the state of play does not tell of it."""

    version: int
    change: Change | None


def sent(conn: Connection, game_id: str, number: int) -> Sender | None:
    """Return who sent the request that the move ``number`` answers; None if no request did."""
    row = conn.execute(_SENT, (game_id, number)).fetchone()
    if row is None or row[0] is None:
        return None
    return Sender(row[0], row[1])


def numbered_from(
    conn: Connection, codec: Codec, game_id: str, number: int, limit: int = ALL
) -> list[LoggedMove]:
    """Return the moves from ``number`` on, at most ``limit`` of them."""
    return _read(codec, game_id, conn.execute(_FROM, (game_id, number, limit)).fetchall())


def after_version(
    conn: Connection, codec: Codec, stored: StoredGame, version: int, limit: int
) -> list[LoggedMove]:
    """Return the moves that made a version above ``version``, at most ``limit`` of them."""
    # Changes that are no moves only ever add to the distance between number and version, so that
    # this is a lower bound of the numbers, and the rows are found by their key.
    distance = stored.version - (stored.game.next_move - 1)
    first = version - distance
    params = (stored.game.setup.id, first, version, limit)
    return _read(codec, stored.game.setup.id, conn.execute(_AFTER_VERSION, params).fetchall())


def of_hands(
    conn: Connection, codec: Codec, game_id: str, first: int, last: int
) -> list[LoggedMove]:
    """Return the moves of the hands from ``first`` to ``last``."""
    return _read(codec, game_id, conn.execute(_OF_HANDS, (game_id, first, last)).fetchall())


def page_of_hand(
    conn: Connection, codec: Codec, game_id: str, hand_number: int, after: int, limit: int
) -> list[LoggedMove]:
    """Return the moves of one hand with a number above ``after``, at most ``limit`` of them."""
    params = (game_id, after, hand_number, limit)
    return _read(codec, game_id, conn.execute(_PAGE_OF_HAND, params).fetchall())


def changes(conn: Connection, codec: Codec, game_id: str) -> list[LoggedChange]:
    """Return the versions that are no moves."""
    rows = conn.execute(_CHANGES, (game_id,))
    return [LoggedChange(version, _change(codec, game_id, version, *row)) for version, *row in rows]


def _change(
    codec: Codec, game_id: str, version: int, kind: str, seat: int | None, fact: bytes | None
) -> Change | None:
    if kind not in _OF_A_HAND:
        return None
    change = Change(ChangeKind(kind), seat)
    return change if fact is None else codec.read_change(game_id, version, change, fact)


def _read(codec: Codec, game_id: str, rows: list[tuple[Any, ...]]) -> list[LoggedMove]:
    return [
        LoggedMove(version, codec.read_move(game_id, number, fact), at)
        for number, version, fact, at in rows
    ]
