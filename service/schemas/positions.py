"""A position of a hand that is played elsewhere, as somebody asks what to do in it."""

from collections.abc import Mapping
from typing import Any, Final

from marshmallow import ValidationError

from engine.actions import DrawSource
from engine.hand import Phase
from engine.players.levels import ADVISORS
from engine.positions import FIRST_STOCK, MOST_HELD
from service.schemas import declare as wire
from service.schemas.cards import DRAW_SOURCES, check_melds_apart, melds_sent
from service.schemas.fields import CardField, CardSet, Fault, Flag, Inner, Sequenced, Text, Whole
from service.schemas.moves import GREATEST_NUMBER
from service.schemas.rules import RulesRequest
from service.schemas.shapes import RequestSchema

PHASES: Final = ("first_upcard", "draw", "discard", "lay_off")

_OF_A_DISCARD: Final = ("drawn_card", "drawn_from")
_OF_A_LAY_OFF: Final = ("knocker_melds", "knocker_unmatched")
BARRED: Final[Mapping[str, tuple[str, ...]]] = {
    "first_upcard": (*_OF_A_DISCARD, *_OF_A_LAY_OFF),
    "draw": (*_OF_A_DISCARD, *_OF_A_LAY_OFF),
    "discard": _OF_A_LAY_OFF,
    "lay_off": _OF_A_DISCARD,
}
"""The fields that do not go with each phase."""


def _cards(says: str, **options: Any) -> CardSet:
    return CardSet(52, metadata={"description": says}, **options)


class Position(RequestSchema):
    """What one seat knows of a hand of two in which it is to act, and nothing that it cannot know.
    discard: drawn_card and drawn_from, together. lay_off: knocker_melds, knocker_unmatched.
    """  # noqa: D205 - it is one paragraph of the document

    phase = wire.choice("PositionPhase", PHASES)
    cards = _cards(
        f"your own: 10, or 11 where a discard is due; up to {MOST_HELD} with multi_pickup",
        required=True,
    )
    stock_count = Whole(0, FIRST_STOCK, required=True)
    rules = Inner(RulesRequest)
    level = Text(64, metadata={"description": f"who advises: {', '.join(ADVISORS)} (the default)"})
    move_number = Whole(
        1,
        GREATEST_NUMBER,
        metadata={"description": "comes back in the suggested moves; default 1"},
    )
    upcard = CardField(
        metadata={"description": "the first card that lay face up, wherever it is by now"}
    )
    discard_pile = Sequenced(
        CardField(),
        52,
        metadata={
            "description": "bottom to top; what lies deepest may be left away, with multi_pickup "
            "nothing"
        },
    )
    known_cards = _cards("those of your own that the other side saw you take")
    opponent_known_cards = _cards("those that you saw the other side take, and that it still holds")
    opponent_card_count = Whole(10, MOST_HELD, metadata={"description": "default 10"})
    drawn_card = CardField(metadata={"description": "in this turn"})
    drawn_from = wire.choice("DrawSource", DRAW_SOURCES, required=False)
    knocker_melds = melds_sent("as the other side laid them out")
    knocker_unmatched = _cards(
        "what it did not lay out; without them a lay-off is advised, but not valued"
    )
    dealer = Flag(metadata={"description": "whether you dealt; default false"})
    turn = Whole(
        0,
        1000,
        metadata={
            "description": "the draws of both sides so far; default: as few as the stock allows"
        },
    )

    def check(self, loaded: dict[str, Any]) -> None:
        """Refuse fields that do not go with the phase, miss those that do, and shared cards."""
        phase = loaded["phase"]
        faults = {
            name: [Fault("field_not_allowed", field=name)]
            for name in BARRED[phase]
            if name in loaded
        }
        if phase == "discard" and len(loaded.keys() & set(_OF_A_DISCARD)) == 1:
            faults |= {name: [Fault("required")] for name in _OF_A_DISCARD if name not in loaded}
        if phase == "lay_off" and "knocker_melds" not in loaded:
            faults["knocker_melds"] = [Fault("required")]
        if faults:
            raise ValidationError(faults)
        check_melds_apart(loaded, "knocker_melds")

    def make(self, loaded: dict[str, Any]) -> dict[str, Any]:
        """Return the fields, with the engine's words for them."""
        loaded["phase"] = Phase(loaded["phase"])
        if "drawn_from" in loaded:
            loaded["drawn_from"] = DrawSource(loaded["drawn_from"])
        for name in ("discard_pile", "knocker_melds"):
            loaded[name] = tuple(loaded.get(name, ()))
        return loaded


POSITION: Final = Position()
