"""Who calls: the bearer token of a request."""

from typing import TypeAlias

from flask import request

from service.errors import Refusal
from service.portal_keys import PREFIX, PortalKey, parse_key
from service.tokens import Token, TokenInvalid, Tokens

SCHEME = "bearer "

Caller: TypeAlias = Token | PortalKey
"""A token says what it is good for; a portal's key has to be looked up."""


def caller_of_request(tokens: Tokens) -> Caller:
    """Return the token or portal key that this request carries.

    :raises Refusal: ``token_missing`` or ``token_invalid``.
    """
    header = request.environ.get("HTTP_AUTHORIZATION")
    if not header:
        raise Refusal("token_missing")
    if not header[: len(SCHEME)].lower() == SCHEME:
        raise Refusal("token_invalid")
    text = header[len(SCHEME) :].strip()
    if text.startswith(PREFIX):
        key = parse_key(text)
        if key is None:
            raise Refusal("token_invalid")
        return key
    try:
        return tokens.read(text)
    except TokenInvalid:
        raise Refusal("token_invalid") from None
