"""The easy level.

Takes a face-up card only to complete a meld, knocks as soon as it can, and throws four cards in ten
without thinking.
"""

from random import Random
from typing import Final

from engine.actions import Action, DealHand, Discard, Draw, DrawSource, Knock, LayOffs, Pass
from engine.cards import Card, Cards
from engine.legal import DrawOption
from engine.melds import deadwood
from engine.views import GameView

THOUGHTLESS: Final = 0.4
"""How often a discard is any card at all."""


def choose(view: GameView, rng: Random) -> Action:
    """Return the next action of the seat whose ``view`` it is, which has to be due."""
    legal = view.you.legal
    if "deal" in legal.actions:
        return DealHand()
    if "lay_off" in legal.actions:
        return LayOffs()
    if legal.knocks:
        best = legal.knocks[0]
        return Knock(best.kind, best.discard)
    if legal.discards:
        option = rng.choice(legal.discards) if rng.random() < THOUGHTLESS else legal.discards[0]
        return Discard(option.card)
    return _draw(view.you.cards, legal.draws, may_pass="pass" in legal.actions)


def _draw(cards: Cards, draws: tuple[DrawOption, ...], *, may_pass: bool) -> Action:
    for draw in draws:
        if draw.card is not None and completes_meld(cards, draw.card):
            return Draw(draw.source)
    if may_pass:
        return Pass()
    sources = [draw.source for draw in draws]
    return Draw(DrawSource.STOCK if DrawSource.STOCK in sources else sources[0])


def completes_meld(cards: Cards, card: Card) -> bool:
    """Return whether ``card`` melds without loss: with it, no more deadwood is left than before."""
    return deadwood(cards | 1 << card) <= deadwood(cards)
