"""The master level: plays by learned values, and says what each choice is worth."""

from dataclasses import replace
from random import Random
from typing import Final

from engine.actions import Action, Discard, Draw, DrawSource, Knock, Pass
from engine.hand import Phase
from engine.players import advisor
from engine.players.seat_play import SeatPlay
from engine.players.suggestions import Suggestion
from engine.players.worth import (
    POLICY,
    danger_of,
    worth_of_knocks,
    worth_of_pile,
    worth_of_stock,
    worth_of_throws,
)
from engine.views import GameView

choose: Final = SeatPlay(POLICY, chancy=False)
"""Plays a seat: does what is worth most."""

_NO_CHANCE: Final = Random(0)  # noqa: S311 - it is not looked at
"""The master leaves nothing to chance; what it would be given does not matter."""

_WAITS: Final = ("plays_for_gin", "risk_of_undercut")


def advise(view: GameView) -> tuple[Suggestion, ...]:
    """Return what the seat of ``view`` may do, best first: what the master would do itself.

    The values are points of the hand that it may expect; lay-offs have none. Reasons and chances
    are those of :func:`engine.players.advisor.advise`. It is a function of the view alone.
    """
    plain = advisor.advise(view)
    legal = view.you.legal
    if not plain or "lay_off" in legal.actions:
        return plain
    values = _before_the_draw(view) if legal.draws else _after_the_draw(view)
    first = _asked(choose(view, _NO_CHANCE))
    valued = [_valued(view, each, values[_asked(each.action)]) for each in plain]
    valued.sort(key=lambda each: (_asked(each.action) != first, -(each.value or 0.0)))
    valued[0] = replace(valued[0], value=max(values[_asked(each.action)] for each in valued))
    return (_explained(view, valued[0], valued), *valued[1:])


def _asked(action: Action) -> Action:
    """Return ``action`` without the lay-out, which the value does not depend on."""
    return replace(action, melds=None) if isinstance(action, Knock) else action


def _valued(view: GameView, each: Suggestion, value: float) -> Suggestion:
    action = each.action
    thrown = action.card if isinstance(action, Discard) else None
    return replace(each, value=value, danger=None if thrown is None else danger_of(view, thrown))


def _before_the_draw(view: GameView) -> dict[Action, float]:
    at_wall = "pass" in view.you.legal.actions and view.phase is not Phase.FIRST_UPCARD
    blind = 0.0 if at_wall else worth_of_stock(view)
    values: dict[Action, float] = {Pass(): blind, Draw(DrawSource.STOCK): blind}
    for draw in view.you.legal.draws:
        if draw.card is not None:
            named = draw.card if draw.cards else None
            values[Draw(draw.source, named)] = worth_of_pile(view, draw, at_wall=at_wall)
    return values


def _after_the_draw(view: GameView) -> dict[Action, float]:
    legal = view.you.legal
    values: dict[Action, float] = {Pass(): 0.0}
    if legal.discards:
        values |= {Discard(card): value for card, value in worth_of_throws(view).items()}
    for knock, value in zip(legal.knocks, worth_of_knocks(view), strict=True):
        values[Knock(knock.kind, knock.discard)] = value
    return values


def _explained(view: GameView, best: Suggestion, all_of_them: list[Suggestion]) -> Suggestion:
    """Return ``best`` with why it knocks, or does not where it could."""
    could_knock = any(isinstance(each.action, Knock) for each in all_of_them)
    if isinstance(best.action, Knock):
        assert view.hand is not None, "a knock belongs to a hand"
        why = "early_knock" if view.hand.turn <= advisor.EARLY_TURNS else "low_deadwood"
        return best if best.reasons else replace(best, reasons=(why,))
    rest = tuple(code for code in best.reasons if code not in _WAITS)
    if not could_knock or not isinstance(best.action, Discard):
        return best
    waits = "plays_for_gin" if (best.gin_chance or 0) > 0 else "risk_of_undercut"
    return replace(best, reasons=(waits, *rest))
