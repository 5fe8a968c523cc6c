"""Cards that are held elsewhere: what they are worth, what fits on melds, what a lay-out is."""

from typing import Any, Final

from engine.analyses import MOST_ARRANGEMENTS
from service.schemas import declare as wire
from service.schemas.batches import items_sent
from service.schemas.cards import (
    Arrangement,
    LayOffChoice,
    Meld,
    PossibleLayOff,
    check_melds_apart,
    lay_offs_sent,
    melds_sent,
)
from service.schemas.fields import CardSet, Inner, Sequenced, Whole
from service.schemas.legal import DiscardOption, KnockOption
from service.schemas.moves import MeldIssue, ProposedMeld
from service.schemas.rules import RulesRequest
from service.schemas.service import Problem
from service.schemas.shapes import AnswerSchema, RequestSchema

MOST_CARDS_SENT: Final = 52


def _cards_sent(says: str, **options: Any) -> CardSet:
    metadata = {"description": says, "minItems": 1}
    return CardSet(MOST_CARDS_SENT, metadata=metadata, **options)


class _WithLists(RequestSchema):
    """A body with lists, which the engine wants as they are and for ever."""

    def make(self, loaded: dict[str, Any]) -> dict[str, Any]:
        """Return the fields, with tuples for lists."""
        return {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in loaded.items()
        }


class CardsAnalysisRequest(RequestSchema):
    """Cards that somebody holds. upcard = the first card that lay face up; it is needed where the
    rules make the knock limit or the score depend on it.
    """  # noqa: D205 - it is one paragraph of the document

    cards = _cards_sent("1 to 11, or more with multi_pickup", required=True)
    taken_from_discard = wire.card(required=False)
    upcard = wire.card(required=False)
    rules = Inner(RulesRequest)
    max_arrangements = Whole(1, MOST_ARRANGEMENTS, metadata={"description": "default 1"})


class CardsAnalysis(AnswerSchema):
    """What cards are worth. With eleven, or more, discards and knocks say what may be thrown."""

    cards = wire.cards()
    deadwood = wire.number("of all the cards sent")
    deadwood_after_best_discard = wire.number("where a discard is due", required=False)
    best = wire.one(Arrangement)
    arrangements = wire.many(
        Arrangement,
        "least deadwood first: best, all others that leave as little, then the next best",
    )
    arrangements_truncated = wire.flag("there are more than max_arrangements")
    knock_limit = wire.number()
    multiplier = wire.number()
    knocks = wire.many(KnockOption, "best first")
    discards = wire.many(DiscardOption, "least deadwood first")


class CardsAnalysisBatchRequest(RequestSchema):
    """Up to a thousand analyses; an item may have up to 15 cards."""

    items = items_sent(CardsAnalysisRequest)


class CardsAnalysisBatchItem(AnswerSchema):
    """Exactly one of result, problem. A pointer of the problem leads through the whole body."""

    index = wire.number("of the item in the request")
    result = wire.one(CardsAnalysis, required=False)
    problem = wire.one(Problem, required=False)


class CardsAnalysisBatch(AnswerSchema):
    """An analysis or a problem for each item, in the order sent."""

    items = wire.many(CardsAnalysisBatchItem)


class LayOffSearchRequest(_WithLists):
    """The knocker's melds and the defender's cards. melds and lay_offs are those that the defender
    made of them at the table, to be checked and counted.
    """  # noqa: D205 - it is one paragraph of the document

    knocker_melds = melds_sent("as they were laid out", required=True)
    cards = _cards_sent("the defender's: 1 to 10, or more where hands grow", required=True)
    melds = melds_sent("the defender's own, at the table")
    lay_offs = lay_offs_sent("made at the table, in order")
    rules = Inner(RulesRequest)

    def check(self, loaded: dict[str, Any]) -> None:
        """Refuse melds that share a card."""
        check_melds_apart(loaded, "knocker_melds")
        check_melds_apart(loaded)


class LayOffSearch(AnswerSchema):
    """What a defender can lay off."""

    best = wire.one(LayOffChoice)
    melds_after = wire.many(Meld, "the knocker's, after the best lay-offs")
    possible = wire.many(PossibleLayOff, "all that fits, in any sequence")
    chosen = wire.one(LayOffChoice, required=False)
    lay_offs_optimal = wire.flag(
        "whether chosen gave no points away; with melds or lay_offs", required=False
    )


class LayOffSearchBatchRequest(RequestSchema):
    """Up to a thousand searches."""

    items = items_sent(LayOffSearchRequest)


class LayOffSearchBatchItem(AnswerSchema):
    """Exactly one of result, problem. A pointer of the problem leads through the whole body."""

    index = wire.number("of the item in the request")
    result = wire.one(LayOffSearch, required=False)
    problem = wire.one(Problem, required=False)


class LayOffSearchBatch(AnswerSchema):
    """What can be laid off, or a problem, for each item, in the order sent."""

    items = wire.many(LayOffSearchBatchItem)


class LayOutCheckRequest(_WithLists):
    """Melds, and with them the cards they are made of: then the answer says what they leave."""

    melds = Sequenced(Inner(ProposedMeld), 17, required=True)
    cards = _cards_sent("1 to 11, or more with multi_pickup")
    upcard = wire.card(required=False)
    rules = Inner(RulesRequest)


class LayOutCheck(AnswerSchema):
    """Whether melds are valid together, and what they leave."""

    valid = wire.flag()
    issues = wire.many(MeldIssue)
    deadwood = wire.number(
        "of the cards kept, after the best discard where one is due; with cards, if valid",
        required=False,
    )
    can_knock = wire.flag("whether this very lay-out is a knock; with cards", required=False)


class LayOutCheckBatchRequest(RequestSchema):
    """Up to a thousand checks."""

    items = items_sent(LayOutCheckRequest)


class LayOutCheckBatchItem(AnswerSchema):
    """Exactly one of result, problem. A pointer of the problem leads through the whole body."""

    index = wire.number("of the item in the request")
    result = wire.one(LayOutCheck, required=False)
    problem = wire.one(Problem, required=False)


class LayOutCheckBatch(AnswerSchema):
    """A check or a problem for each item, in the order sent."""

    items = wire.many(LayOutCheckBatchItem)


CARDS_ANALYSIS_REQUEST: Final = CardsAnalysisRequest()
LAY_OFF_SEARCH_REQUEST: Final = LayOffSearchRequest()
LAY_OUT_CHECK_REQUEST: Final = LayOutCheckRequest()
CARDS_ANALYSIS_BATCH_REQUEST: Final = CardsAnalysisBatchRequest()
LAY_OFF_SEARCH_BATCH_REQUEST: Final = LayOffSearchBatchRequest()
LAY_OUT_CHECK_BATCH_REQUEST: Final = LayOutCheckBatchRequest()
