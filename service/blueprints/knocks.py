"""Knock, gin and big gin; lay-offs; and the knocks made."""

from typing import Any

from flask.typing import ResponseReturnValue

from engine.actions import Knock, KnockKind
from engine.meld_checks import check_melds
from service import answers
from service.blueprints.calls import OF_A_MOVE, Pages, open_for_caller, refusing
from service.blueprints.moves import act, action_of, may_move
from service.cursors import Cursors
from service.errors import Refusal
from service.incoming import read_body, read_query
from service.operations import SEAT, VIEWER, Blueprint
from service.preconditions import represent
from service.schemas.games import Update
from service.schemas.log import PAGE_QUERY, KnockPage
from service.schemas.log import Knock as KnockSchema
from service.schemas.moves import (
    KNOCK_REQUEST,
    LAY_OFFS_REQUEST,
    MELD_CHECK_REQUEST,
    MeldCheck,
)
from service.use_cases.house import House
from service.use_cases.read_log import read_hand, read_knocked_hands


def knock_of(body: dict[str, Any]) -> Knock:
    """Return the action that a read ``KnockRequest`` asks for: without a discard it is big gin."""
    discard = body.get("discard")
    kind = KnockKind(body.get("kind", "big_gin" if discard is None else "knock"))
    return Knock(kind, discard, tuple(body["melds"]) if "melds" in body else None)


def blueprint(house: House, cursors: Cursors) -> Blueprint:
    """Return the operations on knocks."""
    doors = Blueprint("knocks")

    @doors.operation(
        "POST",
        "/v1/games/<game:game_id>/knocks",
        id="knock",
        says=(
            "Knock, or go gin.\nWithout melds the best lay-out is taken; without a discard it is "
            "big gin."
        ),
        answer=Update,
        body=KNOCK_REQUEST,
        who=SEAT,
        codes=OF_A_MOVE,
        created=True,
        replayable=True,
        limit="moves",
    )
    def knock(game_id: str) -> ResponseReturnValue:
        opened = may_move(house, game_id)
        body = read_body(KNOCK_REQUEST)
        return act(house, opened, knock_of(body), body["move_number"])

    @doors.operation(
        "POST",
        "/v1/games/<game:game_id>/knocks/<ordinal:hand_number>/lay-offs",
        id="layOff",
        says="Lay off.\nOne request ends it: no list makes the best lay-offs, an empty list none.",
        answer=Update,
        body=LAY_OFFS_REQUEST,
        who=SEAT,
        codes=OF_A_MOVE,
        created=True,
        replayable=True,
        limit="moves",
    )
    def lay_off(game_id: str, hand_number: int) -> ResponseReturnValue:
        opened = may_move(house, game_id)
        hand = opened.stored.game.hand
        if hand is None or hand_number > hand.number:
            raise Refusal("not_found")
        body = read_body(LAY_OFFS_REQUEST)
        return act(house, opened, action_of({**body, "action": "lay_off"}), body["move_number"])

    @doors.operation(
        "GET",
        "/v1/games/<game:game_id>/knocks",
        id="listKnocks",
        says="List the knocks.\nBy hand; gin and big gin are knocks too.",
        answer=KnockPage,
        query=PAGE_QUERY,
        who=VIEWER,
        headers=["Link"],
    )
    def list_knocks(game_id: str) -> ResponseReturnValue:
        opened = open_for_caller(house, game_id)
        pages = Pages(cursors, f"knocks|{game_id}", read_query(PAGE_QUERY))
        after, _ = pages.start()
        found = read_knocked_hands(house, opened.stored, after, pages.limit + 1)
        return pages.answer(
            found, lambda hand: answers.knock(hand) or {}, lambda hand: (hand.number, 0)
        )

    @doors.operation(
        "GET",
        "/v1/games/<game:game_id>/knocks/<ordinal:hand_number>",
        id="getKnock",
        says="The knock of a hand.\nWith what was laid off and the result, once the hand is over.",
        answer=KnockSchema,
        who=VIEWER,
        headers=["ETag"],
    )
    def get(game_id: str, hand_number: int) -> ResponseReturnValue:
        opened = open_for_caller(house, game_id)
        with refusing(opened):
            wire = answers.knock(read_hand(house, opened.stored, hand_number))
        if wire is None:
            raise Refusal("not_found")
        return represent(answers.etag_of(opened), lambda: wire)

    _add_check(doors, house)
    return doors


def _add_check(doors: Blueprint, house: House) -> None:
    @doors.operation(
        "POST",
        "/v1/games/<game:game_id>/melds/checks",
        id="checkGameMelds",
        says=(
            "Check a lay-out of your own cards.\nWhether its melds are valid, what deadwood it "
            "leaves, and whether you may knock with it. Nothing is laid out, and no other cards "
            "than yours are looked at. Not in a game with advice off."
        ),
        answer=MeldCheck,
        body=MELD_CHECK_REQUEST,
        who=SEAT,
        codes=["spectator_read_only", "not_your_seat", "hints_disabled"],
        limit="scoring",
    )
    def check(game_id: str) -> ResponseReturnValue:
        opened = may_move(house, game_id)
        game = opened.stored.game
        if game.rules.advice == "off":
            raise Refusal("hints_disabled")
        melds = tuple(read_body(MELD_CHECK_REQUEST)["melds"])
        return answers.meld_check(check_melds(game, opened.seat or 0, melds))
