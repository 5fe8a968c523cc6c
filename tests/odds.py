"""How well shuffled decks are: what is counted over many of them, and how far that is from chance.

Each test gives one number, which of decks in truly random order is about normally distributed with
mean 0 and variance 1. Sums of squares become such a number by the cube root of Wilson and Hilferty.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from math import comb, factorial, sqrt
from statistics import NormalDist

import numpy as np

CARDS = 52
BLOCK = 5
"""So many neighbouring cards are compared in the permutation test; ten blocks in a deck."""

BATCH = 5000
CHANCE = 0.01
"""How probable it is that some test fails though chance is all there is."""


def batches(decks: Iterable[tuple[int, ...]]) -> Iterator[np.ndarray]:
    """Yield the decks as arrays, a row for each, so many at once that memory stays small."""
    left = iter(decks)
    while batch := b"".join(map(bytes, islice(left, BATCH))):
        yield np.frombuffer(batch, np.uint8).reshape(-1, CARDS).astype(np.int64)


class Tally:
    """What was counted of decks; :meth:`deviations` says what it is worth."""

    def __init__(self) -> None:
        self.decks = 0
        self.positions = np.zeros((CARDS, CARDS), np.int64)
        self.pairs = np.zeros(CARDS * CARDS, np.int64)
        self.ascents = np.zeros(CARDS, np.int64)
        self.fixed_points = np.zeros(CARDS + 1, np.int64)
        self.patterns = np.zeros(factorial(BLOCK), np.int64)
        self.neighbours = np.zeros(CARDS * CARDS, np.int64)

    def add(self, decks: np.ndarray) -> None:
        """Count some decks."""
        places = np.arange(CARDS)
        self.decks += len(decks)
        cells = np.bincount((places * CARDS + decks).ravel(), minlength=CARDS * CARDS)
        self.positions += cells.reshape(CARDS, CARDS)
        self.pairs += np.bincount(decks[:, 0] * CARDS + decks[:, 1], minlength=CARDS * CARDS)
        follows = (decks[:, :-1] * CARDS + decks[:, 1:]).ravel()
        self.neighbours += np.bincount(follows, minlength=CARDS * CARDS)
        ascents = (decks[:, :-1] < decks[:, 1:]).sum(axis=1)
        self.ascents += np.bincount(ascents, minlength=CARDS)
        self.fixed_points += np.bincount((decks == places).sum(axis=1), minlength=CARDS + 1)
        blocks = decks[:, : CARDS // BLOCK * BLOCK].reshape(-1, BLOCK)
        self.patterns += np.bincount(_patterns(blocks), minlength=factorial(BLOCK))

    def deviations(self) -> dict[str, float]:
        """Return what each test says, by its name."""
        uneven = np.eye(CARDS).ravel() == 0
        even = np.full(uneven.sum(), 1 / uneven.sum())
        return {
            "positions": self._positions(),
            "first pairs": squares(self.pairs[uneven], even),
            "neighbours": self._neighbours(uneven),
            "ascents": self._mean_ascents(),
            "runs": squares(self.ascents, eulerian()),
            "fixed points": squares(self.fixed_points, matches()),
            "permutations": squares(self.patterns, np.full(factorial(BLOCK), 1 / factorial(BLOCK))),
        }

    def _positions(self) -> float:
        """Each card lies at each place equally often. All rows and columns have the same sum."""
        expected = self.decks / CARDS
        square = ((self.positions - expected) ** 2).sum() / expected * (CARDS - 1) / CARDS
        return normal(float(square), (CARDS - 1) ** 2)

    def _neighbours(self, uneven: np.ndarray) -> float:
        """Each card follows each other one equally often.

        The mean of the squares is 2,601. All but two of it lie in the 2,549 directions in which
        no card as such leads or follows more often than others.
        """
        expected = self.decks / CARDS
        square = ((self.neighbours[uneven] - expected) ** 2).sum() / expected
        return normal(float(square) * (CARDS - 1) / CARDS, (CARDS - 1) ** 2 - CARDS + 2)

    def _mean_ascents(self) -> float:
        """A card follows a lower one half of the time: mean 51/2, variance 53/12 in a deck."""
        total = float((self.ascents * np.arange(CARDS)).sum())
        mean = self.decks * (CARDS - 1) / 2
        return (total - mean) / sqrt(self.decks * (CARDS + 1) / 12)


def bound(tests: int) -> float:
    """Return how far from 0 a number of so many tests may be (Bonferroni; both sides count)."""
    return NormalDist().inv_cdf(1 - CHANCE / tests / 2)


def squares(counts: np.ndarray, shares: np.ndarray) -> float:
    """Return how far ``counts`` are from their ``shares``; rare cells count together."""
    expected = shares * counts.sum()
    # Many cells of one size may be small ones, as long as none is nearly empty.
    rare = expected < (1 if shares.max() < 2 / len(shares) else 10)
    if rare.any():
        counts = np.append(counts[~rare], counts[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
        if expected[-1] < 10:  # still rare: with the one before it
            counts[-2], expected[-2] = counts[-2:].sum(), expected[-2:].sum()
            counts, expected = counts[:-1], expected[:-1]
    square = ((counts - expected) ** 2 / expected).sum()
    return normal(float(square), len(counts) - 1)


def normal(square: float, freedom: int) -> float:
    """Return a sum of squares as a normally distributed number (Wilson and Hilferty)."""
    spread = 2 / (9 * freedom)
    return ((square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread)


def _patterns(blocks: np.ndarray) -> np.ndarray:
    """Return the order of the cards of each block as a number, 0 to 119."""
    found = np.zeros(len(blocks), np.int64)
    for at in range(BLOCK - 1):
        lower = (blocks[:, at + 1 :] < blocks[:, at : at + 1]).sum(axis=1)
        found = found * (BLOCK - at) + lower
    return found


@cache
def eulerian() -> np.ndarray:
    """Return the share of decks with each number of ascents (Eulerian numbers over 52!)."""
    row = [1]
    for size in range(2, CARDS + 1):
        before = [0, *row, 0]
        row = [(k + 1) * before[k + 1] + (size - k) * before[k] for k in range(size)]
    return np.array([count / factorial(CARDS) for count in row])


@cache
def matches() -> np.ndarray:
    """Return the share of decks with each number of cards at their own place (rencontres)."""
    deranged = [1, 0]
    for size in range(2, CARDS + 1):
        deranged.append((size - 1) * (deranged[-1] + deranged[-2]))
    whole = factorial(CARDS)
    return np.array([comb(CARDS, k) * deranged[CARDS - k] / whole for k in range(CARDS + 1)])
