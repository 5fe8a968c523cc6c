"""Give a game up."""

from flask.typing import ResponseReturnValue

from engine.actions import Resign
from service.blueprints.moves import act, may_move
from service.incoming import read_body
from service.operations import SEAT, Blueprint
from service.schemas.games import Update
from service.schemas.moves import RESIGN_REQUEST
from service.use_cases.house import House


def blueprint(house: House) -> Blueprint:
    """Return the operations that end a game."""
    doors = Blueprint("endings")

    @doors.operation(
        "POST",
        "/v1/games/<game:game_id>/resignations",
        id="resign",
        says="Resign.\nThe game goes to the other seat; the open hand ends without points.",
        answer=Update,
        body=RESIGN_REQUEST,
        who=SEAT,
        codes=[
            "spectator_read_only",
            "not_your_seat",
            "stale_move",
            "game_not_started",
            "game_over",
            "outcome_unknown",
        ],
        created=True,
        replayable=True,
        limit="moves",
    )
    def resign(game_id: str) -> ResponseReturnValue:
        opened = may_move(house, game_id)
        body = read_body(RESIGN_REQUEST)
        return act(house, opened, Resign(), body["move_number"])

    return doors
