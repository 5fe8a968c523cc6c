"""Games in which the time of who is due has run out, and nobody has asked for them yet."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from service.storage.games import StoredGame
from service.storage.pool import Connection

Place = tuple[datetime, str]
"""A deadline, and the id of a game."""

_OVERDUE: Final = """
    SELECT turn_deadline, id FROM games
    WHERE turn_deadline <= now() AND rested_at IS NULL
        AND settled_deadline IS DISTINCT FROM turn_deadline AND deleted_at IS NULL
        AND (turn_deadline, id) > (%s, %s)
    ORDER BY turn_deadline, id LIMIT %s"""
_SETTLE: Final = """
    UPDATE games SET settled_deadline = turn_deadline
    WHERE id = %s AND turn_deadline = %s AND version - sightings = %s"""


def overdue(conn: Connection, after: Place | None, limit: int) -> Sequence[Place]:
    """Return the next games behind ``after`` that were not looked at since their time ran out.

    Those whose time ran out first come first.
    """
    found = conn.execute(_OVERDUE, (*(after or ("-infinity", "")), limit))
    return [(row[0], row[1]) for row in found]


def settle(conn: Connection, stored: StoredGame) -> None:
    """Note that nothing is left to follow from the deadline of ``stored``.

    It is no version: nobody can notice. Nothing is noted if the game was changed meanwhile.
    """
    values = (stored.game.setup.id, stored.turn_deadline, stored.guard)
    conn.execute(_SETTLE, values)
