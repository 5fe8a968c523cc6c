"""Moves: the requests that ask for one, the list of them, and the update that answers."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from marshmallow import ValidationError

from engine.meld_checks import ProposedMeld as EngineProposedMeld
from engine.melds import MeldKind
from service.schemas import declare as wire
from service.schemas.cards import (
    DRAW_SOURCES,
    KNOCK_KINDS,
    MELD_KINDS,
    check_melds_apart,
    lay_offs_sent,
    melds_sent,
)
from service.schemas.fields import CardSet, Fault, Inner, Sequenced, Whole
from service.schemas.shapes import AnswerSchema, RequestSchema

GREATEST_NUMBER: Final = 999_999_999
"""No move, hand or version number goes beyond."""

TURN_ACTIONS: Final = ("pass", "draw", "discard")
MOVE_ACTIONS: Final = (*TURN_ACTIONS, *KNOCK_KINDS, "lay_off", "resign", "claim")

FIELDS_OF_ACTION: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "pass": ((), ()),
    "draw": (("source",), ("card",)),
    "discard": (("card",), ()),
    "knock": (("card",), ("melds",)),
    "gin": (("card",), ("melds",)),
    "big_gin": ((), ("melds",)),
    "lay_off": ((), ("lay_offs", "melds")),
    "resign": ((), ()),
    "claim": ((), ()),
}
"""The fields that go with each action: those it needs, and those it takes besides."""


def move_number() -> Whole:
    """Return the field that is lock and retry key of every move."""
    says = "must equal game.next_move; the lock and the retry key"
    return Whole(1, GREATEST_NUMBER, required=True, metadata={"description": says})


class _ByAction(RequestSchema):
    """A body whose fields depend on its action."""

    action: ClassVar[Any]

    def check(self, loaded: dict[str, Any]) -> None:
        """Refuse fields that do not go with the action, and miss those that have to."""
        action = loaded["action"]
        needed, taken = FIELDS_OF_ACTION[action]
        faults: dict[str, list[Fault]] = {
            name: [Fault("required")] for name in needed if name not in loaded
        }
        for name in loaded:
            if name not in {"action", "move_number", *needed, *taken}:
                faults[name] = [Fault("field_not_allowed", field=name)]
        if loaded.get("source") == "stock" and "card" in loaded and action == "draw":
            faults["card"] = [Fault("field_not_allowed", field="card")]
        if faults:
            raise ValidationError(faults)
        check_melds_apart(loaded)


class MoveRequest(_ByAction):
    """Any action of a seat. draw: source (card for a buried one). discard: card. knock, gin: card,
    melds. big_gin: melds. lay_off: lay_offs, melds. pass, resign, claim: nothing more.
    """  # noqa: D205 - it is one paragraph of the document

    part_of_answers = True

    action = wire.choice("MoveRequestAction", MOVE_ACTIONS)
    move_number = move_number()
    source = wire.choice("DrawSource", DRAW_SOURCES, required=False)
    card = wire.card(required=False)
    melds = melds_sent("absent = the best lay-out")
    lay_offs = lay_offs_sent("absent = the best ones; empty = none")


class TurnRequest(_ByAction):
    """card = the discard, or the buried card to take."""

    action = wire.choice("TurnAction", TURN_ACTIONS)
    move_number = move_number()
    source = wire.choice("DrawSource", DRAW_SOURCES, required=False)
    card = wire.card(required=False)


class KnockRequest(RequestSchema):
    """No discard = big gin."""

    kind = wire.choice("KnockKind", KNOCK_KINDS, required=False)
    move_number = move_number()
    discard = wire.card(required=False)
    melds = melds_sent("absent = the best lay-out")

    def check(self, loaded: dict[str, Any]) -> None:
        """Refuse a discard with big gin, and knock or gin without one."""
        kind = loaded.get("kind")
        if kind == "big_gin" and "discard" in loaded:
            raise ValidationError({"discard": [Fault("field_not_allowed", field="discard")]})
        if kind in {"knock", "gin"} and "discard" not in loaded:
            raise ValidationError({"discard": [Fault("required")]})
        check_melds_apart(loaded)


class LayOffsRequest(RequestSchema):
    """One request ends the lay-off."""

    move_number = move_number()
    lay_offs = lay_offs_sent("absent = the best ones; empty = none")
    melds = melds_sent("the defender's own; absent = the best")

    def check(self, loaded: dict[str, Any]) -> None:
        """Refuse melds that share a card."""
        check_melds_apart(loaded)


class ProposedMeld(RequestSchema):
    """Cards that are meant to be a meld. What is none is told in the answer, not refused."""

    kind = wire.choice("MeldKind", MELD_KINDS)
    cards = CardSet(13, required=True)

    def make(self, loaded: dict[str, Any]) -> EngineProposedMeld:
        """Return the engine's word for it."""
        return EngineProposedMeld(MeldKind(loaded["kind"]), loaded["cards"])


class MeldCheckRequest(RequestSchema):
    """A lay-out of one's own cards."""

    melds = Sequenced(Inner(ProposedMeld), 17, required=True)


class MeldIssue(AnswerSchema):
    """What is wrong with a meld."""

    meld = wire.number("index into the melds sent")
    code = wire.text(
        "open: not_a_set, not_a_run, run_wraps_ace, card_in_two_melds, card_not_in_hand"
    )
    card = wire.card(required=False)


class MeldCheck(AnswerSchema):
    """What a lay-out is worth."""

    valid = wire.flag()
    issues = wire.many(MeldIssue)
    deadwood = wire.number(
        "of the cards kept, after the best discard where one is due; absent if not valid",
        required=False,
    )
    can_knock = wire.flag("whether you may knock with this very lay-out now")


class ResignRequest(RequestSchema):
    """Nothing but the number of the move."""

    move_number = move_number()


class ClaimRequest(RequestSchema):
    """Nothing but the number of the move."""

    move_number = move_number()


MOVE_REQUEST: Final = MoveRequest()
TURN_REQUEST: Final = TurnRequest()
KNOCK_REQUEST: Final = KnockRequest()
LAY_OFFS_REQUEST: Final = LayOffsRequest()
RESIGN_REQUEST: Final = ResignRequest()
CLAIM_REQUEST: Final = ClaimRequest()
MELD_CHECK_REQUEST: Final = MeldCheckRequest()
