"""Games: making, joining, and the view of one."""

import re
from typing import Any, Final

from marshmallow import ValidationError, validates

from engine.cards import card_name
from service.schemas import declare as wire
from service.schemas.cards import (
    DRAW_SOURCES,
    Arrangement,
    DrawnCard,
)
from service.schemas.fields import (
    CardField,
    Commitment,
    Fault,
    Flag,
    Inner,
    QueryWhole,
    Sequenced,
    Text,
    Whole,
)
from service.schemas.legal import Legal
from service.schemas.log import Knock, Move, SeatCount, SeatNonce
from service.schemas.moves import GREATEST_NUMBER
from service.schemas.rules import Rules, RulesRequest
from service.schemas.scores import GameScore, HandResult
from service.schemas.shapes import AnswerSchema, QuerySchema, RequestSchema

SEAT_KINDS: Final = ("human", "ai")
SEATINGS: Final = ("granted", "open")
DECK_SIZE: Final = 52
MOST_METADATA: Final = 20
LONGEST_WAIT: Final = 25
_TICKET: Final = re.compile(r"grt_[A-Za-z0-9_-]{64}")
AI_MODES: Final = ("auto", "on_request")


def nonce_commit_sent() -> Commitment:
    """Return the field of a commitment to a first nonce."""
    says = "SHA-256 of GRD1|nonce| and the nonce, 64 hex digits: have a share in the shuffle"
    return Commitment(metadata={"description": says})


class AiSettings(RequestSchema):
    """How a computer plays."""

    level = Text(64, required=True, metadata={"description": "an id of listAiLevels"})
    mode = wire.choice("AiMode", AI_MODES, required=False)


class SeatRequest(RequestSchema):
    """A seat that is wanted: a person's, or a computer's with its settings."""

    kind = wire.choice("SeatKind", SEAT_KINDS)
    seating = wire.choice("Seating", SEATINGS, required=False)
    name = Text(60)
    player_ref = Text(
        120, metadata={"description": "portal only: the portal's own name for the player"}
    )
    ai = Inner(AiSettings)
    nonce_commit = nonce_commit_sent()

    def check(self, loaded: dict[str, Any]) -> None:
        """Refuse a computer without settings, and what is only for the other kind.

        A computer never contributes: it would only be a way for the house to choose the cards.
        """
        by_computer = loaded["kind"] == "ai"
        if by_computer and "ai" not in loaded:
            raise ValidationError({"ai": [Fault("required")]})
        for foreign in ("seating", "nonce_commit") if by_computer else ("ai",):
            if foreign in loaded:
                raise ValidationError({foreign: [Fault("field_not_allowed", field=foreign)]})


class GameRequest(RequestSchema):
    """A new game. Without seats: one for you, and one open for whoever has the join code."""

    rules = Inner(RulesRequest)
    seats = Sequenced(
        Inner(SeatRequest),
        4,
        metadata={
            "description": "2, 3, or 4 in partnership; absent = one granted human seat and one "
            "open",
            "minItems": 2,
        },
    )
    listed = Flag(
        metadata={"description": "true: in listOpenGames while a seat is open; default false"}
    )
    metadata = wire.metadata_sent("game")
    scenario = Text(64, metadata={"description": "sandbox: an id of listScenarios"})
    deck = Sequenced(
        CardField(),
        DECK_SIZE,
        metadata={
            "description": (
                "sandbox: the whole deck of the first hand in the order dealt, the non-dealer's "
                "first card first; the 21st is the upcard, the rest the stock from its top"
            ),
            "minItems": DECK_SIZE,
        },
    )

    def check(self, loaded: dict[str, Any]) -> None:
        """Refuse a game of fewer than two seats, and a deck that is none.

        A scenario has rules and decks of its own.
        """
        if "seats" in loaded and len(loaded["seats"]) < 2:
            raise ValidationError({"seats": [Fault("out_of_range", min=2, max=4)]})
        if "deck" in loaded:
            check_deck(loaded["deck"])
        if "scenario" in loaded:
            for name in loaded.keys() & {"rules", "deck"}:
                raise ValidationError({name: [Fault("field_not_allowed", field=name)]})
        if loaded.get("listed") and loaded.keys() & {"deck", "scenario"}:
            raise ValidationError({"listed": [Fault("field_not_allowed", field="listed")]})


def check_deck(deck: list[int]) -> None:
    """Refuse what are not 52 cards, each once.

    :raises marshmallow.ValidationError: in the field ``deck``.
    """
    for index, card in enumerate(deck):
        if card in deck[:index]:
            fault = Fault("duplicate_card", card=card_name(card))
            raise ValidationError({"deck": {index: [fault]}})
    if len(deck) != DECK_SIZE:
        fault = Fault("wrong_card_count", min=DECK_SIZE, max=DECK_SIZE)
        raise ValidationError({"deck": [fault]})


class JoinRequest(RequestSchema):
    """Who joins, and where."""

    join_code = Text(64, required=True)
    seat = Whole(0, 3, metadata={"description": "absent = the first free one"})
    name = Text(60)
    nonce_commit = nonce_commit_sent()


class RematchRequest(RequestSchema):
    """What a seat of the rematch begins with."""

    nonce_commit = nonce_commit_sent()


class Seat(AnswerSchema):
    """A place at the table."""

    seat = wire.seat()
    kind = wire.choice("SeatKind", SEAT_KINDS)
    occupied = wire.flag()
    name = wire.text(required=False)
    ai_level = wire.text(required=False)
    ai_mode = wire.text(required=False)
    player_ref = wire.text("for the portal alone", required=False)
    team = wire.number("0 or 1, where partners play", required=False)
    online = wire.flag(
        "follows the game, or has asked for something a moment ago; always true for a computer, "
        "false for people once the game is over"
    )
    sits_out = wire.flag("not playing this hand")
    dealer = wire.flag()
    card_count = wire.number()
    known_cards = wire.cards("taken from the pile and still held")
    away = wire.flag(
        "its time ran out, and a computer plays it until the player moves again; else absent",
        required=False,
    )


class You(AnswerSchema):
    """What only this viewer knows and may do."""

    viewer = wire.text("open: seat, spectator, portal")
    seat = wire.seat(required=False)
    cards = wire.cards()
    drawn_card = wire.card(required=False)
    drawn_from = wire.choice("DrawSource", DRAW_SOURCES, required=False)
    best = wire.one(Arrangement, required=False)
    deadwood_after_best_discard = wire.number("while a discard is due", required=False)
    legal = wire.one(Legal)


class HandView(AnswerSchema):
    """The hand on the table."""

    number = wire.number()
    dealer_seat = wire.seat()
    playing_seats = wire.seats()
    turn = wire.number("0 before the first draw")
    upcard = wire.card(required=False)
    discard_pile = wire.cards("bottom to top; only the top with discard_view top")
    top_discard = wire.card(required=False)
    stock_count = wire.number()
    knock_limit = wire.number()
    multiplier = wire.number()
    server_commit = wire.text("commits to the seed of the deal; proves nothing in a sandbox game")
    contributors = wire.seats()
    knock = wire.one(Knock, required=False)


class NextHand(AnswerSchema):
    """The coming hand, between two."""

    number = wire.number()
    server_commit = wire.text()
    nonce_commits = wire.many(SeatNonce)
    cuts = wire.seats("who has cut")


class Game(AnswerSchema):
    """Everything one viewer may know."""

    id = wire.text()
    version = wire.number("the cursor")
    etag = wire.text("the ETag of this view, quotes included")
    next_move = wire.number("the move_number to send")
    status = wire.text("open: waiting, playing, finished, abandoned")
    phase = wire.text(
        "open: waiting, cutting, first_upcard, draw, discard, lay_off, confirming, hand_over, "
        "game_over"
    )
    over = wire.flag("finished or abandoned: stop")
    rules = wire.one(Rules)
    seats = wire.many(Seat)
    to_act_seats = wire.seats("who is due")
    ai_pending = wire.flag("an AI seat has still to act: call playAiMove")
    turn_deadline = wire.time(
        "when the time of who is due runs out; absent where no clock runs", required=False
    )
    claimable_at = wire.time("from when on the game may be claimed", required=False)
    hand = wire.one(HandView, required=False)
    next_hand = wire.one(NextHand, required=False)
    you = wire.one(You)
    last_move = wire.one(Move, required=False)
    last_hand = wire.one(HandResult, required=False)
    score = wire.one(GameScore)
    winner_seat = wire.seat(required=False)
    winner_team = wire.number("where partners play", required=False)
    dealer_draw = wire.many(DrawnCard, "until the second hand", required=False)
    void_consents = wire.seats("who consents to a void of the hand being played")
    confirmed_by = wire.seats("who has confirmed the last hand")
    hints_used = wire.many(
        SeatCount,
        "for how many moves a seat had a hint or was played for; seats with none are absent",
    )
    sandbox = wire.flag("the cards were chosen, so that no proof of a fair deal can follow")
    listed = wire.flag("in listOpenGames while a seat is open")
    join_code = wire.text("for seated players while a seat is open", required=False)
    rematch_game_id = wire.text("once somebody asked for a rematch", required=False)
    abandon_reason_code = wire.text(
        "open, of an abandoned game: waiting_expired, idle_expired, or what the portal said",
        required=False,
    )
    metadata = wire.metadata("for the portal alone", required=False)
    created_at = wire.time()
    updated_at = wire.time()
    server_time = wire.time("changes without a version; left out of what the ETag promises")


class Update(AnswerSchema):
    """What one viewer learns: the answer of every action and of getUpdates."""

    moves = wire.many(Move, "oldest first")
    game = wire.one(Game)
    replayed = wire.flag("this request had been accepted before")
    reset = wire.flag("moves do not join on to your cursor: draw game afresh")


class SeatGrant(AnswerSchema):
    """A seat and the token that plays it."""

    seat = wire.seat()
    token = wire.text("grs_…")


class CreatedGame(AnswerSchema):
    """A new game, with the tokens of the granted seats."""

    game = wire.one(Game)
    moves = wire.many(Move)
    tokens = wire.many(SeatGrant, "the granted seats")
    join_code = wire.text("while a seat is open", required=False)
    spectator_token = wire.text("grv_…")


class JoinedGame(AnswerSchema):
    """The game joined, and the token of the seat."""

    game = wire.one(Game)
    moves = wire.many(Move)
    seat = wire.seat()
    token = wire.text("grs_…")


class InvitedSeat(AnswerSchema):
    """A seat as somebody invited sees it."""

    seat = wire.seat()
    kind = wire.choice("SeatKind", SEAT_KINDS)
    free = wire.flag()
    name = wire.text(required=False)


class Invitation(AnswerSchema):
    """What to know before joining."""

    game_id = wire.text()
    seats = wire.many(InvitedSeat)
    rules = wire.one(Rules)
    created_at = wire.time()


class UpdatesQuery(QuerySchema):
    """Since when, and how long to wait for more."""

    after = QueryWhole(0, GREATEST_NUMBER, metadata={"description": "a version"})
    wait = QueryWhole(
        0,
        LONGEST_WAIT,
        load_default=0,
        metadata={"description": "seconds to wait while there is nothing new, default 0"},
    )


class StreamQuery(QuerySchema):
    """Since when, and for whom."""

    after = QueryWhole(
        0, GREATEST_NUMBER, metadata={"description": "a version; Last-Event-ID goes before it"}
    )
    ticket = Text(128, metadata={"description": "of createStreamTicket, in the place of a token"})

    @validates("ticket")
    def _looks_like_one(self, value: str, **_kwargs: Any) -> None:
        if not _TICKET.fullmatch(value):
            raise ValidationError(Fault("wrong_type"))


class StreamTicket(AnswerSchema):
    """Opens one stream in a browser."""

    ticket = wire.text("grt_…")
    use_before = wire.time("open the stream before")
    valid_until = wire.time("until then the browser takes the stream up again by itself")


class Scenario(AnswerSchema):
    """A named position of a sandbox game."""

    id = wire.text("what to send as scenario")
    phase = wire.text("the phase it is in; see Game.phase")
    description_code = wire.text("key of the front end's own description")


class ScenarioList(AnswerSchema):
    """All scenarios."""

    items = wire.many(Scenario)


GAME_REQUEST: Final = GameRequest()
JOIN_REQUEST: Final = JoinRequest()
REMATCH_REQUEST: Final = RematchRequest()
UPDATES_QUERY: Final = UpdatesQuery()
STREAM_QUERY: Final = StreamQuery()
