"""Draw, discard and pass; and the turns played."""

from flask.typing import ResponseReturnValue

from service import answers
from service.blueprints.calls import OF_A_MOVE, Pages, open_for_caller
from service.blueprints.moves import act, action_of, may_move
from service.cursors import Cursors
from service.incoming import read_body, read_query
from service.operations import SEAT, VIEWER, Blueprint
from service.schemas.games import Update
from service.schemas.log import HAND_PAGE_QUERY, TurnPage
from service.schemas.moves import TURN_REQUEST
from service.use_cases.house import House
from service.use_cases.read_log import read_turns


def blueprint(house: House, cursors: Cursors) -> Blueprint:
    """Return the operations on turns."""
    doors = Blueprint("turns")

    @doors.operation(
        "POST",
        "/v1/games/<game:game_id>/turns",
        id="playTurn",
        says="Pass, draw or discard.",
        answer=Update,
        body=TURN_REQUEST,
        who=SEAT,
        codes=OF_A_MOVE,
        created=True,
        replayable=True,
        limit="moves",
    )
    def play(game_id: str) -> ResponseReturnValue:
        opened = may_move(house, game_id)
        body = read_body(TURN_REQUEST)
        return act(house, opened, action_of(body), body["move_number"])

    @doors.operation(
        "GET",
        "/v1/games/<game:game_id>/turns",
        id="listTurns",
        says="List the turns.\nBy hand and number, each with its moves.",
        answer=TurnPage,
        query=HAND_PAGE_QUERY,
        who=VIEWER,
        headers=["Link"],
    )
    def list_turns(game_id: str) -> ResponseReturnValue:
        opened = open_for_caller(house, game_id)
        query = read_query(HAND_PAGE_QUERY)
        hand = query.get("hand")
        pages = Pages(cursors, f"turns|{game_id}|{hand}", query)
        found = read_turns(house, opened.stored, hand, pages.start(), pages.limit + 1)
        return pages.answer(
            found,
            lambda turn: answers.turn(turn, opened),
            lambda turn: (turn.hand_number, turn.number),
        )

    return doors
