"""Answering a request that may carry an Idempotency-Key: once, and the same each time."""

from collections.abc import Callable
from typing import Final, TypeVar

import msgspec
import orjson
from flask import request
from flask.typing import ResponseReturnValue

from service import frame
from service.blueprints.calls import Answer, digest_of
from service.idempotency import REPLAYED, key_of_request, normalised
from service.operations import JSON
from service.storage.idempotency import KeyedRequest
from service.use_cases.do_once import Keep, do_once
from service.use_cases.house import House

T = TypeVar("T")


class _Given(msgspec.Struct, array_like=True):
    """An answer as it was given."""

    status: int
    headers: dict[str, str]
    body: bytes


_pack: Final = msgspec.msgpack.Encoder().encode
_unpack: Final = msgspec.msgpack.Decoder(_Given).decode


def answer_once(
    house: House,
    asked: object,
    act: Callable[[Keep[T] | None], T],
    write: Callable[[T], Answer],
    *,
    credential: str | None = None,
    lives_with: str | None = None,
    about: Callable[[T], str] | None = None,
) -> ResponseReturnValue:
    """Return what ``write`` makes of the result of ``act``; for the same key, what it made then.

    ``act`` does what was ``asked``, the body as it was read or what became of it, and keeps the
    answer with what it is given (see :mod:`service.use_cases.do_once`); without a key, that is
    None. ``credential`` names the caller. Without one, the key alone tells a caller from others, so
    it has to be long, and with another body it is another key. The answer is kept for the time that
    is set, or as long as the game ``lives_with``. ``about`` tells which game was made: the answer
    is erased with it, too.

    :raises Refusal: ``idempotency_key_invalid``.
    :raises Refused: ``idempotency_key_reused`` or ``idempotency_in_progress``.
    """
    key = key_of_request(anonymous=credential is None)
    if key is None:
        return write(act(None))

    def given(made: T) -> bytes:
        body, status, headers = write(made)
        return _pack(_Given(status, headers, orjson.dumps(body)))

    keyed = _keyed(key, digest_of(normalised(asked)), credential)
    kept, replayed = do_once(house, keyed, act, given, lives_with, about)
    answer = _unpack(kept)
    headers = {**answer.headers, REPLAYED: "true"} if replayed else answer.headers
    return frame.Answer(answer.body, answer.status, headers, content_type=JSON)


def _keyed(key: str, digest: bytes, credential: str | None) -> KeyedRequest:
    endpoint, places = request.endpoint, sorted((request.view_args or {}).items())
    caller = digest if credential is None else credential
    return KeyedRequest(repr((endpoint, places, caller, key)).encode(), digest)
