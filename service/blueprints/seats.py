"""What belongs to a seat: its notes, its tokens, and the right to leave it."""

from flask import request
from flask.typing import ResponseReturnValue

from service.auth import caller_of_request
from service.blueprints.calls import (
    Answer,
    count_caller,
    credential_of,
    done,
    open_for_caller,
    refusing,
)
from service.blueprints.moves import may_move
from service.blueprints.once import answer_once
from service.incoming import read_body
from service.operations import SEAT, SEAT_OR_PORTAL, Blueprint
from service.portal_keys import GAMES_READ, GAMES_WRITE
from service.schemas import dump
from service.schemas.dump_scores import Wire
from service.schemas.seats import (
    NOTES_REQUEST,
    SEAT_TOKEN_REQUEST,
    CreatedSeatToken,
    Notes,
    SeatTokenList,
)
from service.storage.notes import Notes as StoredNotes
from service.storage.seat_tokens import SeatToken
from service.use_cases.house import House
from service.use_cases.keep_notes import check_allowed, read_notes, write_notes
from service.use_cases.keep_seat_tokens import (
    Given,
    check_seat_of,
    end_token,
    give_token,
    id_of,
    living_tokens,
)
from service.use_cases.leave_seat import leave_seat, open_to_leave
from service.use_cases.open_game import Opened, playing_seat_of


def blueprint(house: House) -> Blueprint:
    """Return the operations on what belongs to a seat."""
    doors = Blueprint("seats")
    _add_tokens(doors, house)
    codes = ["spectator_read_only", "not_your_seat", "notes_disabled"]

    @doors.operation(
        "GET",
        "/v1/games/<game:game_id>/notes",
        id="getNotes",
        says="Your notes.\nA text that only your own seat can read; it stands in no view.",
        answer=Notes,
        who=SEAT,
        codes=codes,
    )
    def get(game_id: str) -> ResponseReturnValue:
        opened = may_move(house, game_id)
        with refusing(opened):
            return _written(read_notes(house, opened.stored, playing_seat_of(opened)))

    @doors.operation(
        "PUT",
        "/v1/games/<game:game_id>/notes",
        id="putNotes",
        says="Write your notes.\nThe text takes the place of the one before.",
        answer=Notes,
        body=NOTES_REQUEST,
        who=SEAT,
        codes=[*codes, "outcome_unknown"],
    )
    def put(game_id: str) -> ResponseReturnValue:
        opened = may_move(house, game_id)
        with refusing(opened):
            check_allowed(opened.stored)
        text = read_body(NOTES_REQUEST)["text"]
        with refusing(opened):
            return _written(write_notes(house, opened.stored, playing_seat_of(opened), text))

    return doors


def _add_tokens(doors: Blueprint, house: House) -> None:
    path = "/v1/games/<game:game_id>/seats/<seat:seat>/tokens"
    codes = ["spectator_read_only", "not_your_seat"]

    def opened_for(game_id: str, seat: int, scope: str) -> Opened:
        opened = open_for_caller(house, game_id, scope)
        with refusing(opened):
            check_seat_of(opened, seat)
        return opened

    @doors.operation(
        "GET",
        path,
        id="listSeatTokens",
        says=(
            "List the tokens of your seat.\nIds and labels, never the tokens. A portal's key needs "
            "the scope `games:read`."
        ),
        answer=SeatTokenList,
        who=SEAT_OR_PORTAL,
        codes=codes,
    )
    def list_tokens(game_id: str, seat: int) -> ResponseReturnValue:
        opened = opened_for(game_id, seat, GAMES_READ)
        found = living_tokens(house, opened.stored, seat)
        return {"items": [_listed(each, opened.device) for each in found]}

    @doors.operation(
        "POST",
        path,
        id="createSeatToken",
        says=(
            "Give your seat another token.\nFor another device; with `rotate` all that the seat "
            "had end, as after a loss. A portal's key needs the scope `games:write`. With an "
            "`Idempotency-Key` no second one is given, and the answer is the same."
        ),
        answer=CreatedSeatToken,
        body=SEAT_TOKEN_REQUEST,
        body_needed=False,
        who=SEAT_OR_PORTAL,
        codes=[*codes, "token_limit", "outcome_unknown"],
        created=True,
        keyed=True,
        limit="creates",
    )
    def create_token(game_id: str, seat: int) -> ResponseReturnValue:
        opened = opened_for(game_id, seat, GAMES_WRITE)
        body = read_body(SEAT_TOKEN_REQUEST, needed=False)
        label, rotate = body.get("label"), body.get("rotate", False)
        with refusing(opened):
            return answer_once(
                house,
                (label, rotate),
                lambda keep: give_token(
                    house, opened.stored, seat, label, rotate=rotate, keep=keep
                ),
                _answer_given,
                credential=credential_of(opened),
                about=lambda _: game_id,
            )

    @doors.operation(
        "DELETE",
        f"{path}/<name:token_id>",
        id="deleteSeatToken",
        says=(
            "End a token of your seat.\nAgain: 204. A portal's key needs the scope `games:write`."
        ),
        answer=None,
        empty=True,
        who=SEAT_OR_PORTAL,
        codes=[*codes, "outcome_unknown"],
    )
    def delete_token(game_id: str, seat: int, token_id: str) -> ResponseReturnValue:
        opened = opened_for(game_id, seat, GAMES_WRITE)
        with refusing(opened):
            end_token(house, opened.stored, seat, token_id)
        return done()

    @doors.operation(
        "DELETE",
        "/v1/games/<game:game_id>/seats/<seat:seat>",
        id="leaveSeat",
        says=(
            "Leave your seat before the game begins.\nIt is open again, and its tokens end. Again: "
            "204. A portal's key needs the scope `games:write`."
        ),
        answer=None,
        empty=True,
        who=SEAT_OR_PORTAL,
        codes=[*codes, "game_in_progress", "game_over", "token_limit", "outcome_unknown"],
    )
    def leave(game_id: str, seat: int) -> ResponseReturnValue:
        caller = caller_of_request(house.tokens)
        count_caller(house, caller)
        with refusing(None):
            opened = open_to_leave(house, caller, game_id, seat)
        with refusing(opened):
            if opened is not None:
                leave_seat(house, opened, seat)
        return done()


def _answer_given(given: Given) -> Answer:
    location = f"{request.path}/{given.id}"
    return {"seat": given.seat, "token": given.token, "id": given.id}, 201, {"Location": location}


def _listed(token: SeatToken, current: int | None) -> Wire:
    wire: Wire = {"id": id_of(token), "created_at": dump.time(token.created_at)}
    if token.label is not None:
        wire["label"] = token.label
    wire["current"] = token.device == current
    return wire


def _written(notes: StoredNotes) -> Wire:
    wire: Wire = {"text": notes.text}
    if notes.updated_at is not None:
        wire["updated_at"] = dump.time(notes.updated_at)
    return wire
