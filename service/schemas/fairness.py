"""The fair deal: the proof of a hand, the checking of one, and the public counts."""

import re
from typing import Any, Final

from marshmallow import ValidationError

from service.schemas import declare as wire
from service.schemas.cards import DrawnCard
from service.schemas.fields import (
    CardField,
    Commitment,
    Fault,
    Inner,
    Secret,
    Sequenced,
    Text,
    Whole,
)
from service.schemas.games import DECK_SIZE, check_deck
from service.schemas.log import SeatNonce
from service.schemas.moves import GREATEST_NUMBER
from service.schemas.shapes import AnswerSchema, RequestSchema

_GAME_ID: Final = re.compile(r"[!-{}~]+")
"""Visible ASCII without the bar that stands between the parts of what is hashed."""


class HandProof(AnswerSchema):
    """All that the cards of a hand follow from. nonce0 and nonce1 are those of the lower and of
    the higher playing seat; those of the draw for the first deal are of seats 0 and 1. Whoever
    has no share has none. Without contributors the deal is committed to, but not provably fair.
    """  # noqa: D205 - it is one paragraph of the document

    game_id = wire.text()
    hand_number = wire.number()
    scheme = wire.text("GRD1")
    server_commit = wire.text("as it was shown before the deal")
    seed = wire.text("64 hex digits")
    nonces = wire.many(SeatNonce, "of all seats that opened one before the deal")
    playing_seats = wire.seats()
    nonce0 = wire.text("of the lower playing seat", required=False)
    nonce1 = wire.text("of the higher playing seat", required=False)
    draw_nonce0 = wire.text("with dealer_draw: of seat 0", required=False)
    draw_nonce1 = wire.text("with dealer_draw: of seat 1", required=False)
    contributors = wire.seats("playing seats with a share in the deck")
    dealer_draw = wire.many(DrawnCard, "in hand 1 with first_dealer draw, otherwise empty")
    deck = wire.cards("52, in dealt order")


class VerificationRequest(RequestSchema):
    """A deal to be checked, in the words of its proof, but with the commitments that were shown
    before the deal. What is left out is not checked.
    """  # noqa: D205 - it is one paragraph of the document

    game_id = Text(64, required=True)
    hand_number = Whole(1, GREATEST_NUMBER, required=True)
    server_commit = Commitment(required=True)
    seed = Secret(required=True)
    nonce0 = Secret()
    nonce1 = Secret()
    nonce_commit0 = Commitment()
    nonce_commit1 = Commitment()
    deck = Sequenced(
        CardField(), DECK_SIZE, metadata={"description": "in dealt order", "minItems": DECK_SIZE}
    )
    dealer_draw = Sequenced(
        Inner(DrawnCard), DECK_SIZE, metadata={"description": "all cards drawn, in order"}
    )
    draw_nonce0 = Secret()
    draw_nonce1 = Secret()

    def check(self, loaded: dict[str, Any]) -> None:
        """Refuse what can be no id, no deck, or a nonce of a draw that is not there."""
        if not _GAME_ID.fullmatch(loaded["game_id"]):
            raise ValidationError({"game_id": [Fault("bad_text")]})
        if "deck" in loaded:
            check_deck(loaded["deck"])
        if "dealer_draw" not in loaded:
            for name in loaded.keys() & {"draw_nonce0", "draw_nonce1"}:
                raise ValidationError({name: [Fault("field_not_allowed", field=name)]})

    def make(self, loaded: dict[str, Any]) -> dict[str, Any]:
        """Return the fields, with tuples for lists."""
        return {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in loaded.items()
        }


class VerificationCheck(AnswerSchema):
    """Something that was checked."""

    code = wire.text("open: seed_matches_commit, nonce_matches_commit, deck_follows, draw_follows")
    ok = wire.flag()
    nonce = wire.number("0 or 1: which nonce", required=False)


class Verification(AnswerSchema):
    """What was checked. deck is the one that follows from seed and nonces, whatever was sent."""

    valid = wire.flag("whether every check is ok")
    checks = wire.many(VerificationCheck)
    deck = wire.cards("in dealt order")


class FairnessStats(AnswerSchema):
    """Counts of all games here; those of a sandbox are left out."""

    hands_dealt = wire.number("each from a seed that was committed to before")
    hands_with_contributor = wire.number("of them, with a nonce of at least one seat")
    seeds_revealed = wire.number("whose proof can be had; others are played, or wait for the game")
    seeds_due = wire.number("ended, and the seed is not what was committed to: should be 0")
    hands_void = wire.number()
    nonces_withheld = wire.number("games that a seat lost by not opening its nonce")
    since = wire.time("when counting began")


VERIFICATION_REQUEST: Final = VerificationRequest()
