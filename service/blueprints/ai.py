"""Computer players."""

from typing import Final

from flask.typing import ResponseReturnValue

from engine.players.levels import LEVELS
from service.blueprints.calls import answer_move, open_for_caller, refusing, sender_of
from service.errors import field_error, invalid
from service.incoming import read_body
from service.operations import SEAT_OR_PORTAL, Blueprint
from service.portal_keys import GAMES_WRITE
from service.schemas.ai import AI_MOVE_REQUEST, AiLevelList
from service.schemas.games import Update
from service.use_cases.house import House
from service.use_cases.open_game import seat_of
from service.use_cases.play_ai_move import check_ai_seat, play_ai_move

BY_PORTAL: Final = -1
"""Stands for the seat of the sender where a portal lets a computer play."""

OF_AN_AI_MOVE: Final = (
    "spectator_read_only",
    "not_your_seat",
    "hints_disabled",
    "stale_move",
    "game_not_started",
    "game_over",
    "no_ai_to_move",
    "outcome_unknown",
)


def blueprint(house: House) -> Blueprint:
    """Return the operations on computer players."""
    doors = Blueprint("ai")
    levels = {
        "items": [
            {
                "id": level.id,
                "deterministic": level.deterministic,
                "typical_ms": level.typical_ms,
                "max_ms": level.max_ms,
            }
            for level in LEVELS.values()
        ]
    }

    @doors.operation(
        "GET",
        "/v1/ai/levels",
        id="listAiLevels",
        says="The levels of computer players.\nWeakest first, with the time they take.",
        answer=AiLevelList,
    )
    def list_levels() -> ResponseReturnValue:
        return levels

    @doors.operation(
        "POST",
        "/v1/games/<game:game_id>/ai-moves",
        id="playAiMove",
        says=(
            "Let a computer seat act.\nOne move, or (the default) its whole turn. A portal's key "
            "needs the scope `games:write`."
        ),
        answer=Update,
        body=AI_MOVE_REQUEST,
        who=SEAT_OR_PORTAL,
        codes=OF_AN_AI_MOVE,
        created=True,
        replayable=True,
    )
    def play(game_id: str) -> ResponseReturnValue:
        opened = open_for_caller(house, game_id, GAMES_WRITE)
        with refusing(opened):
            own = BY_PORTAL if opened.portal is not None else seat_of(opened)
        body = read_body(AI_MOVE_REQUEST)
        seat, until = body["seat"], body.get("until", "turn")
        with refusing(opened):
            check_ai_seat(opened.stored, seat, own)
        if "level" in body:
            raise invalid([field_error("/level", "field_not_allowed", {"field": "level"})])
        sender = sender_of(own, ("ai", seat, until))
        return answer_move(
            opened,
            lambda: play_ai_move(
                house,
                opened.stored,
                seat,
                body["move_number"],
                sender,
                whole_turn=until == "turn",
            ),
        )

    return doors
