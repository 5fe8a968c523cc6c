"""Cards laid out: melds, arrangements, lay-offs."""

from typing import Any, Final

from marshmallow import ValidationError

from engine.cards import card_name, card_names
from engine.errors import NotARun, NotASet, RunWrapsAce
from engine.layoffs import LayOff as EngineLayOff
from engine.melds import ALL_MELDS, parse_meld
from engine.shuffle import DrawnCard as EngineDrawnCard
from service.schemas import declare as wire
from service.schemas.fields import DOUBT, CardSet, Fault, Inner, Sequenced, Whole
from service.schemas.shapes import AnswerSchema, RequestSchema

MELD_KINDS: Final = ("set", "run")
DRAW_SOURCES: Final = ("stock", "discard_pile")
KNOCK_KINDS: Final = ("knock", "gin", "big_gin")
_WRITTEN: Final[dict[tuple[object, ...], int]] = {
    (meld.kind.value, *card_names(meld.cards)): meld.cards for meld in ALL_MELDS
}
"""The melds of a deck as answers write them."""
_MOST_OF: Final = {"set": 4, "run": 13}


class Meld(RequestSchema):
    """A set or a run. A request's is read as a set of cards (see :mod:`engine.cards`)."""

    part_of_answers = True

    kind = wire.choice("MeldKind", MELD_KINDS)
    cards = CardSet(13, required=True)

    def quick(self, value: object) -> object:
        """Return the set of a meld that is written as answers write it, or read it as all are."""
        if type(value) is dict and len(value) == 2:
            cards = value.get("cards")
            if type(cards) is list:
                try:
                    found = _WRITTEN.get((value.get("kind"), *cards))
                except TypeError:
                    return DOUBT
                if found is not None:
                    return found
        return super().quick(value)

    def check(self, loaded: dict[str, Any]) -> None:
        """Refuse what is no meld of its kind."""
        mask, kind = loaded["cards"], loaded["kind"]
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
        cards: int = loaded["cards"]
        return cards


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


def check_melds_apart(loaded: dict[str, Any], name: str = "melds") -> None:
    """Refuse melds, in the field ``name``, that share a card.

    :raises marshmallow.ValidationError: at the later meld of the two.
    """
    seen = 0
    for index, mask in enumerate(loaded.get(name, ())):
        shared = seen & mask
        if shared:
            fault = Fault("card_in_two_melds", card=card_name(shared.bit_length() - 1))
            raise ValidationError({name: {index: {"cards": [fault]}}})
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


class DrawnCard(RequestSchema):
    """A card drawn for the first dealer. A request's is read as the engine's ``DrawnCard``."""

    part_of_answers = True

    seat = wire.seat()
    card = wire.card()

    def make(self, loaded: dict[str, Any]) -> EngineDrawnCard:
        """Return the engine's word for it."""
        return EngineDrawnCard(loaded["seat"], loaded["card"])


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
