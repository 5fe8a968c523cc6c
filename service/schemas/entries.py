"""Hands as score keepers enter them: by points, by cards or counts, or two at once."""

from collections.abc import Collection
from typing import Any, Final

from marshmallow import ValidationError

from engine.hand_scores import HandSide as EngineSide
from engine.kept_sheets import MOST_HANDS
from service.schemas import declare as wire
from service.schemas.cards import KNOCK_KINDS
from service.schemas.fields import CardField, Choice, Fault, Inner, Lines, Sequenced, Text, Whole
from service.schemas.hand_sides import HandSide
from service.schemas.rules import RulesRequest
from service.schemas.shapes import RequestSchema

OUTCOMES: Final = ("knock", "gin", "big_gin", "undercut", "drawn", "void", "resigned")
WON: Final = frozenset({"knock", "gin", "big_gin", "undercut"})
MOST_POINTS: Final = 10_000
LONGEST_NAME: Final = 60
LONGEST_REASON: Final = 500

_BY_POINTS: Final = frozenset({"outcome", "winner_seat", "points", "knocker_seat"})
_BY_SIDES: Final = frozenset({"kind", "knocker_seat", "sides", "upcard"})
_BY_TABLES: Final = frozenset({"tables"})
_SAID: Final = frozenset({"by", "confirmed_by", "reason"})


def _refuse(faults: dict[str, Fault]) -> None:
    if faults:
        raise ValidationError({name: [fault] for name, fault in faults.items()})


def _foreign(loaded: Collection[str], taken: Collection[str]) -> dict[str, Fault]:
    return {
        name: Fault("field_not_allowed", field=name)
        for name in loaded
        if name not in taken and name not in _SAID
    }


def _missing(loaded: Collection[str], *needed: str) -> dict[str, Fault]:
    return {name: Fault("required") for name in needed if name not in loaded}


def _check_way(loaded: dict[str, Any]) -> None:
    """Refuse what is not one of the ways to tell of one hand: points, or sides."""
    if loaded.keys() & {"kind", "sides"}:
        _refuse(_missing(loaded, "kind", "knocker_seat", "sides") | _foreign(loaded, _BY_SIDES))
        _check_sides(loaded["sides"], loaded["knocker_seat"])
        return
    foreign = _foreign(loaded, _BY_POINTS)
    if not loaded.keys() & _BY_POINTS:
        _refuse(foreign or {"outcome": Fault("required")})
    outcome = loaded.get("outcome", "knock")
    if outcome in WON:
        _refuse(_missing(loaded, "winner_seat", "points") | foreign)
        _check_knocker(loaded, outcome)
        return
    _refuse(_foreign(loaded, {"outcome", "points"}))
    if loaded.get("points", 0):
        _refuse({"points": Fault("out_of_range", min=0, max=0)})


def _check_sides(sides: list[EngineSide], knocker: int) -> None:
    """Refuse what are not two sides, the knocker's and another one's."""
    if len(sides) != 2:
        _refuse({"sides": Fault("out_of_range", min=2, max=2)})
    for index, side in enumerate(sides):
        if side.seat is None:
            _refuse_side(index, "seat", Fault("required"))
        if side.seat == knocker and side.lay_offs is not None:
            _refuse_side(index, "lay_offs", Fault("field_not_allowed", field="lay_offs"))
    if sides[0].seat == sides[1].seat:
        _refuse_side(1, "seat", Fault("contradictory_fields", field="sides"))
    if knocker not in {side.seat for side in sides}:
        _refuse({"knocker_seat": Fault("contradictory_fields", field="sides")})


def _refuse_side(index: int, name: str, fault: Fault) -> None:
    raise ValidationError({"sides": {index: {name: [fault]}}})


def _check_knocker(loaded: dict[str, Any], outcome: str) -> None:
    """Refuse a knocker that cannot be: who wins has knocked, except by an undercut."""
    knocker = loaded.get("knocker_seat")
    has_won = knocker == loaded["winner_seat"]
    if knocker is not None and has_won == (outcome == "undercut"):
        _refuse({"knocker_seat": Fault("contradictory_fields", field="winner_seat")})


def _outcome() -> Choice:
    return wire.choice("OutcomeInput", OUTCOMES, required=False)


def _points() -> Whole:
    return Whole(0, MOST_POINTS, metadata={"description": "with their bonuses, doubled if so"})


def _kind() -> Choice:
    return wire.choice("KnockKind", KNOCK_KINDS, required=False)


def _sides() -> Sequenced:
    says = "the two that played, with their seats; the server scores them"
    return Sequenced(Inner(HandSide), 2, metadata={"description": says, "minItems": 2})


def _upcard() -> CardField:
    return CardField(metadata={"description": "with sides, where the rules make it count"})


class TableEntry(RequestSchema):
    """One of two hands played at once: by points, or by kind, knocker_seat and sides."""

    outcome = _outcome()
    winner_seat = Whole(0, 3)
    points = _points()
    knocker_seat = Whole(0, 3)
    kind = _kind()
    sides = _sides()
    upcard = _upcard()

    def check(self, loaded: dict[str, Any]) -> None:
        """Refuse what is neither of the two ways."""
        _check_way(loaded)


class HandEntryRequest(RequestSchema):
    """A hand. Exactly one of three ways: by points (outcome, winner_seat, points); by kind,
    knocker_seat and sides, which the server scores; or by tables.
    """  # noqa: D205 - it is one paragraph of the document

    outcome = _outcome()
    winner_seat = Whole(0, 3, metadata={"description": "drawn, void, resigned: absent"})
    points = _points()
    knocker_seat = Whole(
        0, 3, metadata={"description": "by points: absent = the winner of a knock or gin"}
    )
    kind = _kind()
    sides = _sides()
    upcard = _upcard()
    tables = Sequenced(
        Inner(TableEntry),
        2,
        metadata={
            "description": "partners: two hands at once; one team has the difference",
            "minItems": 2,
        },
    )
    by = Text(
        LONGEST_NAME,
        metadata={"description": "score sheets: who enters or corrects it; one of the names"},
    )
    confirmed_by = Sequenced(
        Text(LONGEST_NAME), 4, metadata={"description": "score sheets: names of the sheet"}
    )
    reason = Lines(
        LONGEST_REASON, metadata={"description": "score sheets: why it is corrected; lines"}
    )

    def check(self, loaded: dict[str, Any]) -> None:
        """Refuse what is none of the three ways, or more than one."""
        if "tables" not in loaded:
            _check_way(loaded)
            return
        _refuse(_foreign(loaded, _BY_TABLES))
        if len(loaded["tables"]) != 2:
            _refuse({"tables": Fault("out_of_range", min=2, max=2)})


class GameScoreRequest(RequestSchema):
    """A game kept elsewhere: its hands, in order. Those after its end are not counted."""

    rules = Inner(RulesRequest)
    seats = Whole(2, 4, metadata={"description": "default 2; 4 play as partners"})
    hands = Sequenced(Inner(HandEntryRequest), MOST_HANDS, required=True)

    def check(self, loaded: dict[str, Any]) -> None:
        """Refuse what only score sheets know: who says it, and why."""
        for index, hand in enumerate(loaded["hands"]):
            said = {
                name: [Fault("field_not_allowed", field=name)] for name in hand if name in _SAID
            }
            if said:
                raise ValidationError({"hands": {index: said}})


HAND_ENTRY_REQUEST: Final = HandEntryRequest()
GAME_SCORE_REQUEST: Final = GameScoreRequest()
