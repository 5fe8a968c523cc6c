"""What play was worth: each decision of a hand or game that is over, judged by who advises.

A decision is judged by what its seat could know when it made it: the advisor gets that view, as it
was, and nothing else. Its loss is the value of the best option less that of the one played. Apart
from that stands luck: what a card drawn from the stock was worth, less the mean over all cards that
the seat had not seen.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.actions import (
    Action,
    Discard,
    Draw,
    DrawSource,
    HandAction,
    Knock,
    LayOffs,
    Pass,
)
from engine.cards import Card, each_card
from engine.events import Discarded, Drew, Event, Knocked, LaidOff, Passed
from engine.game import Game, Move, Mover
from engine.knocks import defend
from engine.melds import deadwood
from engine.players.levels import Advisor
from engine.players.outlook import unseen
from engine.players.suggestions import Suggestion
from engine.players.verdicts import Decision, LuckOfDraw, MoveAnalysis, rounded
from engine.progress import after_move, apply, evolve_game
from engine.scoring import HandResult
from engine.views import GameView, view

DrawValuer: TypeAlias = Callable[[GameView, Sequence[Card]], list[float]]
"""Says of a seat that is about to draw from the stock what its hand is worth to it, in points, with
each of some cards drawn."""

_DECIDES: Final = (Mover.PLAYER, Mover.AI)
"""Whose moves are decisions: what the server or the clock did nobody thought about."""


class NotValued(ValueError):
    """Whoever advises does not say what its options are worth, so that nothing can be judged."""


@dataclass(frozen=True, slots=True)
class Analyst:
    """Who judges: what it advises, and what draws are worth to it."""

    advise: Advisor
    worth_of_draws: DrawValuer


def analyse(
    game: Game,
    moves: Iterable[Move],
    analyst: Analyst,
    *,
    hand_number: int | None = None,
    after: int = 0,
) -> Iterator[MoveAnalysis]:
    """Yield what there is to say of each move above the number ``after``, of all hands or of one.

    ``game`` is as it was before the first of ``moves``: a new one, for all that the log holds. Each
    move is looked at when it is asked for, so that who runs out of time can go on later.

    :raises NotValued: if the analyst gives its options no values.
    """
    for move in moves:
        if move.number > after and hand_number in (None, move.hand_number):
            yield _analysed(game, move, analyst)
        game = after_move(evolve_game(game, move.event), move)


# --- one move


def _analysed(game: Game, move: Move, analyst: Analyst) -> MoveAnalysis:
    action = _asked_for(move.event)
    if action is None or move.seat is None:
        return MoveAnalysis(move.number)
    seen = view(game, move.seat)
    decision = None
    if move.by in _DECIDES:
        decision = _decision(game, seen, move, action, analyst)
    return MoveAnalysis(move.number, decision, _luck(seen, move, analyst))


def _asked_for(event: Event) -> HandAction | None:
    """Return the action that led to ``event``, None for what no seat decides in its play."""
    match event:
        case Passed():
            return Pass()
        case Drew():
            return Draw(event.source, event.card if event.cards else None)
        case Discarded():
            return Discard(event.card)
        case Knocked():
            return Knock(event.kind, event.discard, tuple(meld.cards for meld in event.melds))
        case LaidOff():
            own = next(side for side in event.result.sides if side.seat == event.seat)
            return LayOffs(event.lay_offs, tuple(meld.cards for meld in own.melds))
    return None


def _decision(
    game: Game, seen: GameView, move: Move, action: HandAction, analyst: Analyst
) -> Decision | None:
    options = analyst.advise(seen)
    loss = _loss_of_lay_off(game, move) if isinstance(action, LayOffs) else None
    if loss is None:
        if isinstance(action, LayOffs) or len(options) < 2:
            return None
        loss = _loss(seen, options, move.event, action)
    if options[0].value is None:
        raise NotValued
    hand, seat = seen.hand, move.seat
    assert hand is not None, "a decision belongs to a hand"
    assert seat is not None, "a seat has decided"
    top = hand.discard_pile[-1] if hand.discard_pile else None
    at = (move.hand_number, move.number, hand.turn, seat, seen.you.cards, top)
    return Decision(*at, action, options, loss)


def _loss_of_lay_off(game: Game, move: Move) -> float | None:
    """Return the points that other lay-offs and melds would have saved; None if there were none.

    Here all cards lie open, so it is no estimate.
    """
    hand, event = game.hand, move.event
    assert hand is not None and hand.knock is not None, "a knock is laid off on"  # noqa: PT018
    assert isinstance(event, LaidOff), "what was laid off"
    best = defend(hand.knock.melds, hand.knock.defender_cards)
    if not best.lay_offs and not best.melds:
        return None
    scored = apply(game, event.seat, LayOffs()).moves[0].event
    assert isinstance(scored, LaidOff), "lay-offs end the hand"
    lost = _points(scored.result, event.seat) - _points(event.result, event.seat)
    return rounded(max(0, lost))


def _points(result: HandResult, seat: int) -> int:
    """Return the points of a hand for ``seat``, those of the other side below zero."""
    return result.points if result.winner == seat else -result.points


def _loss(seen: GameView, options: Sequence[Suggestion], event: Event, action: HandAction) -> float:
    best = _value(options[0])
    return rounded(max(0.0, best - _value_played(seen, options, event, action)))


def _value(option: Suggestion) -> float:
    if option.value is None:
        raise NotValued
    return rounded(option.value)


def _value_played(
    seen: GameView, options: Sequence[Suggestion], event: Event, action: HandAction
) -> float:
    """Return the value of the option that was played; one that is not listed has the least."""
    played = _key(seen, action)
    for option in options:
        if _key(seen, option.action) == played:
            return _value(option) - (_wasted(seen, event) if isinstance(event, Knocked) else 0)
    return min(map(_value, options))


def _key(seen: GameView, action: Action) -> tuple[object, ...]:
    """Return what tells options apart: of a knock its discard, whatever it is called."""
    match action:
        case Knock():
            return ("knock", action.discard)
        case Draw(source=DrawSource.DISCARD_PILE, card=None):
            assert seen.hand is not None, "a pile lies in a hand"
            return ("draw", action.source, seen.hand.discard_pile[-1])
    return (action,)


def _wasted(seen: GameView, event: Knocked) -> int:
    """Return the points that a knock's own lay-out gave away, for certain, beside the best one.

    What it may have kept from being laid off on is not counted.
    """
    kept = seen.you.cards if event.discard is None else seen.you.cards & ~(1 << event.discard)
    least, hand = deadwood(kept), seen.hand
    assert hand is not None, "a knock ends a hand"
    bonus = seen.rules.gin_bonus if least == 0 < event.deadwood else 0
    return (event.deadwood - least + bonus) * hand.multiplier


def _luck(seen: GameView, move: Move, analyst: Analyst) -> LuckOfDraw | None:
    event = move.event
    if not isinstance(event, Drew) or event.source is not DrawSource.STOCK:
        return None
    cards = list(each_card(unseen(seen) | 1 << event.card))
    worth = dict(zip(cards, analyst.worth_of_draws(seen, cards), strict=True))
    luck = rounded(worth[event.card] - sum(worth.values()) / len(worth))
    return LuckOfDraw(move.hand_number, move.number, move.turn, event.seat, event.card, luck)
