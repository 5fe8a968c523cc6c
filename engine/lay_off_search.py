"""What a defender can lay off of cards that are kept elsewhere, and what was made of it there."""

from dataclasses import dataclass

from engine.analyses import check_count
from engine.cards import NO_CARDS, Cards, each_card
from engine.errors import DuplicateCard, EngineError
from engine.hand import HAND_SIZE
from engine.hand_scores import HandSide, Mistold, place_of_defence
from engine.knocks import defend
from engine.layoffs import (
    LayOff,
    LayOffChoice,
    PossibleLayOff,
    best_lay_offs,
    lay_off,
    possible_lay_offs,
)
from engine.melds import Meld
from engine.rules import Rules


@dataclass(frozen=True, slots=True)
class LayOffSearch:
    """The best joint choice of lay-offs and own melds, the knocker's melds after it, and all fits.

    ``chosen`` is what was made of it, None if nothing was told.
    """

    best: LayOffChoice
    melds_after: tuple[Meld, ...]
    possible: tuple[PossibleLayOff, ...]
    chosen: LayOffChoice | None


def search_lay_offs(
    melds: tuple[Meld, ...],
    cards: Cards,
    rules: Rules,
    *,
    lay_offs: tuple[LayOff, ...] | None = None,
    own_melds: tuple[Cards, ...] | None = None,
) -> LayOffSearch:
    """Return what a defender with ``cards`` can lay off on the knocker's ``melds``.

    ``lay_offs`` and ``own_melds`` are those of the table, which are then checked and counted.

    :raises Mistold: if the defender holds too many cards or one of the knocker's, or if a lay-off
        or an own meld does not fit.
    """
    check_count(cards, rules, HAND_SIZE)
    laid_out = NO_CARDS
    for meld in melds:
        laid_out |= meld.cards
    for card in each_card(laid_out & cards):
        raise Mistold(DuplicateCard(card), "cards")
    best = best_lay_offs(melds, cards)
    after = melds
    for made in best.lay_offs:
        after = lay_off(after, made.card, made.meld)
    chosen = _chosen(melds, HandSide(cards=cards, melds=own_melds, lay_offs=lay_offs))
    return LayOffSearch(best, after, possible_lay_offs(melds, cards), chosen)


def _chosen(targets: tuple[Meld, ...], told: HandSide) -> LayOffChoice | None:
    if told.lay_offs is None and told.melds is None:
        return None
    assert told.cards is not None, "a defender is asked about by its cards"
    try:
        return defend(targets, told.cards, told.lay_offs, told.melds)
    except EngineError as error:
        raise Mistold(error, *place_of_defence(told, error)) from None
