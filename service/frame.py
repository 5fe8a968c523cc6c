"""The frame around every operation: what HTTP asks of each answer, whatever it is about.

Knows no resource. As WSGI it wraps the application, so that no answer leaves without Request-Id,
CORS and security headers; inside the application it checks the transport before an operation is
asked (405, 406, 413, 415) and turns whatever is raised into a problem.
"""

import logging
import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, cast

import orjson
from flask import Flask, Request, Response, current_app, request
from flask.json.provider import JSONProvider
from werkzeug.datastructures import Headers as WerkzeugHeaders
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from engine.errors import EngineError
from service.errors import Refusal, problem_response, refusal_of
from service.problems import CODE_OF_STATUS

MAX_BODY_BYTES: Final = 64 * 1024
REQUEST_ID: Final = "gin.request_id"
"""The key of the WSGI environment under which the id of a request stands."""

_ID_PATTERN: Final = re.compile(r"[A-Za-z0-9._:@/+=-]{1,64}")
_JSON_TYPE: Final = "application/json"
_PLAIN_ACCEPTS: Final = frozenset({"", "*/*", _JSON_TYPE})
_METHODS_WITH_BODY: Final = frozenset({"POST", "PUT"})

_EXPOSED: Final = (
    "ETag, Location, Link, RateLimit, RateLimit-Policy, Retry-After, Deprecation, Sunset, Date, "
    "WWW-Authenticate, Request-Id, Idempotency-Replayed"
)
_ALLOWED: Final = (
    "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, "
    "Request-Id"
)
EVERY_ANSWER: Final = (
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", _EXPOSED),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "cross-origin"),
)
UNLESS_SET: Final = (
    ("Cache-Control", "no-store"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
)
PREFLIGHT: Final = (
    ("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE"),
    (
        "Access-Control-Allow-Headers",
        _ALLOWED,
    ),
    ("Access-Control-Max-Age", "7200"),
)

Headers = list[tuple[str, str]]
Environ = dict[str, Any]
WsgiApp = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

logger = logging.getLogger(__name__)


class OrjsonProvider(JSONProvider):
    """Writes answers with orjson: UTF-8, no spaces, keys in the order given."""

    def dumps(self, obj: object, **_kwargs: Any) -> str:
        """Return ``obj`` as JSON text."""
        return orjson.dumps(obj).decode()

    def loads(self, s: str | bytes, **_kwargs: Any) -> object:
        """Return the value of the JSON text ``s``."""
        return cast("object", orjson.loads(s))

    def response(self, *args: Any, **_kwargs: Any) -> Response:
        """Return an answer with the one value given."""
        return Answer(orjson.dumps(args[0]), content_type=_JSON_TYPE)


class Answer(Response):
    """An answer that is complete as it is: a whole body, and a path for a Location."""

    def get_wsgi_headers(self, _environ: Environ) -> WerkzeugHeaders:
        """Return the headers as they are; the framework would look through each of them."""
        return self.headers


class Envelope:
    """The WSGI layer: answers CORS preflights, and adds to every answer what all of them carry."""

    def __init__(self, app: WsgiApp) -> None:
        self.app = app

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer one request."""
        request_id = _request_id(environ.get("HTTP_REQUEST_ID"))
        environ[REQUEST_ID] = request_id

        def start(status: str, headers: Headers, *rest: Any) -> object:
            return cast("object", start_response(status, _complete(headers, request_id), *rest))

        if (
            environ["REQUEST_METHOD"] == "OPTIONS"
            and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ
        ):
            start("204 No Content", list(PREFLIGHT))
            return []
        return self.app(environ, start)


def _request_id(sent: str | None) -> str:
    if sent is not None and _ID_PATTERN.fullmatch(sent):
        return sent
    return secrets.token_hex(8)


def _complete(headers: Headers, request_id: str) -> Headers:
    present = {name.lower() for name, _ in headers}
    missing = [pair for pair in UNLESS_SET if pair[0].lower() not in present]
    return [*headers, *missing, *EVERY_ANSWER, ("Request-Id", request_id)]


def check_transport() -> Response | None:
    """Refuse what no operation could read or answer: 406, 413, 415. OPTIONS is answered here.

    An unknown address or method passes: routing refuses it next.
    """
    asked: Request = request._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001
    if asked.url_rule is None:
        return None
    if asked.method == "OPTIONS":
        return Response(
            status=204, headers={"Allow": ", ".join(sorted(asked.url_rule.methods or ()))}
        )
    if "." not in asked.url_rule.endpoint:  # the documents and pages, which are no operations
        return None
    accept = asked.environ.get("HTTP_ACCEPT", "")
    if accept not in _PLAIN_ACCEPTS and asked.accept_mimetypes.quality(_media(asked)) <= 0:
        raise Refusal("not_acceptable")
    if "HTTP_CONTENT_ENCODING" in asked.environ:
        raise Refusal("unsupported_media_type", detail="Send the body without Content-Encoding.")
    if asked.method in _METHODS_WITH_BODY:
        if _whole_body(asked) and not _is_json(asked):
            raise Refusal("unsupported_media_type")
    elif (asked.content_length or 0) > current_app.config["MAX_CONTENT_LENGTH"]:
        raise RequestEntityTooLarge
    return None


def _media(asked: Request) -> str:
    """Return the media type that the operation answers with."""
    view = current_app.view_functions.get(asked.endpoint or "")
    return getattr(view, "media", _JSON_TYPE)


def _whole_body(asked: Request) -> bytes:
    """Return the body; a chunked one that goes on beyond the limit is refused, not cut off."""
    body = asked.get_data()
    at_the_limit = len(body) == current_app.config["MAX_CONTENT_LENGTH"]
    # The stream that the framework gives us ends at the limit, whether the body does or not.
    if at_the_limit and asked.content_length is None and asked.environ["wsgi.input"].read(1):
        raise RequestEntityTooLarge
    return body


def _is_json(asked: Request) -> bool:
    """Tell whether the body says that it is JSON in UTF-8."""
    if asked.content_type == _JSON_TYPE:
        return True
    charset = asked.mimetype_params.get("charset", "utf-8")
    return asked.mimetype == _JSON_TYPE and charset.lower() in {"utf-8", "utf8"}


def _from_http(error: HTTPException) -> Response:
    """Return the problem of what the web framework refused; it keeps headers such as Allow."""
    if error.code is not None and error.code < 400:
        return error.get_response()  # type: ignore[return-value]  # a redirect is no problem
    code = CODE_OF_STATUS.get(error.code or 500, "internal")
    params = {"max": current_app.config["MAX_CONTENT_LENGTH"]} if code == "too_large" else None
    response = problem_response(Refusal(code, params=params))
    allow = dict(error.get_headers()).get("Allow")
    if allow:
        response.headers["Allow"] = allow
    return response


def _from_bug(error: Exception) -> Response:
    """Return 500 with nothing but the Request-Id; the log has the rest."""
    logger.error("request %s failed", request.environ.get(REQUEST_ID), exc_info=error)
    return problem_response(Refusal("internal"))


def install(
    app: Flask,
    *,
    public_url: str,
    max_body_bytes: int = MAX_BODY_BYTES,
    refusals: Mapping[type[Exception], str] | None = None,
) -> None:
    """Put the frame around ``app``, before its blueprints are registered.

    ``public_url`` is the address under which clients reach the service, without a slash at its
    end. Larger bodies than ``max_body_bytes`` are refused unread. ``refusals`` gives the problem
    code of exceptions that parts behind the frame raise.
    """
    app.json = OrjsonProvider(app)
    app.config["PUBLIC_URL"] = public_url
    app.config["MAX_CONTENT_LENGTH"] = max_body_bytes
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    app.before_request(check_transport)
    app.register_error_handler(Refusal, problem_response)
    app.register_error_handler(EngineError, lambda error: problem_response(refusal_of(error)))
    app.register_error_handler(HTTPException, _from_http)
    app.register_error_handler(Exception, _from_bug)
    for kind, code in (refusals or {}).items():
        app.register_error_handler(kind, _answer_with(code))
    app.wsgi_app = Envelope(app.wsgi_app)  # type: ignore[method-assign]


def _answer_with(code: str) -> Callable[[Exception], Response]:
    def answer(_error: Exception) -> Response:
        return problem_response(Refusal(code))

    return answer
