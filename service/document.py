"""The OpenAPI documents, written from the code: one typed layer over flask-smorest and apispec.

The document keeps five noes, for the sake of generated clients: no null in any form, no
``oneOf``/``anyOf``/``allOf``, no ``const``, no enum inline, and no ``additionalProperties: false``
in an answer. Every operation has one tag, an id given by hand, one shape of success and one
``default`` answer for everything else, a Problem.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import flask_smorest
import orjson
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask, Response
from marshmallow import Schema, fields
from werkzeug.routing import BaseConverter, Rule

from engine.cards import CARD_NAMES
from service.errors import PROBLEM_JSON
from service.operations import (
    CONVERTERS,
    HEADERS,
    IN_QUERY,
    JSON,
    LIMITED,
    SECURITY,
    headers_of,
    reference,
)
from service.schemas.fields import CardField, Choice
from service.schemas.service import Problem
from service.schemas.shapes import RequestSchema

API_VERSION: Final = "1.0.0"
OPENAPI_VERSION: Final = "3.1.1"
TWIN_VERSION: Final = "3.0.3"
EXAMPLES: Final = Path(__file__).parent.parent / "openapi" / "examples"
FILES: Final = {OPENAPI_VERSION: "openapi.json", TWIN_VERSION: "openapi-3.0.json"}
"""The name of each document, in ``openapi/`` and as it is served."""


class Converter(OpenAPIConverter):
    """Writes marshmallow schemas as the five noes allow."""

    def field2property(self, field: fields.Field[Any]) -> dict[str, Any]:
        """Return the property of ``field``; closed sets and objects are nothing but references."""
        if isinstance(field, CardField):
            varnames = [name[1] + name[0] for name in CARD_NAMES]
            says = (
                "Rank A23456789TJQK, then suit C D H S: AS, TD, 7H. The server also accepts 10D "
                "and lower case in requests and always answers in this spelling."
            )
            return self._set("Card", CARD_NAMES, description=says, **{"x-enum-varnames": varnames})
        if isinstance(field, Choice):
            return self._set(field.name_of_set, field.values)
        written: dict[str, Any] = super().field2property(field)
        written.pop("default", None)  # clients made from it would send what they need not
        return written.get("allOf", [written])[0]  # type: ignore[no-any-return]

    def _set(self, name: str, values: Sequence[str], **more: object) -> dict[str, Any]:
        if name not in self.spec.components.schemas:
            self.spec.components.schema(name, {"type": "string", "enum": list(values), **more})
        return {"$ref": f"#/components/schemas/{name}"}

    def schema2jsonschema(self, schema: Schema | type[Schema]) -> dict[str, Any]:
        """Return ``schema`` with its docstring, closed only if it is a request and nothing else."""
        written: dict[str, Any] = super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]
        written.pop("additionalProperties", None)
        made = schema if isinstance(schema, type) else type(schema)
        if issubclass(made, RequestSchema) and not made.part_of_answers:
            written["additionalProperties"] = False
        written["description"] = " ".join((made.__doc__ or "").split())
        return written


class Plugin(MarshmallowPlugin):
    """apispec's plugin for marshmallow, with our converter."""

    Converter = Converter


class GinApi(flask_smorest.Api):  # type: ignore[misc]  # flask-smorest has no types
    """Registers blueprints, and serves the documents of all that were registered."""

    def __init__(self, app: Flask, examples: Path = EXAMPLES) -> None:
        self._examples = examples
        for name, (converter, _) in CONVERTERS.items():
            app.url_map.converters[name] = converter
        app.config |= {
            "API_TITLE": "Gin Rummy API",
            "API_VERSION": API_VERSION,
            "OPENAPI_VERSION": OPENAPI_VERSION,
        }
        super().__init__(app, spec_kwargs={"marshmallow_plugin": Plugin(), **_frame_of_document()})
        for converter, schema in CONVERTERS.values():
            self.register_converter(converter, _always(schema))
        _register_components(self.spec)
        for version, file_name in FILES.items():
            app.add_url_rule(f"/{file_name}", file_name.replace(".", "_"), self._server_of(version))

    def document(self, version: str = OPENAPI_VERSION) -> dict[str, Any]:
        """Return the document of what is registered now, in OpenAPI ``version``."""
        written = orjson.loads(orjson.dumps(self.spec.to_dict(), default=list))
        written["openapi"] = version
        _add_examples(written, self._examples)
        return {key: written[key] for key in _ORDER}

    def text(self, version: str = OPENAPI_VERSION) -> bytes:
        """Return the document as it is served and kept."""
        return orjson.dumps(
            self.document(version), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
        )

    def write(self, folder: Path) -> None:
        """Write both documents into ``folder``."""
        for version, file_name in FILES.items():
            (folder / file_name).write_bytes(self.text(version))

    def path_of(self, rule: Rule) -> str:
        """Return the path of ``rule`` as the document writes it."""
        return str(self.flask_plugin.flaskpath2openapi(rule.rule))

    def _server_of(self, version: str) -> Callable[[], Response]:
        kept: list[bytes] = []  # follows from the code alone, so it is made once

        def serve() -> Response:
            if not kept:
                kept.append(self.text(version))
            return Response(kept[0], content_type=JSON, headers={"Cache-Control": "no-cache"})

        return serve

    def _register_error_handlers(self) -> None:
        """Leave errors to the frame."""

    def _register_responses(self) -> None:
        """Register none: there is one answer for all errors."""

    def _register_etag_headers(self) -> None:
        """Register none: ours are registered with the other components."""

    def _register_pagination_header(self) -> None:
        """Register none: pages are followed by Link."""


def api_of(app: Flask) -> GinApi:
    """Return the API that was put into ``app``."""
    api = app.extensions["flask-smorest"]["apis"][""]["ext_obj"]
    assert isinstance(api, GinApi)
    return api


_ORDER: Final = ("openapi", "info", "servers", "tags", "paths", "components")


def _frame_of_document() -> dict[str, Any]:
    says = (
        "Play gin rummy: whole games for two, between people and computers. Errors are problems "
        "(RFC 9457) with a stable code; a refused move changes nothing and shows the game."
    )
    license_ = {"name": "MIT", "url": "https://opensource.org/license/mit"}
    return {
        "info": {"description": says, "license": license_},
        "servers": [{"url": "/", "description": "The host that serves this document."}],
    }


def _always(schema: dict[str, object]) -> Callable[[BaseConverter], dict[str, object]]:
    return lambda _converter: dict(schema)


def _register_components(spec: APISpec) -> None:
    for name, says in HEADERS.items():
        spec.components.header(name, {"description": says, "schema": {"type": "string"}})
    for name, says in SECURITY.items():
        scheme = {"type": "http", "scheme": "bearer", "description": says}
        if name in IN_QUERY:
            place = {"in": "query", "name": IN_QUERY[name]}
            scheme = {"type": "apiKey", **place, "description": says}
        spec.components.security_scheme(name, scheme)
    content = {PROBLEM_JSON: {"schema": Problem, "x-examples-of": "problem."}}
    problem = {
        "description": "Any error",
        "headers": headers_of("Retry-After", *LIMITED),
        "content": content,
    }
    spec.components.response("Problem", problem)


def _add_examples(document: dict[str, Any], folder: Path) -> None:
    """Put the recorded examples in the place of the marks that declarations left for them."""
    recorded = {
        path.stem: {"value": orjson.loads(path.read_bytes())}
        for path in sorted(folder.glob("*.json"))
    }
    document["components"]["examples"] = recorded
    places: list[Any] = [document["paths"], document["components"]["responses"]]
    while places:
        place = places.pop()
        if isinstance(place, dict):
            _replace_mark(place, recorded)
        if isinstance(place, dict | list):
            places.extend(place.values() if isinstance(place, dict) else place)


def _replace_mark(place: dict[str, Any], recorded: Mapping[str, Any]) -> None:
    prefix = place.pop("x-examples-of", None)
    if prefix is None:
        return
    names = [name for name in recorded if name.startswith(prefix)]
    if names:
        place["examples"] = {name: reference("examples", name) for name in names}
