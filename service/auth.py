"""Who calls: the bearer token of a request."""

from flask import request

from service.errors import Refusal
from service.tokens import SheetToken, Token, TokenInvalid, Tokens

SCHEME = "bearer "


def token_of_request(tokens: Tokens) -> Token:
    """Return the token of a game that this request carries.

    :raises Refusal: ``token_missing``, ``token_invalid``, or ``not_found`` for one of a sheet.
    """
    token = _token(tokens)
    if not isinstance(token, Token):
        raise Refusal("not_found")
    return token


def sheet_token_of_request(tokens: Tokens) -> SheetToken:
    """Return the token of a score sheet that this request carries.

    :raises Refusal: ``token_missing``, ``token_invalid``, or ``not_found`` for one of a game.
    """
    token = _token(tokens)
    if not isinstance(token, SheetToken):
        raise Refusal("not_found")
    return token


def _token(tokens: Tokens) -> Token | SheetToken:
    header = request.environ.get("HTTP_AUTHORIZATION")
    if not header:
        raise Refusal("token_missing")
    if not header[: len(SCHEME)].lower() == SCHEME:
        raise Refusal("token_invalid")
    try:
        return tokens.read(header[len(SCHEME) :].strip())
    except TokenInvalid:
        raise Refusal("token_invalid") from None
