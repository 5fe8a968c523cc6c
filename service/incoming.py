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
        names, doubtful = _survey(value, MAX_DEPTH)
        # Each member of an object has one colon of its own. As many colons as distinct names
        # means that no name stands twice; more may be doubles or colons in strings: look closely.
        if doubtful or text.count(b":") != names:
            json.loads(text, object_pairs_hook=_members, parse_int=_integer)
    except (ValueError, RecursionError) as error:
        raise Refusal("malformed_json", detail=str(error)) from None
    return value


def _survey(value: object, depth: int) -> tuple[int, bool]:
    """Return how many names ``value`` has in all, and whether a number may be a big integer.

    :raises _MalformedError: if ``value`` is nested deeper than ``depth``.
    """
    if isinstance(value, float):
        return 0, abs(value) >= _BIGGEST_EXACT
    if not isinstance(value, dict | list):
        return 0, False
    if depth == 0:
        raise _MalformedError("nested too deep")
    names, doubtful = (len(value), False) if isinstance(value, dict) else (0, False)
    for item in value.values() if isinstance(value, dict) else value:
        if not isinstance(item, str):
            more, doubt = _survey(item, depth - 1)
            names += more
            doubtful = doubtful or doubt
    return names, doubtful


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _MalformedError("a name stands twice in one object")
    return members


def _integer(digits: str) -> int:
    if len(digits) > 20 or not _LEAST_INTEGER <= int(digits) <= _GREATEST_INTEGER:
        raise _MalformedError("a whole number does not fit 64 bits")
    return int(digits)


def read_body(schema: RequestSchema) -> dict[str, Any]:
    """Return the body of this request as ``schema`` reads it.

    :raises Refusal: ``malformed_json``, or ``validation_failed`` with each fault.
    """
    try:
        return schema.read(parse_json(request.get_data()))
    except ValidationError as error:
        raise invalid(faults(error.messages)) from None


def read_optional_body(schema: RequestSchema) -> dict[str, Any]:
    """Return the body of this request as :func:`read_body` does; none is an empty object."""
    return read_body(schema) if request.get_data() else schema.read({})


def read_query(schema: QuerySchema) -> dict[str, Any]:
    """Return the query of this request as ``schema`` reads it, with its defaults.

    :raises Refusal: ``validation_failed`` with each fault; a parameter sent twice is one.
    """
    sent = request.args
    twice = [name for name in sent if len(sent.getlist(name)) > 1]
    if twice:
        raise invalid(field_error(f"#query/{name}", "wrong_type") for name in twice)
    try:
        return cast("dict[str, Any]", schema.load(sent.to_dict()))
    except ValidationError as error:
        raise invalid(faults(error.messages, "#query")) from None
