"""Reading what a client sent: JSON bodies and query strings, strictly.

The reader refuses whatever two programs could read in two ways: a name twice in one object, NaN,
lone surrogates, whole numbers that do not fit 64 bits, and nesting beyond any of our schemas.
"""

import json
from typing import Any, Final, cast

import orjson
from flask import request
from marshmallow import ValidationError

from service.errors import Refusal, field_error, invalid
from service.schemas.fields import Sequenced
from service.schemas.shapes import QuerySchema, RequestSchema, faults

MAX_DEPTH: Final = 32
_LEAST_INTEGER: Final = -(2**63)
_GREATEST_INTEGER: Final = 2**64 - 1
_BIGGEST_EXACT: Final = 2.0**63


class _MalformedError(ValueError):
    """The text is no JSON that we read."""


def parse_json(text: bytes) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Return the value of the JSON ``text``.

    :raises Refusal: ``malformed_json``, with what is wrong as its detail.
    """
    try:
        value = orjson.loads(text)
        names, doubtful = _survey(value)
        # Each member of an object has one colon of its own. As many colons as distinct names
        # means that no name stands twice; more may be doubles or colons in strings: look closely.
        if doubtful or text.count(b":") != names:
            json.loads(text, object_pairs_hook=_members, parse_int=_integer)
    except (ValueError, RecursionError) as error:
        raise Refusal("malformed_json", detail=str(error)) from None
    return value


def _survey(value: object) -> tuple[int, bool]:
    """Return how many names ``value`` has in all, and whether a number may be a big integer.

    It looks at one level after the other; texts, which are most of what is sent, it passes over.

    :raises _MalformedError: if ``value`` is nested deeper than ``MAX_DEPTH``.
    """
    names, doubtful = 0, False
    level: list[object] = [value]
    for _ in range(MAX_DEPTH + 1):
        below: list[object] = []
        inner = False
        for item in [each for each in level if type(each) is not str]:
            if type(item) is dict:
                names += len(item)
                below += item.values()
                inner = True
            elif type(item) is list:
                below += item
                inner = True
            elif type(item) is float:
                doubtful = doubtful or abs(item) >= _BIGGEST_EXACT
        if not inner:
            return names, doubtful
        level = below
    raise _MalformedError("nested too deep")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _MalformedError("a name stands twice in one object")
    return members


def _integer(digits: str) -> int:
    if len(digits) > 20 or not _LEAST_INTEGER <= int(digits) <= _GREATEST_INTEGER:
        raise _MalformedError("a whole number does not fit 64 bits")
    return int(digits)


def read_body(schema: RequestSchema, *, needed: bool = True) -> dict[str, Any]:
    """Return the body of this request as ``schema`` reads it; none counts as ``{}`` if not needed.

    :raises Refusal: ``malformed_json``, or ``validation_failed`` with each fault.
    """
    sent = request.get_data()
    return read(schema, parse_json(sent) if sent or needed else {})


def sent_body() -> Any:  # noqa: ANN401 - whatever JSON holds
    """Return the body of this request as it was sent.

    :raises Refusal: ``malformed_json``.
    """
    return parse_json(request.get_data())


def read(schema: RequestSchema, sent: Any, pointer: str = "") -> dict[str, Any]:  # noqa: ANN401
    """Return what was ``sent`` as ``schema`` reads it; ``pointer`` is where it stands in the body.

    :raises Refusal: ``validation_failed`` with each fault.
    """
    try:
        return schema.read(sent)
    except ValidationError as error:
        raise invalid(faults(error.messages, pointer)) from None


def read_query(schema: QuerySchema) -> dict[str, Any]:
    """Return the query of this request as ``schema`` reads it, with its defaults.

    :raises Refusal: ``validation_failed`` with each fault; a parameter sent twice is one, unless it
        is a list.
    """
    sent = request.args
    lists = {name for name, field in schema.fields.items() if isinstance(field, Sequenced)}
    twice = [name for name in sent if len(sent.getlist(name)) > 1 and name not in lists]
    if twice:
        raise invalid(field_error(f"#query/{name}", "wrong_type") for name in twice)
    try:
        values = {name: sent.getlist(name) if name in lists else sent[name] for name in sent}
        return cast("dict[str, Any]", schema.load(values))
    except ValidationError as error:
        raise invalid(faults(error.messages, "#query")) from None
