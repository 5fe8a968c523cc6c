"""Rules: the presets, and what a preset with overrides comes to."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Any, Final

import orjson
from flask.typing import ResponseReturnValue

from engine.errors import BadInput
from engine.rules import PRESETS, STANDARD, Rules, resolve
from service.errors import Refusal, refusal_of
from service.incoming import read_body
from service.operations import Blueprint
from service.preconditions import PUBLIC, represent
from service.schemas.rules import RULES_REQUEST, RuleSet, RuleSetList
from service.schemas.rules import Rules as RulesSchema

DEFAULT_BASE: Final = "standard"
REMEMBERED_RULES: Final = 256


def resolve_rules(sent: Mapping[str, Any], pointer: str = "") -> Rules:
    """Return the rules that a read ``RulesRequest`` asks for.

    :raises Refusal: ``validation_failed`` with the faults below ``pointer``.
    """
    overrides = dict(sent)
    base = overrides.pop("base", DEFAULT_BASE)
    try:
        return resolve(base, overrides)
    except BadInput as error:
        at = f"{pointer}/base" if error.code == "unknown_rule_set" else pointer
        raise refusal_of(error, at) from None


def rules_sent(sent: Mapping[str, Any] | None, pointer: str) -> Rules:
    """Return the rules that a read ``RulesRequest`` asks for, the standard ones if there is none.

    The same few are asked for again and again, so they are remembered.

    :raises Refusal: ``validation_failed`` with the faults below ``pointer``.
    """
    if not sent:
        return STANDARD
    try:
        return _resolved(tuple(sent.items()))
    except BadInput:
        return resolve_rules(sent, pointer)


@lru_cache(maxsize=REMEMBERED_RULES)
def _resolved(sent: tuple[tuple[str, Any], ...]) -> Rules:
    overrides = dict(sent)
    return resolve(overrides.pop("base", DEFAULT_BASE), overrides)


def blueprint() -> Blueprint:
    """Return the operations on rules."""
    doors = Blueprint("rules")
    presets = {name: _rule_set(name, rules) for name, rules in PRESETS.items()}
    every = {"items": list(presets.values())}

    @doors.operation(
        "GET",
        "/v1/rule-sets",
        id="listRuleSets",
        says="The presets.\nEach with all its options; may be kept for an hour.",
        answer=RuleSetList,
        headers=["ETag"],
    )
    def list_rule_sets() -> ResponseReturnValue:
        return represent(_tag(every), lambda: every, PUBLIC)

    @doors.operation(
        "GET",
        "/v1/rule-sets/<name:rule_set_id>",
        id="getRuleSet",
        says="One preset.\nWith all its options; may be kept for an hour.",
        answer=RuleSet,
        headers=["ETag"],
    )
    def get_rule_set(rule_set_id: str) -> ResponseReturnValue:
        if rule_set_id not in presets:
            raise Refusal("not_found")
        preset = presets[rule_set_id]
        return represent(_tag(preset), lambda: preset, PUBLIC)

    @doors.operation(
        "POST",
        "/v1/rule-sets/resolutions",
        id="resolveRules",
        says="The rules that a preset and overrides come to.\nOr which of them exclude each other.",
        answer=RulesSchema,
        body=RULES_REQUEST,
        limit="scoring",
    )
    def resolve_to_rules() -> Mapping[str, Any]:
        return asdict(resolve_rules(read_body(RULES_REQUEST)))

    return doors


def _rule_set(name: str, rules: Rules) -> dict[str, Any]:
    return {
        "id": name,
        "name_code": f"rule_set_{name}_name",
        "description_code": f"rule_set_{name}_description",
        "rules": asdict(rules),
    }


def _tag(content: Mapping[str, Any]) -> str:
    """Return the ETag of ``content``, which is the same for everybody."""
    return f'"{hashlib.sha256(orjson.dumps(content)).hexdigest()[:16]}"'
