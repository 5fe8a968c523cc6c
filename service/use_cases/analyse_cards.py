"""Say what cards are worth, one question at a time or many in one request."""

from typing import Final

from engine.analyses import CardsAnalysis, analyse
from engine.cards import Card, Cards
from engine.errors import WrongCardCount
from engine.hand_scores import Mistold
from engine.rules import Rules

MOST_CARDS_IN_BATCH: Final = 15
"""More cards may take a hundred times as long as eleven, which is too long a thousand times."""


def analyse_in_batch(
    cards: Cards,
    rules: Rules,
    upcard: Card | None = None,
    taken_from_discard: Card | None = None,
    max_arrangements: int = 1,
) -> CardsAnalysis:
    """Return what ``cards`` are worth that are one item of many.

    :raises Mistold: as :func:`engine.analyses.analyse`, and for more than 15 cards.
    """
    if rules.multi_pickup and cards.bit_count() > MOST_CARDS_IN_BATCH:
        raise Mistold(WrongCardCount(1, MOST_CARDS_IN_BATCH), "cards")
    return analyse(cards, rules, upcard, taken_from_discard, max_arrangements)
