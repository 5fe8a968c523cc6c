"""OpenSpiel's gin rummy in our words: its cards, its actions, its rules."""

from dataclasses import replace

import pyspiel

from engine.actions import DrawSource
from engine.cards import each_card
from engine.melds import MeldKind
from engine.rules import STANDARD

AGREED = replace(
    STANDARD, last_discard="knock_only", undercut_on_tie=False, max_turns=1000, first_dealer="seat1"
)
"""What its rules are in the words of ours: equal counts are nobody's points."""

SPIEL = pyspiel.gin_rummy
PASS, KNOCK = SPIEL.PASS_ACTION, SPIEL.KNOCK_ACTION
DRAWS = {
    SPIEL.DRAW_UPCARD_ACTION: DrawSource.DISCARD_PILE,
    SPIEL.DRAW_STOCK_ACTION: DrawSource.STOCK,
}
UTILS = SPIEL.GinRummyUtils(13, 4, 10)
LONGEST_RUN = 5


def theirs(card):
    """Our card as theirs: the suits go round, spades first."""
    return (card + 13) % 52


def ours(card):
    return (card - 13) % 52


def all_theirs(cards):
    return {theirs(card) for card in each_card(cards)}


def laid_out(melds):
    """The actions that lay these melds out, long runs in parts."""
    for meld in melds:
        cards = list(each_card(meld.cards))
        while cards:
            # What is left of a run has to be one, so a part may have to be shorter.
            long = meld.kind is MeldKind.RUN and len(cards) > LONGEST_RUN
            count = min(LONGEST_RUN, len(cards) - 3) if long else len(cards)
            part, cards = cards[:count], cards[count:]
            yield SPIEL.MELD_ACTION_BASE + UTILS.meld_to_int(list(map(theirs, part)))
