"""Answers held to the OpenAPI document, strictly: a field that it does not name is a fault, too."""

import copy
import re
from urllib.parse import urlsplit

from jsonschema_rs import Draft202012Validator

from tests.contract.documents import nodes, operations

TYPED = {media: f"{media}; charset=utf-8" for media in ("text/plain", "text/csv")}
"""Media types that are sent with more than their name."""


OPTIONAL = {"Link", "Retry-After", "Idempotency-Replayed"}
OF_PROBLEMS = {*OPTIONAL, "RateLimit", "RateLimit-Policy"}
"""Headers that an answer may be without; a request may be refused before it is counted."""


def closed(document: dict) -> dict:
    """Return ``document`` with every object of its answers closed; free maps stay as they are.

    The document leaves them open, for clients that are older than the server.
    """
    strict = copy.deepcopy(document)
    for _, node in nodes(strict["components"]["schemas"]):
        if "properties" in node:
            node["additionalProperties"] = False
    return strict


class Answers:
    """Checks answers against the operation that gave them, and remembers which ones it has seen."""

    def __init__(self, document: dict) -> None:
        self._document = closed(document)
        self._routes = [
            (method, re.compile(re.sub(r"{\w+}", "[^/]+", path)), operation)
            for method, path, operation in operations(self._document)
        ]
        self._validators: dict[int, Draft202012Validator] = {}
        self.seen: set[tuple[str, int]] = set()

    def operation_of(self, method: str, path: str) -> dict:
        """Return the operation behind an address."""
        found = [
            operation
            for asked, pattern, operation in self._routes
            if asked == method and pattern.fullmatch(urlsplit(path).path)
        ]
        assert len(found) == 1, f"{method} {path}: {len(found)} operations"
        return found[0]

    def faults(self, method: str, path: str, status: int, headers, body) -> list[str]:
        """Return what is wrong with an answer. ``headers`` are looked up without regard to case."""
        operation = self.operation_of(method, path)
        self.seen.add((operation["operationId"], status))
        responses = operation["responses"]
        if status < 400 and str(status) not in responses:
            return [f"{operation['operationId']} does not answer {status}"]
        response = self._resolved(responses.get(str(status), responses["default"]))
        missing = [
            f"no header {name}"
            for name in response.get("headers", {})
            if name not in headers and name not in (OPTIONAL if status < 400 else OF_PROBLEMS)
        ]
        if "content" not in response:
            sent = [f"a body: {body}"] if body else []
            return missing + sent + [name for name in ("Content-Type",) if name in headers]
        kind, content = next(iter(response["content"].items()))
        kind = TYPED.get(kind, kind)
        if headers.get("Content-Type") != kind:
            missing.append(f"{headers.get('Content-Type')} instead of {kind}")
        return missing + [
            f"{'/'.join(map(str, error.instance_path))}: {error.message[:200]}"
            for error in self._validator(content["schema"]).iter_errors(body)
        ]

    def _resolved(self, node: dict) -> dict:
        while "$ref" in node:
            _, kind, name = node["$ref"].removeprefix("#/").split("/")
            node = self._document["components"][kind][name]
        return node

    def _validator(self, schema: dict) -> Draft202012Validator:
        key = id(schema)
        if key not in self._validators:
            whole = {**schema, "components": self._document["components"]}
            self._validators[key] = Draft202012Validator(whole)
        return self._validators[key]
