"""Hands that were played elsewhere: what is told of them, and their scores."""

from typing import Any, Final

from marshmallow import ValidationError

from engine.actions import KnockKind
from engine.hand_scores import Mistold
from service.errors import FieldError, field_error, wire_params
from service.schemas import declare as wire
from service.schemas.batches import items_sent
from service.schemas.cards import (
    KNOCK_KINDS,
    LayOff,
    Meld,
)
from service.schemas.fields import DOUBT, Fault, Inner
from service.schemas.hand_sides import HandSide
from service.schemas.rules import RulesRequest
from service.schemas.scores import ScoreLine
from service.schemas.service import Problem
from service.schemas.shapes import AnswerSchema, RequestSchema

_SIDE: Final = HandSide()
_KINDS: Final = {kind.value: kind for kind in KnockKind}


class HandScoreRequest(RequestSchema):
    """A hand that the knocker ended. upcard = the first card that lay face up; it is needed where
    the rules make the knock limit or the score depend on it.
    """  # noqa: D205 - it is one paragraph of the document

    kind = wire.choice("KnockKind", KNOCK_KINDS)
    knocker = wire.one(HandSide)
    defender = wire.one(HandSide)
    upcard = wire.card(required=False)
    rules = Inner(RulesRequest)

    def quick(self, value: object) -> object:
        """Return a hand of which no more is told than it needs, or read it as all are."""
        if type(value) is not dict or len(value) != 3:
            return super().quick(value)
        try:
            kind = _KINDS[value["kind"]]
            knocker, defender = _SIDE.quick(value["knocker"]), _SIDE.quick(value["defender"])
        except (KeyError, TypeError):
            return DOUBT
        loaded: dict[str, Any] = {"kind": kind, "knocker": knocker, "defender": defender}
        if knocker is DOUBT or defender is DOUBT or _faults(loaded):
            return DOUBT
        return loaded

    def check(self, loaded: dict[str, Any]) -> None:
        """Refuse lay-offs of the knocker, and two sides at one seat."""
        faults = _faults(loaded)
        if faults:
            raise ValidationError(faults)

    def make(self, loaded: dict[str, Any]) -> dict[str, Any]:
        """Return the fields, the kind as the engine's."""
        loaded["kind"] = _KINDS[loaded["kind"]]
        return loaded


def _faults(loaded: dict[str, Any]) -> dict[str, Any] | None:
    knocker, defender = loaded["knocker"], loaded["defender"]
    if knocker.lay_offs is not None:
        return {"knocker": {"lay_offs": [Fault("field_not_allowed", field="lay_offs")]}}
    if knocker.seat is not None and knocker.seat == defender.seat:
        return {"defender": {"seat": [Fault("duplicate_seat")]}}
    return None


class ScoredSide(AnswerSchema):
    """One side as it was counted; empty lists where it was told by its count."""

    seat = wire.seat("as it was sent", required=False)
    cards = wire.cards("held before any lay-off")
    melds = wire.many(Meld)
    unmatched = wire.cards("after lay-offs")
    lay_offs = wire.many(LayOff, "in order")
    deadwood = wire.number()


class HandScore(AnswerSchema):
    """The score of a hand, line by line."""

    outcome = wire.text("open: knock, gin, big_gin, undercut")
    winner = wire.text("open: knocker, defender")
    winner_seat = wire.seat("where seats were sent", required=False)
    points = wire.number()
    multiplier = wire.number()
    lines = wire.many(ScoreLine, "they add up to points")
    knocker = wire.one(ScoredSide)
    defender = wire.one(ScoredSide)
    lay_offs_optimal = wire.flag(
        "false: the defender gave points away; absent where only counts were sent",
        required=False,
    )


def mistold(error: Mistold, sent: Any, pointer: str = "") -> FieldError:  # noqa: ANN401 - JSON
    """Return the fault of a hand that cannot be, in the body ``sent`` that stands at ``pointer``.

    A card that is at fault is pointed at where it stands.
    """
    params = wire_params(error.error.params)
    parts = list(error.place)
    for part in parts:
        there = isinstance(sent, list) or (isinstance(sent, dict) and part in sent)
        sent = sent[part] if there else None
    if isinstance(sent, list) and "card" in params:
        parts += [index for index, name in enumerate(sent) if _named(name) == params["card"]]
    at = "".join(f"/{part}" for part in parts)
    return field_error(pointer + at, error.error.code, params)


def _named(name: object) -> object:
    """Return the name of a card as answers write it."""
    return str(name).upper().replace("10", "T")


class HandScoreBatchRequest(RequestSchema):
    """Up to a thousand hands."""

    items = items_sent(HandScoreRequest)


class HandScoreBatchItem(AnswerSchema):
    """Exactly one of result, problem. A pointer of the problem leads through the whole body."""

    index = wire.number("of the item in the request")
    result = wire.one(HandScore, required=False)
    problem = wire.one(Problem, required=False)


class HandScoreBatch(AnswerSchema):
    """A score or a problem for each hand, in the order sent."""

    items = wire.many(HandScoreBatchItem)


HAND_SCORE_REQUEST: Final = HandScoreRequest()
HAND_SCORE_BATCH_REQUEST: Final = HandScoreBatchRequest()
