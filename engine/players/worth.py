"""What the master's nets make of one view: each action that is open, in points of the hand."""

from collections.abc import Mapping, Sequence

import numpy as np

from engine.actions import KnockKind
from engine.cards import Card, Cards
from engine.legal import DrawOption, KnockOption
from engine.players.digging import kept_after, leaves_at_wall
from engine.players.features import of_knock
from engine.players.outlook import OTHERS, known_to_be_theirs, unseen
from engine.players.sight import sight_of, with_card, with_top
from engine.players.valued import Valued, features_kept
from engine.players.weights import trained
from engine.views import GameView

POLICY = Valued(trained())
"""How the master plays."""


def worth_of_draws(view: GameView, cards: Sequence[Card]) -> list[float]:
    """Return what the hand is worth to the seat of ``view`` with each of ``cards`` drawn.

    The seat is about to draw; a card of ``cards`` comes from the stock.
    """
    if not cards:
        return []
    sight = sight_of(view).rows(np.zeros(len(cards), np.intp))
    keeps = view.rules.discard_drawn == "any_drawn"
    values = POLICY.think(with_card(sight, np.array(cards, np.int64), keeps=keeps)).value
    return [float(value) * _factor(view) for value in values]


def worth_of_stock(view: GameView) -> float:
    """Return what a blind draw is worth, or passing the upcard, which leads to one."""
    return float(POLICY.draw_value(sight_of(view))[0]) * _factor(view)


def worth_of_pile(view: GameView, draw: DrawOption, *, at_wall: bool) -> float:
    """Return what the discards of ``draw`` are worth.

    At the wall the card is taken to knock with, and worth nothing where that is not possible. Of
    several cards counts what they leave in hand once those that are owed are thrown.
    """
    if draw.cards:
        return _worth_of_several(view, draw)
    if at_wall and not leaves_at_wall(view, draw):
        return 0.0
    thought = POLICY.think(with_top(sight_of(view)))
    value = thought.knock_value if at_wall else thought.value
    return float(value[0]) * _factor(view)


def _worth_of_several(view: GameView, draw: DrawOption) -> float:
    cards, thrown = kept_after(view, draw)
    features = features_kept(np.array([cards], np.int64), np.array([thrown]), sight_of(view))
    return float(POLICY.nets.keep(features)[0]) * _factor(view)


def worth_of_throws(view: GameView) -> Mapping[Card, float]:
    """Return what it is worth to play on after each discard."""
    thought = POLICY.think(sight_of(view), most=None)
    cards, values = thought.choices.thrown.tolist(), thought.values.tolist()
    return {card: value * _factor(view) for card, value in zip(cards, values, strict=True)}


def worth_of_knocks(view: GameView) -> list[float]:
    """Return what each knock that is open is worth."""
    knocks = view.you.legal.knocks
    if not knocks:
        return []
    held = view.you.cards
    kept = np.array([_kept(held, knock) for knock in knocks], np.int64)
    sight = sight_of(view).rows(np.zeros(len(knocks), np.intp))
    values = POLICY.nets.knock(of_knock(kept, sight))
    more = view.rules.big_gin_bonus - view.rules.gin_bonus
    return [
        (float(value) + (more if knock.kind is KnockKind.BIG_GIN else 0)) * _factor(view)
        for value, knock in zip(values, knocks, strict=True)
    ]


def _kept(held: Cards, knock: KnockOption) -> Cards:
    return held if knock.discard is None else held ^ 1 << knock.discard


def _factor(view: GameView) -> int:
    assert view.hand is not None, "a hand is being played"
    return view.hand.multiplier


def danger_of(view: GameView, thrown: Card) -> float:
    """Return how likely the other side can meld ``thrown`` at once, 0 to 1.

    Counted as if the cards that it is not known to hold were any of those that the seat has not
    seen, and each meld of three by itself.
    """
    live, hidden = unseen(view), _hidden(view)
    known = known_to_be_theirs(view)
    many = max(live.bit_count(), 2)
    of_one, of_two = hidden / many, hidden * (hidden - 1) / (many * (many - 1))
    spared = 1.0
    for others in OTHERS[thrown]:
        if not others & ~(known | live):
            spared *= 1 - (1.0, of_one, of_two)[(others & ~known).bit_count()]
    return min(max(1 - spared, 0.0), 1.0)


def _hidden(view: GameView) -> int:
    """Return how many cards the other side holds that it is not known to hold."""
    assert view.hand is not None, "a hand is being played"
    theirs = [seat for seat in view.hand.playing_seats if seat != view.you.seat]
    held = view.seats[theirs[0]].card_count
    return max(0, held - known_to_be_theirs(view).bit_count())
