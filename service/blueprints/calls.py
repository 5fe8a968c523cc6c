"""From a request to a use case and back: who calls, how refusals look, where pages go on."""

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

from flask import Response, request

from engine.actions import Action
from engine.errors import BadInput
from service import answers
from service.auth import Caller, caller_of_request, portal_key_of_request
from service.cursors import BadCursor, Cursors
from service.errors import Refusal, field_error, invalid, refusal_of, wire_params
from service.limits import charge_of, charge_of_portal, count
from service.portal_keys import GAMES_READ, PortalKey
from service.schemas.dump_scores import Wire
from service.storage.game_lists import Place
from service.storage.log_rows import Sender
from service.storage.portals import Portal
from service.use_cases.house import House
from service.use_cases.know_portal import find_portal
from service.use_cases.make_move import Made
from service.use_cases.open_game import Opened, check_scope, open_game
from service.use_cases.refusals import Refused

T = TypeVar("T")

Answer = tuple[Wire, int, dict[str, str]]

HASH_BYTES: Final = 16

OF_A_MOVE: Final = (
    "spectator_read_only",
    "not_your_seat",
    "stale_move",
    "game_not_started",
    "cut_pending",
    "game_over",
    "hand_over",
    "not_your_turn",
    "wrong_phase",
    "not_claimable_yet",
    "must_draw_stock",
    "stock_empty",
    "discard_pile_empty",
    "only_top_discard",
    "card_not_in_discards",
    "pickup_not_melded",
    "must_knock_or_pass",
    "card_not_in_hand",
    "card_just_taken",
    "card_just_drawn",
    "wrong_discard_count",
    "deadwood_too_high",
    "not_gin",
    "not_big_gin",
    "big_gin_not_enabled",
    "layout_not_minimal",
    "meld_not_in_hand",
    "meld_not_found",
    "layoff_not_possible",
    "outcome_unknown",
)
"""The problems that a move of play can meet."""


def open_for_caller(house: House, game_id: str, scope: str | None = GAMES_READ) -> Opened:
    """Return the game as the caller may see it; a portal's key has to have ``scope``.

    :raises Refusal: ``token_missing``, ``token_invalid``, ``token_expired``, ``not_found``,
        ``scope_missing`` or ``rate_limited``.
    """
    caller = caller_of_request(house.tokens)
    with refusing(None):
        opened = _open_counted(house, caller, game_id)
        if opened.portal is not None and scope is not None:
            check_scope(opened.portal, scope)
        return opened


def _open_counted(house: House, caller: Caller, game_id: str) -> Opened:
    if isinstance(caller, PortalKey):
        by_portal = partial(charge_of_portal, house)
        return open_game(house, caller, game_id, charge_portal=by_portal)
    return open_game(house, caller, game_id, charge_of(house, caller))


def open_for_portal(house: House, game_id: str, scope: str) -> Opened:
    """Return the game for the portal whose it is.

    :raises Refusal: as :func:`open_for_caller`; ``scope_missing`` for a token of the game, too.
    """
    opened = open_for_caller(house, game_id, scope)
    with refusing(None):
        check_scope(opened.portal, scope)
    return opened


def portal_for_caller(house: House, scope: str) -> Portal:
    """Return the portal that calls, with a key that has ``scope``.

    :raises Refusal: ``token_missing``, ``token_invalid``, ``scope_missing`` or ``rate_limited``.
    """
    portal = portal_if_any(house, portal_key_of_request(house.tokens))
    with refusing(None):
        check_scope(portal, scope)
    assert portal is not None, "who is no portal has no scope"
    return portal


def portal_if_any(house: House, key: PortalKey | None) -> Portal | None:
    """Return the portal whose ``key`` this request carries, None without one; count the request.

    :raises Refusal: ``token_invalid`` for a key that is none, ``rate_limited``.
    """
    with refusing(None):
        portal = None if key is None else find_portal(house, key)
        count(house, portal)
        if key is not None and portal is None:
            raise Refused("token_invalid")
        return portal


def count_caller(house: House, caller: Caller) -> None:
    """Count a request of ``caller`` that its game is not opened for by :func:`open_for_caller`.

    :raises Refusal: ``rate_limited``.
    """
    with refusing(None):
        count(house, find_portal(house, caller) if isinstance(caller, PortalKey) else caller)


class refusing:  # noqa: N801 - reads as a word of a with statement
    """Turns what a use case refuses into a problem, with the view that ``opened`` gives.

    A class, since it stands around every request more than once: a generator costs twice as much.
    """

    __slots__ = ("_opened",)

    def __init__(self, opened: Opened | None) -> None:
        self._opened = opened

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Raise the problem in place of a refusal."""
        if isinstance(error, Refused):
            raise _refusal(error, self._opened) from error


def _refusal(refused: Refused, opened: Opened | None) -> Refusal:
    params = wire_params(refused.params)
    if refused.pointer is not None:
        return invalid([field_error(refused.pointer, refused.code, params)])
    if refused.stored is None or opened is None:
        return Refusal(refused.code, params=params)
    now = opened.now(refused.stored)
    since = None
    if refused.moves is not None:
        since = answers.moves(refused.moves, now, in_play=True)
    return Refusal(refused.code, params=params, moves=since, game=answers.game(now))


def sender_of(seat: int, action: Action | tuple[object, ...]) -> Sender:
    """Return who sends this request: the seat, and a hash of what it asks for.

    The hash is of the action, so that spelling, order of fields and the door do not matter.
    """
    return Sender(seat, digest_of(action))


def digest_of(asked: object) -> bytes:
    """Return the hash of what a request asks for, once spelling and order are out of it."""
    return hashlib.blake2b(repr(asked).encode(), digest_size=HASH_BYTES).digest()


def credential_of(caller: Portal | Opened | None) -> str | None:
    """Return what tells a caller from all others whose Idempotency-Key may be the same.

    That is the portal, with all its keys, or the seat with one version of its tokens; None for
    somebody without any token.
    """
    if isinstance(caller, Opened):
        if caller.portal is None:
            return f"seat {caller.seat}.{caller.version}"
        caller = caller.portal
    return None if caller is None else f"portal {caller.id}"


def done() -> Response:
    """Return 204: it is done, or was before, and there is nothing to say about it."""
    answer = Response(status=204)
    del answer.headers["Content-Type"]
    return answer


def answer_move(opened: Opened, act: Callable[[], Made]) -> Answer:
    """Return the answer to a move: 201 with its address, or 200 if it had been made before."""
    try:
        with refusing(opened):
            made = act()
    except BadInput as error:
        raise refusal_of(error, "/melds") from error
    body = answers.made(made, opened)
    if made.replayed:
        return body, 200, {}
    number = made.moves[0].move.number
    return body, 201, {"Location": f"/v1/games/{made.stored.game.setup.id}/moves/{number}"}


class Pages:
    """The pages of one list."""

    def __init__(self, cursors: Cursors, scope: str, query: dict[str, Any]) -> None:
        self._cursors = cursors
        self._scope = scope
        self._sent: str | None = query.get("cursor")
        self.limit: int = query["limit"]

    def start(self) -> tuple[int, int]:
        """Return the place after which this page begins; the list begins after (0, 0).

        :raises Refusal: ``bad_cursor``.
        """
        if self._sent is None:
            return 0, 0
        try:
            return self._cursors.read(self._scope, self._sent)
        except BadCursor:
            raise invalid([field_error("#query/cursor", "bad_cursor")]) from None

    def answer(
        self, found: Sequence[T], write: Callable[[T], Wire], place: Callable[[T], tuple[int, int]]
    ) -> Answer:
        """Return the page of ``found``, which has one item too many if there is a next page."""
        last = found[self.limit - 1] if len(found) > self.limit else None
        cursor = None if last is None else self._cursors.write(self._scope, *place(last))
        return _page([write(each) for each in found[: self.limit]], cursor)

    def answer_endless(self, items: list[Wire], place: tuple[int, int]) -> Answer:
        """Return the page of a list that goes on for ever, from ``place``."""
        return _page(items, self._cursors.write(self._scope, *place))

    def start_of_games(self) -> Place | None:
        """Return the place after which this page of games begins, or None for the first page.

        :raises Refusal: ``bad_cursor``.
        """
        if self._sent is None:
            return None
        try:
            return self._cursors.read_moment(self._scope, self._sent)
        except BadCursor:
            raise invalid([field_error("#query/cursor", "bad_cursor")]) from None

    def answer_games(
        self, found: Sequence[T], write: Callable[[T], Wire], place: Callable[[T], Place]
    ) -> Answer:
        """Return the page of games ``found``, as :meth:`answer` does."""
        last = found[self.limit - 1] if len(found) > self.limit else None
        cursor = None if last is None else self._cursors.write_moment(self._scope, *place(last))
        return _page([write(each) for each in found[: self.limit]], cursor)


def _page(items: list[Wire], cursor: str | None) -> Answer:
    if cursor is None:
        return {"items": items}, 200, {}
    link = f'<{_next_url(cursor)}>; rel="next"'
    return {"items": items, "next_cursor": cursor}, 200, {"Link": link}


def _next_url(cursor: str) -> str:
    others = {name: value for name, value in request.args.items() if name != "cursor"}
    return f"{request.path}?{urlencode({**others, 'cursor': cursor})}"
