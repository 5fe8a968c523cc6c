"""Give a game up, or claim it from somebody who is out of time."""

from flask.typing import ResponseReturnValue

from engine.actions import Claim, Resign
from service.blueprints.moves import act, may_move
from service.incoming import read_body
from service.operations import SEAT, Blueprint
from service.schemas.games import Update
from service.schemas.moves import CLAIM_REQUEST, RESIGN_REQUEST
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

    @doors.operation(
        "POST",
        "/v1/games/<game:game_id>/claims",
        id="claimWin",
        limit="moves",
        says=(
            "Claim the game.\nWhile `claim` is in your `legal.actions`: the seat that is due is "
            "out of time. The game ends as if that seat had resigned."
        ),
        answer=Update,
        body=CLAIM_REQUEST,
        who=SEAT,
        codes=[
            "spectator_read_only",
            "not_your_seat",
            "stale_move",
            "game_not_started",
            "game_over",
            "hand_over",
            "not_claimable_yet",
            "outcome_unknown",
        ],
        created=True,
        replayable=True,
    )
    def claim(game_id: str) -> ResponseReturnValue:
        opened = may_move(house, game_id)
        body = read_body(CLAIM_REQUEST)
        return act(house, opened, Claim(), body["move_number"])

    return doors
