"""Shorthand for declarations: one word for each kind of field that answers and requests share.

A field stands for something that is always sent unless ``required=False`` says otherwise.
"""

from collections.abc import Sequence
from typing import Any, Final

from marshmallow import Schema, fields, validate

from service.schemas.fields import CardField, Choice, Flag, Inner, Sequenced, TextMap, Whole

MOST_METADATA: Final = 20
"""How many texts a portal may keep with what is its own."""


def _described(says: str, options: dict[str, Any]) -> dict[str, Any]:
    options.setdefault("required", True)
    if says:
        options["metadata"] = {"description": says}
    return options


def text(says: str = "", **options: Any) -> fields.String:
    """Return a text of an answer: an id, a token, or an open set whose values ``says`` lists."""
    return fields.String(**_described(says, options))


def number(says: str = "", **options: Any) -> Whole:
    """Return a whole number of an answer."""
    return Whole(**_described(says, options))


def share(says: str = "", **options: Any) -> fields.Float:
    """Return a number from 0 to 1 of an answer."""
    return fields.Float(validate=validate.Range(0, 1), **_described(says, options))


def amount(says: str = "", **options: Any) -> fields.Float:
    """Return any number of an answer, such as points that are expected."""
    return fields.Float(**_described(says, options))


def flag(says: str = "", **options: Any) -> Flag:
    """Return true or false."""
    return Flag(**_described(says, options))


def seat(says: str = "", **options: Any) -> Whole:
    """Return the number of a seat."""
    return Whole(0, 3, **_described(says, options))


def time(says: str = "", **options: Any) -> fields.DateTime:
    """Return a moment: RFC 3339, in UTC."""
    return fields.DateTime(**_described(says, options))


def card(**options: Any) -> CardField:
    """Return a card."""
    return CardField(**_described("", options))


def choice(name: str, values: Sequence[str], **options: Any) -> Choice:
    """Return a value of the closed set ``name``."""
    return Choice(name, values, **_described("", options))


def one(schema: type[Schema], **options: Any) -> Inner:
    """Return an object."""
    return Inner(schema, **_described("", options))


def many(schema: type[Schema], says: str = "", **options: Any) -> Sequenced:
    """Return a list of objects."""
    return Sequenced(Inner(schema), **_described(says, options))


def cards(says: str = "", **options: Any) -> Sequenced:
    """Return a list of cards."""
    return Sequenced(CardField(), **_described(says, options))


def seats(says: str = "", **options: Any) -> Sequenced:
    """Return a list of seats."""
    return Sequenced(Whole(0, 3), **_described(says, options))


def texts(says: str = "", **options: Any) -> Sequenced:
    """Return a list of texts."""
    return Sequenced(fields.String(), **_described(says, options))


def metadata(says: str, **options: Any) -> fields.Dict:
    """Return what a portal keeps with what is its own, in an answer."""
    return fields.Dict(fields.String(), fields.String(), **_described(says, options))


def metadata_sent(what: str) -> TextMap:
    """Return what a portal wants kept with ``what`` is its own."""
    says = f"portal only: what the portal keeps with the {what}; at most {MOST_METADATA} names"
    described = {"description": says, "maxProperties": MOST_METADATA}
    return TextMap(MOST_METADATA, 60, 500, metadata=described)
