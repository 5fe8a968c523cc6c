"""What happened in a game: moves, turns, knocks and hands, each as its viewer may see it."""

from typing import Final

from service.schemas import declare as wire
from service.schemas.cards import (
    DRAW_SOURCES,
    KNOCK_KINDS,
    DrawnCard,
    LayOff,
    Meld,
    SeatCards,
)
from service.schemas.fields import QueryWhole, Text
from service.schemas.moves import GREATEST_NUMBER
from service.schemas.scores import OUTCOMES, HandResult
from service.schemas.shapes import AnswerSchema, QuerySchema


class SeatCount(AnswerSchema):
    """A number by seat."""

    seat = wire.seat()
    count = wire.number()


class SeatNonce(AnswerSchema):
    """A seat's share in the shuffle."""

    seat = wire.seat()
    nonce_commit = wire.text(required=False)
    nonce = wire.text("from the deal on", required=False)


class After(AnswerSchema):
    """The table after this move."""

    phase = wire.text()
    to_act_seats = wire.seats()
    stock_count = wire.number()
    card_counts = wire.many(SeatCount)
    top_discard = wire.card(required=False)


class Deal(AnswerSchema):
    """A hand dealt."""

    dealer_seat = wire.seat()
    playing_seats = wire.seats()
    cards = wire.cards("the viewer's own; empty for others")
    upcard = wire.card(required=False)
    knock_limit = wire.number()
    multiplier = wire.number()
    server_commit = wire.text()
    nonces = wire.many(SeatNonce)


class Knock(AnswerSchema):
    """A knock: the lay-out, the defender's cards, and what was laid off."""

    hand_number = wire.number()
    seat = wire.seat()
    kind = wire.choice("KnockKind", KNOCK_KINDS)
    discard = wire.card(required=False)
    melds = wire.many(Meld, "as laid out, lay-offs not added")
    unmatched = wire.cards()
    deadwood = wire.number()
    defender = wire.one(SeatCards)
    lay_offs = wire.many(LayOff)
    result = wire.one(HandResult, required=False)


class Move(AnswerSchema):
    """One accepted action."""

    number = wire.number()
    version = wire.number()
    hand_number = wire.number()
    turn = wire.number("turn within the hand; 0 before the first draw")
    seat = wire.seat(required=False)
    by = wire.text("player, ai, clock or server")
    action = wire.text(
        "open: dealer_draw, deal, pass, draw, discard, knock, gin, big_gin, lay_off, hand_drawn, "
        "void_hand, resign, claim"
    )
    source = wire.choice("DrawSource", DRAW_SOURCES, required=False)
    card = wire.card(required=False)
    cards = wire.cards("several cards taken", required=False)
    dealer_draw = wire.many(DrawnCard, required=False)
    deal = wire.one(Deal, required=False)
    knock = wire.one(Knock, required=False)
    lay_offs = wire.many(LayOff, required=False)
    result = wire.one(HandResult, required=False)
    after = wire.one(After)
    at = wire.time()


class MovePage(AnswerSchema):
    """A page of moves."""

    items = wire.many(Move)
    next_cursor = wire.text(required=False)


class Turn(AnswerSchema):
    """A turn with its moves."""

    hand_number = wire.number()
    number = wire.number()
    seat = wire.seat()
    complete = wire.flag()
    moves = wire.many(Move)


class TurnPage(AnswerSchema):
    """A page of turns."""

    items = wire.many(Turn)
    next_cursor = wire.text(required=False)


class KnockPage(AnswerSchema):
    """A page of knocks."""

    items = wire.many(Knock)
    next_cursor = wire.text(required=False)


class HandSummary(AnswerSchema):
    """A hand in a list."""

    number = wire.number()
    dealer_seat = wire.seat()
    playing_seats = wire.seats()
    complete = wire.flag()
    outcome = wire.text(OUTCOMES, required=False)
    winner_seat = wire.seat(required=False)
    winner_team = wire.number("where partners play", required=False)
    points = wire.number(required=False)
    turn_count = wire.number()


class HandPage(AnswerSchema):
    """A page of hands."""

    items = wire.many(HandSummary)
    next_cursor = wire.text(required=False)


class Hand(AnswerSchema):
    """A hand: the deal, all its moves, the result."""

    number = wire.number()
    dealer_seat = wire.seat()
    playing_seats = wire.seats()
    complete = wire.flag()
    upcard = wire.card(required=False)
    knock_limit = wire.number()
    multiplier = wire.number()
    server_commit = wire.text()
    contributors = wire.seats()
    dealt = wire.many(SeatCards, "own cards; all after the end")
    result = wire.one(HandResult, required=False)
    moves = wire.many(Move)


class PageQuery(QuerySchema):
    """Which page of a list."""

    cursor = Text(512, metadata={"description": "next_cursor of the page before"})
    limit = QueryWhole(
        1, 100, load_default=20, metadata={"description": "items on a page, default 20"}
    )


class HandPageQuery(PageQuery):
    """Which page of a list, of all hands or of one."""

    hand = QueryWhole(1, GREATEST_NUMBER, metadata={"description": "only this hand"})


PAGE_QUERY: Final = PageQuery()
HAND_PAGE_QUERY: Final = HandPageQuery()
