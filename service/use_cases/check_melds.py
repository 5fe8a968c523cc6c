"""Check melds that somebody thinks of laying out elsewhere."""

from engine.analyses import check_count
from engine.cards import Card, Cards
from engine.errors import UpcardNeeded
from engine.hand import HAND_SIZE
from engine.hand_scores import Mistold
from engine.meld_checks import MeldCheck, ProposedMeld, check_lay_out, check_shapes
from engine.rules import Rules, knock_limit


def check_melds(
    melds: tuple[ProposedMeld, ...],
    rules: Rules,
    cards: Cards | None = None,
    upcard: Card | None = None,
) -> MeldCheck:
    """Return whether ``melds`` are valid, and what they are worth if the ``cards`` are told.

    :raises Mistold: if there are more cards than a seat may hold, or if the rules make the knock
        limit depend on an upcard that is missing.
    """
    if cards is None:
        return check_shapes(melds)
    check_count(cards, rules, HAND_SIZE + 1)
    if upcard is None and rules.knock_mode == "oklahoma":
        raise Mistold(UpcardNeeded(), "upcard")
    return check_lay_out(melds, cards, rules, knock_limit(rules, upcard))
