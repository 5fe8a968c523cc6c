"""Sit down at a game that waits for players."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from service.storage import games
from service.storage.errors import Busy
from service.storage.games import LoggedMove, StoredGame
from service.storage.pool import Connection
from service.use_cases.do_once import Keep, write_keeping
from service.use_cases.house import House
from service.use_cases.make_move import TRIES, logged, reloaded
from service.use_cases.open_game import load
from service.use_cases.refusals import Refused, check_seat
from service.use_cases.sit_down import sit_down


@dataclass(frozen=True, slots=True)
class Joined:
    """The game that was joined, the moves that followed, the seat and its token."""

    stored: StoredGame
    moves: list[LoggedMove]
    seat: int
    token: str


def invitation(house: House, join_code: str) -> StoredGame:
    """Return the game to which ``join_code`` invites.

    :raises Refused: ``not_found`` if there is none.
    """
    with house.store.reading() as conn:
        stored = games.load_by_join_code(conn, house.codec, join_code)
    if stored is None:
        raise Refused("not_found")
    return stored


def join_game(
    house: House,
    game_id: str,
    join_code: str,
    seat: int | None,
    name: str | None,
    commit: str | None = None,
    keep: Keep[Joined] | None = None,
) -> Joined:
    """Take ``seat``, or the first free one; the last to sit down has the first hand dealt.

    ``commit`` is the commitment of the seat to its first nonce, if it wants a share in the shuffle.
    ``keep`` keeps the answer.

    :raises Refused: ``not_found`` for a wrong code, ``out_of_range`` for a seat that the game does
        not have, ``game_full``, ``seat_taken``, or ``nonce_commit_reused``.
    :raises Busy: if others kept changing the game.
    """
    stored = load(house, game_id)
    if stored is None or stored.join_code != join_code:
        raise Refused("not_found")
    for _ in range(TRIES):
        joined = write_keeping(house, _sitting_down(house, stored, seat, name, commit), keep)
        if joined is not None:
            return joined
        stored = reloaded(house, stored)
    raise Busy("the game keeps changing")


def _sitting_down(
    house: House, stored: StoredGame, wanted: int | None, name: str | None, commit: str | None
) -> Callable[[Connection], Joined | None]:
    """Return what writes that somebody sat down, unless the game was changed meanwhile."""
    taken = _free_seat(stored, wanted)
    sat = replace(stored.seats[taken], occupied=True, name=name)
    seats = (*stored.seats[:taken], sat, *stored.seats[taken + 1 :])
    here = sit_down(house, stored.game, seats, {taken: commit})
    made = here.made

    def write(conn: Connection) -> Joined | None:
        saved = games.seat(
            conn, house.codec, stored, taken, sat, made.game, made.moves, changes=here.changes
        )
        if saved is None:
            return None
        token = house.tokens.seat(saved.game.setup.id, taken, sat.token_version)
        return Joined(saved, logged(saved, made), taken, token)

    return write


def _free_seat(stored: StoredGame, wanted: int | None) -> int:
    if wanted is not None:
        check_seat(stored, wanted)
    free = [number for number, seat in enumerate(stored.seats) if not seat.occupied]
    if not free:
        raise Refused("game_full")
    if wanted is None:
        return free[0]
    if wanted not in free:
        raise Refused("seat_taken")
    return wanted
