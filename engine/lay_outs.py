"""Every way to lay out cards, the least deadwood first: also those that leave more than they must.

:mod:`engine.melds` knows the arrangements that leave the least. A player may lay out less, to hide
a card from lay-offs or to keep a knock from being gin, and wants to see what comes next. Two runs
of one suit that touch are one run, so a lay-out is known by the cards in sets and those in runs.

It is a search for the cheapest ways through the ranks, ace to king. Between two ranks only the
*rows* matter: for each suit, how many cards in a row the run that is being made has so far, 3 for
three or more. What is still to come from there at the least is known exactly, so the search looks
at hardly anything that it does not need.
"""

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import islice
from typing import Final, TypeAlias

from engine.cards import NO_CARDS, POINTS, Cards, each_card, points
from engine.melds import Arrangement, best_arrangement, melds_of

_Rows: TypeAlias = int
"""Two bits for each suit: how many cards of its run have been laid so far, 3 for three or more."""

_Suits: TypeAlias = int
"""Four bits, one for each suit: the cards of one rank."""

_NEVER: Final = 1_000_000


def _after(rows: _Rows, run: _Suits) -> _Rows:
    """Return the rows after a rank of which the suits ``run`` go on with their runs; -1 if never.

    A run that ends must have three cards.
    """
    after = 0
    for suit in range(4):
        row = rows >> 2 * suit & 3
        if run >> suit & 1:
            after |= min(row + 1, 3) << 2 * suit
        elif row in {1, 2}:
            return -1
    return after


def _choices(held: _Suits) -> tuple[tuple[_Suits, _Suits, int], ...]:
    """Return what can become of the cards ``held`` of one rank: set, runs, and how many are left.

    A whole set comes first, so that of two lay-outs that leave the same, one with sets is found.
    """
    triples = [held ^ 1 << suit for suit in range(4)] if held == 15 else []
    whole = [held] if held.bit_count() >= 3 else []
    found = []
    for taken in (*whole, *triples, 0):
        rest = held ^ taken
        runs = [run for run in range(16) if run & ~rest == 0]
        found += [(taken, run, (rest ^ run).bit_count()) for run in reversed(runs)]
    return tuple(found)


_AFTER: Final = tuple(tuple(_after(rows, run) for run in range(16)) for rows in range(256))
_CHOICES: Final = tuple(map(_choices, range(16)))
_SPREAD: Final = tuple(
    sum((suits >> suit & 1) << 13 * suit for suit in range(4)) for suits in range(16)
)
"""The cards of one rank, aces, for each four bits of suits."""


def lay_outs(cards: Cards) -> Iterator[Arrangement]:
    """Yield every lay-out of ``cards`` once, the least deadwood first."""
    held = tuple(_held(cards, rank) for rank in range(13))
    to_come = _to_come(held)
    # Deadwood in all, how many ranks are done (more first), a number that no two have; then rows,
    # deadwood so far, cards in sets, cards in runs.
    waiting = [(to_come[0][0], 0, 0, 0, 0, NO_CARDS, NO_CARDS)]
    made = 0
    while waiting:
        _, done, _, rows, left, sets, runs = heappop(waiting)
        rank = -done
        if rank == 13:
            yield _arrangement(cards, sets, runs)
            continue
        for taken, run, loose in _CHOICES[held[rank]]:
            after = _AFTER[rows][run]
            least = to_come[rank + 1].get(after, _NEVER)
            if least < _NEVER:
                made += 1
                so_far = left + loose * POINTS[rank]
                melded = sets | _SPREAD[taken] << rank, runs | _SPREAD[run] << rank
                heappush(waiting, (so_far + least, done - 1, made, after, so_far, *melded))


def first_lay_outs(cards: Cards, limit: int) -> tuple[tuple[Arrangement, ...], bool]:
    """Return the ``limit`` lay-outs that leave the least, and whether there are more.

    The first is :func:`engine.melds.best_arrangement`; others that leave the same stand in the
    order of their cards.
    """
    best = best_arrangement(cards)
    if limit == 1:
        # There is another lay-out whenever there is a meld: not to make it.
        return (best,), bool(best.melds)
    found = list(islice(lay_outs(cards), limit + 1))
    others = [lay_out for lay_out in found if lay_out != best]
    others.sort(key=_order)
    return (best, *others)[:limit], len(found) > limit


def _order(lay_out: Arrangement) -> tuple[int, list[list[int]]]:
    return lay_out.deadwood, [list(each_card(meld.cards)) for meld in lay_out.melds]


def _held(cards: Cards, rank: int) -> _Suits:
    return sum((cards >> 13 * suit + rank & 1) << suit for suit in range(4))


def _to_come(held: tuple[_Suits, ...]) -> list[dict[_Rows, int]]:
    """Return for each rank, by the rows below it, the least deadwood from there on.

    Rows that no lay-out leads to, or from which none goes on, are not there.
    """
    reached: list[set[_Rows]] = [{0}]
    for suits in held:
        runs = {run for _, run, _ in _CHOICES[suits]}
        reached.append({_AFTER[rows][run] for rows in reached[-1] for run in runs} - {-1})
    to_come = [{rows: 0 for rows in reached[13] if _AFTER[rows][0] == 0}]
    for rank in range(12, -1, -1):
        further, choices, value = to_come[-1], _CHOICES[held[rank]], POINTS[rank]
        least = {}
        for rows in reached[rank]:
            after = _AFTER[rows]
            least[rows] = min(
                loose * value + further.get(after[run], _NEVER) for _, run, loose in choices
            )
        to_come.append({rows: left for rows, left in least.items() if left < _NEVER})
    return to_come[::-1]


def _arrangement(cards: Cards, sets: Cards, runs: Cards) -> Arrangement:
    unmatched = cards & ~(sets | runs)
    return Arrangement(melds_of(sets, runs), unmatched, points(unmatched))
