"""Secrets that may stand in no log, and the search for them in every form that a log could have.

A secret is looked for as it is, percent-encoded, in hexadecimal and in base64, also where it stands
somewhere within what was encoded: three bytes become four characters, so there are three ways in
which its middle can come out.
"""

import base64
import json
import re
from dataclasses import dataclass
from urllib.parse import quote

SHORTEST = 8
"""Characters of the shortest text that is looked for: a shorter one stands there by chance."""

CARD = re.compile(r"(?<![\w%=+/-])(?!AS)[A2-9TJQK][CDHS](?![\w%=+/-])")
"""A card's name that is no part of another word. The ace of spades is one of SQL, too."""


@dataclass(frozen=True)
class Canary:
    """A secret, and what it is."""

    kind: str
    value: bytes


@dataclass(frozen=True)
class Leak:
    """A secret that was found: what it is, in which form, and in which line."""

    kind: str
    form: str
    line: str


def forms(value: bytes) -> dict[str, str]:
    """Return the texts that give ``value`` away, by the name of the form."""
    found = {"hex": value.hex(), "HEX": value.hex().upper(), **_base64(value)}
    found["percent"] = "".join(f"%{byte:02X}" for byte in value)
    found["percent, lower case"] = found["percent"].lower()
    if value.isascii():
        found["raw"] = value.decode()
        found["quoted"] = quote(value.decode(), safe="")
        found["repr"] = repr(value.decode())[1:-1]
        found["JSON"] = json.dumps(value.decode())[1:-1]
        found["path"] = quote(value.decode())
    return found


def _base64(value: bytes) -> dict[str, str]:
    found = {}
    for lead in range(3):
        padded = bytes(lead) + value
        whole = len(padded) // 3 * 4  # what follows has no say in these characters
        for name, encode in (("base64", base64.b64encode), ("url", base64.urlsafe_b64encode)):
            text = encode(padded).decode()[:whole]
            found[f"{name} at {lead}"] = text[0 if lead == 0 else 4 :]
    return found


class Canaries:
    """The secrets of one part of a run."""

    def __init__(self) -> None:
        self.all: set[Canary] = set()

    def add(self, kind: str, value: str | bytes) -> None:
        """Look for a secret from now on."""
        value = value.encode() if isinstance(value, str) else value
        assert len(value) >= SHORTEST, f"{kind} could stand anywhere by chance"
        self.all.add(Canary(kind, value))

    def found_in(self, text: str) -> list[Leak]:
        """Return what of them stands in ``text``."""
        found = []
        for canary in sorted(self.all, key=lambda each: (each.kind, each.value)):
            for form, needle in forms(canary.value).items():
                at = text.find(needle)
                if at >= 0:
                    found.append(Leak(canary.kind, form, line_at(text, at)))
                    break
        return found


def line_at(text: str, at: int) -> str:
    """Return the line of ``text`` around a place in it."""
    return text[text.rfind("\n", 0, at) + 1 :].partition("\n")[0][:600]


def cards_in(text: str) -> list[Leak]:
    """Return where ``text`` names a card."""
    return [Leak("card", match[0], line_at(text, match.start())) for match in CARD.finditer(text)]
