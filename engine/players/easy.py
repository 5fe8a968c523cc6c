"""The easy level.

Takes a face-up card only to complete a meld, the last discard at the wall only to knock with it.
Knocks as soon as it can, and throws four cards in ten without thinking.
"""

from random import Random
from typing import Final

from engine.actions import Action, DealHand, Discard, Draw, DrawSource, Knock, LayOffs, Pass
from engine.cards import Card, Cards, cards_of
from engine.hand import Phase
from engine.legal import DrawOption
from engine.melds import deadwood
from engine.players.digging import leaves_at_wall
from engine.rules import Rules
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
    may_pass = "pass" in legal.actions
    if may_pass and view.phase is not Phase.FIRST_UPCARD:
        return _at_wall(view)
    return _draw(view, legal.draws, may_pass=may_pass)


def _draw(view: GameView, draws: tuple[DrawOption, ...], *, may_pass: bool) -> Action:
    for draw in draws:
        if draw.card is not None and completes_meld(view.you.cards, *_kept(draw, view.rules)):
            return Draw(draw.source, draw.card if draw.cards else None)
    if may_pass:
        return Pass()
    sources = [draw.source for draw in draws]
    return Draw(DrawSource.STOCK if DrawSource.STOCK in sources else sources[0])


def _kept(draw: DrawOption, rules: Rules) -> tuple[Card, ...]:
    """Return what of a draw from the pile has to be kept, at least for this turn."""
    assert draw.card is not None
    return draw.cards if draw.cards and rules.multi_pickup_return == "grow" else (draw.card,)


def _at_wall(view: GameView) -> Action:
    """Take the last discard if a knock follows; otherwise the hand is drawn."""
    draws = view.you.legal.draws
    if not draws or not leaves_at_wall(view, draws[0]):
        return Pass()
    return Draw(DrawSource.DISCARD_PILE)


def completes_meld(cards: Cards, *more: Card) -> bool:
    """Return whether ``more`` meld without loss: with them, no more deadwood is left."""
    return deadwood(cards | cards_of(more)) <= deadwood(cards)
