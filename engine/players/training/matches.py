"""Quick matches of policies at the tables of training: what a round was worth.

Games are strung together from mirrored hands that have nothing to do with each other. How levels
are measured for good is told in :mod:`engine.simulation`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np

from engine.players.policies import Chance, Policy
from engine.players.sight import Column
from engine.players.training.tables import Tables, Terms, play, shuffled
from engine.rules import STANDARD

TWO_SIDED_95: Final = 1.96


@dataclass(frozen=True, slots=True)
class Won:
    """How many of ``games`` the first of two policies won, and its points a hand."""

    wins: int
    games: int
    points: float

    @property
    def rate(self) -> float:
        """Return the share of the games that it won."""
        return self.wins / max(self.games, 1)

    @property
    def within(self) -> float:
        """Return half the width of the 95 % interval of the rate."""
        return TWO_SIDED_95 * sqrt(self.rate * (1 - self.rate) / max(self.games, 1))


def match(one: Policy, other: Policy, hands: int, chance: Chance) -> Won:
    """Return what ``one`` won against ``other`` in so many deals, each played from both sides."""
    decks, nondealers = shuffled(hands, chance), chance.integers(0, 2, hands)
    first = _points((one, other), decks, nondealers, chance)
    second = -_points((other, one), decks, nondealers, chance)
    ended = [won for points in (first, second) for won in _games(points.tolist())]
    mean = float(np.mean([first, second]))
    return Won(sum(ended), len(ended), mean)


def _points(
    policies: tuple[Policy, Policy], decks: Column, nondealers: Column, chance: Chance
) -> Column:
    tables = Tables(decks, nondealers, Terms.standard(len(decks)))
    for _ in play(policies, tables, chance):
        pass
    return tables.points


def _games(points: Iterable[int]) -> Iterator[bool]:
    """Return of each game to the target whether the first side won it; one cut short is none."""
    scores = [0, 0]
    for each in points:
        scores[each < 0] += abs(each)
        if max(scores) >= STANDARD.target:
            yield scores[0] > scores[1]
            scores = [0, 0]
