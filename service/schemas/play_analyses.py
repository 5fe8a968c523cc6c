"""What is said of play that is over: decisions, the luck of draws, and the sums of each seat."""

from typing import Final

from engine.players.verdicts import HALVING_LOSS, VERDICTS, WORST
from service.schemas import declare as wire
from service.schemas.ai import Suggestion
from service.schemas.fields import QueryWhole, Text
from service.schemas.moves import GREATEST_NUMBER, MoveRequest
from service.schemas.shapes import AnswerSchema, QuerySchema

_VERDICTS: Final = ", ".join([*dict(VERDICTS), WORST])
_LIMITS: Final = ", ".join(f"{name} up to {most:g}" for name, most in VERDICTS)


class AnalysisQuery(QuerySchema):
    """Who judges, and where to go on."""

    level = Text(64, metadata={"description": "who judges; the strongest by default"})
    after = QueryWhole(
        0,
        GREATEST_NUMBER,
        load_default=0,
        metadata={"description": "only what came after this move: next_after of a part, default 0"},
    )


class Decision(AnswerSchema):
    """What a seat decided, by what it could know then. A move that was forced is none."""

    hand_number = wire.number()
    move_number = wire.number()
    turn = wire.number("draws of both seats before it")
    seat = wire.seat()
    cards = wire.cards("held before it")
    top_discard = wire.card(required=False)
    played = wire.one(MoveRequest)
    options = wire.many(
        Suggestion, "best first; of lay-offs there is one, to which all are compared"
    )
    loss = wire.amount("points: the value of the best option less that of what was played")
    verdict_code = wire.text(f"open: {_VERDICTS}; by the loss in points: {_LIMITS}")
    reason_codes = wire.texts("why the first option")


class DrawLuck(AnswerSchema):
    """A card drawn from the stock, and what it was worth beyond the mean of all not seen."""

    hand_number = wire.number()
    move_number = wire.number()
    turn = wire.number("the turn that it began")
    seat = wire.seat()
    card = wire.card()
    luck = wire.amount("points; below zero for a bad draw")


class SeatAnalysis(AnswerSchema):
    """The sums of a seat over the decisions and draws of this answer."""

    seat = wire.seat()
    decisions = wire.number("how many")
    loss = wire.amount("points, the sum over its decisions")
    accuracy = wire.amount(
        "0 to 100: the mean over its decisions of 100 without a loss, halved with each "
        f"{HALVING_LOSS:g} points lost; 100 without decisions"
    )
    luck = wire.amount("points, the sum over its draws; has no part in the loss")


class PlayAnalysis(AnswerSchema):
    """How a hand or a game was played. The same for everybody who asks."""

    game_id = wire.text()
    hand_number = wire.number("absent: the whole game", required=False)
    complete = wire.flag("false in a 202: there was no time for more, ask again after next_after")
    next_after = wire.number(
        "of a part: send it as after, and add up what is answered", required=False
    )
    level = wire.text("open: who judges")
    seats = wire.many(SeatAnalysis)
    decisions = wire.many(Decision, "by move")
    draws = wire.many(DrawLuck, "by move")


ANALYSIS_QUERY: Final = AnalysisQuery()
