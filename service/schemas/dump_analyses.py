"""From what was said of play to what goes over the wire."""

from collections.abc import Iterable

from engine.cards import card_name, card_names
from engine.players.verdicts import Decision, LuckOfDraw, MoveAnalysis, SeatAnalysis
from service.schemas.dump_hints import asking_for, suggestion
from service.schemas.dump_scores import Wire


def analysed(seats: Iterable[SeatAnalysis], found: Iterable[MoveAnalysis]) -> Wire:
    """Return the sums, the decisions and the draws."""
    found = tuple(found)
    return {
        "seats": [_seat(each) for each in seats],
        "decisions": [_decision(each.decision) for each in found if each.decision is not None],
        "draws": [_draw(each.draw) for each in found if each.draw is not None],
    }


def _seat(of: SeatAnalysis) -> Wire:
    return {
        "seat": of.seat,
        "decisions": of.decisions,
        "loss": of.loss,
        "accuracy": of.accuracy,
        "luck": of.luck,
    }


def _decision(of: Decision) -> Wire:
    return {
        "hand_number": of.hand_number,
        "move_number": of.move_number,
        "turn": of.turn,
        "seat": of.seat,
        "cards": card_names(of.cards),
        **({} if of.top_discard is None else {"top_discard": card_name(of.top_discard)}),
        "played": {**asking_for(of.played), "move_number": of.move_number},
        "options": [suggestion(each, of.move_number) for each in of.options],
        "loss": of.loss,
        "verdict_code": of.verdict,
        "reason_codes": list(of.options[0].reasons),
    }


def _draw(of: LuckOfDraw) -> Wire:
    return {
        "hand_number": of.hand_number,
        "move_number": of.move_number,
        "turn": of.turn,
        "seat": of.seat,
        "card": card_name(of.card),
        "luck": of.luck,
    }
