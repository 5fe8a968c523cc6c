"""What computer players think of hands that are played elsewhere, or are over."""

from typing import Final

from flask.typing import ResponseReturnValue

from engine.hand_scores import Mistold
from engine.players.weights import mark
from engine.positions import Position
from service import answers
from service.blueprints.calls import open_for_caller, refusing
from service.blueprints.rule_sets import rules_sent
from service.errors import RETRY_AFTER_SECONDS, invalid
from service.incoming import read, read_query, sent_body
from service.operations import VIEWER, Blueprint
from service.preconditions import etag_by, represent
from service.schemas.ai import Hint
from service.schemas.dump_scores import Wire
from service.schemas.play_analyses import ANALYSIS_QUERY, PlayAnalysis
from service.schemas.positions import POSITION
from service.schemas.scoring import mistold
from service.use_cases.analyse_play import analyse_play, analyst_of, check_may_analyse
from service.use_cases.house import House
from service.use_cases.suggest_move import suggest_move

_HOW: Final = (
    "Each decision of each seat, computers too, by what that seat could know then: the options in "
    "order, the loss in points and a verdict; apart from that the luck of its draws. What there is "
    "no time for in one request is left for the next: 202, `complete` is false, and `after` with "
    "`next_after` goes on from there."
)
_WHEN: Final = (
    "From the end of the game on, with `advice: full` and `reveal: hand` from the end of the hand "
    "on."
)


def add_suggestions(doors: Blueprint) -> None:
    """Add the operation that needs no game."""

    @doors.operation(
        "POST",
        "/v1/ai/suggestions",
        id="suggestMove",
        limit="ai",
        says=(
            "Ask what to do in a hand that is played elsewhere.\nThe answer is that of createHint: "
            "best first, each suggestion with its move. Send what one seat can know; what cannot "
            "be is refused with the field that says so. Nothing is kept."
        ),
        answer=Hint,
        body=POSITION,
    )
    def suggest() -> ResponseReturnValue:
        sent = sent_body()
        asked = read(POSITION, sent)
        asked["rules"] = rules_sent(asked.get("rules"), "/rules")
        level, number = asked.pop("level", None), asked.pop("move_number", 1)
        try:
            with refusing(None):
                return answers.hint(suggest_move(Position(**asked), number, level))
        except Mistold as error:
            raise invalid([mistold(error, sent)]) from None


def add_analyses(doors: Blueprint, house: House) -> None:
    """Add the operations on play that is over."""

    def answer(game_id: str, hand_number: int | None) -> ResponseReturnValue:
        opened = open_for_caller(house, game_id)
        query = read_query(ANALYSIS_QUERY)
        stored = opened.stored
        with refusing(opened):
            level = analyst_of(query.get("level"))
            check_may_analyse(stored, hand_number)

        def judged() -> Wire:
            found = analyse_play(house, stored, hand_number, level, query["after"])
            return answers.play_analysis(found, opened)

        # The same play is judged otherwise once the weights are others.
        made = represent(etag_by(answers.etag_of(opened), mark()), judged)
        if isinstance(made, tuple) and not made[0]["complete"]:
            # A part depends on the time that there was: without an ETag nobody keeps it.
            return made[0], 202, {"Retry-After": str(RETRY_AFTER_SECONDS)}
        return made

    @doors.operation(
        "GET",
        "/v1/games/<game:game_id>/hands/<ordinal:hand_number>/analysis",
        id="getHandAnalysis",
        limit="ai",
        says=f"How a hand was played.\n{_HOW} {_WHEN}",
        answer=PlayAnalysis,
        query=ANALYSIS_QUERY,
        who=VIEWER,
        codes=["game_in_progress"],
        headers=["ETag"],
        partial=True,
    )
    def get_hand_analysis(game_id: str, hand_number: int) -> ResponseReturnValue:
        return answer(game_id, hand_number)

    @doors.operation(
        "GET",
        "/v1/games/<game:game_id>/analysis",
        id="getGameAnalysis",
        limit="ai",
        says=f"How a game was played.\n{_HOW} From the end of the game on.",
        answer=PlayAnalysis,
        query=ANALYSIS_QUERY,
        who=VIEWER,
        codes=["game_in_progress"],
        headers=["ETag"],
        partial=True,
    )
    def get_game_analysis(game_id: str) -> ResponseReturnValue:
        return answer(game_id, None)
