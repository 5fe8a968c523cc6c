"""The score of a game."""

from flask.typing import ResponseReturnValue

from service import answers
from service.blueprints.calls import open_for_caller
from service.operations import VIEWER, Blueprint
from service.preconditions import represent
from service.schemas import dump_scores
from service.schemas.scores import GameScore
from service.use_cases.house import House


def blueprint(house: House) -> Blueprint:
    """Return the operation on scores."""
    doors = Blueprint("scores")

    @doors.operation(
        "GET",
        "/v1/games/<game:game_id>/score",
        id="getScore",
        says="The score.\nThe same object as score in the game's view.",
        answer=GameScore,
        who=VIEWER,
        headers=["ETag"],
    )
    def get(game_id: str) -> ResponseReturnValue:
        opened = open_for_caller(house, game_id)
        score = opened.stored.game.score
        return represent(answers.etag_of(opened), lambda: dump_scores.score(score))

    return doors
