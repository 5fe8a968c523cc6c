"""What all request schemas share, all answers, and all queries."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Final, cast

from marshmallow import EXCLUDE, RAISE, Schema, ValidationError, post_load, validates_schema

from service.errors import FieldError, field_error
from service.schemas.fields import DOUBT

UNKNOWN_OR_NO_OBJECT: Final[dict[str, str]] = {"unknown": "unknown_field", "type": "wrong_type"}


class RequestSchema(Schema):
    """A body: what it does not name is refused.

    Instances are made once, at the level of a module.
    """

    class Meta:
        """Unknown fields are an error: a misspelt name must not become a default."""

        unknown = RAISE

    error_messages = UNKNOWN_OR_NO_OBJECT

    part_of_answers: ClassVar[bool] = False
    """True where answers hold it as well: the document then leaves it open for more fields."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._readers: dict[str, Callable[[object], object]] = {
            name: field.quick  # type: ignore[attr-defined]
            for name, field in self.load_fields.items()
        }
        self._required = frozenset(
            name for name, field in self.load_fields.items() if field.required
        )

    def read(self, value: Any) -> dict[str, Any]:  # noqa: ANN401 - whatever JSON holds
        """Return ``value`` as :meth:`load` does, faster for what is right.

        :raises marshmallow.ValidationError: whose messages are codes.
        """
        loaded = self.quick(value)
        return cast("dict[str, Any]", self.load(value) if loaded is DOUBT else loaded)

    def quick(self, value: object) -> object:
        """Return what :meth:`load` would if ``value`` is certainly right, or ``DOUBT``."""
        if not isinstance(value, dict) or not value.keys() >= self._required:
            return DOUBT
        loaded = {}
        for name, item in value.items():
            reader = self._readers.get(name)
            read = DOUBT if reader is None else reader(item)
            if read is DOUBT:
                return DOUBT
            loaded[name] = read
        try:
            self.check(loaded)
        except ValidationError:
            return DOUBT
        return self.make(loaded)

    def check(self, loaded: dict[str, Any]) -> None:
        """Check what concerns several fields; each of ``loaded`` is right by itself.

        :raises marshmallow.ValidationError: whose messages are faults, by field.
        """

    def make(self, loaded: dict[str, Any]) -> object:
        """Return what the body becomes: the fields, unless a schema says otherwise."""
        return loaded

    @validates_schema
    def _check(self, data: dict[str, Any], **_kwargs: Any) -> None:
        self.check(data)

    @post_load
    def _make(self, data: dict[str, Any], **_kwargs: Any) -> object:
        return self.make(data)


class QuerySchema(Schema):
    """A query string: what it does not name is refused."""

    class Meta:
        """Unknown parameters are an error."""

        unknown = RAISE

    error_messages = UNKNOWN_OR_NO_OBJECT


class AnswerSchema(Schema):
    """An answer, or a part of one: a declaration for the document. Clients accept more fields."""

    class Meta:
        """Answers may grow."""

        unknown = EXCLUDE


def faults(messages: object, pointer: str = "") -> Iterator[FieldError]:
    """Yield each fault of marshmallow's ``messages`` with its JSON pointer."""
    if isinstance(messages, Mapping):
        for name, inner in messages.items():
            yield from faults(inner, pointer if name == "_schema" else f"{pointer}/{_escape(name)}")
        return
    for message in messages if isinstance(messages, list) else [messages]:
        if isinstance(message, Mapping):
            yield from faults(message, pointer)
        else:
            yield field_error(pointer, str(message), getattr(message, "params", None))


def _escape(name: object) -> str:
    return str(name).replace("~", "~0").replace("/", "~1")
