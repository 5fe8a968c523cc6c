"""Sit down at a game that waits for players."""

from dataclasses import dataclass, replace

from engine.game import Transition
from engine.progress import begin
from service.storage import games
from service.storage.errors import Busy
from service.storage.games import LoggedMove, Occupant, StoredGame
from service.use_cases.computer_seats import Thinking, with_replies
from service.use_cases.house import House
from service.use_cases.make_move import TRIES, logged, reloaded
from service.use_cases.open_game import load
from service.use_cases.refusals import Refused, check_seat


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
    house: House, game_id: str, join_code: str, seat: int | None, name: str | None
) -> Joined:
    """Take ``seat``, or the first free one; the last to sit down has the first hand dealt.

    :raises Refused: ``not_found`` for a wrong code, ``out_of_range`` for a seat that the game does
        not have, ``game_full``, or ``seat_taken``.
    :raises Busy: if others kept changing the game.
    """
    stored = load(house, game_id)
    if stored is None or stored.join_code != join_code:
        raise Refused("not_found")
    for _ in range(TRIES):
        taken = _free_seat(stored, seat)
        sat = replace(stored.seats[taken], occupied=True, name=name)
        made = _begun(house, stored, taken, sat)
        with house.store.writing() as conn:
            saved = games.seat(conn, house.codec, stored, taken, sat, made.game, made.moves)
        if saved is not None:
            token = house.tokens.seat(game_id, taken, sat.token_version)
            return Joined(saved, logged(saved, made), taken, token)
        stored = reloaded(house, stored)
    raise Busy("the game keeps changing")


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


def _begun(house: House, stored: StoredGame, taken: int, sat: Occupant) -> Transition:
    seats = (*stored.seats[:taken], sat, *stored.seats[taken + 1 :])
    if not all(seat.occupied for seat in seats):
        return Transition(stored.game, ())
    return with_replies(begin(stored.game.setup), seats, Thinking.within(house.ai_max_ms))
