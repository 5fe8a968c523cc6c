"""Computer players: their levels, the request that one of them moves, and hints."""

from typing import Final

from engine.players.levels import ADVISORS
from engine.players.suggestions import REASONS
from service.schemas import declare as wire
from service.schemas.fields import Text, Whole
from service.schemas.moves import MoveRequest, move_number
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
    level = Text(
        64,
        metadata={
            "description": "for the caller's own seat: an id of listAiLevels, or who gives hints; "
            "absent = as a hint advises"
        },
    )
    until = wire.choice("AiUntil", AI_UNTIL, required=False)
    move_number = move_number()


class HintRequest(RequestSchema):
    """Whom to ask."""

    level = Text(64, metadata={"description": f"who advises: {', '.join(ADVISORS)} (the default)"})


class Suggestion(AnswerSchema):
    """What to do, and why. Chances of a draw are those of the next card from the stock, counted
    over the cards that you have not seen; absent where no such draw follows.
    """  # noqa: D205 - it is one paragraph of the document

    move = wire.one(MoveRequest)
    value = wire.amount(
        "points that you may expect of this hand, those against you below zero, if you do this and "
        "play on well; absent where whoever advises does not say",
        required=False,
    )
    knock_chance = wire.share("that you may knock or go gin with it", required=False)
    gin_chance = wire.share("that you may go gin with it", required=False)
    helping_cards = wire.cards("would lie in a meld and leave no more deadwood", required=False)
    danger = wire.share(
        "that the discard helps the other side; absent where nothing is thrown, or it is not said",
        required=False,
    )
    reason_codes = wire.texts(f"open: {', '.join(REASONS)}")


class Hint(AnswerSchema):
    """What to do now."""

    for_move = wire.number("the number of the move that it is for")
    level = wire.text("open: who advises")
    suggestions = wire.many(Suggestion, "best first")


AI_MOVE_REQUEST: Final = AiMoveRequest()
HINT_REQUEST: Final = HintRequest()
