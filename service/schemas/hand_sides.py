"""One side of a hand that was played elsewhere, as a score keeper tells of it."""

from typing import Any, Final

from marshmallow import ValidationError

from engine.hand_scores import HandSide as EngineSide
from service.schemas.cards import check_melds_apart, lay_offs_sent, melds_sent
from service.schemas.fields import DOUBT, CardSet, Fault, Whole
from service.schemas.shapes import RequestSchema

MOST_DEADWOOD: Final = 170
"""The points of the dearest cards that hold no meld."""

_CARDS: Final = CardSet(52)
_COUNTED: Final = [EngineSide(deadwood=count) for count in range(MOST_DEADWOOD + 1)]
"""The sides that are told by nothing but their count, by their count."""


class HandSide(RequestSchema):
    """Either cards (laid out as best can be), or cards with the melds and lay-offs of the table, or
    deadwood and nothing else. Cards are those kept after the discard and held before any lay-off.
    """  # noqa: D205 - it is one paragraph of the document

    seat = Whole(0, 3, metadata={"description": "comes back in the answer"})
    cards = CardSet(52, metadata={"description": "ten; eleven of a knocker with big gin"})
    melds = melds_sent("the lay-out of the table; absent = the best")
    lay_offs = lay_offs_sent(
        "of the defender, in order; absent = the best, or what fits beside melds; empty = none"
    )
    deadwood = Whole(
        0, MOST_DEADWOOD, metadata={"description": "the count after lay-offs, in place of cards"}
    )

    def quick(self, value: object) -> object:
        """Return a side told by nothing but its cards or its count, or read it as all are."""
        if type(value) is dict and len(value) == 1:
            [(name, told)] = value.items()
            if name == "cards":
                cards: Any = _CARDS.quick(told)
                return DOUBT if cards is DOUBT else EngineSide(None, cards)
            if name == "deadwood" and type(told) is int and 0 <= told <= MOST_DEADWOOD:
                return _COUNTED[told]
        return super().quick(value)

    def check(self, loaded: dict[str, Any]) -> None:
        """Refuse cards beside a count, and a side without both."""
        if "deadwood" in loaded:
            foreign = loaded.keys() & {"cards", "melds", "lay_offs"}
            if foreign:
                faults = {name: [Fault("field_not_allowed", field=name)] for name in foreign}
                raise ValidationError(faults)
            return
        if "cards" not in loaded:
            raise ValidationError({"cards": [Fault("required")]})
        if "melds" in loaded:
            check_melds_apart(loaded)

    def make(self, loaded: dict[str, Any]) -> EngineSide:
        """Return the engine's word for it."""
        melds, lay_offs = loaded.get("melds"), loaded.get("lay_offs")
        return EngineSide(
            loaded.get("seat"),
            loaded.get("cards"),
            None if melds is None else tuple(melds),
            None if lay_offs is None else tuple(lay_offs),
            loaded.get("deadwood"),
        )
