"""Idempotency-Key: reading the header, and what makes two requests the same.

The header is that of draft-ietf-httpapi-idempotency-key-header: a String of RFC 9651, which stands
in quotes. Keys without quotes are taken as well, as most clients send them.
"""

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Final

from flask import request

from service.errors import Refusal

HEADER: Final = "Idempotency-Key"
REPLAYED: Final = "Idempotency-Replayed"

LONGEST_KEY: Final = 255
SHORTEST_ANONYMOUS_KEY: Final = 22
"""Characters of 128 random bits in base64: nobody guesses the key of somebody else."""

_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\["\\])*)"')
_BARE: Final = re.compile(r'[^",]*')
_VISIBLE: Final = re.compile(r"[\x21-\x7e]*")


class KeyMalformed(ValueError):
    """The header holds no key; the message says why not."""


def parse_key(text: str) -> str:
    """Return the key that the header's value ``text`` holds, bare or in quotes.

    A header that was sent twice arrives as one with a comma, which only quotes may enclose.

    :raises KeyMalformed: if it holds none, or more than one.
    """
    text = text.strip(" \t")
    if text.startswith('"'):
        quoted = _QUOTED.fullmatch(text)
        if quoted is None:
            raise KeyMalformed('Send one key. In quotes, only \\" and \\\\ stand for others.')
        key = re.sub(r"\\(.)", r"\1", quoted[1])
    elif _BARE.fullmatch(text):
        key = text
    else:
        raise KeyMalformed("Send one key, once. With a comma or a quote in it, put it in quotes.")
    if not _VISIBLE.fullmatch(key):
        raise KeyMalformed("A key has only visible ASCII characters, and no spaces.")
    if not 1 <= len(key) <= LONGEST_KEY:
        raise KeyMalformed(f"A key has 1 to {LONGEST_KEY} characters.")
    return key


def key_of_request(*, anonymous: bool) -> str | None:
    """Return the key of this request, or None if it has none.

    :raises Refusal: ``idempotency_key_invalid``, also for a key that is too easily guessed where
        nothing but the key tells an ``anonymous`` caller from others.
    """
    sent = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if sent is None:
        return None
    try:
        key = parse_key(sent)
        if anonymous and len(key) < SHORTEST_ANONYMOUS_KEY:
            raise KeyMalformed(
                f"Without a token a key has at least {SHORTEST_ANONYMOUS_KEY} characters, so that "
                "nobody can guess it: send a random UUID."
            )
    except KeyMalformed as error:
        raise Refusal("idempotency_key_invalid", detail=str(error)) from None
    return key


def normalised(asked: object) -> object:
    """Return ``asked`` so that its ``repr`` is the same for two requests that ask for the same.

    Names have an order, and a dataclass is only what differs from its defaults: so it is the same
    also after a release that adds a field with a default.
    """
    if is_dataclass(asked):
        said = {
            each.name: getattr(asked, each.name)
            for each in fields(asked)
            if getattr(asked, each.name) != each.default
        }
        return type(asked).__name__, normalised(said)
    if isinstance(asked, Mapping):
        return tuple((name, normalised(asked[name])) for name in sorted(asked))
    if isinstance(asked, list | tuple):
        return tuple(map(normalised, asked))
    return asked
