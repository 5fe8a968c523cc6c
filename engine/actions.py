"""What a seat asks for. What it may is decided in engine.decisions and engine.progress."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from engine.cards import Card, Cards
from engine.layoffs import LayOff


class DrawSource(StrEnum):
    """Where a card is drawn from."""

    STOCK = "stock"
    DISCARD_PILE = "discard_pile"


class KnockKind(StrEnum):
    """How a seat ends a hand."""

    KNOCK = "knock"
    GIN = "gin"
    BIG_GIN = "big_gin"


@dataclass(frozen=True, slots=True)
class Pass:
    """Refuse the upcard."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw from the stock or the discard pile; ``card`` names the card of the pile meant."""

    source: DrawSource
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """Throw ``card`` on the discard pile."""

    card: Card


@dataclass(frozen=True, slots=True)
class Knock:
    """Knock or go gin with ``discard``; no discard declares big gin.

    ``melds`` is the lay-out as sets of cards, in the order that lay-offs refer to; without it the
    engine picks the best one.
    """

    kind: KnockKind
    discard: Card | None = None
    melds: tuple[Cards, ...] | None = None


@dataclass(frozen=True, slots=True)
class LayOffs:
    """Lay cards off onto the knocker's melds, in this order, and so end the lay-off.

    Without a list the best lay-offs are made; an empty one makes none. ``melds`` are the
    defender's own melds in what is left; without them the best are taken.
    """

    lay_offs: tuple[LayOff, ...] | None = None
    melds: tuple[Cards, ...] | None = None


@dataclass(frozen=True, slots=True)
class DealHand:
    """Deal the next hand."""


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the game up."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Claim the game, since the time of the seat that is due has run out."""


HandAction: TypeAlias = Pass | Draw | Discard | Knock | LayOffs
"""What a seat may do while it plays a hand."""

Action: TypeAlias = HandAction | DealHand | Resign | Claim
"""All that a seat may ask for."""
