"""The levels medium, hard and expert: each weighs deadwood, the next draw and danger.

How much of each, how often it slips and when it knocks makes the level; see ``Weights``.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine import bulk
from engine.players.features import Draws, draws_of, use_to_them
from engine.players.policies import Chance, Choices, Throws, choices_of, melds_top
from engine.players.sight import Column, Flags, Sight, with_top

MOST_CHOICES: Final = 7
"""So many discards are looked at, those that leave the least deadwood."""

BEST_DRAWS: Final = 7
"""So many of the next draws are counted, the best ones."""

DANGER: Final = np.array([0.4, 4.0, 12.0])
"""Points that a meld is worth to them of which none, one or two other cards are known theirs."""

SAVES: Final = 4
"""So much deadwood a card has to save that is taken without a meld."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What makes a level.

    ``slips`` is how often a discard is any card at all. A point of deadwood after the next draw
    counts ``ahead`` at first and less by ``fading`` each turn, a point of danger counts ``danger``.
    ``patience`` lists turns of both seats, and with how much deadwood the level still knocks from
    that turn on. A level that ``compares`` takes the face-up card where it leaves less than a blind
    draw would in the mean, the others for a meld, or to save ``SAVES`` points.
    """

    slips: float = 0.0
    ahead: float = 0.0
    fading: float = 1.0
    danger: float = 0.0
    patience: tuple[tuple[int, int], ...] = ()
    compares: bool = False


@dataclass(frozen=True, slots=True)
class Weighing:
    """A policy that weighs as its weights say."""

    weights: Weights

    def takes(self, sight: Sight, _chance: Chance, /) -> Flags:
        """Take what melds or saves; or what is better than a blind draw."""
        with_it = with_top(sight)
        choices = choices_of(with_it, MOST_CHOICES)
        rows = len(sight)
        best = choices.best(choices.deadwood, rows)
        left = choices.deadwood[best]
        now = _deadwood(sight)
        melds = melds_top(sight) & (left < now)
        knocks = left <= self._knocks_with(with_it)
        if not self.weights.compares:
            return melds | (left <= now - SAVES) | knocks
        blind = draws_of(sight.cards, sight.unseen)
        saved: Flags = left < blind.mean_of_best(52)
        return saved & (melds | (left <= now - SAVES)) | knocks

    def throws(self, sight: Sight, chance: Chance, /) -> Throws:
        """Knock when it is time; else throw what costs least."""
        rows = len(sight)
        choices = choices_of(sight, MOST_CHOICES)
        knock = choices.best(choices.deadwood, rows)
        knocks = choices.deadwood[knock] <= self._knocks_with(sight)
        thrown = choices.best(self._cost(choices, sight), rows)
        slips = ~knocks & (chance.random(rows) < self.weights.slips)
        chosen = np.where(knocks, knock, thrown)
        chosen[slips] = _any_of(choices, rows, chance)[slips]
        return Throws(choices.thrown[chosen], knocks)

    def _cost(self, choices: Choices, sight: Sight) -> NDArray[np.float64]:
        weights, owner = self.weights, choices.owner
        cost = choices.deadwood.astype(float)
        if weights.ahead:
            draws: Draws = draws_of(choices.kept, sight.unseen[owner])
            fading = weights.fading ** sight.turn[owner]
            cost += weights.ahead * fading * draws.mean_of_best(BEST_DRAWS)
        if weights.danger:
            uses = use_to_them(choices.thrown, sight.theirs[owner], sight.unseen[owner])
            cost += weights.danger * (DANGER @ np.stack(uses))
        return cost

    def _knocks_with(self, sight: Sight) -> Column:
        """Return the most deadwood with which each row would knock now."""
        most = sight.limit
        for turn, deadwood in self.weights.patience:
            most = np.where(sight.turn >= turn, np.minimum(sight.limit, deadwood), most)
        return most


def _deadwood(sight: Sight) -> Column:
    return bulk.deadwood(sight.cards.view(np.uint64)).astype(np.int64)


def _any_of(choices: Choices, rows: int, chance: Chance) -> Column:
    return choices.best(chance.random(len(choices.owner)), rows)


MEDIUM: Final = Weighing(Weights(slips=0.12))

HARD: Final = Weighing(Weights(slips=0.03, ahead=2.0, danger=0.35, patience=((8, 6),)))

EXPERT: Final = Weighing(
    Weights(
        ahead=10.0,
        fading=0.92,
        danger=0.7,
        patience=((4, 5), (6, 3), (8, 1), (10, 0)),
        compares=True,
    )
)
