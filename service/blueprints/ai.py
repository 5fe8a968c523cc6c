"""Computer players."""

from typing import Final

from flask.typing import ResponseReturnValue

from engine.game import SeatKind
from engine.players.levels import LEVELS
from service import answers
from service.blueprints.advice import add_analyses, add_suggestions
from service.blueprints.calls import answer_move, open_for_caller, refusing, sender_of
from service.blueprints.moves import may_move
from service.errors import field_error, invalid
from service.incoming import read_body
from service.operations import SEAT, SEAT_OR_PORTAL, Blueprint
from service.portal_keys import GAMES_WRITE
from service.schemas.ai import AI_MOVE_REQUEST, HINT_REQUEST, AiLevelList, Hint
from service.schemas.games import Update
from service.use_cases.give_hint import give_hint
from service.use_cases.house import House
from service.use_cases.open_game import Opened, playing_seat_of, seat_of
from service.use_cases.play_ai_move import (
    check_ai_seat,
    check_hints,
    play_ai_move,
    player_for_own_seat,
)

BY_PORTAL: Final = -1
"""Stands for the seat of the sender where a portal lets a computer play."""

OF_AN_AI_MOVE: Final = (
    "spectator_read_only",
    "not_your_seat",
    "hints_disabled",
    "stale_move",
    "game_not_started",
    "cut_pending",
    "game_over",
    "hand_over",
    "not_your_turn",
    "no_ai_to_move",
    "outcome_unknown",
)

OF_A_HINT: Final = (
    "spectator_read_only",
    "not_your_seat",
    "hints_disabled",
    "game_not_started",
    "cut_pending",
    "game_over",
    "hand_over",
    "not_your_turn",
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
            "Let a computer seat act.\nOne move, or (the default) its whole turn. In a game with "
            "advice full also for your own seat, when it is due: that counts in hints_used, once "
            "for each move. A portal's key needs the scope `games:write`."
        ),
        answer=Update,
        body=AI_MOVE_REQUEST,
        who=SEAT_OR_PORTAL,
        codes=OF_AN_AI_MOVE,
        created=True,
        replayable=True,
        limit="ai",
    )
    def play(game_id: str) -> ResponseReturnValue:
        opened = open_for_caller(house, game_id, GAMES_WRITE)
        with refusing(opened):
            own = BY_PORTAL if opened.portal is not None else seat_of(opened)
        body = read_body(AI_MOVE_REQUEST)
        seat, until = body["seat"], body.get("until", "turn")
        with refusing(opened):
            check_ai_seat(opened.stored, seat, own)
        level = body.get("level")
        if level is not None:
            with refusing(opened):
                _check_level(opened, seat, level)
        sender = sender_of(
            own, ("ai", seat, until) if level is None else ("ai", seat, until, level)
        )
        return answer_move(
            opened,
            lambda: play_ai_move(
                house,
                opened.stored,
                seat,
                body["move_number"],
                sender,
                whole_turn=until == "turn",
                level=level,
            ),
        )

    @doors.operation(
        "POST",
        "/v1/games/<game:game_id>/hints",
        id="createHint",
        limit="ai",
        says=(
            "Ask what to do now.\nBest first, each suggestion with the body to send to makeMove, "
            "from what your own seat can see. Only in a game with advice full, when a move of "
            "yours is due. It counts in hints_used, once for each move, and all see the count; the "
            "hint itself nobody but you."
        ),
        answer=Hint,
        body=HINT_REQUEST,
        body_needed=False,
        who=SEAT,
        codes=OF_A_HINT,
    )
    def advise(game_id: str) -> ResponseReturnValue:
        opened = may_move(house, game_id)
        with refusing(opened):
            check_hints(opened.stored)
        level = read_body(HINT_REQUEST, needed=False).get("level")
        with refusing(opened):
            return answers.hint(give_hint(house, opened.stored, playing_seat_of(opened), level))

    add_suggestions(doors)
    add_analyses(doors, house)
    return doors


def _check_level(opened: Opened, seat: int, level: str) -> None:
    """Refuse a level for a computer's seat, which has its own, and an unknown one.

    :raises Refusal: ``field_not_allowed``.
    :raises Refused: ``unknown_level``.
    """
    if opened.stored.seats[seat].kind is SeatKind.AI:
        raise invalid([field_error("/level", "field_not_allowed", {"field": "level"})])
    player_for_own_seat(level)
