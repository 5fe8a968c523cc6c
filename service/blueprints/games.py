"""Make games, find and join them, and look at one."""

from typing import Any

from flask import request
from flask.typing import ResponseReturnValue

from engine.errors import BadInput, ContradictoryRules
from engine.game import SeatKind
from engine.players.levels import LEVELS
from service import answers
from service.auth import token_of_request
from service.blueprints.calls import open_for_caller, refusing
from service.blueprints.rule_sets import resolve_rules
from service.errors import Refusal, field_error, invalid, refusal_of
from service.incoming import read_body
from service.operations import VIEWER, Blueprint
from service.preconditions import represent
from service.schemas.games import (
    GAME_REQUEST,
    JOIN_REQUEST,
    CreatedGame,
    Game,
    Invitation,
    JoinedGame,
)
from service.storage.games import Occupant
from service.use_cases.computer_seats import AUTO, ON_REQUEST
from service.use_cases.create_game import create_game
from service.use_cases.house import House
from service.use_cases.join_game import invitation, join_game

DEFAULT_SEATS: tuple[dict[str, Any], ...] = ({"kind": "human"}, {"kind": "human"})


def occupants_of(sent: list[dict[str, Any]]) -> tuple[Occupant, ...]:
    """Return who sits where when a game is made, from the read ``SeatRequest`` of each seat.

    Without a word the first person's seat is granted to the maker and the others stay open.

    :raises Refusal: ``validation_failed`` for an unknown level, or a mode that cannot be.
    """
    only_computers = all(seat["kind"] == "ai" for seat in sent)
    first = next((number for number, seat in enumerate(sent) if seat["kind"] == "human"), None)
    return tuple(
        _computer(number, seat, only_computers)
        if seat["kind"] == "ai"
        else _person(seat, "granted" if number == first else "open")
        for number, seat in enumerate(sent)
    )


def _person(seat: dict[str, Any], default: str) -> Occupant:
    granted = seat.get("seating", default) == "granted"
    return Occupant(SeatKind.HUMAN, occupied=granted, name=seat.get("name"))


def _computer(number: int, seat: dict[str, Any], only_computers: bool) -> Occupant:
    level = seat["ai"]["level"]
    if level not in LEVELS:
        raise invalid([field_error(f"/seats/{number}/ai/level", "unknown_level")])
    mode = seat["ai"].get("mode", ON_REQUEST if only_computers else AUTO)
    if only_computers and mode == AUTO:
        # Nobody would ever ask for a move, and the whole game would be one request.
        at = f"/seats/{number}/ai/mode"
        raise invalid([field_error(at, "field_not_allowed", {"field": "mode"})])
    return Occupant(SeatKind.AI, occupied=True, name=seat.get("name"), level=level, mode=mode)


def blueprint(house: House, *, anonymous_games: bool) -> Blueprint:
    """Return the operations on games."""
    doors = Blueprint("games")

    @doors.operation(
        "POST",
        "/v1/games",
        id="createGame",
        says=(
            "Make a game.\nThe answer holds the tokens of the granted seats, and the join code "
            "while a seat is open. The first hand is dealt once every seat is taken."
        ),
        answer=CreatedGame,
        body=GAME_REQUEST,
        codes=["token_missing", "outcome_unknown"],
        created=True,
    )
    def create() -> ResponseReturnValue:
        if not anonymous_games:
            raise Refusal("token_missing")
        body = read_body(GAME_REQUEST)
        rules = resolve_rules(body.get("rules", {}), "/rules")
        seats = occupants_of(list(body.get("seats", DEFAULT_SEATS)))
        try:
            created = create_game(house, rules, seats)
        except ContradictoryRules as error:
            option, against = error.options
            params = {"option": against}
            raise invalid([field_error(f"/rules/{option}", error.code, params)]) from error
        except BadInput as error:
            raise refusal_of(error, "/rules") from error
        location = f"/v1/games/{created.stored.game.setup.id}"
        return answers.created(created), 201, {"Location": location}

    @doors.operation(
        "GET",
        "/v1/games/<game:game_id>",
        id="getGame",
        says="The game as you see it.\nEverything one viewer may know, with what it may do now.",
        answer=Game,
        who=VIEWER,
        headers=["ETag"],
    )
    def get(game_id: str) -> ResponseReturnValue:
        opened = open_for_caller(house, game_id)
        return represent(answers.etag_of(opened), lambda: answers.game(opened))

    @doors.operation(
        "GET",
        "/v1/invitations/<name:join_code>",
        id="getInvitation",
        says="Look at a game before joining.\nNames, rules and free seats.",
        answer=Invitation,
    )
    def get_invitation(join_code: str) -> ResponseReturnValue:
        with refusing(None):
            return answers.invitation(invitation(house, join_code))

    def _sits_at(game_id: str) -> bool:
        token = token_of_request(house.tokens)
        return token.game_id == game_id and token.seat is not None

    @doors.operation(
        "POST",
        "/v1/games/<game:game_id>/joins",
        id="joinGame",
        says=(
            "Join a game.\nWith the join code, which is 404 if it is wrong. The last to sit down "
            "has the first hand dealt."
        ),
        answer=JoinedGame,
        body=JOIN_REQUEST,
        who=None,
        codes=["token_invalid", "already_joined", "game_full", "seat_taken", "outcome_unknown"],
        created=True,
    )
    def join(game_id: str) -> ResponseReturnValue:
        sits = "HTTP_AUTHORIZATION" in request.environ and _sits_at(game_id)
        body = read_body(JOIN_REQUEST)
        if sits:
            raise Refusal("already_joined")
        with refusing(None):
            joined = join_game(
                house, game_id, body["join_code"], body.get("seat"), body.get("name")
            )
        return answers.joined(joined), 201, {"Location": f"/v1/games/{game_id}"}

    return doors
