"""What a knock lays out, what it is called, and what the defender does then.

The rules of one moment, for a hand that is played here and for one that is only told of. Nothing
here knows whose turn it is.
"""

from engine.actions import KnockKind
from engine.cards import NO_CARDS, Cards, cards_of
from engine.errors import BigGinNotEnabled, DeadwoodTooHigh, LayoutNotMinimal, NotBigGin, NotGin
from engine.layoffs import LayOff, LayOffChoice, apply_lay_offs, best_lay_offs, possible_lay_offs
from engine.melds import (
    Arrangement,
    Meld,
    MeldKind,
    best_arrangement,
    check_arrangement,
    deadwood,
)
from engine.rules import Rules


def lay_out(
    rules: Rules, retained: Cards, melds: tuple[Cards, ...] | None, seen: Cards = NO_CARDS
) -> Arrangement:
    """Return the lay-out of the cards that a knocker keeps: ``melds``, or without them the best.

    ``seen`` is the discard, which nobody can lay off.

    :raises LayoutNotMinimal: if the rules ask for the least deadwood and ``melds`` leave more.
    :raises BadInput, MeldNotInHand: as :func:`engine.melds.check_arrangement`.
    """
    if melds is None:
        return best_arrangement(retained, seen)
    layout = check_arrangement(melds, retained)
    if rules.knocker_layout == "minimal_only" and layout.deadwood > deadwood(retained):
        raise LayoutNotMinimal(layout.deadwood)
    return layout


def lay_out_big_gin(rules: Rules, cards: Cards, melds: tuple[Cards, ...] | None) -> Arrangement:
    """Return the lay-out of all cards of a seat that declares big gin (full s6).

    :raises BigGinNotEnabled: if it was not agreed on.
    :raises NotBigGin: if a card is left over.
    :raises BadInput, MeldNotInHand: as :func:`engine.melds.check_arrangement`.
    """
    if not rules.big_gin:
        raise BigGinNotEnabled
    layout = best_arrangement(cards) if melds is None else check_arrangement(melds, cards)
    if layout.deadwood:
        raise NotBigGin(layout.deadwood)
    return layout


def knock_kind(declared: KnockKind, left: int, limit: int) -> KnockKind:
    """Call a knock that leaves nothing gin, whatever was declared; refuse gin with deadwood.

    :raises NotGin: if more than a knock was declared and deadwood is ``left``.
    :raises DeadwoodTooHigh: if that is above the knock ``limit``.
    """
    if left == 0:
        return KnockKind.GIN
    if declared is not KnockKind.KNOCK:
        raise NotGin(left)
    if left > limit:
        raise DeadwoodTooHigh(left, limit)
    return KnockKind.KNOCK


def may_lay_off(rules: Rules, kind: KnockKind) -> bool:
    """Return whether the defender may lay off: not on gin, unless that was agreed on."""
    return kind is KnockKind.KNOCK or rules.layoff_on_gin


def defend(
    targets: tuple[Meld, ...],
    cards: Cards,
    lay_offs: tuple[LayOff, ...] | None = None,
    melds: tuple[Cards, ...] | None = None,
) -> LayOffChoice:
    """Return what the defender makes of ``cards`` against the knocker's melds, the ``targets``.

    Without ``lay_offs`` the best are made, or those that fit where own ``melds`` are named; an
    empty list makes none. Without ``melds`` the best of what is left are taken.

    :raises MeldNotFound, LayOffNotPossible, CardNotInHand: for a lay-off, as
        :func:`engine.layoffs.apply_lay_offs`.
    :raises BadInput, MeldNotInHand: as :func:`engine.melds.check_arrangement`.
    """
    if melds is None:
        if lay_offs is None:
            return best_lay_offs(targets, cards)
        return apply_lay_offs(targets, cards, lay_offs)
    if lay_offs is None:
        lay_offs = _all_that_fit(targets, check_arrangement(melds, cards).unmatched)
    apply_lay_offs(targets, cards, lay_offs)
    own = check_arrangement(melds, cards & ~cards_of(laid.card for laid in lay_offs))
    return LayOffChoice(lay_offs, own.melds, own.unmatched, own.deadwood)


def _all_that_fit(melds: tuple[Meld, ...], cards: Cards) -> tuple[LayOff, ...]:
    """Return all that fits of ``cards``, which lie in no own meld; runs first, they may grow."""
    made: list[LayOff] = []
    for index in sorted(range(len(melds)), key=lambda index: melds[index].kind is MeldKind.SET):
        for fit in possible_lay_offs((melds[index],), cards):
            made.append(LayOff(fit.card, index))
            cards ^= 1 << fit.card
    return tuple(made)
