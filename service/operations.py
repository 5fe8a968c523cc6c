"""How an operation is declared: one call for its route and for its place in the document."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import flask_smorest
from marshmallow import Schema
from werkzeug.routing import BaseConverter

from service.problems import CATALOGUE
from service.schemas.shapes import QuerySchema, RequestSchema

JSON: Final = "application/json"
TEXT: Final = "text/plain"

TAGS: Final[Mapping[str, str]] = {
    "service": "The service itself: health and the catalogue of problems.",
    "rules": "Presets and options.",
    "games": "Create, find and join games.",
    "moves": "The generic door, and the list of moves.",
    "turns": "Draw and discard.",
    "seats": "What belongs to a seat: its notes and its tokens.",
    "knocks": "Knock, gin and lay-offs.",
    "hands": "Deal hands and read them.",
    "endings": "Resign.",
    "scores": "The score of a game.",
    "ai": "Computer players.",
    "updates": "What happened since.",
    "sandbox": "Positions for trying out what is rare.",
}
"""Every tag with its sentence. A tag becomes a class of generated clients."""

SECURITY: Final = {
    "seatToken": "Seat token grs_…: all that a player does in one game, at one seat.",
    "spectatorToken": "Spectator token grv_…: the public view of one game.",
    "portalKey": "Portal key grk_…: what its scopes allow with its own games. For servers.",
}
SEAT: Final = ("seatToken",)
VIEWER: Final = ("seatToken", "spectatorToken", "portalKey")
PORTAL: Final = ("portalKey",)
SEAT_OR_PORTAL: Final = ("seatToken", "portalKey")
ANYBODY: Final = ""
"""Among those who may call: somebody without a token."""
PERHAPS_PORTAL: Final = (ANYBODY, "portalKey")
NOBODY: Final = ()

HEADERS: Final = {
    "ETag": "Strong validator of this representation",
    "Location": "Address of what was created",
    "Link": "rel=next: the next page",
    "Retry-After": "Seconds to wait",
    "Request-Id": "The id under which this request is logged",
}

_OF_EVERY_CALL: Final = ("not_acceptable", "internal", "busy", "maintenance")
_OF_TOKENS: Final[Mapping[str, tuple[str, ...]]] = {
    "seatToken": ("token_expired",),
    "spectatorToken": ("token_expired",),
    "portalKey": ("scope_missing",),
}
"""What can be wrong with each kind of token beside what can be with all."""
_OF_A_BODY: Final = ("unsupported_media_type", "too_large", "malformed_json")


class GameId(BaseConverter):
    """The id of a game in a path."""

    regex = "g_[A-Za-z0-9_-]{22}"
    part_isolating = True


class Name(BaseConverter):
    """An id that is a name, or a join code, in a path."""

    regex = "[A-Za-z0-9_-]{1,64}"
    part_isolating = True


class Ordinal(BaseConverter):
    """The number of a move or a hand in a path, from 1."""

    regex = "[1-9][0-9]{0,8}"
    part_isolating = True

    def to_python(self, value: str) -> int:
        """Return the number."""
        return int(value)


class SeatNumber(Ordinal):
    """The number of a seat in a path."""

    regex = "[0-3]"


CONVERTERS: Final[Mapping[str, tuple[type[BaseConverter], dict[str, object]]]] = {
    "game": (GameId, {"type": "string"}),
    "name": (Name, {"type": "string"}),
    "ordinal": (Ordinal, {"type": "integer", "minimum": 1}),
    "seat": (SeatNumber, {"type": "integer", "minimum": 0, "maximum": 3}),
}
"""What may stand in a path, as in ``/v1/games/<game:game_id>``, and how the document says it."""


def reference(kind: str, name: str) -> dict[str, str]:
    """Return the reference to a component of the document."""
    return {"$ref": f"#/components/{kind}/{name}"}


def headers_of(*names: str) -> dict[str, Any]:
    """Return references to the named headers, and to the one that every answer has."""
    return {name: reference("headers", name) for name in (*names, "Request-Id")}


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]  # flask-smorest has no types
    """The operations of one tag, each declared once for routing and for the document."""

    def __init__(self, tag: str) -> None:
        super().__init__(tag, __name__, description=TAGS[tag])

    def operation(
        self,
        method: str,
        rule: str,
        *,
        id: str,  # noqa: A002 - the document's own word
        says: str,
        answer: type[Schema] | None,
        body: RequestSchema | None = None,
        optional_body: bool = False,
        query: QuerySchema | None = None,
        who: Sequence[str] | None = NOBODY,
        codes: Sequence[str] = (),
        headers: Sequence[str] = (),
        created: bool = False,
        located: bool = True,
        replayable: bool = False,
        no_content: bool = False,
        guarded: bool = False,
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Return the decorator that makes a view the operation ``id`` of ``method`` and ``rule``.

        The view reads its body and query itself, after it knows who calls; ``body`` and ``query``
        say so in the document. Without a schema the ``answer`` is plain text, or with
        ``no_content`` nothing, 204. ``says`` is a sentence or two, its first line the summary.
        ``who`` names the tokens of which it needs one, ``ANYBODY`` among them that it needs none,
        ``None`` that a seat's may be sent. ``codes`` are the problems it can raise beyond those
        that follow from the rest. ``headers`` are named ones of the answer; ``ETag`` brings
        ``If-None-Match`` and 304. ``created`` means 201, with a Location if ``located``;
        ``replayable`` that the same request again is answered 200. ``guarded`` takes ``If-Match``.

        :raises KeyError: if a code is not in the catalogue.
        """
        raised = _codes(rule, body, query, who, codes)
        summary, _, description = says.partition("\n")
        doc: dict[str, Any] = {
            "operationId": id,
            "summary": summary.strip().removesuffix("."),
            "description": _description(summary, description, raised),
            "security": _security(who),
            "parameters": _parameters(query, "ETag" in headers, guarded),
            "responses": _NO_CONTENT
            if no_content
            else _responses(id, answer, headers, (created, located), replayable),
        }
        if body is not None:
            content = {"schema": body, "x-examples-of": f"{id}.request"}
            doc["requestBody"] = {"required": not optional_body, "content": {JSON: content}}

        def declare(view: Callable[..., Any]) -> Callable[..., Any]:
            view._apidoc = {"manual_doc": doc}  # type: ignore[attr-defined]  # noqa: SLF001
            self.add_url_rule(rule, id, view, methods=[method])
            return view

        return declare


def _codes(
    rule: str,
    body: RequestSchema | None,
    query: QuerySchema | None,
    who: Sequence[str] | None,
    codes: Sequence[str],
) -> list[str]:
    raised: list[str] = [*codes, *_OF_EVERY_CALL]
    if body is not None:
        raised += _OF_A_BODY
    if body is not None or query is not None:
        raised.append("validation_failed")
    if who:
        raised += ["token_invalid", *(() if ANYBODY in who else ("token_missing",))]
    for token in who or ():
        raised += _OF_TOKENS.get(token, ())
    if "<" in rule:
        raised.append("not_found")
    return sorted(set(raised), key=lambda code: (CATALOGUE[code].status, code))


def _description(summary: str, rest: str, codes: Sequence[str]) -> str:
    text = " ".join((summary + " " + rest).split())
    return f"{text}\n\nProblems: {', '.join(f'`{code}`' for code in codes)}."


def _security(who: Sequence[str] | None) -> list[dict[str, list[str]]]:
    if who is None:
        return [{}, {"seatToken": []}]
    return [{name: []} if name else {} for name in who]


def _parameters(
    query: QuerySchema | None, conditional: bool, guarded: bool
) -> list[dict[str, Any]]:
    parameters: list[dict[str, Any]] = [] if query is None else [{"in": "query", "schema": query}]
    if conditional:
        says = "ETags that the client has; 304 if the answer would be one of them"
        parameters.append(_header("If-None-Match", says))
    if guarded:
        says = "the ETag of what the client wants to change; 412 if it is another one by now"
        parameters.append(_header("If-Match", says))
    return parameters


def _header(name: str, says: str) -> dict[str, Any]:
    return {"in": "header", "name": name, "description": says, "schema": {"type": "string"}}


def _responses(
    id: str,  # noqa: A002 - the document's own word
    answer: type[Schema] | None,
    headers: Sequence[str],
    created: tuple[bool, bool],
    replayable: bool,
) -> dict[str, Any]:
    media, schema = (TEXT, {"type": "string"}) if answer is None else (JSON, answer)
    content = {media: {"schema": schema, "x-examples-of": f"{id}.answer"}}
    success = {"description": "OK", "headers": headers_of(*headers), "content": content}
    responses: dict[str, Any] = {"200": success}
    made, located = created
    if made:
        named = headers_of("Location", *headers) if located else headers_of(*headers)
        responses = {"201": {**success, "description": "Created", "headers": named}}
    if replayable:
        again = {**success, "description": "Accepted earlier: the same outcome again"}
        responses["200"] = {**again, "headers": headers_of(*headers)}
    if "ETag" in headers:
        responses["304"] = {"description": "Not modified", "headers": headers_of("ETag")}
    return {**responses, "default": reference("responses", "Problem")}


_NO_CONTENT: Final[Mapping[str, Any]] = {
    "204": {"description": "Done", "headers": headers_of()},
    "default": reference("responses", "Problem"),
}
