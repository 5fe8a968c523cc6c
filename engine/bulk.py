"""The least deadwood of many hands at once, with numpy.

The method and the tables are those of :mod:`engine.melds`. Hands are taken in blocks that stay in
the processor's cache; only those in which a rank clashes with a run are looked at again, all of
them together, one clashing rank after another.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine import melds
from engine.cards import ACES, SUIT_POINTS

Hands: TypeAlias = NDArray[np.uint64]
"""Sets of cards, as in :mod:`engine.cards`, one each element."""

Points: TypeAlias = NDArray[np.int16]

Masks: TypeAlias = NDArray[np.int64]
"""Sets of cards, too: 52 bits leave the sign alone."""

_Bits: TypeAlias = NDArray[np.int64]
"""Cards of one suit, or ranks, one each element; with a first axis of four: suit by suit."""

_Count: TypeAlias = Callable[[_Bits], Points]

_BLOCK: Final = 1 << 13
_FEW: Final = 3
_SUIT: Final = (1 << 13) - 1
_SHIFTS: Final = 13 * np.arange(4)
_ACES: Final = np.int64(ACES)
_KINGS: Final = np.int64(ACES << 12)
_NO_ROWS: Final = np.empty(0, np.intp)
_IN_RUNS: Final = np.array(melds.IN_RUNS, np.int64)
_LOOSE: Final = np.array(melds.LOOSE_POINTS, np.int16)
_SUIT_POINTS: Final = np.array(SUIT_POINTS, np.int64)
_LOOSE_CARDS: Final = np.array(
    [(suit ^ runs).bit_count() for suit, runs in enumerate(melds.IN_RUNS)], np.int16
)
_DEAREST: Final = np.array(
    [min((suit ^ runs).bit_length(), 10) for suit, runs in enumerate(melds.IN_RUNS)], np.int16
)
"""For each holding of one suit: the points of the dearest card that is in no run."""


def deadwood(hands: Hands) -> Points:
    """Return the least deadwood of each of ``hands``, all its cards counted; any shape."""
    return _in_blocks(np.asarray(hands, np.uint64), _loose)


def deadwood_after_best_discard(hands: Hands) -> Points:
    """Return the least deadwood that each of ``hands``, eleven cards each, has after a discard.

    :raises ValueError: if a hand has not eleven cards.
    """
    cards = np.asarray(hands, np.uint64)
    if np.any(np.bitwise_count(cards) != 11):
        raise ValueError("each hand must have eleven cards")
    return _in_blocks(cards, _loose_but_dearest)


def deadwood_less_dearest(hands: Hands) -> Points:
    """Return the least deadwood of each of ``hands`` but for its dearest loose card; any shape.

    For eleven cards it is what the best discard leaves. Of more cards all may lie in melds that can
    spare none; then it is less than any discard leaves.
    """
    return _in_blocks(np.asarray(hands, np.uint64), _loose_but_dearest)


def fewest_loose(hands: Hands) -> Points:
    """Return how few cards of each of ``hands`` can be left in no meld; any shape."""
    return _in_blocks(np.asarray(hands, np.uint64), _loose_cards)


def points(cards: Masks) -> NDArray[np.int64]:
    """Return the points of each of ``cards``, melded or not; any shape."""
    total: NDArray[np.int64] = np.take(_SUIT_POINTS, _suits(cards), mode="clip").sum(axis=0)
    return total


@dataclass(frozen=True, slots=True)
class Arranged:
    """The best arrangements of many hands, as :func:`engine.melds.best_arrangement` picks them.

    ``rest`` is what the sets of each leave, ``unmatched`` what all its melds leave, and
    ``deadwood`` its points. ``clear`` says that no rank clashes with a run: then nothing that is
    taken from the unmatched cards changes the melds.
    """

    clear: NDArray[np.bool_]
    rest: Masks
    unmatched: Masks
    deadwood: Points


def arranged(hands: Masks, seen: Masks | None = None) -> Arranged:
    """Return how each of ``hands``, in one row, is arranged; ``seen`` are the discards."""
    suits, clash = _taken_apart(hands)
    runs = np.take(_IN_RUNS, suits, mode="clip")
    found = Arranged(clash == 0, _packed(suits), _packed(suits ^ runs), _loose(suits))
    for row in np.flatnonzero(clash).tolist():
        hand = int(hands[row])
        best = melds.best_arrangement(hand, 0 if seen is None else int(seen[row]))
        in_sets = (meld.cards for meld in best.melds if meld.kind is melds.MeldKind.SET)
        found.rest[row] = hand ^ sum(in_sets)
        found.unmatched[row] = best.unmatched
        found.deadwood[row] = best.deadwood
    return found


def fitting(melded: Masks, sets: Masks, hands: Masks) -> Masks:
    """Return which of ``hands`` fit on melds, each beside others or after them.

    ``melded`` are all cards of the melds, ``sets`` those of them that lie in sets.
    """
    runs = melded ^ sets
    c, d, h, s = (sets >> 13 * suit & _SUIT for suit in range(4))
    fits = _spread(c & d & (h | s) | h & s & (c | d)) & ~sets & hands
    grown = runs
    while True:
        # A run goes on with the next card, but not from a king to the ace of the next suit.
        next_ones = (grown << 1 & ~_ACES | grown >> 1 & ~_KINGS) & hands & ~grown
        if not next_ones.any():
            found: Masks = fits | grown ^ runs
            return found
        grown = grown | next_ones


def in_possible_melds(hands: Masks) -> Masks:
    """Return those of each of ``hands`` that lie in any meld that can be made of them."""
    suits = _suits(hands)
    c, d, h, s = suits
    sets = hands & _spread(c & d & (h | s) | h & s & (c | d))
    found: Masks = sets | _packed(np.take(_IN_RUNS, suits, mode="clip"))
    return found


def _suits(cards: Masks) -> _Bits:
    """Return the cards suit by suit."""
    suits: _Bits = np.right_shift(cards, _SHIFTS.reshape(4, *(1,) * np.ndim(cards)))
    suits &= _SUIT
    return suits


def _packed(suits: _Bits) -> Masks:
    """Return the cards whose suits are given."""
    cards: Masks = suits[0] | suits[1] << 13 | suits[2] << 26 | suits[3] << 39
    return cards


def _spread(ranks: _Bits) -> Masks:
    """Return all cards of ``ranks``."""
    return _packed(np.broadcast_to(ranks, (4, *ranks.shape)))


def _loose(suits: _Bits) -> Points:
    c, d, h, s = np.take(_LOOSE, suits, mode="clip")
    total: Points = c + d + h + s
    return total


def _loose_cards(suits: _Bits) -> Points:
    total: Points = np.take(_LOOSE_CARDS, suits, mode="clip").sum(axis=0, dtype=np.int16)
    return total


def _loose_but_dearest(suits: _Bits) -> Points:
    """Return the loose points but for the dearest loose card.

    No other discard does better: a melded card that is thrown leaves at least as much. If none is
    loose, one of the melds of eleven cards can spare a card, and nothing is left either.
    """
    dearest: Points = np.take(_DEAREST, suits, mode="clip").max(axis=0)
    return _loose(suits) - dearest


def _in_blocks(hands: Hands, count: _Count) -> Points:
    """Return the least that ``count`` finds in each of ``hands``."""
    flat = hands.ravel().view(np.int64)
    result = np.empty(flat.shape, np.int16)
    clashing = [_NO_ROWS]
    for start in range(0, len(flat), _BLOCK):
        block = slice(start, start + _BLOCK)
        suits, clash = _taken_apart(flat[block])
        result[block] = count(suits)
        clashing.append(np.flatnonzero(clash) + start)
    rows = np.concatenate(clashing)
    for start in range(0, len(rows), _BLOCK):
        again = rows[start : start + _BLOCK]
        suits, clash = _taken_apart(flat[again])
        many = np.bitwise_count(clash) > _FEW
        clash[many] = 0
        result[again] = _least_of_choices(suits, clash, count)
        for row in again[many]:
            result[row] = melds.deadwood(int(flat[row]))
    return result.reshape(hands.shape)


def _taken_apart(hands: _Bits) -> tuple[_Bits, _Bits]:
    """Return the suits of ``hands`` without sets that touch no run, and the ranks that clash."""
    suits = _suits(hands)
    c, d, h, s = suits
    ranks = c & d & (h | s) | h & s & (c | d)
    runs = np.take(_IN_RUNS, suits, mode="clip")
    clash = ranks & (runs[0] | runs[1] | runs[2] | runs[3])
    suits &= ~(ranks ^ clash)
    return suits, clash


def _least_of_choices(suits: _Bits, clash: _Bits, count: _Count) -> Points:
    """Return the least that ``count`` finds, whatever sets are taken at the ranks of ``clash``."""
    least = count(suits)
    hands = np.arange(len(clash))
    while True:
        rows = np.flatnonzero(clash)
        if not len(rows):
            return least
        hands, suits, clash = _with_sets(hands[rows], suits.take(rows, axis=1), clash[rows])
        np.minimum.at(least, hands, count(suits))


def _with_sets(
    hands: NDArray[np.intp], suits: _Bits, clash: _Bits
) -> tuple[NDArray[np.intp], _Bits, _Bits]:
    """Return every choice at the lowest rank of ``clash``: for which hand, and what it leaves.

    No set comes first, then the whole rank, then, where it is held by all suits, all but one.
    """
    rank = clash & -clash
    later = clash ^ rank
    less = suits & ~rank
    four = np.flatnonzero(np.bitwise_and.reduce(suits, axis=0) & rank)
    rests = [suits, less]
    for suit in range(4):
        rest = less.take(four, axis=1)
        rest[suit] = suits[suit].take(four)
        rests.append(rest)
    return (
        np.concatenate([hands, hands, *[hands[four]] * 4]),
        np.concatenate(rests, axis=1),
        np.concatenate([later, later, *[later[four]] * 4]),
    )
