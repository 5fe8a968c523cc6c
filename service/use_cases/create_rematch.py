"""Play once more: the same people, rules and seats in a new game.

The first who asks makes it. The others ask as well and get the same game, each its own seat; the
first hand is dealt when everybody is there.
"""

from dataclasses import dataclass, replace

from engine.game import SeatKind, Setup, new_game
from service.storage import game_ends, games
from service.storage.errors import Busy
from service.storage.games import LoggedMove, Ownership, StoredGame
from service.storage.pool import Connection
from service.storage.seat_tokens import FIRST, number_of
from service.use_cases.do_once import Keep, write_keeping
from service.use_cases.house import House
from service.use_cases.make_move import TRIES, logged, reloaded
from service.use_cases.open_game import load
from service.use_cases.refusals import Refused
from service.use_cases.sit_down import sit_down


@dataclass(frozen=True, slots=True)
class Rematch:
    """The new game, the moves that followed, the caller's seat and token; ``made`` by this call."""

    stored: StoredGame
    moves: list[LoggedMove]
    seat: int
    token: str
    made: bool


def create_rematch(
    house: House,
    stored: StoredGame,
    seat: int,
    commit: str | None = None,
    keep: Keep[Rematch] | None = None,
) -> Rematch:
    """Make the rematch of a game that is over, or sit down at the one that was made.

    ``commit`` is the commitment of the seat to its first nonce, if it wants a share in the shuffle.
    ``keep`` keeps the answer.

    :raises Refused: ``game_not_started`` or ``game_in_progress`` before the end; ``game_over`` if
        the rematch ended before the seat came; ``already_joined`` if its tokens were rotated there;
        ``nonce_commit_reused``.
    :raises Busy: if others kept changing the games.
    """
    _check_over(stored)
    for _ in range(TRIES):
        found = load(house, stored.rematch_game_id) if stored.rematch_game_id else None
        if found is None:
            rematch = _make(house, stored, seat, commit, keep)
        else:
            rematch = _sit(house, found, seat, commit, keep)
        if rematch is not None:
            return rematch
        stored = reloaded(house, stored)
    raise Busy("the game keeps changing")


def _check_over(stored: StoredGame) -> None:
    if stored.game.over:
        return
    code = "game_not_started" if stored.status == games.WAITING else "game_in_progress"
    raise Refused(code, stored=stored)


def _make(
    house: House, before: StoredGame, seat: int, commit: str | None, keep: Keep[Rematch] | None
) -> Rematch | None:
    """Make the new game; None if somebody else made one since ``before`` was read."""
    old = before.game.setup
    setup = Setup(house.randomness.game_id(), old.rules, old.seats, house.randomness.deal_key())
    seats = tuple(
        replace(each, occupied=at == seat or each.kind is SeatKind.AI, token_version=0)
        for at, each in enumerate(before.seats)
    )
    here = sit_down(house, new_game(setup), seats, {seat: commit})
    made = here.made

    def write(conn: Connection) -> Rematch | None:
        owner = Ownership(before.portal_id, game_ends.metadata_of(conn, old.id))
        saved = game_ends.insert_rematch(
            conn, house.codec, before, made.game, seats, made.moves, owner, seat, here.changes
        )
        if saved is None:
            return None
        return _rematch(house, saved, seat, logged(saved, made), made=True)

    return write_keeping(house, write, keep)


def _sit(
    house: House, stored: StoredGame, seat: int, commit: str | None, keep: Keep[Rematch] | None
) -> Rematch | None:
    """Sit down at the rematch; None if somebody else changed it since it was read."""
    if stored.seats[seat].occupied:
        return _rematch(house, stored, seat, [], made=False)
    if stored.game.over:
        raise Refused("game_over")
    sat = replace(stored.seats[seat], occupied=True)
    seats = (*stored.seats[:seat], sat, *stored.seats[seat + 1 :])
    here = sit_down(house, stored.game, seats, {seat: commit})
    made = here.made

    def write(conn: Connection) -> Rematch | None:
        saved = games.seat(
            conn, house.codec, stored, seat, sat, made.game, made.moves, changes=here.changes
        )
        if saved is None:
            return None
        return _rematch(house, saved, seat, logged(saved, made), made=False)

    return write_keeping(house, write, keep)


def _rematch(
    house: House, stored: StoredGame, seat: int, moves: list[LoggedMove], *, made: bool
) -> Rematch:
    game_id, version = stored.game.setup.id, stored.seats[seat].token_version
    if number_of(seat, version, FIRST) in stored.ended_tokens:
        raise Refused("already_joined")
    return Rematch(stored, moves, seat, house.tokens.seat(game_id, seat, version), made)
