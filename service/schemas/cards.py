"""Cards laid out: melds, arrangements, lay-offs."""

from typing import Any, Final

from marshmallow import ValidationError

from engine.cards import card_name
from engine.errors import NotARun, NotASet, RunWrapsAce
from engine.layoffs import LayOff as EngineLayOff
from engine.melds import parse_meld
from service.schemas import declare as wire
from service.schemas.fields import CardField, Fault, Inner, Sequenced, Whole
from service.schemas.shapes import AnswerSchema, RequestSchema

MELD_KINDS: Final = ("set", "run")
DRAW_SOURCES: Final = ("stock", "discard_pile")
KNOCK_KINDS: Final = ("knock", "gin", "big_gin")
_MOST_OF: Final = {"set": 4, "run": 13}


class Meld(RequestSchema):
    """A set or a run. A request's is read as a set of cards (see :mod:`engine.cards`)."""

    part_of_answers = True

    kind = wire.choice("MeldKind", MELD_KINDS)
    cards = Sequenced(CardField(), 13, required=True)

    def check(self, loaded: dict[str, Any]) -> None:
        """Refuse what is no meld of its kind."""
        mask, kind = mask_of(loaded["cards"]), loaded["kind"]
        if not 3 <= mask.bit_count() <= _MOST_OF[kind]:
            _refuse("wrong_card_count", min=3, max=_MOST_OF[kind])
        code = f"not_a_{kind}"
        try:
            if parse_meld(mask).kind == kind:
                return
        except RunWrapsAce as error:
            code = error.code if kind == "run" else code
        except (NotASet, NotARun):
            pass  # what is no meld at all is none of this kind
        _refuse(code)

    def make(self, loaded: dict[str, Any]) -> int:
        """Return the set of the meld's cards."""
        return mask_of(loaded["cards"])


def mask_of(numbers: list[int]) -> int:
    """Return the set of the cards ``numbers``.

    :raises marshmallow.ValidationError: if one stands there twice, at its place.
    """
    mask = 0
    for index, number_of_card in enumerate(numbers):
        if mask >> number_of_card & 1:
            fault = Fault("duplicate_card", card=card_name(number_of_card))
            raise ValidationError({"cards": {index: [fault]}})
        mask |= 1 << number_of_card
    return mask


def _refuse(code: str, **params: object) -> None:
    raise ValidationError({"cards": [Fault(code, **params)]})


class LayOff(RequestSchema):
    """A card laid off. A request's is read as the engine's ``LayOff``."""

    part_of_answers = True

    card = wire.card()
    meld = Whole(0, 16, required=True, metadata={"description": "index into the knocker's melds"})

    def make(self, loaded: dict[str, Any]) -> EngineLayOff:
        """Return the engine's word for it."""
        return EngineLayOff(loaded["card"], loaded["meld"])


def melds_sent(says: str, **options: Any) -> Sequenced:
    """Return the field of melds that a request lays out."""
    return Sequenced(Inner(Meld), 17, metadata={"description": says}, **options)


def lay_offs_sent(says: str, **options: Any) -> Sequenced:
    """Return the field of lay-offs that a request makes, in order."""
    return Sequenced(Inner(LayOff), 52, metadata={"description": says}, **options)


def check_melds_apart(loaded: dict[str, Any]) -> None:
    """Refuse melds that share a card.

    :raises marshmallow.ValidationError: at the later meld of the two.
    """
    seen = 0
    for index, mask in enumerate(loaded.get("melds", ())):
        shared = seen & mask
        if shared:
            name = card_name(shared.bit_length() - 1)
            fault = Fault("card_in_two_melds", card=name)
            raise ValidationError({"melds": {index: {"cards": [fault]}}})
        seen |= mask


class Arrangement(AnswerSchema):
    """One way to lay out cards."""

    melds = wire.many(Meld)
    unmatched = wire.cards()
    deadwood = wire.number()


class SeatCards(AnswerSchema):
    """The cards of a seat."""

    seat = wire.seat()
    cards = wire.cards()


class DrawnCard(AnswerSchema):
    """A card drawn for the first dealer."""

    seat = wire.seat()
    card = wire.card()


class PossibleLayOff(AnswerSchema):
    """A card that fits; after = the card that must be laid off first."""

    card = wire.card()
    meld = wire.number()
    after = wire.card(required=False)


class LayOffChoice(AnswerSchema):
    """The best lay-offs and what they leave."""

    lay_offs = wire.many(LayOff, "in order")
    melds = wire.many(Meld, "the defender's own")
    unmatched = wire.cards()
    deadwood = wire.number()
