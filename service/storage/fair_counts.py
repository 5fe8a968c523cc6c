"""The public counts of the fair deal: added to by the write that deals or ends a hand.

Most moves do neither, and add nothing to their statement.
"""

from dataclasses import astuple, dataclass, fields
from datetime import datetime
from typing import Final
from zlib import crc32

from engine.fair_counts import NOTHING, FairCounts, added
from engine.game import Game, Move
from service.storage.pool import Connection

STRIPES: Final = 64
"""Rows that the counts are spread over."""

_NAMES: Final = tuple(field.name for field in fields(FairCounts))
_ADD: Final = f"""
    INSERT INTO fair_counts (stripe, {", ".join(_NAMES)})
    SELECT %s::smallint, {", ".join(["%s::bigint"] * len(_NAMES))}{{source}}
    ON CONFLICT (stripe) DO UPDATE SET
        {", ".join(f"{name} = fair_counts.{name} + excluded.{name}" for name in _NAMES)}"""
_ADD_ALONE: Final = _ADD.format(source="")
_ADD_WITH: Final = f""",
    counted AS ({_ADD.format(source=" FROM saved")})"""
_TOTAL: Final = f"""
    SELECT (SELECT applied_at FROM schema_migrations WHERE name = 'fair_counts'),
        {", ".join(f"coalesce(sum({name}), 0)::bigint" for name in _NAMES)}
    FROM fair_counts"""


@dataclass(frozen=True, slots=True)
class FairTotals:
    """The counts of all games since counting began."""

    since: datetime
    counts: FairCounts


def with_counts(
    before: Game, game: Game, moves: tuple[Move, ...]
) -> tuple[str, tuple[int, ...] | tuple[()]]:
    """Return what a statement with the common table ``saved`` needs to count, and the values."""
    counts = added(before, game, moves)
    return ("", ()) if counts == NOTHING else (_ADD_WITH, _values(game, counts))


def add(conn: Connection, before: Game | None, game: Game, moves: tuple[Move, ...]) -> None:
    """Count what ``moves`` add, in the transaction of their write; mostly there is nothing."""
    counts = added(before, game, moves)
    if counts != NOTHING:
        conn.execute(_ADD_ALONE, _values(game, counts))


def _values(game: Game, counts: FairCounts) -> tuple[int, ...]:
    return crc32(game.setup.id.encode()) % STRIPES, *astuple(counts)


def totals(conn: Connection) -> FairTotals:
    """Return the counts of all games."""
    row = conn.execute(_TOTAL).fetchone()
    assert row is not None, "a sum is one row"
    since, *counts = row
    return FairTotals(since, FairCounts(*counts))
