"""Games in pages: those of a portal, last change first, and those with an open seat, newest first.

The games of a portal are read in two parts, each in the order of an index: those that go on, which
are few, and those that rest. Both are merged by the time of their last change.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from psycopg.types.json import Jsonb

from service.storage.codec import Codec
from service.storage.games import COLUMNS, StoredGame, stored_game
from service.storage.pool import Connection
from service.storage.portals import PortalGame

Place = tuple[datetime, str]
"""Where a page ends: a time, and the id of a game."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which games of a portal: in one of ``statuses``, with a player, changed after a time."""

    portal_id: str
    statuses: Sequence[str] | None = None
    player_ref: str | None = None
    updated_after: datetime | None = None


def _part(resting: bool) -> str:
    """Return the query for one part: ``{changed}`` is the time that orders it."""
    changed = "rested_at" if resting else "updated_at"
    return f"""
        (SELECT coalesce(metadata, '{{}}') AS metadata, {COLUMNS} FROM games
        WHERE portal_id = %(portal)s AND deleted_at IS NULL
            AND rested_at IS {"NOT NULL" if resting else "NULL"}
            AND ({changed}, id) < (%(before)s, %(id)s)
            AND (%(after)s::timestamptz IS NULL OR {changed} > %(after)s)
            AND (%(statuses)s::text[] IS NULL OR status = ANY(%(statuses)s))
            AND (%(player)s::jsonb IS NULL OR seats @> %(player)s)
        ORDER BY {changed} DESC, id DESC LIMIT %(limit)s)"""


_OF_PORTAL: Final = f"""
    SELECT * FROM ({_part(resting=True)} UNION ALL {_part(resting=False)}) AS found
    ORDER BY updated_at DESC, id DESC LIMIT %(limit)s"""
_OPEN: Final = f"""
    SELECT {COLUMNS} FROM games
    WHERE listed AND status = 'waiting' AND deleted_at IS NULL AND join_code IS NOT NULL
        AND (created_at, id) < (%(before)s, %(id)s)
    ORDER BY created_at DESC, id DESC LIMIT %(limit)s"""

_IDS_AFTER: Final = "SELECT id FROM games WHERE id > %s ORDER BY id LIMIT %s"


def ids_after(conn: Connection, game_id: str, limit: int) -> list[str]:
    """Return the next ``limit`` ids of all games after ``game_id``, in order."""
    return [row[0] for row in conn.execute(_IDS_AFTER, (game_id, limit))]


def of_portal(
    conn: Connection, codec: Codec, wanted: Wanted, after: Place | None, limit: int
) -> list[PortalGame]:
    """Return at most ``limit`` games behind the place ``after``, last change first."""
    ref = wanted.player_ref
    values = {
        "portal": wanted.portal_id,
        "statuses": None if wanted.statuses is None else list(wanted.statuses),
        "player": None if ref is None else Jsonb([{"player_ref": ref}]),
        "after": wanted.updated_after,
        **_behind(after, limit),
    }
    rows = conn.execute(_OF_PORTAL, values, binary=True).fetchall()
    return [PortalGame(stored_game(codec, row[1:]), row[0]) for row in rows]


def open_games(conn: Connection, codec: Codec, after: Place | None, limit: int) -> list[StoredGame]:
    """Return at most ``limit`` listed games with an open seat behind ``after``, newest first."""
    rows = conn.execute(_OPEN, _behind(after, limit), binary=True).fetchall()
    return [stored_game(codec, row) for row in rows]


def _behind(after: Place | None, limit: int) -> dict[str, Any]:
    at, game_id = after or ("infinity", "")
    return {"before": at, "id": game_id, "limit": limit}
