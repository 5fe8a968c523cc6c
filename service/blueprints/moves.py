"""The generic door for every action of play, and the list of moves."""

from typing import Any, Final

from flask.typing import ResponseReturnValue

from engine.actions import (
    Action,
    Claim,
    Discard,
    Draw,
    DrawSource,
    Knock,
    KnockKind,
    LayOffs,
    Pass,
    Resign,
)
from service import answers
from service.blueprints.calls import (
    OF_A_MOVE,
    Pages,
    answer_move,
    open_for_caller,
    refusing,
    sender_of,
)
from service.cursors import Cursors
from service.errors import field_error, invalid
from service.incoming import read_body, read_query
from service.operations import SEAT, VIEWER, Blueprint
from service.schemas.games import Update
from service.schemas.log import HAND_PAGE_QUERY, Move, MovePage
from service.schemas.moves import MOVE_REQUEST
from service.use_cases.house import House
from service.use_cases.make_move import make_move
from service.use_cases.open_game import Opened, playing_seat_of
from service.use_cases.read_log import read_move, read_moves

_ALONE: Final[dict[str, Action]] = {"pass": Pass(), "resign": Resign(), "claim": Claim()}


def action_of(body: dict[str, Any]) -> Action:
    """Return the action that a read ``MoveRequest`` asks for."""
    match body["action"]:
        case "pass" | "resign" | "claim" as word:
            return _ALONE[word]
        case "draw":
            return Draw(DrawSource(body["source"]), body.get("card"))
        case "discard":
            return Discard(body["card"])
        case "lay_off":
            return LayOffs(_tuple(body, "lay_offs"), _tuple(body, "melds"))
    return Knock(KnockKind(body["action"]), body.get("card"), _tuple(body, "melds"))


def _tuple(body: dict[str, Any], name: str) -> tuple[Any, ...] | None:
    return tuple(body[name]) if name in body else None


def act(house: House, opened: Opened, action: Action, move_number: int) -> ResponseReturnValue:
    """Make a move of the caller's own seat, and answer."""
    with refusing(opened):
        seat = playing_seat_of(opened)
    sender = sender_of(seat, action)
    return answer_move(opened, lambda: make_move(house, opened.stored, action, move_number, sender))


def blueprint(house: House, cursors: Cursors) -> Blueprint:
    """Return the operations on moves."""
    doors = Blueprint("moves")

    @doors.operation(
        "POST",
        "/v1/games/<game:game_id>/moves",
        id="makeMove",
        says="Make any move.\nThe generic door: every action of play in one shape.",
        answer=Update,
        body=MOVE_REQUEST,
        who=SEAT,
        codes=OF_A_MOVE,
        created=True,
        replayable=True,
        limit="moves",
    )
    def make(game_id: str) -> ResponseReturnValue:
        opened = may_move(house, game_id)
        body = read_body(MOVE_REQUEST)
        return act(house, opened, action_of(body), body["move_number"])

    @doors.operation(
        "PUT",
        "/v1/games/<game:game_id>/moves/<ordinal:move_number>",
        id="putMove",
        says="Make the move of this number.\nThe same as makeMove, as an idempotent method.",
        answer=Update,
        body=MOVE_REQUEST,
        who=SEAT,
        codes=OF_A_MOVE,
        created=True,
        replayable=True,
        limit="moves",
    )
    def put(game_id: str, move_number: int) -> ResponseReturnValue:
        opened = may_move(house, game_id)
        body = read_body(MOVE_REQUEST)
        if body["move_number"] != move_number:
            raise invalid([field_error("/move_number", "move_number_mismatch")])
        return act(house, opened, action_of(body), move_number)

    @doors.operation(
        "GET",
        "/v1/games/<game:game_id>/moves",
        id="listMoves",
        says="List the moves.\nBy number; of all hands, or of one.",
        answer=MovePage,
        query=HAND_PAGE_QUERY,
        who=VIEWER,
        headers=["Link"],
    )
    def list_moves(game_id: str) -> ResponseReturnValue:
        opened = open_for_caller(house, game_id)
        query = read_query(HAND_PAGE_QUERY)
        hand = query.get("hand")
        pages = Pages(cursors, f"moves|{game_id}|{hand}", query)
        after, _ = pages.start()
        found = read_moves(house, opened.stored, hand, after, pages.limit + 1)
        return pages.answer(
            found,
            lambda logged: answers.move(logged, opened),
            lambda logged: (logged.move.number, 0),
        )

    @doors.operation(
        "GET",
        "/v1/games/<game:game_id>/moves/<ordinal:move_number>",
        id="getMove",
        says="One move.",
        answer=Move,
        who=VIEWER,
    )
    def get(game_id: str, move_number: int) -> ResponseReturnValue:
        opened = open_for_caller(house, game_id)
        with refusing(opened):
            logged = read_move(house, opened.stored, move_number)
        return answers.move(logged, opened)

    return doors


def may_move(house: House, game_id: str) -> Opened:
    """Return the game for somebody who plays in it.

    :raises Refusal: ``spectator_read_only`` or ``not_your_seat``, before the body is read.
    """
    opened = open_for_caller(house, game_id, scope=None)
    with refusing(opened):
        playing_seat_of(opened)
    return opened
