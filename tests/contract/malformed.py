"""Malformed requests as data, and how to send all of them to every operation of a document.

:func:`cases` makes them from a document and one good request for each operation; :func:`fault_of`
judges an answer. Whoever runs them counts rows before and after: a refused request changes none.
The corpus grows with every bug.
"""

import copy
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from service.frame import MAX_BODY_BYTES
from service.problems import CATALOGUE
from service.schemas.batches import MOST_BATCH_BYTES, MOST_ITEMS
from tests.contract.documents import nodes, operations, schemas_below

JSON = "application/json"
BAD_REQUEST = frozenset({400})
WRONG = frozenset({422})
EITHER = BAD_REQUEST | WRONG


@dataclass(frozen=True)
class Good:
    """A request that an operation would accept: its path with all ids, its body, its token.

    ``headers`` are those that it needs besides.
    """

    path: str
    body: Any = None
    token: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """A malformed request, and the statuses of which its answer has to have one."""

    name: str
    method: str
    path: str
    status: frozenset[int]
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


def _deep(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


TEXTS: Mapping[str, tuple[bytes, frozenset[int]]] = {
    "empty": (b"", BAD_REQUEST),
    "blank": (b" \n", BAD_REQUEST),
    "cut off": (b'{"move_number":', BAD_REQUEST),
    "two values": (b"{}{}", BAD_REQUEST),
    "single quotes": (b"{'move_number':1}", BAD_REQUEST),
    "comment": (b"{}//", BAD_REQUEST),
    "byte order mark": (b"\xef\xbb\xbf{}", BAD_REQUEST),
    "utf-16": ("{}".encode("utf-16"), BAD_REQUEST),
    "not utf-8": (b'{"name":"\xff\xfe"}', BAD_REQUEST),
    "overlong utf-8": (b'{"name":"\xc0\xaf"}', BAD_REQUEST),
    "encoded surrogate": (b'{"name":"\xed\xa0\x80"}', BAD_REQUEST),
    "lone surrogate": (b'{"name":"\\ud800"}', BAD_REQUEST),
    "lone surrogate as name": (b'{"\\udc00":1}', BAD_REQUEST),
    "raw control character": (b'{"name":"\x00"}', BAD_REQUEST),
    "name twice": (b'{"move_number":1,"move_number":2}', BAD_REQUEST),
    "escaped name twice": (b'{"card":"AC","c\\u0061rd":"2C"}', BAD_REQUEST),
    "NaN": (b'{"move_number":NaN}', BAD_REQUEST),
    "Infinity": (b'{"move_number":-Infinity}', BAD_REQUEST),
    "float beyond all": (b'{"move_number":1e400}', BAD_REQUEST),
    "beyond 64 bits": (b'{"move_number":18446744073709551616}', BAD_REQUEST),
    "400 digits": (b'{"move_number":' + b"9" * 400 + b"}", BAD_REQUEST),
    "5,000 digits": (b'{"move_number":' + b"9" * 5000 + b"}", BAD_REQUEST),
    "5,000 digits below zero": (b'{"move_number":-' + b"9" * 5000 + b"}", BAD_REQUEST),
    "leading zero": (b'{"move_number":01}', BAD_REQUEST),
    "33 deep": (_deep(33), BAD_REQUEST),
    "33 deep in a field": (b'{"melds":' + _deep(32) + b"}", BAD_REQUEST),
    "990 deep": (_deep(990), BAD_REQUEST),
    "30,000 deep": (_deep(30_000), BAD_REQUEST),
    "never closed": (b"[" * 60_000, BAD_REQUEST),
    "32 deep": (_deep(32), WRONG),
    "null": (b"null", WRONG),
    "number": (b"1", WRONG),
    "text": (b'"x"', WRONG),
    "true": (b"true", WRONG),
    "list": (b"[]", WRONG),
    "list of objects": (b"[{}]", WRONG),
    "one byte too large": (b" " * (MAX_BODY_BYTES - 1) + b"{}", frozenset({413})),
    "20 MB": (b'{"name":"' + b"x" * 20_000_000 + b'"}', frozenset({413})),
}
"""Bodies that are wrong for every operation that takes one."""

MEDIA: Mapping[str, Mapping[str, str]] = {
    "plain text": {"Content-Type": "text/plain"},
    "form": {"Content-Type": "application/x-www-form-urlencoded"},
    "no type": {},
    "bogus charset": {"Content-Type": f"{JSON}; charset=bogus"},
    "charset utf-16": {"Content-Type": f"{JSON}; charset=utf-16"},
    "gzip that is none": {"Content-Type": JSON, "Content-Encoding": "gzip"},
    "xml": {"Content-Type": "application/xml"},
}
"""Headers that do not go with a JSON body."""

VALUES: Mapping[str, Any] = {
    "null": None,
    "true": True,
    "1.0": 1.0,
    "1.5": 1.5,
    "text one": "1",
    "minus one": -1,
    "beyond int4": 2**31,
    "beyond int8": 2**63,
    "least int8": -(2**63),
    "empty text": "",
    "zero character": "\0",
    "text with zero": "a\0b",
    "escape": "\x1b[2J",
    "line separator": "\u2028",
    "wide digits": "\u0663",
    "long text": "x" * 20_000,
    "list": [],
    "nested list": [[[[]]]],
    "object": {},
    "object with id": {"$ne": 1},
    "list of null": [None],
}
"""Values for each field in turn: none of them is right in any field but by its own type."""

PATH_IDS = (
    "x",
    "0",
    "-1",
    "1.5",
    "1_0",
    "%00",
    "%ff%fe",
    "%F0%9F%98%80",
    "%D9%A3",
    "..%2f..%2fetc%2fpasswd",
    "9" * 20,
    "9" * 5000,
    "a" * 9000,
    "00000000-0000-0000-0000-000000000000",
    "'%20OR%201=1--",
)
KEYS = (
    "",
    '"',
    '""',
    " ",
    "k" * 256,
    "k" * 5000,
    "two words, and more than that",
    '"' + "k" * 30,
    '"' + "k" * 30 + '";a=1',
    "k" * 30 + "\u00e9",
    "k" * 30 + "\x7f",
    "k" * 30 + "," + "l" * 30,
)
"""What no operation takes for a key."""

QUERY_VALUES = (
    "abc",
    "",
    "-1",
    "1.5",
    "1_0",
    "0x10",
    "%2B1",
    "%201",
    "%00",
    "%ff",
    "%D9%A3",
    "%F0%9F%98%80",
    "9" * 20,
    "9" * 5000,
    "1e3",
    "null",
)


OF_ANY_TEXT = ("%00", "x" * 5000)
NO_CURSOR = ("%F0%9F%98%80", "abc", "W10=.x")
FREE_TEXT = frozenset({"player_ref", "name"})
"""Parameters that may be any short text."""


def cases(document: dict, good: Mapping[str, Good]) -> Iterator[Case]:
    """Yield every malformed request for each operation of ``document`` that ``good`` has one for.

    :raises KeyError: if an operation is missing in ``good``.
    """
    for method, template, operation in operations(document):
        right = good[operation["operationId"]]
        yield from _of_transport(method, template, operation, right)
        yield from _of_path(method, template, operation, right)
        yield from _of_query(method, operation, right)
        yield from _of_key(method, operation, right)
        if "requestBody" in operation:
            yield from _of_text(method, operation, right)
            yield from _of_fields(document, method, operation, right)


def _case(kind: str, operation: dict, method: str, right: Good, **changes: Any) -> Case:
    headers = {**right.headers, **changes.pop("headers", {})}
    if right.token is not None:
        headers.setdefault("Authorization", f"Bearer {right.token}")
    body = changes.pop("body", None if right.body is None else json.dumps(right.body).encode())
    if body is not None and changes.pop("typed", True):
        headers.setdefault("Content-Type", JSON)
    path = changes.pop("path", right.path)
    name = f"{operation['operationId']}: {kind}"
    return Case(name, method, path, changes.pop("status"), body, headers)


def _of_transport(method: str, template: str, operation: dict, right: Good) -> Iterator[Case]:
    for accept in ("text/html", "application/xml", "application/json;q=0", "nonsense"):
        yield _case(
            f"Accept: {accept}",
            operation,
            method,
            right,
            headers={"Accept": accept},
            status=frozenset({406}),
        )
    for other in ("PATCH", "TRACE", "PROPFIND"):
        yield _case(other, operation, other, right, status=frozenset({405}))


def _of_path(method: str, template: str, operation: dict, right: Good) -> Iterator[Case]:
    names = re.findall(r"{(\w+)}", template)
    pattern = re.sub(r"{\w+}", r"([^/]+)", template)
    filled = re.fullmatch(pattern, right.path)
    assert filled, f"{right.path} is no {template}"
    for index, name in enumerate(names, start=1):
        for value in PATH_IDS if name != "seat" else set(PATH_IDS) - {"0"}:
            start, end = filled.span(index)
            path = right.path[:start] + value + right.path[end:]
            kind = f"{name}={value[:20]} ({len(value)})"
            yield _case(kind, operation, method, right, path=path, status=frozenset({404}))


def _of_query(method: str, operation: dict, right: Good) -> Iterator[Case]:
    asked = [each for each in operation.get("parameters", []) if each["in"] == "query"]
    for parameter in asked:
        name = parameter["name"]
        whole = parameter["schema"].get("type") == "integer"
        values = QUERY_VALUES if whole else OF_ANY_TEXT + NO_CURSOR
        for value in OF_ANY_TEXT if name in FREE_TEXT else values:
            if _is_free(parameter["schema"], value):
                continue
            path = f"{right.path}?{name}={value}"
            yield _case(
                f"?{name}={value[:20]} ({len(value)})",
                operation,
                method,
                right,
                path=path,
                status=WRONG,
            )
        if parameter["schema"].get("type") == "array":
            continue
        path = f"{right.path}?{name}=1&{name}=2"
        yield _case(f"?{name} twice", operation, method, right, path=path, status=WRONG)
    if asked:
        path = f"{right.path}?limti=1"
        yield _case("?limti=1", operation, method, right, path=path, status=WRONG)


def _of_key(method: str, operation: dict, right: Good) -> Iterator[Case]:
    if not any(each["name"] == "Idempotency-Key" for each in operation.get("parameters", [])):
        return
    for key in KEYS:
        kind = f"Idempotency-Key: {key[:24]} ({len(key)})"
        headers = {"Idempotency-Key": key}
        yield _case(kind, operation, method, right, headers=headers, status=BAD_REQUEST)


def _is_free(schema: dict, value: str) -> bool:
    """Tell whether a parameter takes any text, and this is one."""
    text = unquote(value)
    return text.isprintable() and len(text) <= schema.get("maxLength", 0)


def _is_long(operation_id: str) -> bool:
    """Tell whether the body of an operation may be as long as a batch."""
    return operation_id.endswith("Batch") or operation_id == "scoreGame"


def _of_text(method: str, operation: dict, right: Good) -> Iterator[Case]:
    for kind, (text, status) in TEXTS.items():
        if not text and not operation["requestBody"]["required"]:
            continue
        body = text
        if kind == "one byte too large" and _is_long(operation["operationId"]):
            body = text.rjust(MOST_BATCH_BYTES + 1)
        yield _case(kind, operation, method, right, body=body, status=status)
    for kind, headers in MEDIA.items():
        yield _case(
            kind, operation, method, right, headers=headers, typed=False, status=frozenset({415})
        )


def _of_fields(document: dict, method: str, operation: dict, right: Good) -> Iterator[Case]:
    schema = _body_schema(document, operation)
    for name in schema["properties"]:
        for kind, value in VALUES.items():
            if not _may_be(document, schema["properties"][name], value):
                body = json.dumps({**right.body, name: value}).encode()
                yield _case(f"{name} = {kind}", operation, method, right, body=body, status=WRONG)
    for name in schema.get("required", []):
        body = {key: value for key, value in right.body.items() if key != name}
        text = json.dumps(body).encode()
        yield _case(f"no {name}", operation, method, right, body=text, status=WRONG)
    for name in sorted(_answered(document) - schema["properties"].keys()):
        text = json.dumps({**copy.deepcopy(right.body), name: 1}).encode()
        yield _case(f"{name} beside it", operation, method, right, body=text, status=WRONG)


def _body_schema(document: dict, operation: dict) -> dict:
    reference = operation["requestBody"]["content"][JSON]["schema"]["$ref"]
    return document["components"]["schemas"][reference.rsplit("/", 1)[1]]


def _may_be(document: dict, schema: dict, value: Any) -> bool:
    """Tell whether ``value`` might be right for a property, seen from the document alone."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    if "enum" in schema:
        return value in schema["enum"]
    kind = schema["type"]
    if kind == "integer":
        limits = schema.get("minimum", value), schema.get("maximum", value)
        return type(value) is int and limits[0] <= value <= limits[1]
    if kind == "string":
        return (
            isinstance(value, str)
            and len(value) <= schema.get("maxLength", len(value))
            and (value.isprintable())
        )
    if kind == "array":
        if schema.get("maxItems") == MOST_ITEMS and isinstance(value, list):
            return value != []  # a batch: what is wrong with an item is told beside the others
        return value == [] and schema.get("minItems", 0) == 0
    return {"boolean": isinstance(value, bool), "object": value == {}}[kind]


def _answered(document: dict) -> set[str]:
    """Return the names of all fields of all answers: none of them may be set from outside."""
    names: set[str] = set()
    for *_, operation in operations(document):
        for schema in schemas_below(document, operation["responses"]):
            for _, node in nodes(document["components"]["schemas"][schema]):
                names |= node.get("properties", {}).keys()
    return names


def fault_of(case: Case, status: int, content_type: str, body: bytes) -> str | None:
    """Return what is wrong with the answer to ``case``, or ``None``."""
    if status not in case.status:
        return f"{case.name}: {status} instead of {sorted(case.status)}: {body[:200]!r}"
    if content_type != "application/problem+json":
        return f"{case.name}: {content_type!r} is no problem"
    problem = json.loads(body)
    codes = [problem["code"], *(error["code"] for error in problem.get("errors", []))]
    unknown = [code for code in codes if code not in CATALOGUE]
    if unknown or problem["status"] != status:
        return f"{case.name}: {problem['status']} {unknown}"
    if b"Traceback" in body or b'.py"' in body:
        return f"{case.name}: shows the inside: {body[:200]!r}"
    return None
