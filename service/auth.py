"""Who calls: the bearer token of a request."""

from typing import TypeAlias

from flask import request

from service.errors import Refusal
from service.portal_keys import PREFIX, PortalKey, parse_key
from service.tokens import SheetToken, Token, TokenInvalid, Tokens

SCHEME = "bearer "

Caller: TypeAlias = Token | PortalKey
"""A token says what it is good for; a portal's key has to be looked up."""

SheetCaller: TypeAlias = SheetToken | PortalKey
"""Likewise for score sheets."""


def caller_of_request(tokens: Tokens) -> Caller:
    """Return the token of a game, or the portal key, that this request carries.

    :raises Refusal: ``token_missing``, ``token_invalid``, or ``not_found`` for one of a sheet.
    """
    token = _token(tokens)
    if isinstance(token, SheetToken):
        raise Refusal("not_found")
    return token


def token_of_request(tokens: Tokens) -> Token:
    """Return the token of a game that this request carries, where a portal's key is of no use.

    :raises Refusal: as :func:`caller_of_request`; ``token_invalid`` for a portal's key.
    """
    caller = caller_of_request(tokens)
    if isinstance(caller, PortalKey):
        raise Refusal("token_invalid")
    return caller


def portal_key_of_request(tokens: Tokens) -> PortalKey | None:
    """Return the portal key that this request carries, or None for any other token.

    :raises Refusal: ``token_missing`` or ``token_invalid``.
    """
    token = _token(tokens)
    return token if isinstance(token, PortalKey) else None


def sheet_caller_of_request(tokens: Tokens) -> SheetCaller:
    """Return the token of a score sheet, or the portal key, that this request carries.

    :raises Refusal: ``token_missing``, ``token_invalid``, or ``not_found`` for one of a game.
    """
    token = _token(tokens)
    if isinstance(token, Token):
        raise Refusal("not_found")
    return token


def _token(tokens: Tokens) -> Token | SheetToken | PortalKey:
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
