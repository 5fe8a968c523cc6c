"""Changing values that are frozen.

A move changes game and hand several times over, and :func:`dataclasses.replace` looks at every
field anew each time: it was the dearest function of a move. This one knows the fields already.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

T = TypeVar("T")


def with_changes(value: T, **changes: object) -> T:
    """Return the dataclass ``value`` with other values in the fields that ``changes`` names.

    Its class has at least two fields, all of which it takes by position.

    :raises TypeError: if there is no such field.
    """
    kind: type[T] = type(value)
    read, places = _fields_of(kind)  # type: ignore[arg-type]  # every class can be hashed
    values = list(read(value))
    for name, changed in changes.items():
        if name not in places:
            raise TypeError(f"{type(value).__name__} has no field {name}")
        values[places[name]] = changed
    return kind(*values)


@cache
def _fields_of(kind: type[Any]) -> tuple[Callable[[object], tuple[object, ...]], Mapping[str, int]]:
    """Return what reads all fields of a dataclass at once, and the place of each by its name."""
    names = [field.name for field in fields(kind)]
    return attrgetter(*names), {name: place for place, name in enumerate(names)}
