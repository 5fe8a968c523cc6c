"""Further tokens of a seat: give one to another device, list them, end one or all others."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from engine.game import SeatKind
from service.storage import seat_tokens
from service.storage.errors import Busy
from service.storage.games import StoredGame
from service.storage.pool import Connection
from service.storage.seat_tokens import SeatToken, number_of
from service.tokens import Token, TokenKind
from service.use_cases.do_once import Keep, write_keeping
from service.use_cases.house import House
from service.use_cases.make_move import TRIES, reloaded
from service.use_cases.open_game import Opened, seat_of
from service.use_cases.refusals import Refused

MOST_TOKENS: Final = 100
"""So many tokens a seat can be given in the life of a game, beside its first."""

_ID: Final = re.compile(r"st_([0-9]{1,5})_([0-9]{1,5})")


@dataclass(frozen=True, slots=True)
class Given:
    """A new token of a seat and its id. The token is told this once; it can be ended by its id."""

    seat: int
    token: str
    id: str


def id_of(token: SeatToken) -> str:
    """Return the id of a token."""
    return f"st_{token.version}_{token.device}"


def check_seat_of(opened: Opened, seat: int) -> None:
    """Refuse to look after the tokens of ``seat`` for anybody but its owner and the portal.

    :raises Refused: ``not_found`` for a seat that nobody has tokens of, ``spectator_read_only`` or
        ``not_your_seat`` for those of somebody else.
    """
    seats = opened.stored.seats
    played = any(each.kind is SeatKind.HUMAN for each in seats)
    if seat >= len(seats) or (played and seats[seat].kind is SeatKind.AI):
        raise Refused("not_found")
    if opened.portal is None and seat_of(opened) != seat:
        raise Refused("not_your_seat")
    if not seats[seat].occupied:
        raise Refused("not_found")


def living_tokens(house: House, stored: StoredGame, seat: int) -> list[SeatToken]:
    """Return the tokens of a seat that are good, the first one first."""
    version = stored.seats[seat].token_version
    with house.store.reading() as conn:
        found = seat_tokens.of_seat(conn, stored.game.setup.id, seat, version)
    return [each for each in found if each.version == version and not _ended(stored, seat, each)]


def _ended(stored: StoredGame, seat: int, token: SeatToken) -> bool:
    return number_of(seat, token.version, token.device) in stored.ended_tokens


def give_token(
    house: House,
    stored: StoredGame,
    seat: int,
    label: str | None,
    *,
    rotate: bool,
    keep: Keep[Given] | None = None,
) -> Given:
    """Give a seat another token; ``rotate`` ends all that it had. ``keep`` keeps the answer.

    :raises Refused: ``token_limit`` if it was given too many.
    :raises Busy: if others kept changing the game.
    """
    for _ in range(TRIES):
        given = write_keeping(house, _giving(house, stored, seat, label, rotate=rotate), keep)
        if given is not None:
            return given
        _check_limit(house, stored, seat)
        stored = reloaded(house, stored)
    raise Busy("the game keeps changing")


def _giving(
    house: House, stored: StoredGame, seat: int, label: str | None, *, rotate: bool
) -> Callable[[Connection], Given | None]:
    """Return what writes a token, unless there are too many or the game was changed."""
    game_id, sat = stored.game.setup.id, stored.seats[seat]
    later = replace(sat, token_version=sat.token_version + 1)

    def write(conn: Connection) -> Given | None:
        if rotate:
            given = seat_tokens.rotate(conn, house.codec, stored, seat, later, label, MOST_TOKENS)
        else:
            version = sat.token_version
            given = seat_tokens.add(conn, game_id, seat, version, label, MOST_TOKENS)
        return None if given is None else _told(house, stored, seat, given)

    return write


def _check_limit(house: House, stored: StoredGame, seat: int) -> None:
    with house.store.reading() as conn:
        if seat_tokens.given(conn, stored.game.setup.id, seat) >= MOST_TOKENS:
            raise Refused("token_limit", {"max": MOST_TOKENS}, stored=stored)


def _told(house: House, stored: StoredGame, seat: int, given: SeatToken) -> Given:
    game_id = stored.game.setup.id
    said = Token(TokenKind.SEAT, game_id, seat, given.version, given.device)
    return Given(seat, house.tokens.write(said), id_of(given))


def end_token(house: House, stored: StoredGame, seat: int, token_id: str) -> None:
    """End a token of a seat; one that was ended already stays so.

    :raises Refused: ``not_found`` if the seat never had this one.
    """
    named = _ID.fullmatch(token_id)
    game_id, current = stored.game.setup.id, stored.seats[seat].token_version
    if named is None:
        raise Refused("not_found")
    version, device = int(named[1]), int(named[2])
    with house.store.reading() as conn:
        given = seat_tokens.of_seat(conn, game_id, seat, version)
    if version > current or token_id not in map(id_of, given):
        raise Refused("not_found")
    if version == current:
        with house.store.writing() as conn:
            seat_tokens.end(conn, game_id, number_of(seat, version, device))
        house.notifier.wake(game_id)  # no version, but whoever follows with it is to be let go
