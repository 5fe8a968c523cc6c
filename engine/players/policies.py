"""What a way of playing is asked, in columns: a row each table, at the same point of a turn."""

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from engine import bulk
from engine.cards import POINTS
from engine.players.features import in_rows
from engine.players.sight import Column, Flags, Masks, Sight

Chance = np.random.Generator

FULL: Final = 11
"""So many cards a seat holds between its draw and its discard."""

_NEVER: Final = 999
_POINTS: Final = np.array(POINTS, np.int64)


@dataclass(frozen=True, slots=True)
class Throws:
    """The card that each row throws, and whether it knocks with the rest."""

    card: Column
    knocks: Flags


class Policy(Protocol):
    """A way of playing. It goes by what it is shown and by ``chance``, and by nothing else."""

    def takes(self, sight: Sight, chance: Chance, /) -> Flags:
        """Return which rows take the top of the discard pile; the others draw blind or pass."""

    def throws(self, sight: Sight, chance: Chance, /) -> Throws:
        """Return what each row does after its draw, one card too many in hand."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What may be thrown, a row each of many: it belongs to row ``owner`` of the sight.

    ``kept`` is what is left, ``deadwood`` its least deadwood.
    """

    owner: Column
    thrown: Column
    kept: Masks
    deadwood: Column

    def best(self, cost: NDArray[np.generic], rows: int) -> Column:
        """Return for each row of the sight the choice of the least ``cost``, by its number.

        Of equals the first is taken, that with the dearest card.
        """
        order = np.lexsort((cost, self.owner))
        first = np.searchsorted(self.owner[order], np.arange(rows))
        best: Column = order[first]
        return best


def choices_of(sight: Sight, most: int | None = None) -> Choices:
    """Return the discards open to each row, the dearest cards first.

    Of more than ``most`` only those that leave the least deadwood are returned; of cards with the
    same deadwood left, the dearest.
    """
    free = np.where(sight.barred >= 0, np.left_shift(1, np.maximum(sight.barred, 0)), 0)
    cards, real = in_rows(sight.cards & ~free)
    by_points = np.argsort(np.where(real, -_POINTS[cards], 1), axis=1, kind="stable")
    cards, real = cards[_rows(by_points), by_points], real[_rows(by_points), by_points]
    kept = sight.cards[:, None] & ~np.left_shift(1, cards)
    deadwood = np.full(kept.shape, _NEVER, np.int64)
    deadwood[real] = bulk.deadwood(kept[real].view(np.uint64))
    if most is not None and cards.shape[1] > most:
        real &= _among_least(deadwood, most)
    owner = np.broadcast_to(np.arange(len(sight))[:, None], cards.shape)
    return Choices(owner[real], cards[real], kept[real], deadwood[real])


def _rows(places: Column) -> Column:
    return np.arange(len(places))[:, None]


def _among_least(deadwood: Column, most: int) -> Flags:
    """Return which places of each row are those of its least; of equals, the first ones."""
    least = np.argsort(deadwood, axis=1, kind="stable")[:, :most]
    flags = np.zeros(deadwood.shape, bool)
    flags[_rows(least), least] = True
    return flags


def melds_top(sight: Sight) -> Flags:
    """Return in which rows the top of the pile would lie in a meld without loss."""
    with_it = sight.cards | np.left_shift(1, np.maximum(sight.top, 0))
    melds: Flags = bulk.deadwood(with_it.view(np.uint64)) <= bulk.deadwood(
        sight.cards.view(np.uint64)
    )
    return melds & (sight.top >= 0)
