"""What a kind of problem is, and how those of the engine and of single fields are said."""

from dataclasses import dataclass
from typing import Final

from engine import errors as engine_errors

FIELD: Final = "Stands in `errors` of a `validation_failed` problem. "


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """One kind of problem.

    ``fact`` is what is the case and ``do`` what to do next, ``description`` says more about both.
    ``params`` are the names of the facts it carries. ``retryable`` says that the same request may
    succeed later without change.
    """

    code: str
    status: int
    fact: str
    do: str
    description: str
    params: tuple[str, ...] = ()
    retryable: bool = False

    @property
    def title(self) -> str:
        """The sentence that people read: what is the case, and what to do next."""
        return f"{self.fact}: {self.do}"


def of_engine(kind: str, do: str, description: str, *params: str) -> ProblemKind:
    """Return the problem of the engine's error named ``kind``: its docstring is the fact."""
    error: type[engine_errors.EngineError] = getattr(engine_errors, kind)
    fact = (error.__doc__ or "").split("\n", 1)[0].removesuffix(".")
    if issubclass(error, engine_errors.BadInput):
        return ProblemKind(error.code, 422, fact, do, FIELD + description, params)
    return ProblemKind(error.code, 409, fact, do, description, params)


def of_field(code: str, fact: str, do: str, description: str, *params: str) -> ProblemKind:
    """Return the problem of one field of a body or a query."""
    return ProblemKind(code, 422, fact, do, FIELD + description, params)
