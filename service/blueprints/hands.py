"""Deal hands, and read them."""

from typing import Final

from flask.typing import ResponseReturnValue

from service import answers
from service.blueprints.calls import Pages, answer_move, open_for_caller, refusing
from service.blueprints.moves import may_move
from service.cursors import Cursors
from service.incoming import read_body, read_query
from service.operations import SEAT, VIEWER, Blueprint
from service.preconditions import represent
from service.schemas.games import Update
from service.schemas.hands import CUT_REQUEST, DEAL_REQUEST, VOID_CONSENT_REQUEST
from service.schemas.log import PAGE_QUERY, Hand, HandPage
from service.use_cases.agree import confirm_hand, consent_void
from service.use_cases.cut import cut_for_hand
from service.use_cases.deal_hand import deal_hand
from service.use_cases.house import House
from service.use_cases.open_game import playing_seat_of, seat_of
from service.use_cases.read_log import read_hand, read_hands

OF_AN_AGREEMENT: Final = (
    "spectator_read_only",
    "not_your_seat",
    "game_not_started",
    "cut_pending",
    "game_over",
    "not_your_turn",
    "outcome_unknown",
)
"""The problems that a confirmation and a consent can meet alike."""


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
            "confirmation_pending",
            "cut_pending",
            "spectator_read_only",
            "outcome_unknown",
        ],
        created=True,
        replayable=True,
        limit="moves",
    )
    def deal(game_id: str) -> ResponseReturnValue:
        opened = open_for_caller(house, game_id, scope=None)
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

    _add_agreements(doors, house)
    _add_cut(doors, house)
    return doors


def _add_agreements(doors: Blueprint, house: House) -> None:
    """Add the operations on what both seats of a hand have to agree on."""

    @doors.operation(
        "PUT",
        "/v1/games/<game:game_id>/hands/<ordinal:hand_number>/confirmation",
        id="confirmHand",
        says=(
            "Confirm the score of a hand.\nWhere `rules.confirm_score` is `both`: the next deal "
            "and the end of the game wait until both seats that played the hand have confirmed, in "
            "any order. Computers confirm at once. There is no body; once confirmed, the answer "
            "says `replayed`."
        ),
        answer=Update,
        who=SEAT,
        codes=[*OF_AN_AGREEMENT, "wrong_phase"],
        limit="moves",
    )
    def confirm(game_id: str, hand_number: int) -> ResponseReturnValue:
        opened = open_for_caller(house, game_id, scope=None)
        with refusing(opened):
            seat = playing_seat_of(opened)
            return answers.made(confirm_hand(house, opened.stored, seat, hand_number), opened)

    @doors.operation(
        "PUT",
        "/v1/games/<game:game_id>/hands/<ordinal:hand_number>/void-consent",
        id="consentVoid",
        says=(
            "Consent to a void of the hand being played, or take it back.\nWhen both seats of the "
            "hand consent it is void: nobody scores, its cards are shown, and the same seat deals "
            "again. Computers never consent."
        ),
        answer=Update,
        body=VOID_CONSENT_REQUEST,
        who=SEAT,
        codes=[*OF_AN_AGREEMENT, "hand_over", "void_not_possible"],
        limit="moves",
    )
    def consent(game_id: str, hand_number: int) -> ResponseReturnValue:
        opened = may_move(house, game_id)
        void = read_body(VOID_CONSENT_REQUEST)["consent"]
        with refusing(opened):
            seat = playing_seat_of(opened)
            made = consent_void(house, opened.stored, seat, hand_number, void=void)
        return answers.made(made, opened)


def _add_cut(doors: Blueprint, house: House) -> None:
    """Add the operation by which seats have a share in the shuffle."""

    @doors.operation(
        "PUT",
        "/v1/games/<game:game_id>/hands/<ordinal:hand_number>/cut",
        id="cutDeck",
        says=(
            "Cut before a hand.\nIn the phase `cutting` each of `to_act_seats` opens the nonce to "
            "which it has committed, and commits to its next one with `next_nonce_commit`; without "
            "that it contributes no more. The last cut is answered with the deal. Before it "
            "everybody sees who has cut, and nobody what. A seat that does not cut in time loses: "
            "there is no other deal. Keep every nonce, or derive it from a secret of yours, the "
            "game and the hand. Sent again it is answered again."
        ),
        answer=Update,
        body=CUT_REQUEST,
        who=SEAT,
        codes=[*OF_AN_AGREEMENT, "wrong_phase", "nonce_mismatch", "nonce_commit_reused"],
        limit="moves",
    )
    def cut(game_id: str, hand_number: int) -> ResponseReturnValue:
        opened = open_for_caller(house, game_id, scope=None)
        with refusing(opened):
            seat = playing_seat_of(opened)
        body = read_body(CUT_REQUEST)
        nonce, following = body["nonce"], body.get("next_nonce_commit")
        with refusing(opened):
            made = cut_for_hand(house, opened.stored, seat, hand_number, nonce, following)
            return answers.made(made, opened)
