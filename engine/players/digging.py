"""What several cards from the discard pile, or the last one at the wall, leave in hand."""

from typing import Final

from engine.cards import Card, Cards, cards_of
from engine.legal import DrawOption
from engine.melds import deadwood, deadwood_after_each_discard
from engine.views import GameView

WORTH: Final = 4
"""So much deadwood several cards have to save beside the hand as it is."""

MOST_DIGS: Final = 6
"""So many picks are looked at, those nearest to the top."""


def best_dig(view: GameView) -> DrawOption | None:
    """Return the buried discard that is worth taking most, or None.

    One is, if it leaves ``WORTH`` points less than there are now and than the top card would leave,
    or allows gin.
    """
    digs = [draw for draw in view.you.legal.draws if draw.cards][:MOST_DIGS]
    if not digs:
        return None
    now = deadwood(view.you.cards)
    top = next(
        (
            left_after(view, draw)
            for draw in view.you.legal.draws
            if not draw.cards and draw.card is not None
        ),
        now,
    )
    left, _, best = min((left_after(view, draw), place, draw) for place, draw in enumerate(digs))
    worth = left <= min(now, top) - WORTH or left == 0 < top
    return best if worth else None


def left_after(view: GameView, draw: DrawOption) -> int:
    """Return the least deadwood that ``draw`` leaves once the cards that are owed are thrown."""
    return deadwood(kept_after(view, draw)[0])


def kept_after(view: GameView, draw: DrawOption) -> tuple[Cards, Card]:
    """Return the cards that ``draw`` leaves in hand, and the last one thrown.

    As many as are owed go, each the one that leaves the least deadwood, but never the card taken.
    """
    assert draw.card is not None, "the pile is open"
    more = draw.cards or (draw.card,)
    owed = len(more) if view.rules.multi_pickup_return == "discard_down" else 1
    cards, thrown = view.you.cards | cards_of(more), draw.card
    for _ in range(owed):
        after = deadwood_after_each_discard(cards)
        del after[draw.card]
        thrown = min(after, key=lambda card: after[card])
        cards ^= 1 << thrown
    return cards, thrown


def leaves_at_wall(view: GameView, top: DrawOption) -> bool:
    """Return whether the last discard, taken at the wall, lets the seat knock."""
    hand = view.hand
    assert hand is not None, "a draw belongs to a hand"
    return left_after(view, top) <= hand.knock_limit
