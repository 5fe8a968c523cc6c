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
    "seats": "What belongs to a seat: its notes.",
    "knocks": "Knock, gin and lay-offs.",
    "hands": "Deal hands and read them.",
    "endings": "Resign.",
    "scores": "The score of a game.",
    "ai": "Computer players.",
    "updates": "What happened since: asked for, waited for, or as a stream.",
    "sandbox": "Positions for trying out what is rare.",
}
"""Every tag with its sentence. A tag becomes a class of generated clients."""

SECURITY: Final = {
    "seatToken": "Seat token grs_…: all that a player does in one game, at one seat.",
    "spectatorToken": "Spectator token grv_…: the public view of one game.",
    "streamTicket": "Stream ticket grt_…: one stream, for a browser that can send no header.",
}
IN_QUERY: Final = {"streamTicket": "ticket"}
"""Credentials that stand in the address, as this parameter; all others are bearer tokens."""

SEAT: Final = ("seatToken",)
VIEWER: Final = ("seatToken", "spectatorToken")
STREAM_VIEWER: Final = (*VIEWER, "streamTicket")
NOBODY: Final = ()

HEADERS: Final = {
    "ETag": "Strong validator of this representation",
    "Location": "Address of what was created",
    "Link": "rel=next: the next page",
    "Retry-After": "Seconds to wait",
    "Request-Id": "The id under which this request is logged",
}

_OF_EVERY_CALL: Final = ("not_acceptable", "internal", "busy", "maintenance")
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


CONVERTERS: Final[Mapping[str, tuple[type[BaseConverter], dict[str, object]]]] = {
    "game": (GameId, {"type": "string"}),
    "name": (Name, {"type": "string"}),
    "ordinal": (Ordinal, {"type": "integer", "minimum": 1}),
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
        query: QuerySchema | None = None,
        who: Sequence[str] | None = NOBODY,
        codes: Sequence[str] = (),
        headers: Sequence[str] = (),
        created: bool = False,
        replayable: bool = False,
        media: str = JSON,
        cursor: bool = False,
        nothing: str = "",
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Return the decorator that makes a view the operation ``id`` of ``method`` and ``rule``.

        The view reads its body and query itself, after it knows who calls; ``body`` and ``query``
        say so in the document. Without a schema the ``answer`` is plain text. ``says`` is a
        sentence or two, its first line the summary. ``who`` names the tokens it needs, ``None``
        that one may be sent. ``codes`` are the problems it can raise beyond those that follow from
        the rest. ``headers`` are named ones of the answer; ``ETag`` brings ``If-None-Match`` and
        304. ``created`` means 201; ``replayable`` that the same request again is answered 200.
        ``media`` is the type of the answer; ``cursor`` means that Last-Event-ID is read;
        ``nothing`` says when the answer is 204.

        :raises KeyError: if a code is not in the catalogue.
        """
        raised = _codes(rule, body, query, who, codes)
        summary, _, description = says.partition("\n")
        doc: dict[str, Any] = {
            "operationId": id,
            "summary": summary.strip().removesuffix("."),
            "description": _description(summary, description, raised),
            "security": _security(who),
            "parameters": _parameters(query, "ETag" in headers, cursor),
            "responses": _responses(id, answer, headers, created, replayable, media),
        }
        if nothing:
            doc["responses"]["204"] = {"description": nothing, "headers": headers_of()}
        if body is not None:
            content = {"schema": body, "x-examples-of": f"{id}.request"}
            doc["requestBody"] = {"required": True, "content": {JSON: content}}

        def declare(view: Callable[..., Any]) -> Callable[..., Any]:
            view._apidoc = {"manual_doc": doc}  # type: ignore[attr-defined]  # noqa: SLF001
            view.media = media  # type: ignore[attr-defined]
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
        raised += ["token_missing", "token_invalid"]
    if "<" in rule:
        raised.append("not_found")
    return sorted(set(raised), key=lambda code: (CATALOGUE[code].status, code))


def _description(summary: str, rest: str, codes: Sequence[str]) -> str:
    text = " ".join((summary + " " + rest).split())
    return f"{text}\n\nProblems: {', '.join(f'`{code}`' for code in codes)}."


def _security(who: Sequence[str] | None) -> list[dict[str, list[str]]]:
    if who is None:
        return [{}, {"seatToken": []}]
    return [{name: []} for name in who]


def _parameters(query: QuerySchema | None, conditional: bool, cursor: bool) -> list[dict[str, Any]]:
    parameters: list[dict[str, Any]] = [] if query is None else [{"in": "query", "schema": query}]
    if conditional:
        says = "ETags that the client has; 304 if the answer would be one of them"
        schema = {"type": "string"}
        name = "If-None-Match"
        parameters.append({"in": "header", "name": name, "description": says, "schema": schema})
    if cursor:
        says = "the version of the last update that the client has"
        schema = {"type": "string"}
        name = "Last-Event-ID"
        parameters.append({"in": "header", "name": name, "description": says, "schema": schema})
    return parameters


def _responses(
    id: str,  # noqa: A002 - the document's own word
    answer: type[Schema] | None,
    headers: Sequence[str],
    created: bool,
    replayable: bool,
    media: str,
) -> dict[str, Any]:
    media, schema = (TEXT, {"type": "string"}) if answer is None else (media, answer)
    content = {media: {"schema": schema, "x-examples-of": f"{id}.answer"}}
    success = {"description": "OK", "headers": headers_of(*headers), "content": content}
    responses: dict[str, Any] = {"200": success}
    if created:
        located = headers_of("Location", *headers)
        responses = {"201": {**success, "description": "Created", "headers": located}}
    if replayable:
        again = {**success, "description": "Accepted earlier: the same outcome again"}
        responses["200"] = {**again, "headers": headers_of(*headers)}
    if "ETag" in headers:
        responses["304"] = {"description": "Not modified", "headers": headers_of("ETag")}
    return {**responses, "default": reference("responses", "Problem")}
