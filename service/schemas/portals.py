"""What a portal does with its games: lists of them, and their ends; and the list of open games."""

from typing import Final

from service.schemas import declare as wire
from service.schemas.fields import Choice, Moment, Text
from service.schemas.games import SEAT_KINDS, InvitedSeat
from service.schemas.log import PageQuery
from service.schemas.rules import Rules
from service.schemas.shapes import AnswerSchema, RequestSchema

STATUSES: Final = ("waiting", "playing", "finished", "abandoned")


class GamesQuery(PageQuery):
    """Which games, and which page of them."""

    status = Choice("GameStatusFilter", STATUSES)
    player_ref = Text(120, metadata={"description": "with this player at a seat"})
    updated_after = Moment(
        metadata={
            "description": "changed after this moment",
            "type": "string",
            "format": "date-time",
        }
    )


class SeatSummary(AnswerSchema):
    """A seat of a game in a list."""

    seat = wire.seat()
    kind = wire.choice("SeatKind", SEAT_KINDS)
    occupied = wire.flag()
    name = wire.text(required=False)
    ai_level = wire.text(required=False)
    player_ref = wire.text("as given", required=False)
    score = wire.number("what it has in all, bonuses at the end of the game included")


class GameSummary(AnswerSchema):
    """A game in a list of its portal."""

    id = wire.text()
    version = wire.number()
    status = wire.text("open: waiting, playing, finished, abandoned")
    phase = wire.text("see Game.phase")
    over = wire.flag()
    seats = wire.many(SeatSummary)
    to_act_seats = wire.seats("who is due")
    winner_seat = wire.seat(required=False)
    winner_team = wire.number("where partners play", required=False)
    metadata = wire.metadata("as given")
    created_at = wire.time()
    updated_at = wire.time()


class GamePage(AnswerSchema):
    """A page of games."""

    items = wire.many(GameSummary)
    next_cursor = wire.text(required=False)


class OpenGame(AnswerSchema):
    """A game that anybody may join."""

    game_id = wire.text()
    join_code = wire.text("what to send to joinGame")
    seats = wire.many(InvitedSeat)
    rules = wire.one(Rules)
    created_at = wire.time()


class OpenGamePage(AnswerSchema):
    """A page of open games."""

    items = wire.many(OpenGame)
    next_cursor = wire.text(required=False)


class AbandonmentRequest(RequestSchema):
    """Why a game is ended, if that is to be told."""

    reason_code = Text(60, metadata={"description": "a key of the front end's own texts"})


class SpectatorGrant(AnswerSchema):
    """A token to watch a game."""

    token = wire.text("grv_…")


GAMES_QUERY: Final = GamesQuery()
ABANDONMENT_REQUEST: Final = AbandonmentRequest()
