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
_WITHIN: Final = f""",
    counted AS ({_ADD.format(source=" FROM saved")})"""
_BESIDE: Final = f"WITH counted AS ({_ADD_ALONE}) "
_TOTAL: Final = f"""
    SELECT (SELECT applied_at FROM schema_migrations WHERE name = 'fair_counts'),
        {", ".join(f"coalesce(sum({name}), 0)::bigint" for name in _NAMES)}
    FROM fair_counts"""


@dataclass(frozen=True, slots=True)
class FairTotals:
    """The counts of all games since counting began."""

    since: datetime
    counts: FairCounts


def within(before: Game, game: Game, moves: tuple[Move, ...]) -> tuple[str, tuple[int, ...]]:
    """Return what follows the common table ``saved`` to count what ``moves`` add, and the values.

    It counts if there is a row in ``saved``.
    """
    counts = added(before, game, moves)
    return ("", ()) if counts == NOTHING else (_WITHIN, _values(game, counts))


def beside(before: Game | None, game: Game, moves: tuple[Move, ...]) -> tuple[str, tuple[int, ...]]:
    """Return what comes before a statement to count what ``moves`` add, and the values."""
    counts = added(before, game, moves)
    return ("", ()) if counts == NOTHING else (_BESIDE, _values(game, counts))


def add(conn: Connection, before: Game, game: Game) -> None:
    """Count what came of a change without a move, in its transaction; mostly there is nothing."""
    counts = added(before, game, ())
    if counts != NOTHING:
        conn.execute(_ADD_ALONE, _values(game, counts))


def _values(game: Game, counts: FairCounts) -> tuple[int, ...]:
    return stripe_of(game.setup.id), *astuple(counts)


def stripe_of(game_id: str) -> int:
    """Return the row in which a game is counted."""
    return crc32(game_id.encode()) % STRIPES


def totals(conn: Connection) -> FairTotals:
    """Return the counts of all games."""
    row = conn.execute(_TOTAL).fetchone()
    assert row is not None, "a sum is one row"
    since, *counts = row
    return FairTotals(since, FairCounts(*counts))
