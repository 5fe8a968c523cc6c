"""Laying off: the defender's cards on the knocker's melds.

Cards may follow one another in any useful order, and the defender may leave an own meld unmade to
lay its cards off; what counts is the least deadwood of both choices together. The knocker's melds
stay as they were laid out.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.cards import NO_CARDS, Card, Cards, cards_of
from engine.errors import BadInput, CardNotInHand, LayOffNotPossible, MeldNotFound
from engine.melds import (
    Meld,
    MeldKind,
    best_arrangement,
    chains,
    deadwood,
    in_possible_melds,
    parse_meld,
)


@dataclass(frozen=True, slots=True)
class LayOff:
    """A card and the index of the knocker's meld that takes it."""

    card: Card
    meld: int


@dataclass(frozen=True, slots=True)
class PossibleLayOff:
    """A card that fits on a meld of the knocker, at once or when ``after`` lies there."""

    card: Card
    meld: int
    after: Card | None


@dataclass(frozen=True, slots=True)
class LayOffChoice:
    """What the defender does: lay-offs in order, own melds, and what is left of it."""

    lay_offs: tuple[LayOff, ...]
    melds: tuple[Meld, ...]
    unmatched: Cards
    deadwood: int


def lay_off(melds: Sequence[Meld], card: Card, meld_index: int) -> tuple[Meld, ...]:
    """Return ``melds`` with ``card`` added to the one at ``meld_index``.

    :raises MeldNotFound: if there is none.
    :raises LayOffNotPossible: if the card does not make a longer meld of the same kind.
    """
    if not 0 <= meld_index < len(melds):
        raise MeldNotFound(meld_index)
    if all(meld.cards >> card & 1 == 0 for meld in melds):
        before = melds[meld_index]
        try:
            grown = parse_meld(before.cards | 1 << card)
        except BadInput:
            raise LayOffNotPossible(card, meld_index) from None
        return (*melds[:meld_index], grown, *melds[meld_index + 1 :])
    raise LayOffNotPossible(card, meld_index)


def apply_lay_offs(melds: Sequence[Meld], cards: Cards, lay_offs: Iterable[LayOff]) -> LayOffChoice:
    """Return what ``lay_offs``, made in this order, and the best own melds leave of ``cards``.

    :raises CardNotInHand: if a card is not, or no longer, among ``cards``.
    :raises MeldNotFound, LayOffNotPossible: as :func:`lay_off`.
    """
    made = tuple(lay_offs)
    grown = tuple(melds)
    for step in made:
        if not cards >> step.card & 1:
            raise CardNotInHand(step.card)
        grown = lay_off(grown, step.card, step.meld)
        cards ^= 1 << step.card
    return _choice(made, cards)


def possible_lay_offs(melds: Sequence[Meld], cards: Cards) -> tuple[PossibleLayOff, ...]:
    """Return each way for one of ``cards`` to get onto one of ``melds``, in any sequence.

    They come meld by meld, a card after the card that must lie there first.
    """
    found = []
    for index, meld in enumerate(melds):
        for chain in chains(meld, cards):
            before: Card | None = None
            for card in chain:
                found.append(PossibleLayOff(card, index, before))
                before = card
    return tuple(found)


def best_lay_offs(melds: Sequence[Meld], cards: Cards) -> LayOffChoice:
    """Return the defender's best choice: lay-offs and own melds that leave the least deadwood.

    Among equals it has the fewest lay-offs, then lays off the lower cards, as numbers of
    :mod:`engine.cards`. The lay-offs stand in an order in which they can be made.
    """
    choices = _worthwhile(melds, cards)
    if len(choices) == 1:
        laid_off = choices.pop()
    else:
        laid_off = min(choices, key=lambda off: (deadwood(cards ^ off), off.bit_count(), off))
    return _choice(tuple(in_order(melds, laid_off)), cards ^ laid_off)


def _choice(lay_offs: tuple[LayOff, ...], left: Cards) -> LayOffChoice:
    own = best_arrangement(left)
    return LayOffChoice(lay_offs, own.melds, own.unmatched, own.deadwood)


def _worthwhile(melds: Iterable[Meld], cards: Cards) -> set[Cards]:
    """Return the sets of cards that may be laid off together, without some that cannot be best.

    Whatever fits can be laid off beside anything else that fits, so they are the unions of what
    each end of each meld may take. A card in no possible own meld always goes where it fits.
    """
    useful = in_possible_melds(cards)
    choices = {NO_CARDS}
    for meld in melds:
        for chain in chains(meld, cards):
            stops = set(_stops(chain, useful))
            choices = {off | stop for off in choices for stop in stops}
    return choices


def _stops(chain: Sequence[Card], useful: Cards) -> Iterator[Cards]:
    """Yield the beginnings of ``chain`` before each of its cards in ``useful``, and the whole."""
    for length, card in enumerate(chain):
        if useful >> card & 1:
            yield cards_of(chain[:length])
    yield cards_of(chain)


def in_order(melds: Sequence[Meld], laid_off: Cards) -> Iterator[LayOff]:
    """Yield lay-offs that bring all of ``laid_off`` onto ``melds``, runs served before sets.

    A card that fits a set and a run has to go on the run, where others may follow it.
    """
    if not laid_off:
        return
    for index in _runs_first(melds):
        for chain in chains(melds[index], laid_off):
            for card in chain:
                yield LayOff(card, index)
                laid_off ^= 1 << card


def _runs_first(melds: Sequence[Meld]) -> Sequence[int]:
    """Return the indices of ``melds``, those of sets behind those of runs."""
    places = range(len(melds))
    if len(melds) == 1:
        return places
    return sorted(places, key=lambda index: melds[index].kind is MeldKind.SET)
