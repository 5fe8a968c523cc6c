"""Deal hands, and read them."""

from flask.typing import ResponseReturnValue

from service import answers
from service.blueprints.calls import Pages, answer_move, open_for_caller, refusing
from service.cursors import Cursors
from service.incoming import read_body, read_query
from service.operations import SEAT, VIEWER, Blueprint
from service.preconditions import represent
from service.schemas.games import Update
from service.schemas.hands import DEAL_REQUEST
from service.schemas.log import PAGE_QUERY, Hand, HandPage
from service.use_cases.deal_hand import deal_hand
from service.use_cases.house import House
from service.use_cases.open_game import seat_of
from service.use_cases.read_log import read_hand, read_hands


def blueprint(house: House, cursors: Cursors) -> Blueprint:
    """Return the operations on hands."""
    doors = Blueprint("hands")

    @doors.operation(
        "POST",
        "/v1/games/<game:game_id>/hands",
        id="dealHand",
        says="Deal the next hand.\nAny seat may ask; once dealt, any seat is answered 200.",
        answer=Update,
        body=DEAL_REQUEST,
        who=SEAT,
        codes=[
            "game_not_started",
            "game_over",
            "hand_in_progress",
            "spectator_read_only",
            "outcome_unknown",
        ],
        created=True,
        replayable=True,
    )
    def deal(game_id: str) -> ResponseReturnValue:
        opened = open_for_caller(house, game_id)
        with refusing(opened):
            seat = seat_of(opened)
        number = read_body(DEAL_REQUEST)["hand_number"]
        return answer_move(opened, lambda: deal_hand(house, opened.stored, seat, number))

    @doors.operation(
        "GET",
        "/v1/games/<game:game_id>/hands",
        id="listHands",
        says="List the hands.\nSummaries, by number.",
        answer=HandPage,
        query=PAGE_QUERY,
        who=VIEWER,
        headers=["Link"],
    )
    def list_hands(game_id: str) -> ResponseReturnValue:
        opened = open_for_caller(house, game_id)
        pages = Pages(cursors, f"hands|{game_id}", read_query(PAGE_QUERY))
        after, _ = pages.start()
        found = read_hands(house, opened.stored, after + 1, after + pages.limit + 1)
        return pages.answer(found, answers.hand_summary, lambda hand: (hand.number, 0))

    @doors.operation(
        "GET",
        "/v1/games/<game:game_id>/hands/<ordinal:hand_number>",
        id="getHand",
        says="One hand.\nThe deal, the moves, and once it is over the result and all cards.",
        answer=Hand,
        who=VIEWER,
        headers=["ETag"],
    )
    def get(game_id: str, hand_number: int) -> ResponseReturnValue:
        opened = open_for_caller(house, game_id)
        with refusing(opened):
            hand = read_hand(house, opened.stored, hand_number)
        return represent(answers.etag_of(opened), lambda: answers.hand(hand, opened))

    return doors
