"""The service itself: what it is, whether it lives and is ready, and what its problems mean."""

from collections.abc import Callable, Mapping
from typing import Any

from service.errors import Refusal
from service.operations import Blueprint
from service.problem_kinds import ProblemKind
from service.problems import CATALOGUE
from service.schemas.service import Health, ProblemDoc, ProblemDocList, ServiceInfo


def blueprint(info: Mapping[str, Any], ready: Callable[[], str | None]) -> Blueprint:
    """Return the operations of the service itself.

    ``info`` is the answer of getService. ``ready`` returns the code of the problem that keeps the
    service from playing games, such as ``busy`` or ``maintenance``, or ``None``.
    """
    doors = Blueprint("service")

    @doors.operation(
        "GET",
        "/",
        id="getService",
        says="What this is.\nName, versions, what it can do, and its limits.",
        answer=ServiceInfo,
    )
    def get_service() -> Mapping[str, Any]:
        return info

    @doors.operation(
        "GET",
        "/health/live",
        id="getLiveness",
        says="Is the process alive?\nIt answers, whatever the database does.",
        answer=Health,
        limit=None,
    )
    def get_liveness() -> Mapping[str, str]:
        return {"status": "ok"}

    @doors.operation(
        "GET",
        "/health/ready",
        id="getReadiness",
        says="Can games be played?\nThe database is there and migrated, and nothing is stopping.",
        answer=Health,
        limit=None,
    )
    def get_readiness() -> Mapping[str, str]:
        code = ready()
        if code is not None:
            raise Refusal(code)
        return {"status": "ok"}

    @doors.operation(
        "GET",
        "/v1/problems",
        id="listProblems",
        says="The catalogue of problems.\nEvery code that an answer can carry.",
        answer=ProblemDocList,
        limit=None,
    )
    def list_problems() -> Mapping[str, Any]:
        return {"items": [_document(kind) for kind in CATALOGUE.values()]}

    @doors.operation(
        "GET",
        "/v1/problems/<name:problem_code>",
        id="getProblem",
        says="One problem.\nWhat the type of a problem leads to.",
        answer=ProblemDoc,
        limit=None,
    )
    def get_problem(problem_code: str) -> Mapping[str, Any]:
        if problem_code not in CATALOGUE:
            raise Refusal("not_found")
        return _document(CATALOGUE[problem_code])

    return doors


def _document(kind: ProblemKind) -> dict[str, Any]:
    """Return an entry of the catalogue as it is sent."""
    return {
        "code": kind.code,
        "status": kind.status,
        "title": kind.title,
        "description": kind.description,
        "retryable": kind.retryable,
        "params": list(kind.params),
    }
