"""The score sheets of a portal in pages, last change first."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from psycopg.types.json import Jsonb

from service.storage.game_lists import Place
from service.storage.pool import Connection
from service.storage.score_sheets import read_names


@dataclass(frozen=True, slots=True)
class WantedSheets:
    """Which sheets of a portal: over or not, with a name on them, changed after a time."""

    portal_id: str
    complete: bool | None = None
    name: str | None = None
    updated_after: datetime | None = None


@dataclass(frozen=True, slots=True)
class SheetSummary:
    """What a list tells of a sheet. ``complete``: the game that it keeps is over."""

    id: str
    version: int
    names: tuple[str, ...]
    hand_count: int
    complete: bool
    metadata: Mapping[str, str]
    created_at: datetime
    updated_at: datetime


_OF_PORTAL: Final = """
    SELECT id, version, names::text, hand_count, complete, coalesce(metadata, '{}'),
        created_at, updated_at
    FROM score_sheets
    WHERE portal_id = %(portal)s AND (updated_at, id) < (%(before)s, %(id)s)
        AND (%(after)s::timestamptz IS NULL OR updated_at > %(after)s)
        AND (%(complete)s::boolean IS NULL OR complete = %(complete)s)
        AND (%(name)s::jsonb IS NULL OR names @> %(name)s)
    ORDER BY updated_at DESC, id DESC LIMIT %(limit)s"""


def of_portal(
    conn: Connection, wanted: WantedSheets, after: Place | None, limit: int
) -> list[SheetSummary]:
    """Return at most ``limit`` sheets behind the place ``after``, last change first."""
    before, sheet_id = after or ("infinity", "")
    values = {
        "portal": wanted.portal_id,
        "before": before,
        "id": sheet_id,
        "after": wanted.updated_after,
        "complete": wanted.complete,
        "name": None if wanted.name is None else Jsonb([wanted.name]),
        "limit": limit,
    }
    return [
        SheetSummary(sheet_id, version, read_names(names), *rest)
        for sheet_id, version, names, *rest in conn.execute(_OF_PORTAL, values)
    ]
