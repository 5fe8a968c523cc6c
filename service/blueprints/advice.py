"""What computer players think of hands that are played elsewhere, or are over."""

from flask.typing import ResponseReturnValue

from engine.hand_scores import Mistold
from engine.positions import Position
from service import answers
from service.blueprints.calls import refusing
from service.blueprints.rule_sets import rules_sent
from service.errors import invalid
from service.incoming import read, sent_body
from service.operations import Blueprint
from service.schemas.ai import Hint
from service.schemas.positions import POSITION
from service.schemas.scoring import mistold
from service.use_cases.suggest_move import suggest_move


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
