"""Refusals: what is raised when a request cannot be met, and the problem document it becomes.

Every error answer is an RFC 9457 problem in ``application/problem+json``. Its code stands in the
catalogue of :mod:`service.problems`; its ``type`` is the address at which that entry is served.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, NotRequired, TypedDict

import orjson
from flask import Response, current_app, request

from engine.cards import card_name
from engine.errors import BadInput, ContradictoryRules, EngineError, OptionError
from service.addresses import without_secrets
from service.problems import CATALOGUE
from service.schemas import dump

PROBLEM_JSON: Final = "application/problem+json"
RETRY_AFTER_SECONDS: Final = 1

Params = Mapping[str, object]


class FieldError(TypedDict):
    """One fault of a body or a query.

    ``pointer`` is a JSON pointer into the body, or ``#query/name``.
    """

    pointer: str
    code: str
    params: NotRequired[dict[str, object]]


class Refusal(Exception):
    """A request that is not met, and why.

    ``params`` are the facts behind ``code``. ``errors`` are the faults of a ``validation_failed``
    one. ``moves``, ``game`` and ``score_sheet`` are wire objects as the caller may see them.

    :raises KeyError: if ``code`` is not in the catalogue.
    """

    def __init__(
        self,
        code: str,
        *,
        params: Params | None = None,
        errors: Iterable[FieldError] = (),
        moves: list[Any] | None = None,
        game: Mapping[str, Any] | None = None,
        score_sheet: Mapping[str, Any] | None = None,
        detail: str | None = None,
    ) -> None:
        super().__init__(code)
        self.kind = CATALOGUE[code]
        self.params = dict(params or {})
        self.errors = list(errors)
        self.moves = moves
        self.game = game
        self.score_sheet = score_sheet
        self.detail = detail


def field_error(pointer: str, code: str, params: Params | None = None) -> FieldError:
    """Return one fault; ``params`` are left out where there are none."""
    error: FieldError = {"pointer": pointer, "code": CATALOGUE[code].code}
    if params:
        error["params"] = dict(params)
    return error


def invalid(errors: Iterable[FieldError]) -> Refusal:
    """Return the refusal of a request that is wrong whatever the state of the game."""
    return Refusal("validation_failed", errors=errors)


def wire_params(params: Params) -> dict[str, object]:
    """Return ``params`` of an engine's error as they are sent: names, times and lists."""
    wire: dict[str, object] = {}
    for name, value in params.items():
        if name == "card" and isinstance(value, int):
            wire[name] = card_name(value)
        elif isinstance(value, datetime):
            wire[name] = dump.time(value)
        else:
            wire[name] = list(value) if isinstance(value, tuple) else value
    return wire


def refusal_of(
    error: EngineError,
    pointer: str = "",
    *,
    moves: list[Any] | None = None,
    game: Mapping[str, Any] | None = None,
) -> Refusal:
    """Return the refusal of what the engine refused.

    Bad input becomes ``validation_failed`` with the fault at ``pointer`` (at the option's name
    below it for a fault of the rules); an illegal action becomes a problem of its own code that
    carries ``moves`` and ``game``.
    """
    if isinstance(error, BadInput):
        return invalid(_faults(error, pointer))
    return Refusal(error.code, params=wire_params(error.params), moves=moves, game=game)


def _faults(error: BadInput, pointer: str) -> list[FieldError]:
    if isinstance(error, ContradictoryRules):
        first, second = error.options
        return [_contradiction(pointer, first, second), _contradiction(pointer, second, first)]
    if isinstance(error, OptionError):
        pointer = f"{pointer}/{error.option}"
    return [field_error(pointer, error.code, wire_params(error.params))]


def _contradiction(pointer: str, option: str, against: str) -> FieldError:
    return field_error(f"{pointer}/{option}", "contradictory_rules", {"option": against})


def problem(refusal: Refusal) -> dict[str, object]:
    """Return the problem document of ``refusal`` as it is sent."""
    kind = refusal.kind
    document: dict[str, object] = {
        "type": f"{current_app.config['PUBLIC_URL']}/v1/problems/{kind.code}",
        "title": kind.title,
        "status": kind.status,
        "code": kind.code,
        "instance": without_secrets(request.path),
        "retryable": kind.retryable,
    }
    if kind.status == 503:
        refusal.params.setdefault("retry_after_seconds", RETRY_AFTER_SECONDS)
    optional = {
        "detail": refusal.detail,
        "errors": refusal.errors or None,
        "params": refusal.params or None,
        "moves": refusal.moves,
        "game": refusal.game,
        "score_sheet": refusal.score_sheet,
    }
    document.update((name, value) for name, value in optional.items() if value is not None)
    return document


def problem_response(refusal: Refusal) -> Response:
    """Return the answer that ``refusal`` becomes, with the headers that belong to its status."""
    response = Response(
        orjson.dumps(problem(refusal)), status=refusal.kind.status, content_type=PROBLEM_JSON
    )
    if refusal.kind.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    elif refusal.kind.status in {429, 503}:
        response.headers["Retry-After"] = str(refusal.params["retry_after_seconds"])
    return response
