"""The rules of a game on the wire: every option of :mod:`engine.rules`, by its own name."""

from typing import Any, Final

from marshmallow import fields

from engine.rules import CHOICES, OPTION_NAMES, PRESETS, RANGES
from service.schemas import declare as wire
from service.schemas.fields import Choice, Flag, Text, Whole
from service.schemas.shapes import AnswerSchema, RequestSchema

_SAYS: Final = {
    "knock_limit": "the most deadwood with which one may knock",
    "stock_end": "the hand is drawn when so many cards are left in the stock",
    "max_turns": "the hand is drawn after so many turns",
    "win_by": "the lead that the winner needs",
    "turn_seconds": "0 = no clock; otherwise at least 5",
}


def _set_name(option: str) -> str:
    """Return the name of the closed set of an option's values, such as ``KnockMode``."""
    return "LayoffMode" if option == "layoff" else option.title().replace("_", "")


def _says(option: str) -> dict[str, str]:
    return {"description": _SAYS[option]} if option in _SAYS else {}


def _sent(option: str) -> fields.Field[Any]:
    if option in CHOICES:
        return Choice(_set_name(option), CHOICES[option])
    if option in RANGES:
        return Whole(*RANGES[option], metadata=_says(option))
    return Flag()


def _answered(option: str) -> fields.Field[Any]:
    if option in CHOICES:
        return wire.text("known values: " + ", ".join(CHOICES[option]))
    if option in RANGES:
        least, greatest = RANGES[option]
        return wire.number(_SAYS.get(option, f"{least} to {greatest}"))
    return wire.flag()


class _Base(RequestSchema):
    """A preset plus overrides."""

    base = Text(
        64,
        metadata={"description": f"a preset, default standard: {', '.join(PRESETS)}"},
    )


RulesRequest: type[RequestSchema] = _Base.from_dict(  # type: ignore[assignment]
    {option: _sent(option) for option in OPTION_NAMES}, name="RulesRequest"
)
Rules: type[AnswerSchema] = AnswerSchema.from_dict(  # type: ignore[assignment]
    {option: _answered(option) for option in OPTION_NAMES}, name="Rules"
)


class RuleSet(AnswerSchema):
    """A preset."""

    id = wire.text()
    name_code = wire.text("key of the front end's own name for it")
    description_code = wire.text("key of the front end's own description")
    rules = wire.one(Rules)


class RuleSetList(AnswerSchema):
    """All presets."""

    items = wire.many(RuleSet)


RULES_REQUEST: Final = RulesRequest()
