"""What play was worth: each decision of a hand or game that is over, judged by who advises.

A decision is judged by what its seat could know when it made it: the advisor gets that view, as it
was, and nothing else. Its loss is the value of the best option less that of the one played. Apart
from that stands luck: what a card drawn from the stock was worth, less the mean over all cards that
the seat had not seen.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
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
    if isinstance(action, LayOffs):
        options, loss = _judged_lay_off(game, move, options)
    elif len(options) < 2:
        return None
    else:
        best = _value(options[0])
        loss = rounded(max(0.0, best - _value_played(seen, options, move.event, action)))
    if not options:
        return None
    hand, seat = seen.hand, move.seat
    assert hand is not None, "a decision belongs to a hand"
    assert seat is not None, "a seat has decided"
    top = hand.discard_pile[-1] if hand.discard_pile else None
    at = (move.hand_number, move.number, hand.turn, seat, seen.you.cards, top)
    return Decision(*at, action, options, loss)


def _judged_lay_off(
    game: Game, move: Move, options: tuple[Suggestion, ...]
) -> tuple[tuple[Suggestion, ...], float]:
    """Return the best lay-offs with the points that they lead to, and what those made lost.

    Here all cards lie open, so it is no estimate. Nothing where there was nothing to decide.
    """
    hand, event = game.hand, move.event
    assert hand is not None, "a knock belongs to a hand"
    assert hand.knock is not None, "a knock is laid off on"
    assert isinstance(event, LaidOff), "that is how a lay-off is told"
    best = defend(hand.knock.melds, hand.knock.defender_cards)
    if not best.lay_offs and not best.melds:
        return (), 0.0
    scored = apply(game, event.seat, LayOffs()).moves[0].event
    assert isinstance(scored, LaidOff), "lay-offs end the hand"
    points = _points(scored.result, event.seat)
    loss = max(0, points - _points(event.result, event.seat))
    return (replace(options[0], value=float(points)),), float(loss)


def _points(result: HandResult, seat: int) -> int:
    """Return the points of a hand for ``seat``, those of the other side below zero."""
    return result.points if result.winner == seat else -result.points


def _value(option: Suggestion) -> float:
    if option.value is None:
        raise NotValued
    return rounded(option.value)


def _value_played(
    seen: GameView, options: Sequence[Suggestion], event: Event, action: HandAction
) -> float:
    """Return the value of the option that was played.

    A knock is compared to the one with its discard, or if that is not listed to another, less the
    points that it wastes beside it. What else is not listed has the least of all values.
    """
    played = _key(seen, action)
    same = (option for option in options if _key(seen, option.action) == played)
    knocks = (option for option in options if isinstance(option.action, Knock))
    found = next(same, next(knocks, None) if isinstance(event, Knocked) else None)
    if found is None:
        return min(map(_value, options))
    if isinstance(event, Knocked) and isinstance(found.action, Knock):
        return _value(found) - _wasted(seen, found.action, event)
    return _value(found)


def _key(seen: GameView, action: Action) -> tuple[object, ...]:
    """Return what tells options apart: of a knock its discard, whatever it is called."""
    match action:
        case Knock():
            return ("knock", action.discard)
        case Draw(source=DrawSource.DISCARD_PILE, card=None):
            assert seen.hand is not None, "a pile lies in a hand"
            return ("draw", action.source, seen.hand.discard_pile[-1])
        case Draw():
            return ("draw", action.source, action.card)
    return (action,)


def _wasted(seen: GameView, listed: Knock, event: Knocked) -> int:
    """Return the points that a knock gave away, for certain, beside the one that is ``listed``.

    What its lay-out may have kept from being laid off on is not counted.
    """
    cards, hand = seen.you.cards, seen.hand
    assert hand is not None, "a knock ends a hand"
    least = deadwood(cards if listed.discard is None else cards & ~(1 << listed.discard))
    bonus = _bonus(seen, listed.discard is None, least) - _bonus(
        seen, event.discard is None, event.deadwood
    )
    return (event.deadwood - least + bonus) * hand.multiplier


def _bonus(seen: GameView, whole: bool, left: int) -> int:
    if left:
        return 0
    return seen.rules.big_gin_bonus if whole else seen.rules.gin_bonus


def _luck(seen: GameView, move: Move, analyst: Analyst) -> LuckOfDraw | None:
    event = move.event
    if not isinstance(event, Drew) or event.source is not DrawSource.STOCK:
        return None
    cards = list(each_card(unseen(seen) | 1 << event.card))
    worth = dict(zip(cards, analyst.worth_of_draws(seen, cards), strict=True))
    luck = rounded(worth[event.card] - sum(worth.values()) / len(worth))
    return LuckOfDraw(move.hand_number, move.number, move.turn, event.seat, event.card, luck)
