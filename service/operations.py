"""How an operation is declared: one call for its route and for its place in the document."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import flask_smorest
from marshmallow import Schema
from werkzeug.routing import BaseConverter

from service.frame import MOST_BYTES
from service.idempotency import HEADER, REPLAYED
from service.limits import counted
from service.problems import CATALOGUE
from service.schemas.shapes import QuerySchema, RequestSchema

JSON: Final = "application/json"
TEXT: Final = "text/plain"
CSV: Final = "text/csv"

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
    "scoring": "Score what is played elsewhere, and ask what cards are worth. Nothing is kept.",
    "score-sheets": "Scores kept for people who play elsewhere.",
    "fairness": "Check that a deal was fair.",
    "ai": "Computer players.",
    "updates": "What happened since: asked for, waited for, or as a stream.",
    "webhooks": "What happens in a portal's games, sent to its own servers.",
    "sandbox": "Positions for trying out what is rare.",
}
"""Every tag with its sentence. A tag becomes a class of generated clients."""

SECURITY: Final = {
    "seatToken": "Seat token grs_…: all that a player does in one game, at one seat.",
    "spectatorToken": "Spectator token grv_…: the public view of one game.",
    "sheetToken": "Edit token gse_…: all that is done with one score sheet.",
    "sheetReaderToken": "Share token gsr_…: reads one score sheet.",
    "portalKey": "Portal key grk_…: what its scopes allow with what is its own. For servers.",
    "streamTicket": "Stream ticket grt_…: one stream, for a browser that can send no header.",
}
IN_QUERY: Final = {"streamTicket": "ticket"}
"""Credentials that stand in the address, as this parameter; all others are bearer tokens."""

SEAT: Final = ("seatToken",)
VIEWER: Final = ("seatToken", "spectatorToken", "portalKey")
SHEET: Final = ("sheetToken", "portalKey")
SHEET_READER: Final = ("sheetToken", "sheetReaderToken", "portalKey")
PORTAL: Final = ("portalKey",)
SEAT_OR_PORTAL: Final = ("seatToken", "portalKey")
ANYBODY: Final = ""
"""Among those who may call: somebody without a token."""
PERHAPS_PORTAL: Final = (ANYBODY, "portalKey")
PLAYER_OR_SPECTATOR: Final = ("seatToken", "spectatorToken")
STREAM_VIEWER: Final = (*VIEWER, "streamTicket")
NOBODY: Final = ()

KEY_SAYS: Final = (
    "Makes this request safe to send again: with the same key it is done once and answered the "
    "same. 1 to 255 visible ASCII characters, bare or in quotes; at least 22 without a token. A "
    "random UUID will do"
)
LIMITS: Final[Mapping[str, str]] = {
    "default": "Whatever has no limit of its own.",
    "scoring": "Rules, scores and checks of cards.",
    "creates": "Games and what else is made, and joins.",
    "moves": "What a seat does in its game: more than anybody can play.",
    "ai": "What a computer player thinks about.",
    "streams": "Streams that are opened.",
}
"""Every rate limit. Its quota is a setting; an operation names the one that it counts against."""

HEADERS: Final = {
    "ETag": "Strong validator of this representation",
    "Location": "Address of what was created",
    "Link": "rel=next: the next page",
    REPLAYED: "true if this answer was given before, to the same request with the same key",
    "Retry-After": "Seconds to wait",
    "RateLimit-Policy": "The limit that this operation counts against: its name, q requests in w "
    "seconds",
    "RateLimit": "How many more requests it allows at this moment (r), and in how many seconds (t) "
    "there are more",
    "Request-Id": "The id under which this request is logged",
}

_OF_EVERY_CALL: Final = ("not_acceptable", "internal", "busy", "maintenance")
_OF_A_KEY: Final = (
    "idempotency_key_invalid",
    "idempotency_in_progress",
    "idempotency_key_reused",
)
_OF_IF_MATCH: Final = ("version_mismatch", "version_required")
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


class SheetId(BaseConverter):
    """The id of a score sheet in a path."""

    regex = "ss_[A-Za-z0-9_-]{22}"
    part_isolating = True


class WebhookId(BaseConverter):
    """The id of a webhook in a path."""

    regex = "wh_[0-9a-f]{16}"
    part_isolating = True


class DeliveryId(BaseConverter):
    """The id of a delivery in a path."""

    regex = "d_[0-9a-f]{32}"
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
    "sheet": (SheetId, {"type": "string"}),
    "webhook": (WebhookId, {"type": "string"}),
    "delivery": (DeliveryId, {"type": "string"}),
    "name": (Name, {"type": "string"}),
    "ordinal": (Ordinal, {"type": "integer", "minimum": 1}),
    "seat": (SeatNumber, {"type": "integer", "minimum": 0, "maximum": 3}),
}
"""What may stand in a path, as in ``/v1/games/<game:game_id>``, and how the document says it."""


def reference(kind: str, name: str) -> dict[str, str]:
    """Return the reference to a component of the document."""
    return {"$ref": f"#/components/{kind}/{name}"}


LIMITED: Final = ("RateLimit-Policy", "RateLimit")
"""The headers of every answer of an operation that is counted."""


def headers_of(*names: str) -> dict[str, Any]:
    """Return references to the named headers, and to the one that every answer has."""
    return {name: reference("headers", name) for name in (*names, "Request-Id")}


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]  # flask-smorest has no types
    """The operations of one tag, each declared once for routing and for the document."""

    def __init__(self, tag: str) -> None:
        super().__init__(tag, __name__, description=TAGS[tag])
        self.limits: dict[str, str] = {}
        """The limit of each endpoint, as :func:`service.limits.install` takes it."""

    def operation(
        self,
        method: str,
        rule: str,
        *,
        id: str,  # noqa: A002 - the document's own word
        says: str,
        answer: type[Schema] | None,
        text: str = TEXT,
        body: RequestSchema | None = None,
        body_needed: bool = True,
        query: QuerySchema | None = None,
        who: Sequence[str] | None = NOBODY,
        codes: Sequence[str] = (),
        headers: Sequence[str] = (),
        created: bool = False,
        located: bool = True,
        accepted: bool = False,
        partial: bool = False,
        replayable: bool = False,
        keyed: bool = False,
        if_match: bool = False,
        guarded: bool = False,
        most_bytes: int | None = None,
        empty: bool = False,
        limit: str | None = "default",
        media: str = JSON,
        cursor: bool = False,
        nothing: str = "",
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Return the decorator that makes a view the operation ``id`` of ``method`` and ``rule``.

        The view reads its body and query itself, after it knows who calls; ``body`` and ``query``
        say so in the document. Unless ``body_needed`` none counts as an empty one. Without a
        schema the ``answer`` is text, of the media type ``text``, or nothing if it is ``empty``;
        with one it is of the type ``media``. ``says`` is a sentence or two, its first line the
        summary. ``who`` names the tokens of which it needs one, ``ANYBODY`` among them that it
        needs none, ``None`` that a seat's may be sent. ``codes`` are the problems it can raise
        beyond those that follow from the rest. ``headers`` are named ones of the answer; ``ETag``
        brings ``If-None-Match`` and 304 to a GET. ``created`` means 201, with a Location if
        ``located``, ``accepted`` 202, ``partial`` that 202 is answered where there is more to come;
        ``replayable`` that the same request again is answered 200;
        ``keyed`` that it takes an Idempotency-Key: the view answers by
        :func:`service.blueprints.once.answer_once`; ``if_match`` that it needs ``If-Match``,
        ``guarded`` that it takes one; ``cursor`` that Last-Event-ID is read. ``most_bytes`` is the
        longest body where it is another than everywhere. ``limit`` is the rate limit that it
        counts against, None that it is free. ``nothing`` says when the answer is 204.

        :raises KeyError: if a code is not in the catalogue, or the limit is unknown.
        """
        codes = (*codes, *(_OF_A_KEY if keyed else ()), *(_OF_IF_MATCH if if_match else ()))
        raised = _codes(rule, body, query, who, codes, limit)
        headers = (*headers, REPLAYED) if keyed else headers
        conditional = method == "GET" and "ETag" in headers
        told = (*headers, *LIMITED) if limit else tuple(headers)
        made = (created, located, accepted, partial)
        summary, _, description = says.partition("\n")
        doc: dict[str, Any] = {
            "operationId": id,
            "summary": summary.strip().removesuffix("."),
            "description": _description(summary, description, raised, limit),
            "security": _security(who),
            "parameters": _parameters(query, conditional, keyed, (if_match, guarded), cursor),
            "responses": {
                **_successes(id, (text, answer), told, made, replayable, media),
                **({"304": _not_modified(told)} if conditional else {}),
                "default": reference("responses", "Problem"),
            },
        }
        if empty:
            done = {"description": "Done, or done before", "headers": headers_of(*told)}
            doc["responses"] = {"204": done, "default": doc["responses"]["default"]}
        if nothing:
            doc["responses"]["204"] = {"description": nothing, "headers": headers_of(*told)}
        if body is not None:
            content = {"schema": body, "x-examples-of": f"{id}.request"}
            doc["requestBody"] = {"required": body_needed, "content": {JSON: content}}

        def declare(view: Callable[..., Any]) -> Callable[..., Any]:
            view._apidoc = {"manual_doc": doc}  # type: ignore[attr-defined]  # noqa: SLF001
            if most_bytes is not None:
                setattr(view, MOST_BYTES, most_bytes)
            view.media_type = text if answer is None and not empty else media  # type: ignore[attr-defined]
            if limit:
                self.limits[f"{self.name}.{id}"] = limit
            # Who has a token of a game, or a portal's key, is counted by it: where it is looked up.
            plain = not limit or not set(who or ()).isdisjoint(VIEWER)
            self.add_url_rule(rule, id, view if plain else counted(view), methods=[method])
            return view

        return declare


def _codes(
    rule: str,
    body: RequestSchema | None,
    query: QuerySchema | None,
    who: Sequence[str] | None,
    codes: Sequence[str],
    limit: str | None,
) -> list[str]:
    raised: list[str] = [*codes, *_OF_EVERY_CALL]
    if limit is not None:
        raised.append("rate_limited")
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


def _description(summary: str, rest: str, codes: Sequence[str], limit: str | None) -> str:
    text = " ".join((summary + " " + rest).split())
    if limit is not None:
        text += f"\n\nRate limit: `{limit}`. {LIMITS[limit]}"
    return f"{text}\n\nProblems: {', '.join(f'`{code}`' for code in codes)}."


def _security(who: Sequence[str] | None) -> list[dict[str, list[str]]]:
    if who is None:
        return [{}, {"seatToken": []}]
    return [{name: []} if name else {} for name in who]


def _parameters(
    query: QuerySchema | None,
    conditional: bool,
    keyed: bool,
    if_match: tuple[bool, bool],
    cursor: bool,
) -> list[dict[str, Any]]:
    parameters: list[dict[str, Any]] = [] if query is None else [{"in": "query", "schema": query}]
    if conditional:
        says = "ETags that the client has; 304 if the answer would be one of them"
        parameters.append(_header("If-None-Match", says))
    if cursor:
        says = "the version of the last update that the client has"
        parameters.append(_header("Last-Event-ID", says))
    if keyed:
        key = _header(HEADER, KEY_SAYS)
        parameters.append({**key, "example": "8e03978e-40d5-43dd-bc93-6894a57f9324"})
    needed, taken = if_match
    if needed:
        says = "The etag of the version that was looked at; 428 without, 412 if it is another now"
        parameters.append({**_header("If-Match", says), "required": True})
    if taken:
        says = "The ETag of what the client wants to change; 412 if it is another one by now"
        parameters.append(_header("If-Match", says))
    return parameters


def _header(name: str, says: str) -> dict[str, Any]:
    return {"in": "header", "name": name, "description": says, "schema": {"type": "string"}}


def _not_modified(headers: Sequence[str]) -> dict[str, Any]:
    limited = [name for name in headers if name in LIMITED]
    return {"description": "Not modified", "headers": headers_of("ETag", *limited)}


def _successes(
    id: str,  # noqa: A002 - the document's own word
    said: tuple[str, type[Schema] | None],
    headers: Sequence[str],
    created: tuple[bool, bool, bool, bool],
    replayable: bool,
    media: str,
) -> dict[str, Any]:
    text, answer = said
    media, schema = (text, {"type": "string"}) if answer is None else (media, answer)
    content = {media: {"schema": schema, "x-examples-of": f"{id}.answer"}}
    success = {"description": "OK", "headers": headers_of(*headers), "content": content}
    responses: dict[str, Any] = {"200": success}
    made, located, accepted, partial = created
    if accepted:
        responses = {"202": {**success, "description": "Accepted"}}
    if partial:
        waits = headers_of("Retry-After", *(name for name in headers if name != "ETag"))
        says = "A part: ask for the rest"
        responses["202"] = {**success, "description": says, "headers": waits}
    if made:
        named = headers_of("Location", *headers) if located else headers_of(*headers)
        responses = {"201": {**success, "description": "Created", "headers": named}}
    if replayable:
        again = {**success, "description": "Accepted earlier: the same outcome again"}
        responses["200"] = {**again, "headers": headers_of(*headers)}
    return responses
