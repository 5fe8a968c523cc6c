"""From a request to a use case and back: who calls, how refusals look, where pages go on."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from flask import request

from engine.actions import Action
from engine.errors import BadInput
from service import answers
from service.auth import token_of_request
from service.cursors import BadCursor, Cursors
from service.errors import Refusal, field_error, invalid, refusal_of, wire_params
from service.limits import charge_of
from service.schemas.dump_scores import Wire
from service.storage.games import Sender
from service.use_cases.house import House
from service.use_cases.make_move import Made
from service.use_cases.open_game import Opened, open_game
from service.use_cases.refusals import Refused

T = TypeVar("T")

Answer = tuple[Wire, int, dict[str, str]]

HASH_BYTES: Final = 16

OF_A_MOVE: Final = (
    "spectator_read_only",
    "not_your_seat",
    "stale_move",
    "game_not_started",
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


def open_for_caller(house: House, game_id: str) -> Opened:
    """Return the game as the caller may see it.

    :raises Refusal: ``token_missing``, ``token_invalid``, ``not_found`` or ``rate_limited``.
    """
    token = token_of_request(house.tokens)
    with refusing(None):
        return open_game(house, token, game_id, charge_of(house, token))


@contextmanager
def refusing(opened: Opened | None) -> Iterator[None]:
    """Turn what a use case refuses into a problem, with the view that ``opened`` gives."""
    try:
        yield
    except Refused as refused:
        raise _refusal(refused, opened) from refused


def _refusal(refused: Refused, opened: Opened | None) -> Refusal:
    params = wire_params(refused.params)
    if refused.pointer is not None:
        return invalid([field_error(refused.pointer, refused.code, params)])
    if refused.stored is None or opened is None:
        return Refusal(refused.code, params=params)
    now = Opened(refused.stored, opened.seat, opened.viewer)
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
        items = found[: self.limit]
        body: Wire = {"items": [write(each) for each in items]}
        headers = {}
        if len(found) > self.limit:
            cursor = self._cursors.write(self._scope, *place(items[-1]))
            body["next_cursor"] = cursor
            headers["Link"] = f'<{_next_url(cursor)}>; rel="next"'
        return body, 200, headers


def _next_url(cursor: str) -> str:
    others = {name: value for name, value in request.args.items() if name != "cursor"}
    query = "&".join(f"{name}={value}" for name, value in {**others, "cursor": cursor}.items())
    return f"{request.path}?{query}"


__all__ = ["Answer", "Pages", "answer_move", "open_for_caller", "refusing", "sender_of"]
