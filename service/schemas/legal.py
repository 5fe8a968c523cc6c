"""What a seat may do now."""

from service.schemas import declare as wire
from service.schemas.cards import (
    DRAW_SOURCES,
    KNOCK_KINDS,
    LayOffChoice,
    Meld,
    PossibleLayOff,
)
from service.schemas.shapes import AnswerSchema


class KnockOption(AnswerSchema):
    """A knock that is possible."""

    kind = wire.choice("KnockKind", KNOCK_KINDS)
    discard = wire.card(required=False)
    deadwood = wire.number()
    melds = wire.many(Meld, "absent in a game with advice off", required=False)
    unmatched = wire.cards("absent in a game with advice off", required=False)


class DiscardOption(AnswerSchema):
    """What is left after this discard."""

    card = wire.card()
    deadwood = wire.number()
    melds = wire.many(Meld, "absent in a game with advice off", required=False)
    unmatched = wire.cards("absent in a game with advice off", required=False)
    knock = wire.one(KnockOption, required=False)


class DrawOption(AnswerSchema):
    """card = what it gives; absent for the stock."""

    source = wire.choice("DrawSource", DRAW_SOURCES)
    card = wire.card(required=False)
    cards = wire.cards("multi-card pick-up: all that come with it", required=False)


class BarredCard(AnswerSchema):
    """A card that may not be thrown."""

    card = wire.card()
    code = wire.text("why it may not be discarded: card_just_taken, card_just_drawn")


class LegalLayOffs(AnswerSchema):
    """What may be laid off."""

    possible = wire.many(PossibleLayOff)
    best = wire.one(LayOffChoice, required=False)


class Legal(AnswerSchema):
    """What this seat may do now. Empty actions = wait."""

    actions = wire.texts(
        "open: pass, draw, discard, knock (covers gin and big gin), lay_off, claim, deal, cut, "
        "confirm"
    )
    draws = wire.many(DrawOption)
    discards = wire.many(DiscardOption, "least deadwood first")
    discard_count = wire.number("how many discards are still owed, normally 1; 0 when none is due")
    barred = wire.many(BarredCard)
    knocks = wire.many(KnockOption, "best first")
    lay_offs = wire.one(LegalLayOffs)
