"""Fields of requests and answers: strict, and failing with codes instead of sentences.

Each field also has ``quick``: it returns the loaded value of what is certainly right and
:data:`DOUBT` for everything else, at a fraction of the cost of marshmallow's machinery. What is
doubtful is loaded by marshmallow, which then names the fault. A property test holds the two to
the same results.
"""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final, Self

from marshmallow import ValidationError, fields, validate

from engine.cards import CARD_NAMES, parse_card
from engine.errors import BadCard

DOUBT: Final = object()
"""What ``quick`` returns when it cannot tell that a value is right."""

_CODES: Final[dict[str, str | list[Any] | dict[Any, Any]]] = {
    "required": "required",
    "null": "wrong_type",
    "invalid": "wrong_type",
    "invalid_utf8": "wrong_type",
    "too_large": "wrong_type",
    "type": "wrong_type",
}
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_WHOLE: Final = re.compile(r"-?[0-9]{1,19}")
_BIT_OF: Final = {name: 1 << card for card, name in enumerate(CARD_NAMES)}
_MOMENT: Final = re.compile(
    r"2[0-9]{3}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?([Zz]|[+-][0-9]{2}:[0-9]{2})"
)
_CARD_OF: Final = {name: card for card, name in enumerate(CARD_NAMES)}


class Fault(str):
    """A code with its params, where marshmallow carries a message."""

    __slots__ = ("params",)

    def __new__(cls, code: str, **params: object) -> Self:
        """Make the fault ``code``."""
        fault = super().__new__(cls, code)
        fault.params = params
        return fault

    params: dict[str, object]


class Within(validate.Range):
    """A number has to lie between ``min`` and ``max``, both included."""

    def __call__(self, value: Any) -> Any:
        """Return ``value``, or raise ``out_of_range``."""
        if (self.min is None or value >= self.min) and (self.max is None or value <= self.max):
            return value
        limits = {"min": self.min, "max": self.max}
        raise ValidationError(
            Fault("out_of_range", **{name: at for name, at in limits.items() if at is not None})
        )


class AtMost(validate.Length):
    """A text or list has to be at most ``max`` long."""

    def __init__(self, maximum: int) -> None:
        super().__init__(max=maximum)

    def __call__(self, value: Any) -> Any:
        """Return ``value``, or raise ``too_long``."""
        if len(value) > (self.max or 0):
            raise ValidationError(Fault("too_long", max=self.max))
        return value


class Whole(fields.Integer):
    """A whole number: no 1.5, no "1", no true."""

    default_error_messages = _CODES

    def __init__(
        self, least: int | None = None, greatest: int | None = None, **kwargs: Any
    ) -> None:
        self.least = least
        self.greatest = greatest
        if least is not None or greatest is not None:
            kwargs["validate"] = Within(min=least, max=greatest)
        super().__init__(strict=True, **kwargs)

    def _validated(self, value: object) -> int:
        if type(value) is not int:
            raise self.make_error("invalid")
        return value

    def quick(self, value: object) -> object:
        """Return ``value`` if it is a whole number within the limits."""
        if type(value) is not int:
            return DOUBT
        if self.least is not None and value < self.least:
            return DOUBT
        return DOUBT if self.greatest is not None and value > self.greatest else value


class QueryWhole(Whole):
    """A whole number in a query: ASCII digits, a sign, and nothing else."""

    def _validated(self, value: object) -> int:
        if not isinstance(value, str) or not _WHOLE.fullmatch(value):
            raise self.make_error("invalid")
        return int(value)


class Flag(fields.Boolean):
    """True or false, and no other spelling."""

    default_error_messages = _CODES

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid")
        return value

    def quick(self, value: object) -> object:
        """Return ``value`` if it is true or false."""
        return value if isinstance(value, bool) else DOUBT


class QueryFlag(fields.Boolean):
    """True or false in a query: these two words."""

    default_error_messages = _CODES

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if value not in {"true", "false"}:
            raise self.make_error("invalid")
        return bool(value == "true")


class Text(fields.String):
    """A text of at most ``longest`` characters, none of them a control character."""

    default_error_messages = _CODES

    def __init__(self, longest: int, **kwargs: Any) -> None:
        self.longest = longest
        super().__init__(validate=[AtMost(longest), _no_controls], **kwargs)

    def quick(self, value: object) -> object:
        """Return ``value`` if it is a short and clean text."""
        clean = isinstance(value, str) and len(value) <= self.longest and value.isprintable()
        return value if clean else DOUBT


class Lines(Text):
    """A text that may have several lines, each but the last ended by a line feed."""

    def __init__(self, longest: int, **kwargs: Any) -> None:
        super().__init__(longest, **kwargs)
        self.validators = [AtMost(longest), _no_controls_but_line_feeds]

    def quick(self, value: object) -> object:
        """Return ``value`` if it is short and each line of it clean."""
        if not isinstance(value, str) or len(value) > self.longest:
            return DOUBT
        return value if value.replace("\n", "").isprintable() else DOUBT


def _no_controls_but_line_feeds(text: str) -> str:
    _no_controls(text.replace("\n", ""))
    return text


def _no_controls(text: str) -> str:
    if _CONTROL.search(text):
        raise ValidationError(Fault("bad_text"))
    return text


class Choice(fields.String):
    """One value of a closed set; the document gives the set ``name`` a component of its own."""

    default_error_messages = _CODES

    def __init__(self, name: str, values: Sequence[str], **kwargs: Any) -> None:
        self.name_of_set = name
        self.values = tuple(values)
        super().__init__(**kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise self.make_error("invalid")
        if value not in self.values:
            raise ValidationError(Fault("unknown_value", values=list(self.values)))
        return value

    def quick(self, value: object) -> object:
        """Return ``value`` if it is one of the set."""
        return value if isinstance(value, str) and value in self.values else DOUBT


class CardField(fields.Field[int]):
    """A card. Read as its number; ``10H`` and lower case are accepted, and ``TH`` is written."""

    default_error_messages = _CODES

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> Any:
        return None if value is None else CARD_NAMES[value]

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if not isinstance(value, str):
            raise self.make_error("invalid")
        try:
            return parse_card(value)
        except BadCard as error:
            raise ValidationError(Fault(error.code)) from None

    def quick(self, value: object) -> object:
        """Return the number of the card that ``value`` names as answers do."""
        return _CARD_OF.get(value, DOUBT) if isinstance(value, str) else DOUBT


class Sequenced(fields.List[Any]):
    """A list of at most ``longest`` items."""

    default_error_messages = _CODES

    def __init__(self, item: fields.Field[Any], longest: int | None = None, **kwargs: Any) -> None:
        self.longest = longest
        if longest is not None:
            kwargs["validate"] = AtMost(longest)
        super().__init__(item, **kwargs)

    def quick(self, value: object) -> object:
        """Return the loaded items if each is certainly right and they are not too many."""
        if not isinstance(value, list) or self.longest is None or len(value) > self.longest:
            return DOUBT
        read: Callable[[object], object] = self.inner.quick  # type: ignore[attr-defined]
        items = [read(item) for item in value]
        return DOUBT if any(item is DOUBT for item in items) else items


class CardSet(Sequenced):
    """Cards without order, each once. Read as a set of cards (see :mod:`engine.cards`)."""

    def __init__(self, longest: int, **kwargs: Any) -> None:
        super().__init__(CardField(), longest, **kwargs)

    def deserialize(
        self, value: Any, attr: str | None = None, data: Any = None, **kwargs: Any
    ) -> Any:
        """Return the set; a card that stands there twice is told at its second place."""
        numbers = super().deserialize(value, attr, data, **kwargs)
        if not isinstance(numbers, list):
            return numbers
        mask = 0
        for index, card in enumerate(numbers):
            if mask >> card & 1:
                fault = Fault("duplicate_card", card=CARD_NAMES[card])
                raise ValidationError({index: [fault]})
            mask |= 1 << card
        return mask

    def quick(self, value: object) -> object:
        """Return the set of the cards that ``value`` names as answers do."""
        if type(value) is not list:
            return DOUBT
        try:
            mask = sum(map(_BIT_OF.__getitem__, value))
        except (KeyError, TypeError):
            return DOUBT
        # Equal bits carry over into others, which are then fewer than the cards.
        return mask if mask.bit_count() == len(value) else DOUBT


class TextMap(fields.Dict):
    """Texts by name: at most ``most`` of them, of at most ``longest`` characters each."""

    default_error_messages = _CODES

    def __init__(self, most: int, longest_name: int, longest: int, **kwargs: Any) -> None:
        self.most = most
        self._names, self._texts = Text(longest_name), Text(longest)
        super().__init__(keys=fields.String(), values=fields.String(), **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, dict):
            raise self.make_error("invalid")
        if len(value) > self.most:
            raise ValidationError(Fault("too_long", max=self.most))
        faults = {
            name: codes for name, text in value.items() if (codes := self._faults(name, text))
        }
        if faults:
            raise ValidationError(faults)
        return value

    def _faults(self, name: str, text: object) -> list[Any]:
        for field, read in ((self._names, name), (self._texts, text)):
            try:
                field.deserialize(read)
            except ValidationError as error:
                return (
                    list(error.messages) if isinstance(error.messages, list) else [error.messages]
                )
        return []

    def quick(self, value: object) -> object:
        """Return ``value`` if it is a small object of short and clean texts."""
        if not isinstance(value, dict) or len(value) > self.most:
            return DOUBT
        clean = all(
            self._names.quick(name) is not DOUBT and self._texts.quick(text) is not DOUBT
            for name, text in value.items()
        )
        return value if clean else DOUBT


class Moment(fields.Field[datetime]):
    """A moment in a query: RFC 3339, with ``Z`` or an offset."""

    default_error_messages = _CODES

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> datetime:
        if not isinstance(value, str) or not _MOMENT.fullmatch(value):
            raise self.make_error("invalid")
        try:
            return datetime.fromisoformat(value.upper())
        except ValueError:
            raise self.make_error("invalid") from None


class Inner(fields.Nested):
    """An object within an object."""

    default_error_messages = _CODES

    def quick(self, value: object) -> object:
        """Return the loaded object if all of it is certainly right."""
        return self.schema.quick(value)  # type: ignore[attr-defined]
