"""An analyst for tests: it lists all that is legal and values it by deadwood alone."""

from engine.actions import Discard, Draw, Knock, LayOffs, Pass
from engine.melds import deadwood
from engine.players.analysis import Analyst
from engine.players.suggestions import Suggestion

KNOCKING = 20.0
"""What a knock is worth, less its deadwood."""
PASSING = 5.0
"""What it is worth to pass, or to draw from the stock; a card of the pile is worth its number."""


def advise(view):
    legal = view.you.legal
    found = [Suggestion(action, value=value) for action, value in options(view, legal)]
    return tuple(sorted(found, key=lambda each: -each.value))


def options(view, legal):
    if "lay_off" in legal.actions:
        yield LayOffs(), 0.0
    if "pass" in legal.actions:
        yield Pass(), PASSING
    for draw in legal.draws:
        named = draw.card if draw.cards else None
        yield Draw(draw.source, named), PASSING if draw.card is None else float(draw.card)
    for option in legal.discards:
        yield Discard(option.card), -float(option.deadwood)
    for option in legal.knocks:
        yield Knock(option.kind, option.discard), KNOCKING - option.deadwood


def worth_of_draws(view, cards):
    """The less deadwood is left with a card, the better."""
    return [-float(deadwood(view.you.cards | 1 << card)) for card in cards]


ANALYST = Analyst(advise, worth_of_draws)
