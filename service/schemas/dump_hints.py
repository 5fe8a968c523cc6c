"""From what an advisor says to what goes over the wire."""

from engine.actions import Action, Discard, Draw, Knock, LayOffs, Pass
from engine.cards import Cards, card_name, card_names
from engine.melds import parse_meld
from engine.players.suggestions import Suggestion
from service.schemas.dump import lay_offs, melds
from service.schemas.dump_scores import Wire

DIGITS = 4
"""Digits after the point of a chance."""

DIGITS_OF_POINTS = 2
"""Digits after the point of a value in points."""


def suggestion(of: Suggestion, move_number: int) -> Wire:
    """Return a suggestion: the body that makes the move ``move_number`` of it, and why."""
    wire: Wire = {"move": {**asking_for(of.action), "move_number": move_number}}
    if of.value is not None:
        wire["value"] = points(of.value)
    for name in ("knock_chance", "gin_chance", "danger"):
        chance: float | None = getattr(of, name)
        if chance is not None:
            wire[name] = round(chance, DIGITS)
    if of.helping_cards is not None:
        wire["helping_cards"] = card_names(of.helping_cards)
    wire["reason_codes"] = list(of.reasons)
    return wire


def points(value: float) -> float:
    """Return points as they are sent; what rounds to nothing has no sign."""
    return round(value, DIGITS_OF_POINTS) + 0.0


def asking_for(action: Action) -> Wire:
    """Return the body of the generic door that asks for ``action``, without its number."""
    match action:
        case Pass():
            return {"action": "pass"}
        case Draw():
            card = {} if action.card is None else {"card": card_name(action.card)}
            return {"action": "draw", "source": action.source, **card}
        case Discard():
            return {"action": "discard", "card": card_name(action.card)}
        case Knock():
            thrown = {} if action.discard is None else {"card": card_name(action.discard)}
            return {"action": action.kind, **thrown, **_laid_out(action.melds)}
        case LayOffs():
            made = {} if action.lay_offs is None else {"lay_offs": lay_offs(action.lay_offs)}
            return {"action": "lay_off", **made, **_laid_out(action.melds)}
    raise AssertionError(f"nobody advises {action}")


def _laid_out(of: tuple[Cards, ...] | None) -> Wire:
    return {} if of is None else {"melds": melds(tuple(map(parse_meld, of)))}
