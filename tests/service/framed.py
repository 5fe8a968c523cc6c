"""A small application in the real frame: one operation that gives back what it read."""

from flask import Flask

from engine.errors import DeadwoodTooHigh, NotYourTurn
from service import frame
from service.document import GinApi
from service.errors import Refusal
from service.incoming import read_body, read_query
from service.operations import Blueprint
from service.preconditions import etag, represent
from service.schemas.games import Game, JoinRequest, Update
from service.schemas.log import HAND_PAGE_QUERY, MovePage

PUBLIC_URL = "https://api.example.org"
GAME = "/v1/games/g_0123456789abcdefghijAB"
JOIN_REQUEST = JoinRequest()


class OutOfOrderError(Exception):
    """What a part behind the frame may raise."""


def framed_app(*blueprints: Blueprint) -> tuple[Flask, GinApi]:
    """Return an application in the frame, and its API, with ``blueprints`` registered."""
    app = Flask("framed")
    frame.install(app, public_url=PUBLIC_URL, refusals={OutOfOrderError: "busy"})
    api = GinApi(app)
    for doors in blueprints:
        api.register_blueprint(doors)
    return app, api


def raising(error: Exception) -> Blueprint:
    """Return an operation that raises ``error``."""
    doors = Blueprint("turns")

    @doors.operation(
        "POST", "/v1/games/<game:game_id>/turns", id="playTurn", says="Play.", answer=Update
    )
    def play_turn(game_id):
        raise error

    return doors


def echoing() -> Blueprint:
    """Return operations that give back their body, their query, their path, and an ETag."""
    doors = Blueprint("games")

    @doors.operation(
        "POST",
        "/v1/games/<game:game_id>/joins",
        id="joinGame",
        says="Give the body back.",
        answer=Update,
        body=JOIN_REQUEST,
        created=True,
    )
    def join_game(game_id):
        return read_body(JOIN_REQUEST), 201, {"Location": f"/v1/games/{game_id}"}

    @doors.operation(
        "GET",
        "/v1/games/<game:game_id>/moves",
        id="listMoves",
        says="Give the query back.",
        answer=MovePage,
        query=HAND_PAGE_QUERY,
    )
    def list_moves(game_id):
        return read_query(HAND_PAGE_QUERY)

    @doors.operation(
        "GET",
        "/v1/games/<game:game_id>",
        id="getGame",
        says="Give the path back.",
        answer=Game,
        headers=["ETag"],
    )
    def get_game(game_id):
        return represent(etag(12, "0"), lambda: {"id": game_id})

    return doors


REFUSALS = {
    "deadwood": DeadwoodTooHigh(26, 10),
    "turn": NotYourTurn((1,)),
    "token": Refusal("token_missing"),
}
