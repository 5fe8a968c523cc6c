"""Computer players: their levels, and the request that one of them moves."""

from typing import Final

from service.schemas import declare as wire
from service.schemas.fields import Text, Whole
from service.schemas.moves import move_number
from service.schemas.shapes import AnswerSchema, RequestSchema

AI_UNTIL: Final = ("move", "turn")


class AiLevel(AnswerSchema):
    """A strength of play."""

    id = wire.text()
    deterministic = wire.flag("the same view gives the same move")
    typical_ms = wire.number("measured time of a move")
    max_ms = wire.number("the time after which it stops thinking")


class AiLevelList(AnswerSchema):
    """All levels, weakest first."""

    items = wire.many(AiLevel)


class AiMoveRequest(RequestSchema):
    """Which seat, and how far: one move, or through its discard, knock or lay-off."""

    seat = Whole(0, 3, required=True)
    level = Text(64, metadata={"description": "for the caller's own seat"})
    until = wire.choice("AiUntil", AI_UNTIL, required=False)
    move_number = move_number()


AI_MOVE_REQUEST: Final = AiMoveRequest()
