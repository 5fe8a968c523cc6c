"""Scoring as a service: hands and cards that are kept elsewhere. Nothing is stored."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

import orjson
from flask.typing import ResponseReturnValue

from engine.analyses import analyse
from engine.hand_scores import Mistold, score_hand
from service.blueprints.rule_sets import rules_sent
from service.blueprints.score_games import add_score_game
from service.errors import Refusal, invalid, problem
from service.incoming import read, sent_body
from service.operations import Blueprint
from service.plain_analyses import plain_analyses
from service.plain_scores import plain_scores
from service.schemas.batches import BATCH, MOST_BATCH_BYTES
from service.schemas.dump_scores import Wire
from service.schemas.dump_scoring import analysis, hand_score, lay_off_search, lay_out_check
from service.schemas.fields import DOUBT
from service.schemas.scoring import (
    HAND_SCORE_BATCH_REQUEST,
    HAND_SCORE_REQUEST,
    HandScore,
    HandScoreBatch,
    mistold,
)
from service.schemas.scoring_cards import (
    CARDS_ANALYSIS_BATCH_REQUEST,
    CARDS_ANALYSIS_REQUEST,
    LAY_OFF_SEARCH_BATCH_REQUEST,
    LAY_OFF_SEARCH_REQUEST,
    LAY_OUT_CHECK_BATCH_REQUEST,
    LAY_OUT_CHECK_REQUEST,
    CardsAnalysis,
    CardsAnalysisBatch,
    LayOffSearch,
    LayOffSearchBatch,
    LayOutCheck,
    LayOutCheckBatch,
)
from service.schemas.shapes import RequestSchema
from service.use_cases.analyse_cards import analyse_in_batch
from service.use_cases.check_melds import check_melds
from service.use_cases.find_lay_offs import find_lay_offs

Sent: TypeAlias = Any
"""JSON as it was sent."""

Written: TypeAlias = Wire | orjson.Fragment
"""An answer, or the text of one."""


def _none_at_once(_asked: Sequence[dict[str, Any] | None]) -> Mapping[int, Written]:
    return {}


@dataclass(frozen=True, slots=True)
class Question:
    """A kind of question: how it is read, who answers, and how the answer is written."""

    schema: RequestSchema
    answer: Callable[..., Any]
    write: Callable[[Any], Wire]
    write_many: Callable[[Sequence[dict[str, Any] | None]], Mapping[int, Written]] = _none_at_once
    """Writes many answers at once, by their places; those that it leaves out are asked alone."""

    def ask(self, sent: Sent, pointer: str = "") -> Wire:
        """Return the answer to what was ``sent`` and stands at ``pointer`` of the body.

        :raises Refusal: ``validation_failed`` with each fault and where it stands.
        """
        asked = read(self.schema, sent, pointer)
        asked["rules"] = rules_sent(asked.get("rules"), f"{pointer}/rules")
        return self._answered(asked, sent, pointer)

    def ask_each(self, sent: Sent) -> Wire:
        """Return the answer to each item of a batch, or the problem with it.

        :raises Refusal: ``validation_failed`` if it is no batch.
        """
        items = read(BATCH, sent)["items"]
        asked = [self._quickly(item) for item in items]
        written = self.write_many(asked)
        return {
            "items": [
                {"index": index, "result": written[index]}
                if index in written
                else self._item(index, item, asked[index])
                for index, item in enumerate(items)
            ]
        }

    def _quickly(self, sent: Sent) -> dict[str, Any] | None:
        """Return what was asked if it is certainly right, otherwise None."""
        asked: Any = self.schema.quick(sent)
        if asked is DOUBT:
            return None
        try:
            asked["rules"] = rules_sent(asked.get("rules"), "")
        except Refusal:
            return None
        return cast("dict[str, Any]", asked)

    def _item(self, index: int, sent: Sent, asked: dict[str, Any] | None) -> Wire:
        pointer = f"/items/{index}"
        try:
            if asked is None:
                return {"index": index, "result": self.ask(sent, pointer)}
            return {"index": index, "result": self._answered(asked, sent, pointer)}
        except Refusal as refusal:
            return {"index": index, "problem": problem(refusal)}

    def _answered(self, asked: dict[str, Any], sent: Sent, pointer: str) -> Wire:
        try:
            return self.write(self.answer(**asked))
        except Mistold as error:
            raise invalid([mistold(error, sent, pointer)]) from None


HANDS: Final = Question(HAND_SCORE_REQUEST, score_hand, hand_score, plain_scores)
CARDS: Final = Question(CARDS_ANALYSIS_REQUEST, analyse, analysis)
CARDS_IN_BATCH: Final = Question(CARDS_ANALYSIS_REQUEST, analyse_in_batch, analysis, plain_analyses)
LAY_OFFS: Final = Question(LAY_OFF_SEARCH_REQUEST, find_lay_offs, lay_off_search)
MELDS: Final = Question(LAY_OUT_CHECK_REQUEST, check_melds, lay_out_check)

_BATCH_SAYS: Final = (
    "Up to 1,000 items and 2 MiB in one request; each has a result or a problem of its own, and "
    "the answer is 200 whatever they are."
)


def blueprint() -> Blueprint:
    """Return the operations of scoring. They need neither a token nor the database."""
    doors = Blueprint("scoring")
    _declare_analyses(doors)
    _declare_hands(doors)
    _declare_melds(doors)
    add_score_game(doors)
    return doors


def _declare_analyses(doors: Blueprint) -> None:
    @doors.operation(
        "POST",
        "/v1/scoring/analyses",
        id="analyseCards",
        limit="scoring",
        says=(
            "What cards are worth.\nThe best arrangement, as many others as asked for, and with "
            "eleven cards each discard and knock."
        ),
        answer=CardsAnalysis,
        body=CARDS_ANALYSIS_REQUEST,
    )
    def analyse_one() -> ResponseReturnValue:
        return CARDS.ask(sent_body())

    @doors.operation(
        "POST",
        "/v1/scoring/analyses/batch",
        id="analyseCardsBatch",
        limit="scoring",
        says=f"What many cards are worth.\n{_BATCH_SAYS}",
        answer=CardsAnalysisBatch,
        body=CARDS_ANALYSIS_BATCH_REQUEST,
        most_bytes=MOST_BATCH_BYTES,
    )
    def analyse_each() -> ResponseReturnValue:
        return CARDS_IN_BATCH.ask_each(sent_body())


def _declare_hands(doors: Blueprint) -> None:
    @doors.operation(
        "POST",
        "/v1/scoring/hands",
        id="scoreHand",
        limit="scoring",
        says=(
            "The score of a hand, line by line.\nEach side is cards, cards with the melds and "
            "lay-offs of the table, or a count alone. What the rules do not allow is refused with "
            "the code, the place and the number that shows why."
        ),
        answer=HandScore,
        body=HAND_SCORE_REQUEST,
    )
    def score() -> ResponseReturnValue:
        return HANDS.ask(sent_body())

    @doors.operation(
        "POST",
        "/v1/scoring/hands/batch",
        id="scoreHandsBatch",
        limit="scoring",
        says=f"The scores of many hands.\n{_BATCH_SAYS}",
        answer=HandScoreBatch,
        body=HAND_SCORE_BATCH_REQUEST,
        most_bytes=MOST_BATCH_BYTES,
    )
    def score_each() -> ResponseReturnValue:
        return HANDS.ask_each(sent_body())


def _declare_melds(doors: Blueprint) -> None:
    @doors.operation(
        "POST",
        "/v1/scoring/lay-offs",
        id="findLayOffs",
        limit="scoring",
        says=(
            "What a defender can lay off.\nThe best joint choice of lay-offs and own melds, all "
            "lay-offs that fit, and a check of those made at the table."
        ),
        answer=LayOffSearch,
        body=LAY_OFF_SEARCH_REQUEST,
    )
    def lay_offs() -> ResponseReturnValue:
        return LAY_OFFS.ask(sent_body())

    @doors.operation(
        "POST",
        "/v1/scoring/lay-offs/batch",
        id="findLayOffsBatch",
        limit="scoring",
        says=f"What many defenders can lay off.\n{_BATCH_SAYS}",
        answer=LayOffSearchBatch,
        body=LAY_OFF_SEARCH_BATCH_REQUEST,
        most_bytes=MOST_BATCH_BYTES,
    )
    def lay_offs_of_each() -> ResponseReturnValue:
        return LAY_OFFS.ask_each(sent_body())

    @doors.operation(
        "POST",
        "/v1/scoring/melds/checks",
        id="checkMelds",
        limit="scoring",
        says=(
            "Whether melds are valid.\nTogether with the cards they are made of: what they leave, "
            "and whether that is a knock."
        ),
        answer=LayOutCheck,
        body=LAY_OUT_CHECK_REQUEST,
    )
    def check() -> ResponseReturnValue:
        return MELDS.ask(sent_body())

    @doors.operation(
        "POST",
        "/v1/scoring/melds/checks/batch",
        id="checkMeldsBatch",
        limit="scoring",
        says=f"Whether many lay-outs are valid.\n{_BATCH_SAYS}",
        answer=LayOutCheckBatch,
        body=LAY_OUT_CHECK_BATCH_REQUEST,
        most_bytes=MOST_BATCH_BYTES,
    )
    def check_each() -> ResponseReturnValue:
        return MELDS.ask_each(sent_body())
