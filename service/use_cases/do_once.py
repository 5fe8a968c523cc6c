"""Do what a request with an Idempotency-Key asks for once, and answer it the same each time.

The answer is kept by the transaction that does it, so there is never the one without the other. Of
two that come at once both may decide, but the second to write finds the key taken and is undone.
"""

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from service.storage.errors import Busy, KeyTaken
from service.storage.idempotency import KeyedRequest
from service.storage.pool import Connection
from service.use_cases.house import House
from service.use_cases.refusals import Refused

T = TypeVar("T")

Keep: TypeAlias = Callable[[Connection, T], None]
"""Keeps the answer to what was just done, within the transaction that did it."""


def write_keeping(
    house: House, write: Callable[[Connection], T | None], keep: Keep[T] | None
) -> T | None:
    """Do ``write``, and keep what it returns in the same transaction.

    It returns None if it changed nothing. Without ``keep`` it is called with no transaction around
    it, and what it writes together is its own affair.

    :raises KeyTaken: if the same request was done by somebody else; nothing was written.
    """
    with house.store.writing() as conn:
        if keep is None:
            return write(conn)
        with conn.transaction():
            made = write(conn)
            if made is not None:
                keep(conn, made)
            return made


def do_once(
    house: House,
    request: KeyedRequest,
    act: Callable[[Keep[T]], T],
    answer: Callable[[T], bytes],
    lives_with: str | None = None,
    about: Callable[[T], str] | None = None,
) -> tuple[bytes, bool]:
    """Return the answer to ``request``, and whether it had been given before.

    ``act`` does it by :func:`write_keeping` with what it is given, and keeps nothing if there was
    nothing to do: then it can be asked again as well. ``answer`` makes of its result
    what is kept: for the time that is set, or as long as the game ``lives_with``. ``about`` tells
    of its result which game it made.

    :raises Refused: ``idempotency_key_reused`` if the key stood for another request,
        ``idempotency_in_progress`` if this one is still being done, or what ``act`` refuses.
    """
    before = _recalled(house, request)
    if before is not None:
        return before, True
    given: list[bytes] = []

    def keep(conn: Connection, made: T) -> None:
        given[:] = [answer(made)]
        made_game = about(made) if about else None
        house.kept.keep(conn, request, given[0], lives_with, made_game)

    try:
        made = act(keep)
    except (Refused, Busy, KeyTaken) as error:
        # What stood in the way may be this very request, sent before and done meanwhile.
        before = _recalled(house, request)
        if before is not None:
            return before, True
        if isinstance(error, KeyTaken):
            raise Refused("idempotency_in_progress") from error
        raise
    if given:
        return given[0], False
    # Nothing was left to do: it may be this very request that has done it meanwhile.
    before = _recalled(house, request)
    return (answer(made), False) if before is None else (before, True)


def _recalled(house: House, request: KeyedRequest) -> bytes | None:
    """Return the answer that was given to ``request``, or None if it is the first of its key."""
    with house.store.reading() as conn:
        found = house.kept.find(conn, request)
    if found is None:
        return None
    if found.request_hash != request.request_hash:
        raise Refused("idempotency_key_reused")
    return found.answer
