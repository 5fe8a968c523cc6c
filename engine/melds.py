"""Melds, the ways of arranging cards in them, and the least deadwood.

Sets are chosen, runs follow: once the sets are taken out, each suit's cards that stand three or
more in a row are melded, as every point counts. An arrangement is therefore known by its *rest*,
the cards left when its sets are taken out, and a table over the 8,192 holdings of one suit knows
what runs make of it. A rank held three or four times that touches no run is melded whole at once;
only a rank that *clashes* with a run is tried each way: no set, the whole rank, or, of four, three.

Melds of an arrangement stand in the order of their lowest cards, and two runs of one suit that
touch are one run. Arrangements are in *card order* when their melds' cards, read off in that
order, are.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from typing import Final, TypeAlias

from engine.cards import (
    ACES,
    DECK,
    NO_CARDS,
    POINTS,
    SUIT_POINTS,
    Card,
    Cards,
    SuitCards,
    each_card,
    points,
    rank_of,
)
from engine.errors import CardInTwoMelds, MeldNotInHand, NotARun, NotASet, RunWrapsAce
from engine.rank_by_rank import RankByRank

Suits: TypeAlias = tuple[SuitCards, SuitCards, SuitCards, SuitCards]
"""Cards, suit by suit: clubs, diamonds, hearts, spades."""

_SUIT: Final[SuitCards] = (1 << 13) - 1
_SUITS: Final[tuple[Cards, ...]] = tuple(_SUIT << 13 * suit for suit in range(4))
_TWO_SUITS: Final[Cards] = (1 << 26) - 1
_FEW: Final = 3
"""So many clashing ranks are tried each way; eleven cards never have more."""
REMEMBERED_LAYOUTS: Final = 4096
_COMPARED: Final = 1_000
"""So many equal arrangements are compared; cards as many as a player holds have far fewer."""


class MeldKind(StrEnum):
    """What a meld is."""

    SET = "set"
    RUN = "run"


@dataclass(frozen=True, slots=True)
class Meld:
    """Three or four cards of one rank, or three or more consecutive cards of one suit."""

    kind: MeldKind
    cards: Cards


@dataclass(frozen=True, slots=True)
class Arrangement:
    """One way to lay out cards: melds without a card in common, the rest, and its points."""

    melds: tuple[Meld, ...]
    unmatched: Cards
    deadwood: int


def _in_runs(suit: SuitCards) -> SuitCards:
    """Return those of ``suit`` that stand three or more in a row."""
    first = suit & suit >> 1 & suit >> 2
    return first | first << 1 | first << 2


def _all_melds() -> Iterator[Meld]:
    for rank in range(13):
        whole = ACES << rank
        yield Meld(MeldKind.SET, whole)
        for card in each_card(whole):
            yield Meld(MeldKind.SET, whole ^ 1 << card)
    for suit in range(4):
        for low in range(11):
            for end in range(low + 3, 14):
                yield Meld(MeldKind.RUN, ((1 << end) - (1 << low)) << 13 * suit)


def _runs_of(cards: Cards) -> tuple[Meld, ...]:
    """Return the runs, lowest first, that consist of exactly ``cards`` of one suit."""
    runs = []
    while cards:
        lowest = cards & -cards
        run = cards & ~(cards + lowest)
        runs.append(_MELDS[run])
        cards ^= run
    return tuple(runs)


IN_RUNS: Final[tuple[SuitCards, ...]] = tuple(map(_in_runs, range(1 << 13)))
"""For each holding of one suit: its cards that lie in any run."""

LOOSE_POINTS: Final[tuple[int, ...]] = tuple(
    SUIT_POINTS[suit ^ runs] for suit, runs in enumerate(IN_RUNS)
)
"""For each holding of one suit: the least deadwood that runs alone can leave."""

ALL_MELDS: Final[tuple[Meld, ...]] = tuple(_all_melds())
"""The 329 melds that a deck holds."""

_MELDS: Final[dict[Cards, Meld]] = {meld.cards: meld for meld in ALL_MELDS}
_RUNS: Final[dict[Cards, tuple[Meld, ...]]] = {
    runs << 13 * suit: _runs_of(runs << 13 * suit)
    for runs in sorted(set(IN_RUNS))
    for suit in range(4)
}


def parse_meld(cards: Cards) -> Meld:
    """Return ``cards`` as the meld they make.

    :raises NotASet: if they are of one rank, but fewer than three.
    :raises RunWrapsAce: if only an ace that is high too would make them a run.
    :raises NotARun: if they are no meld for any other reason.
    """
    meld = _MELDS.get(cards)
    if meld is not None:
        return meld
    if any(cards and cards & ACES << rank == cards for rank in range(13)):
        raise NotASet
    raise RunWrapsAce if _wraps_ace(cards) else NotARun


def _wraps_ace(cards: Cards) -> bool:
    """Tell whether ``cards``, no run, would be one of one suit if the ace could be high too."""
    for suit in _suits(cards):
        if suit.bit_count() == cards.bit_count() > 2:
            # If the ranks that are missing stand in a row, so do the others, round the corner.
            missing = _SUIT ^ suit
            return missing & (missing + (missing & -missing)) == 0
    return False


def check_arrangement(melds: Iterable[Cards], cards: Cards) -> Arrangement:
    """Return the arrangement of ``cards`` in ``melds``, which keep the order they have here.

    It need not leave the least deadwood.

    :raises NotASet, NotARun, RunWrapsAce: if one of ``melds`` is none.
    :raises MeldNotInHand: if a meld has a card outside ``cards``; ``meld`` is its index.
    :raises CardInTwoMelds: if two melds have a card in common.
    """
    parsed = tuple(map(parse_meld, melds))
    unmatched = cards
    for index, meld in enumerate(parsed):
        amiss = meld.cards & ~unmatched
        if amiss:
            card = next(each_card(amiss))
            raise CardInTwoMelds(card) if cards >> card & 1 else MeldNotInHand(index, card)
        unmatched ^= meld.cards
    return Arrangement(parsed, unmatched, points(unmatched))


def deadwood(cards: Cards) -> int:
    """Return the least deadwood points of any number of cards, all of them counted."""
    # The suits are taken apart in place: a call would cost as much as half of this.
    low = cards & _TWO_SUITS
    high = cards >> 26
    c, d, h, s = low & _SUIT, low >> 13, high & _SUIT, high >> 13
    loose = LOOSE_POINTS[c] + LOOSE_POINTS[d] + LOOSE_POINTS[h] + LOOSE_POINTS[s]
    ranks = c & d & (h | s) | h & s & (c | d)
    if not ranks:
        return loose
    clash = ranks & (IN_RUNS[c] | IN_RUNS[d] | IN_RUNS[h] | IN_RUNS[s])
    if not clash:
        return loose - 3 * SUIT_POINTS[ranks] - SUIT_POINTS[ranks & c & d & h & s]
    if clash.bit_count() > _FEW:
        return RankByRank(cards).deadwood()
    keep = ~ranks | clash
    suits = c & keep, d & keep, h & keep, s & keep
    for c, d, h, s in _ways(suits, clash):
        left = LOOSE_POINTS[c] + LOOSE_POINTS[d] + LOOSE_POINTS[h] + LOOSE_POINTS[s]
        loose = min(loose, left)
    return loose


def _suits(cards: Cards) -> Suits:
    return cards & _SUIT, cards >> 13 & _SUIT, cards >> 26 & _SUIT, cards >> 39


def _ways(suits: Suits, clash: SuitCards) -> list[Suits]:
    """Return what each choice of sets among the ranks of ``clash`` leaves of ``suits``.

    Of four cards one stays only where a run wants it.
    """
    ways = [suits]
    while clash:
        rank = clash & -clash
        clash ^= rank
        keep = ~rank
        for c, d, h, s in ways.copy():
            ways.append((c & keep, d & keep, h & keep, s & keep))
            if c & d & h & s & rank:
                if IN_RUNS[c] & rank:
                    ways.append((c, d & keep, h & keep, s & keep))
                if IN_RUNS[d] & rank:
                    ways.append((c & keep, d, h & keep, s & keep))
                if IN_RUNS[h] & rank:
                    ways.append((c & keep, d & keep, h, s & keep))
                if IN_RUNS[s] & rank:
                    ways.append((c & keep, d & keep, h & keep, s))
    return ways


def deadwood_after_each_discard(cards: Cards) -> dict[Card, int]:
    """Return, in card order, the least deadwood that is left when that card is thrown."""
    suits = c, d, h, s = _suits(cards)
    ranks = c & d & (h | s) | h & s & (c | d)
    after = {}
    if ranks & (IN_RUNS[c] | IN_RUNS[d] | IN_RUNS[h] | IN_RUNS[s]):
        for card in each_card(cards):
            after[card] = deadwood(cards ^ 1 << card)
        return after
    least = deadwood(cards)
    four = c & d & h & s
    first = 0
    for suit in suits:
        loose = least - LOOSE_POINTS[suit]
        left = suit
        while left:
            rank = left & -left
            left ^= rank
            value = loose + LOOSE_POINTS[suit ^ rank]
            if ranks & rank:
                # The card was no deadwood, though the table of runs counts it; without it, a set
                # of four still stands, and two cards of a set of three are left.
                value += SUIT_POINTS[rank] if four & rank else 3 * SUIT_POINTS[rank]
            after[first + rank.bit_length() - 1] = value
        first += 13
    return after


def arrangements(cards: Cards, limit: int | None = None) -> list[Arrangement]:
    """Return every arrangement that leaves the least deadwood, once each, in card order.

    With ``limit`` these are the first so many; of larger hands in which more than three ranks
    clash with runs, it is the first so many that are found.
    """
    found = [arrangement_leaving(cards, rest) for rest in _best_rests(cards, limit)]
    found.sort(key=_card_order)
    return found[:limit]


def best_arrangement(cards: Cards, seen: Cards = NO_CARDS) -> Arrangement:
    """Return the arrangement to lay out when nobody named one.

    It leaves the least deadwood; among equals it is open to the fewest lay-offs of cards outside
    ``cards`` and ``seen`` (the discard), then has the most sets, then is first in card order.
    """
    rests = _best_rests(cards, _COMPARED)
    if len(rests) == 1:
        return arrangement_leaving(cards, rests[0])
    unseen = DECK & ~(cards | seen)

    def preference(arrangement: Arrangement) -> tuple[int, int, list[list[Card]]]:
        melds = arrangement.melds
        sets = sum(meld.kind is MeldKind.SET for meld in melds)
        open_to = can_be_laid_off(melds, unseen).bit_count()
        return open_to, -sets, _card_order(arrangement)

    return min((arrangement_leaving(cards, rest) for rest in rests), key=preference)


def arrangements_after_each_discard(cards: Cards) -> dict[Card, Arrangement]:
    """Return, in card order, the arrangement to lay out when that card is thrown.

    Each is :func:`best_arrangement` of the other cards, with the thrown one seen.
    """
    rests = _best_rests(cards, 2)
    whole = arrangement_leaving(cards, rests[0])
    # Throwing a card that the one best arrangement leaves unmatched changes nothing else: a better
    # or another one for the rest would have been as good or better with that card, too.
    loose = whole.unmatched if len(rests) == 1 else NO_CARDS
    after = {}
    for card in each_card(cards):
        thrown = 1 << card
        if loose & thrown:
            left = whole.deadwood - POINTS[card]
            after[card] = Arrangement(whole.melds, whole.unmatched ^ thrown, left)
        else:
            after[card] = best_arrangement(cards ^ thrown, thrown)
    return after


def _card_order(arrangement: Arrangement) -> list[list[Card]]:
    return [list(each_card(meld.cards)) for meld in arrangement.melds]


def _best_rests(cards: Cards, limit: int | None) -> list[Cards]:
    """Return the rest of each arrangement that leaves the least deadwood.

    Only where more than three ranks clash are no more than ``limit`` looked for.
    """
    low = cards & _TWO_SUITS
    high = cards >> 26
    c, d, h, s = low & _SUIT, low >> 13, high & _SUIT, high >> 13
    ranks = c & d & (h | s) | h & s & (c | d)
    if not ranks:
        return [cards]
    clash = ranks & (IN_RUNS[c] | IN_RUNS[d] | IN_RUNS[h] | IN_RUNS[s])
    free = ranks ^ clash
    rest = cards & ~(free * ACES)
    if not clash:
        return [rest]
    if clash.bit_count() > _FEW:
        return list(islice(RankByRank(cards).rests(), limit))
    least = 1_000
    rests: list[Cards] = []
    for c, d, h, s in _ways(_suits(rest), clash):
        left = LOOSE_POINTS[c] + LOOSE_POINTS[d] + LOOSE_POINTS[h] + LOOSE_POINTS[s]
        if left < least:
            least, rests = left, []
        if left == least:
            rests.append(c | d << 13 | h << 26 | s << 39)
    return rests


def arrangement_leaving(cards: Cards, rest: Cards) -> Arrangement:
    """Return the arrangement of ``cards`` that leaves ``rest`` when its sets are taken out."""
    low = rest & _TWO_SUITS
    high = rest >> 26
    c, d, h, s = low & _SUIT, low >> 13, high & _SUIT, high >> 13
    runs = IN_RUNS[c] | IN_RUNS[d] << 13 | IN_RUNS[h] << 26 | IN_RUNS[s] << 39
    left = LOOSE_POINTS[c] + LOOSE_POINTS[d] + LOOSE_POINTS[h] + LOOSE_POINTS[s]
    return Arrangement(melds_of(cards ^ rest, runs), rest ^ runs, left)


@lru_cache(maxsize=REMEMBERED_LAYOUTS)
def melds_of(sets: Cards, runs: Cards) -> tuple[Meld, ...]:
    """Return the melds that consist of exactly ``sets`` and ``runs``, in their order."""
    found = [_MELDS[cards] for rank in range(13) if (cards := sets & ACES << rank)] if sets else []
    for suit in _SUITS:
        found += _RUNS[runs & suit]
    return tuple(sorted(found, key=lambda meld: meld.cards & -meld.cards))


def in_possible_melds(cards: Cards) -> Cards:
    """Return those of ``cards`` that lie in any meld that can be made of them."""
    c, d, h, s = _suits(cards)
    ranks = c & d & (h | s) | h & s & (c | d)
    runs = IN_RUNS[c] | IN_RUNS[d] << 13 | IN_RUNS[h] << 26 | IN_RUNS[s] << 39
    return runs | cards & ranks * ACES


def can_be_laid_off(melds: Sequence[Meld], cards: Cards = DECK) -> Cards:
    """Return those of ``cards`` that fit on ``melds``, one by one or one after another.

    No card that lies in one of ``melds`` fits on another.
    """
    fitting = NO_CARDS
    for meld in melds:
        cards &= ~meld.cards
    for meld in melds:
        fitting |= sum(1 << card for chain in chains(meld, cards) for card in chain)
    return fitting


def chains(meld: Meld, cards: Cards) -> Iterator[list[Card]]:
    """Yield which of ``cards`` fit on ``meld``, in rows of cards that must follow one another.

    A set takes its fourth card; a run grows downwards, upwards, or both. There is no empty row.
    """
    for end in _ENDS[meld.cards]:
        row = []
        for card in end:
            if not cards >> card & 1:
                break
            row.append(card)
        if row:
            yield row


def _ends(meld: Meld) -> tuple[tuple[Card, ...], ...]:
    """Return the cards that would fit on each end of ``meld``, one after another."""
    low = (meld.cards & -meld.cards).bit_length() - 1
    if meld.kind is MeldKind.SET:
        return tuple((card,) for card in each_card(ACES << rank_of(low) & ~meld.cards))
    suit, above = low - rank_of(low), meld.cards.bit_length()
    ends = tuple(range(low - 1, suit - 1, -1)), tuple(range(above, suit + 13))
    return tuple(filter(None, ends))


_ENDS: Final = {meld.cards: _ends(meld) for meld in ALL_MELDS}
