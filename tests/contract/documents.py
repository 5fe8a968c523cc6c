"""The two OpenAPI documents as they are kept, and walks through them."""

import json
from collections.abc import Iterator
from pathlib import Path

OPENAPI = Path(__file__).parents[2] / "openapi"
FILES = ("openapi.json", "openapi-3.0.json")
METHODS = ("get", "put", "post", "delete", "patch", "head", "options")


def kept(name: str = FILES[0]) -> dict:
    """Return a document as it is kept in the repository."""
    return json.loads((OPENAPI / name).read_bytes())


def nodes(value, path: str = "#") -> Iterator[tuple[str, dict]]:
    """Yield each object within ``value`` with its place; examples are data and are passed over."""
    if isinstance(value, dict):
        yield path, value
        for name, inner in value.items():
            if name not in ("example", "examples"):
                yield from nodes(inner, f"{path}/{name}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from nodes(inner, f"{path}/{index}")


def operations(document: dict) -> Iterator[tuple[str, str, dict]]:
    """Yield method, path and operation of each operation."""
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield method.upper(), path, item[method]


def schemas_below(document: dict, node) -> set[str]:
    """Return the names of all schemas that ``node`` leads to."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        for _, inner in nodes(waiting.pop()):
            kind, _, name = inner.get("$ref", "").removeprefix("#/components/").partition("/")
            if kind == "schemas" and name not in found:
                found.add(name)
                waiting.append(document["components"]["schemas"][name])
            elif kind == "responses":
                waiting.append(document["components"]["responses"][name])
    return found
