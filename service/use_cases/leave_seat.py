"""Leave a seat before the game begins: it is open again, and its tokens end."""

from dataclasses import replace
from typing import Final

from engine.cutting import seated
from service.portal_events import LEFT
from service.portal_keys import GAMES_WRITE, PortalKey
from service.storage import games, seat_tokens
from service.storage.errors import Busy
from service.storage.games import WAITING, StoredGame
from service.tokens import Token, TokenKind
from service.use_cases.house import House
from service.use_cases.keep_seat_tokens import MOST_TOKENS
from service.use_cases.make_move import TRIES, reloaded
from service.use_cases.open_game import Opened, check_scope, load, open_game, seat_of
from service.use_cases.refusals import Refused

MOST_LEAVES: Final = MOST_TOKENS
"""So often a seat can be left; the version of its tokens has to fit its place in a token."""


def open_to_leave(
    house: House, caller: Token | PortalKey, game_id: str, seat: int
) -> Opened | None:
    """Return the game for who may leave ``seat``; None for who left it and whose token has ended.

    :raises Refused: as opening a game does; ``not_found`` for a seat that the game does not have,
        ``spectator_read_only``, ``not_your_seat``, ``scope_missing``.
    """
    try:
        opened = open_game(house, caller, game_id)
    except Refused as refused:
        if refused.code == "token_invalid" and _left_before(house, caller, game_id, seat):
            return None
        raise
    _check_may_leave(opened, seat)
    return opened


def leave_seat(house: House, opened: Opened, seat: int) -> None:
    """Leave ``seat``; one that is free already stays so.

    :raises Refused: ``game_in_progress`` once the game has begun, ``game_over`` once it has ended;
        ``token_limit`` if the seat was left too often.
    :raises Busy: if others kept changing the game.
    """
    stored, sat = opened.stored, opened.stored.seats[seat]
    for _ in range(TRIES):
        if not sat.occupied or stored.seats[seat].token_version != sat.token_version:
            return  # who sat there is gone
        _check_waits(stored, seat)
        if _left(house, stored, seat):
            return
        stored = reloaded(house, stored)
    raise Busy("the game keeps changing")


def _check_may_leave(opened: Opened, seat: int) -> None:
    if seat >= len(opened.stored.seats):
        raise Refused("not_found")
    if opened.portal is not None:
        check_scope(opened.portal, GAMES_WRITE)
    elif seat_of(opened) != seat:
        raise Refused("not_your_seat")


def _check_waits(stored: StoredGame, seat: int) -> None:
    if stored.game.over:
        raise Refused("game_over", stored=stored)
    if stored.status != WAITING:
        raise Refused("game_in_progress", stored=stored)
    if stored.seats[seat].token_version >= MOST_LEAVES:
        raise Refused("token_limit", {"max": MOST_LEAVES}, stored=stored)


def _left(house: House, stored: StoredGame, seat: int) -> bool:
    """Store that who sat there left. In a rematch the place is kept, where nobody else can join."""
    sat = stored.seats[seat]
    free = replace(sat, occupied=False, token_version=sat.token_version + 1)
    if stored.join_code is not None:
        free = replace(free, name=None, player_ref=None)
    here = seated(stored.game, {seat: None}, complete=False)
    with house.store.writing() as conn, conn.transaction():
        saved = games.seat(
            conn, house.codec, stored, seat, free, here.game, (), LEFT, changes=here.changes
        )
        if saved is not None:
            seat_tokens.forget_seat(conn, stored.game.setup.id, seat)
    return saved is not None


def _left_before(house: House, caller: Token | PortalKey, game_id: str, seat: int) -> bool:
    """Whether a token that is good no more is that of somebody who left the seat, still free."""
    if isinstance(caller, PortalKey) or (caller.kind, caller.seat) != (TokenKind.SEAT, seat):
        return False
    stored = load(house, game_id)
    if stored is None or seat >= len(stored.seats):
        return False
    now = stored.seats[seat]
    return not now.occupied and caller.version < now.token_version
