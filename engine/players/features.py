"""What the values of positions are learned from: numbers that tell a holding's strength.

All of it is counted over the cards that a seat has not seen, each as likely as the others.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine import bulk
from engine.cards import ACES, POINTS
from engine.players.outlook import OTHERS, TRIOS
from engine.players.sight import Column, Masks, Sight

Floats: TypeAlias = NDArray[np.float32]

NO_THROW: Final = 10
"""Points that stand for a card that was not thrown yet: it tells as little as a court card."""


def _next_to(card: int) -> int:
    """Return the cards of the same suit that are at most two ranks away."""
    near = (card - 2, card - 1, card + 1, card + 2)
    return sum(1 << each for each in near if each // 13 == card // 13)


_CARDS: Final = np.arange(52)
_BITS: Final = np.left_shift(np.int64(1), _CARDS)
_POINTS: Final = np.array(POINTS, np.int64)
_SAME_RANK: Final = np.array([ACES << card % 13 & ~(1 << card) for card in range(52)], np.int64)
_NEXT_TO: Final = np.array([_next_to(card) for card in range(52)], np.int64)
_TRIOS: Final = np.array(TRIOS, np.int64)
_OTHERS: Final = np.array([(*others, *(0,) * (6 - len(others))) for others in OTHERS], np.int64)
"""For each card the other two of each meld of three that has it; 0 where there are not six."""

WORST: Final = 98
"""More deadwood than ten cards have: stands where no card can be drawn."""

BEST_DRAWS: Final = (3, 7, 15)


def count(cards: Masks) -> Column:
    """Return how many cards each of ``cards`` is."""
    return np.bitwise_count(cards).astype(np.int64)


def in_rows(cards: Masks) -> tuple[Column, NDArray[np.bool_]]:
    """Return the cards of each set in a row of their own, lowest first, and which places are real.

    Both have as many columns as the largest set has cards; the places that are left over hold 0.
    """
    held = (cards[:, None] & _BITS) != 0
    width = int(held.sum(axis=1).max(initial=0))
    order = np.argsort(~held, axis=1, kind="stable")[:, :width]
    real = np.take_along_axis(held, order, axis=1)
    return np.where(real, order, 0), real


@dataclass(frozen=True, slots=True)
class Draws:
    """What the next card does for a holding: the least deadwood after it and the best discard.

    ``least`` has a row each holding, sorted, with ``WORST`` in the places after ``live`` cards;
    ``sums`` are the sums of the first so many of them, from none to all. ``spared`` is the deadwood
    of the holding itself but for its dearest loose card.
    """

    least: NDArray[np.int16]
    live: Column
    sums: NDArray[np.int32]
    spared: NDArray[np.int16]

    def mean_of_best(self, number: int) -> NDArray[np.float64]:
        """Return the mean of the ``number`` best draws; of fewer where there are not so many."""
        counted = np.minimum(self.live, number)
        mean: NDArray[np.float64] = self.sums[np.arange(len(counted)), counted] / np.maximum(
            counted, 1
        )
        return mean

    def chance(self, limit: Column | int) -> NDArray[np.float64]:
        """Return how likely the next card leaves no more deadwood than ``limit``."""
        most = limit if isinstance(limit, int) else limit[:, None]
        within: NDArray[np.float64] = (self.least <= most).sum(axis=1) / np.maximum(self.live, 1)
        return within

    def least_of(self, draws: int) -> NDArray[np.float64]:
        """Return the mean of the least of ``draws`` (2, 4 or 8), each as if from all the cards."""
        weights = _OF_LEAST[draws][self.live, : self.least.shape[1]]
        mean: NDArray[np.float64] = np.einsum("ij,ij->i", weights, self.least, dtype=np.float64)
        return mean


def _weights_of_least(draws: int) -> NDArray[np.float32]:
    """Return how likely each place, best first, is the least of so many draws, by live cards."""
    places = np.arange(53)
    live = np.maximum(np.arange(53), 1)[:, None]
    beyond = np.clip(1 - places / live, 0, 1) ** draws
    return (beyond[:, :-1] - beyond[:, 1:]).astype(np.float32)


_OF_LEAST: Final = {draws: _weights_of_least(draws) for draws in (2, 4, 8)}


def draws_of(kept: Masks, unseen: Masks) -> Draws:
    """Return what the next card does for each of ``kept``, one of the ``unseen`` of its row."""
    cards, real = in_rows(unseen)
    grown = kept[:, None] | np.where(real, np.left_shift(1, cards), 0)
    least = np.full(real.shape, WORST, np.int16)
    # All in one go: for a single view it is the calls that cost, not the hands.
    found = bulk.deadwood_less_dearest(np.concatenate([grown[real], kept]).view(np.uint64))
    least[real] = found[: len(found) - len(kept)]
    least.sort(axis=1)
    sums = np.zeros((len(kept), real.shape[1] + 1), np.int32)
    np.cumsum(least, axis=1, dtype=np.int32, out=sums[:, 1:])
    return Draws(least, real.sum(axis=1), sums, found[len(found) - len(kept) :])


def use_to_them(thrown: Column, theirs: Masks, unseen: Masks) -> tuple[Column, Column, Column]:
    """Return how many melds of three can be made with each card thrown, by the side that gets it.

    Counted apart are those of which none, one and two of the other cards are known to be there.
    """
    others = _OTHERS[thrown]
    reach = (theirs | unseen)[:, None]
    makes = (others & ~reach == 0) & (others != 0)
    known = np.bitwise_count(others & theirs[:, None])
    none, one, two = ((makes & (known == number)).sum(axis=1) for number in range(3))
    return none, one, two


@dataclass(frozen=True, slots=True)
class HalfMade:
    """What may become melds of three: how many lack one live card, and how many lack two.

    ``outs`` are the cards of which one would complete some, ``in_hand`` those that wait for them.
    """

    lack_one: Column
    lack_two: Column
    outs: Masks
    in_hand: Masks


def half_made(kept: Masks, unseen: Masks) -> HalfMade:
    """Return what of each of ``kept`` may become melds with the ``unseen`` cards of its row."""
    own = _TRIOS & kept[:, None]
    held = np.bitwise_count(own)
    can_be = (_TRIOS & ~(kept | unseen)[:, None]) == 0
    one = (held == 2) & can_be
    waiting = np.bitwise_or.reduce(np.where(one, _TRIOS, 0), axis=1)
    lack_two = ((held == 1) & can_be).sum(axis=1)
    return HalfMade(one.sum(axis=1), lack_two, waiting & ~kept, waiting & kept)


HOLDING: Final = (
    "deadwood",
    "unmatched",
    "highest",
    "within_limit",
    "gin_chance",
    "within_two",
    "within_five",
    "knock_chance",
    *(f"best_{number}" for number in BEST_DRAWS),
    "mean_draw",
    "least_of_2",
    "least_of_4",
    "least_of_8",
    "lack_one",
    "lack_two",
    "outs",
    "waiting_points",
    "idle_points",
    "left",
    "turn",
    "their_cards",
    "their_points_known",
    "their_melded",
    "points_unseen",
    "last_thrown",
    "thrown_before",
    "least_thrown",
    "live",
    "limit",
    "gin_bonus",
    "undercut_bonus",
)
"""The features of a holding between turns."""

THROWN: Final = (
    "thrown_points",
    "use_none",
    "use_one",
    "use_two",
    "helps_known",
    "same_rank_gone",
    "next_to_gone",
)
"""Those of the card just thrown."""

KNOCKED: Final = (
    "deadwood",
    "unmatched",
    "left",
    "turn",
    "their_cards",
    "their_points_known",
    "their_melded",
    "points_unseen",
    "last_thrown",
    "thrown_before",
    "least_thrown",
    "live",
    "limit",
    "gin_bonus",
    "undercut_bonus",
    "is_gin",
    "runs_to_lay_off",
)
"""Those of a knock: what is left when the last card is thrown."""


def of_holding(kept: Masks, sight: Sight, *, unseen: Masks | None = None) -> Floats:
    """Return the features ``HOLDING`` of what each row of ``sight`` would keep."""
    live = sight.unseen if unseen is None else unseen
    draws = draws_of(kept, live)
    deadwood, known = _deadwoods(kept, sight.theirs)
    half = half_made(kept, live)
    loose = kept & ~bulk.in_possible_melds(kept)
    return _stacked(
        deadwood,
        bulk.fewest_loose(kept.view(np.uint64)),
        deadwood - draws.spared,
        deadwood <= sight.limit,
        draws.chance(0),
        draws.chance(2),
        draws.chance(5),
        draws.chance(sight.limit),
        *(draws.mean_of_best(number) for number in BEST_DRAWS),
        draws.mean_of_best(52),
        draws.least_of(2),
        draws.least_of(4),
        draws.least_of(8),
        half.lack_one,
        half.lack_two,
        count(half.outs),
        bulk.points(loose & half.in_hand),
        bulk.points(loose & ~half.in_hand),
        *_of_table(sight, live, known),
    )


def of_thrown(thrown: Column, sight: Sight) -> Floats:
    """Return the features ``THROWN`` of the card that each row throws."""
    none, one, two = use_to_them(thrown, sight.theirs, sight.unseen)
    with_it, without = _deadwoods(sight.theirs | np.left_shift(1, thrown), sight.theirs)
    gone = ~(sight.cards | sight.theirs | sight.unseen)
    return _stacked(
        _POINTS[thrown],
        none,
        one,
        two,
        with_it <= without,
        count(_SAME_RANK[thrown] & gone),
        count(_NEXT_TO[thrown] & gone),
    )


def of_knock(kept: Masks, sight: Sight) -> Floats:
    """Return the features ``KNOCKED`` of a knock with what is ``kept``."""
    arranged = bulk.arranged(kept)
    melded = kept ^ arranged.unmatched
    fits = bulk.fitting(melded, kept ^ arranged.rest, sight.unseen | sight.theirs)
    return _stacked(
        arranged.deadwood,
        count(arranged.unmatched),
        *_of_table(sight, sight.unseen, bulk.deadwood(sight.theirs.view(np.uint64))),
        arranged.deadwood == 0,
        count(fits),
    )


def _deadwoods(some: Masks, others: Masks) -> tuple[bulk.Points, bulk.Points]:
    both = bulk.deadwood(np.stack([some, others]).view(np.uint64))
    return both[0], both[1]


def _of_table(sight: Sight, live: Masks, known: bulk.Points) -> tuple[NDArray[np.generic], ...]:
    live_count = count(live)
    lately = np.where(sight.lately < 0, NO_THROW, _POINTS[sight.lately])
    return (
        sight.left,
        sight.turn,
        count(sight.theirs),
        known,
        bulk.points(sight.theirs) - known,
        bulk.points(live) / np.maximum(live_count, 1),
        lately[:, 0],
        lately[:, 1],
        lately.min(axis=1),
        live_count,
        sight.limit,
        sight.gin_bonus,
        sight.undercut_bonus,
    )


def _stacked(*columns: NDArray[np.generic]) -> Floats:
    return np.stack([column.astype(np.float32) for column in columns], axis=1)
