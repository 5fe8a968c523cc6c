"""The table of seat tokens beyond the one that comes with a seat, and which tokens were ended.

No token is stored. What stands here is the number and label of each device that got one.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from psycopg import Rollback

from service.portal_events import ROTATED
from service.storage import games
from service.storage.codec import Codec
from service.storage.games import StoredGame
from service.storage.occupants import Occupant
from service.storage.pool import Connection

FIRST: Final = 0
"""The device that has the token which came with the seat."""


@dataclass(frozen=True, slots=True)
class SeatToken:
    """A token of a seat: its version and device, what its owner calls it, and since when it is."""

    version: int
    device: int
    label: str | None
    created_at: datetime


def number_of(seat: int, version: int, device: int) -> int:
    """Return the number under which a token is ended: seat, version and device in one."""
    return seat << 32 | version << 16 | device


_ADD: Final = """
    INSERT INTO seat_tokens (game_id, seat, device, version, label)
    SELECT %(game)s, %(seat)s, coalesce(max(device), 0) + 1, %(version)s, %(label)s
    FROM seat_tokens WHERE game_id = %(game)s AND seat = %(seat)s
    HAVING coalesce(max(device), 0) < %(most)s
    ON CONFLICT DO NOTHING RETURNING device, created_at"""
_COUNT: Final = "SELECT coalesce(max(device), 0) FROM seat_tokens WHERE game_id = %s AND seat = %s"
_LIST: Final = """
    SELECT version, device, label, created_at FROM seat_tokens
    WHERE game_id = %s AND seat = %s ORDER BY device"""
_SINCE: Final = """
    SELECT max(made_at) FROM changes
    WHERE game_id = %s AND (kind = 'created' OR (kind = 'joined' AND seat = %s))"""
_END: Final = """
    UPDATE games SET ended_tokens = array_append(ended_tokens, %(number)s)
    WHERE id = %(game)s AND NOT %(number)s = ANY(ended_tokens)"""
_LEFT_BEHIND: Final = (
    "DELETE FROM notes WHERE game_id = %s AND seat = %s",
    "UPDATE seat_tokens SET label = NULL WHERE game_id = %s AND seat = %s",
)


def add(
    conn: Connection, game_id: str, seat: int, version: int, label: str | None, most: int
) -> SeatToken | None:
    """Give the next device of a seat a token; None if another one was given at the same moment.

    None, too, if ``most`` were given already; :func:`given` tells.
    """
    values = {"game": game_id, "seat": seat, "version": version, "label": label, "most": most}
    row = conn.execute(_ADD, values).fetchone()
    return None if row is None else SeatToken(version, row[0], label, row[1])


def rotate(
    conn: Connection,
    codec: Codec,
    before: StoredGame,
    seat: int,
    now: Occupant,
    label: str | None,
    most: int,
) -> SeatToken | None:
    """Store that ``now``, whose tokens have a new version, sits on ``seat``; give it one of these.

    The first token of that version follows from the secret as well, and was given to nobody: it is
    ended, so that nothing that can still be derived opens the seat. None, and nothing is changed,
    if somebody else changed the game since ``before`` was read, or as :func:`add` says.
    """
    game_id, added = before.game.setup.id, None
    with conn.transaction() as transaction:
        saved = games.seat(conn, codec, before, seat, now, before.game, (), ROTATED)
        if saved is not None:
            added = add(conn, game_id, seat, now.token_version, label, most)
        if added is None:
            raise Rollback(transaction)
        end(conn, game_id, number_of(seat, now.token_version, FIRST))
    return added


def given(conn: Connection, game_id: str, seat: int) -> int:
    """Return how many tokens were ever given to a seat beyond its first."""
    row = conn.execute(_COUNT, (game_id, seat)).fetchone()
    assert row is not None
    return int(row[0])


def of_seat(conn: Connection, game_id: str, seat: int, version: int) -> list[SeatToken]:
    """Return every token that a seat was ever given; the first is told with ``version``."""
    row = conn.execute(_SINCE, (game_id, seat)).fetchone()
    assert row is not None
    later = [SeatToken(*found) for found in conn.execute(_LIST, (game_id, seat))]
    return [SeatToken(version, FIRST, None, row[0]), *later]


def end(conn: Connection, game_id: str, number: int) -> None:
    """End one token. It is no version of the game: nobody but the seat can notice."""
    conn.execute(_END, {"game": game_id, "number": number})


def forget_seat(conn: Connection, game_id: str, seat: int) -> None:
    """Remove what who left a seat kept there: its notes, and the labels of its tokens."""
    for query in _LEFT_BEHIND:
        conn.execute(query, (game_id, seat))
