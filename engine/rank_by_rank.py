"""Melding where many ranks clash: rank by rank, as dynamic programming.

:mod:`engine.melds` tries every set at each rank that clashes with a run. No hand of eleven cards
has more than three such ranks; where larger ones have, trying everything would take for ever.
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

from engine.cards import ACES, NO_CARDS, POINTS, Cards, each_card

Rows: TypeAlias = tuple[int, ...]
"""For each suit, how many of its cards stand in a row, 3 for three or more."""

_NO_ROWS: Final[Rows] = (0, 0, 0, 0)
_ROW_POINTS: Final[tuple[tuple[int, ...], ...]] = tuple(
    (0, sum(POINTS[max(rank - 1, 0) : rank]), sum(POINTS[max(rank - 2, 0) : rank]), 0)
    for rank in range(14)
)
"""By rank and length of the row that ends below it: the deadwood it leaves."""


class RankByRank:
    """The best arrangements of cards in which many ranks clash, found rank by rank.

    Which sets to take at one rank depends on the ranks below only through the *rows*: how many
    cards in a row each suit has kept for a run just below it, where 3 stands for three or more.
    A row that ends below three is deadwood. That makes at most 256 positions for each rank.
    """

    def __init__(self, cards: Cards) -> None:
        self._cards = cards
        self._known: dict[tuple[int, Rows], int] = {}

    def deadwood(self) -> int:
        """Return the least deadwood."""
        return self._least(0, _NO_ROWS)

    def rests(self) -> Iterator[Cards]:
        """Yield the rest of each arrangement that leaves the least deadwood."""
        return self._rests(0, _NO_ROWS, self._cards)

    def _least(self, rank: int, rows: Rows) -> int:
        """Return the least deadwood from ``rank`` on, the rows that end there included."""
        if rank > 13:
            return 0
        least = self._known.get((rank, rows))
        if least is None:
            least = min(
                ended + self._least(rank + 1, after) for _, ended, after in self._steps(rank, rows)
            )
            self._known[rank, rows] = least
        return least

    def _rests(self, rank: int, rows: Rows, rest: Cards) -> Iterator[Cards]:
        if rank > 13:
            yield rest
            return
        least = self._least(rank, rows)
        for taken, ended, after in self._steps(rank, rows):
            if ended + self._least(rank + 1, after) == least:
                yield from self._rests(rank + 1, after, rest ^ taken)

    def _steps(self, rank: int, rows: Rows) -> Iterator[tuple[Cards, int, Rows]]:
        """Yield each choice of a set at ``rank``, the deadwood of rows it ends, and the new rows.

        Rank 13, above the king, has no cards and ends all rows.
        """
        held = self._cards & ACES << rank if rank < 13 else NO_CARDS
        for taken in _set_choices(held):
            kept = (held ^ taken) >> rank
            after = tuple(
                min(row + 1, 3) if kept >> 13 * suit & 1 else 0 for suit, row in enumerate(rows)
            )
            ended = sum(
                _ROW_POINTS[rank][row] for row, now in zip(rows, after, strict=True) if not now
            )
            yield taken, ended, after


def _set_choices(held: Cards) -> Iterator[Cards]:
    """Yield no cards, and every set that can be made of ``held``, cards of one rank."""
    yield NO_CARDS
    if held.bit_count() >= 3:
        yield held
    if held.bit_count() == 4:
        for card in each_card(held):
            yield held ^ 1 << card
