"""The outbox: what a portal is to be told, written together with the change that it tells of.

A game of nobody has no rows here, and costs nothing; neither does a change of which there is
nothing to tell.
"""

from collections.abc import Sequence
from typing import Any, Final

from psycopg.types.json import Jsonb

from service.portal_events import Told
from service.storage.pool import Connection

_COLUMNS: Final = "portal_id, game_id, version, type, facts"
_ROW: Final = "(%s::int, %s::int, %s::text, %s::jsonb)"
_WITH: Final = """,
    told AS (
        INSERT INTO outbox ({columns})
        SELECT %s, saved.id, saved.version + t.version, t.type, t.facts
        FROM saved, (VALUES {rows}) AS t (place, version, type, facts) ORDER BY t.place)"""
_TELL: Final = """
    INSERT INTO outbox ({columns})
    SELECT %s, %s, t.version, t.type, t.facts
    FROM (VALUES {rows}) AS t (place, version, type, facts) ORDER BY t.place"""


def together(portal_id: str | None, told: Sequence[Told]) -> tuple[str, list[Any]]:
    """Return a part of a statement that saves a game as ``saved``, and its values.

    The version of each of ``told`` counts from the one that is saved, which is 0. Nothing where
    there is nothing to tell.
    """
    if not told:
        return "", []
    return _WITH.format(columns=_COLUMNS, rows=_rows(told)), [portal_id, *_values(told)]


def tell(conn: Connection, portal_id: str | None, game_id: str, told: Sequence[Told]) -> None:
    """Write what is ``told``, within the transaction that changes the game."""
    if told:
        query = _TELL.format(columns=_COLUMNS, rows=_rows(told))
        conn.execute(query, [portal_id, game_id, *_values(told)])


def _rows(told: Sequence[Told]) -> str:
    return ", ".join([_ROW] * len(told))


def _values(told: Sequence[Told]) -> list[Any]:
    return [
        value
        for place, each in enumerate(told)
        for value in (place, each.version, each.type, Jsonb(dict(each.facts)))
    ]
