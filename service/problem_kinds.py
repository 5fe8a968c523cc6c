"""What a kind of problem is, and how those of the engine and of single fields are said."""

from dataclasses import dataclass
from typing import Final

from engine import errors as engine_errors

FIELD: Final = "Stands in `errors` of a `validation_failed` problem. "


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """One kind of problem.

    ``params`` are the names of the facts it carries. ``retryable`` says that the same request may
    succeed later without change.
    """

    code: str
    status: int
    title: str
    description: str
    params: tuple[str, ...] = ()
    retryable: bool = False


def of_engine(kind: str, description: str, *params: str) -> ProblemKind:
    """Return the problem of the engine's error named ``kind``: its docstring is the title."""
    error: type[engine_errors.EngineError] = getattr(engine_errors, kind)
    title = (error.__doc__ or "").split("\n", 1)[0].removesuffix(".")
    if issubclass(error, engine_errors.BadInput):
        return ProblemKind(error.code, 422, title, FIELD + description, params)
    return ProblemKind(error.code, 409, title, description, params)


def of_field(code: str, title: str, description: str, *params: str) -> ProblemKind:
    """Return the problem of one field of a body or a query."""
    return ProblemKind(code, 422, title, FIELD + description, params)
