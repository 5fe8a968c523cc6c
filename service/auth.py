"""Who calls: the bearer token of a request."""

from flask import request

from service.errors import Refusal
from service.tokens import Token, TokenInvalid, Tokens

SCHEME = "bearer "


def token_of_request(tokens: Tokens) -> Token:
    """Return the token that this request carries.

    :raises Refusal: ``token_missing`` or ``token_invalid``.
    """
    header = request.environ.get("HTTP_AUTHORIZATION")
    if not header:
        raise Refusal("token_missing")
    if not header[: len(SCHEME)].lower() == SCHEME:
        raise Refusal("token_invalid")
    try:
        return tokens.read(header[len(SCHEME) :].strip())
    except TokenInvalid:
        raise Refusal("token_invalid") from None
