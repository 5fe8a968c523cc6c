"""Who sits where, as the table of games keeps it."""

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from psycopg.types.json import Jsonb

from engine.game import SeatKind

REMEMBERED_SEATS: Final = 4096


@dataclass(frozen=True, slots=True)
class Occupant:
    """Who sits on a seat. ``level`` and ``mode`` are those of a computer player.

    ``token_version`` is that of the seat's tokens; a higher one ends all earlier ones.
    ``player_ref`` is the portal's own name for the player, for the portal alone.
    """

    kind: SeatKind
    occupied: bool
    name: str | None = None
    level: str | None = None
    mode: str | None = None
    token_version: int = 0
    player_ref: str | None = None


@lru_cache(maxsize=REMEMBERED_SEATS)  # most games have the same seats, and all of them on each move
def occupants_in(seats: str) -> tuple[Occupant, ...]:
    """Return who sits where, from the text of the column."""
    return tuple(Occupant(**{**seat, "kind": SeatKind(seat["kind"])}) for seat in json.loads(seats))


def column_of(seats: tuple[Occupant, ...]) -> Jsonb:
    """Return what the column holds."""
    return Jsonb([{name: getattr(seat, name) for name in Occupant.__slots__} for seat in seats])
