"""Server-sent events as a browser reads them, by the rules of the WHATWG."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Event:
    """One event, and the line in which its data stood."""

    id: str
    kind: str
    data: str

    @property
    def update(self) -> dict:
        """The update that it holds."""
        return json.loads(self.data)


def events(text: bytes) -> list[Event]:
    """Return the events of a whole stream."""
    return list(read(text.splitlines(keepends=True)))


def read(lines: Iterable[bytes]) -> Iterator[Event]:
    """Yield each event as soon as its lines have come; one cut off in the middle is none."""
    fields: dict[str, str] = {}
    for line in lines:
        text = line.decode().removesuffix("\n")
        if not text:
            if "data" in fields:
                yield Event(fields.get("id", ""), fields.get("event", "message"), fields["data"])
            fields = {}
            continue
        name, _, value = text.partition(":")
        if name:  # what begins with a colon is a comment
            assert name in {"id", "event", "data", "retry"}, text
            fields[name] = value.removeprefix(" ")
