"""Make a move: decide with no lock held, computer replies included, then write once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from engine.actions import Action
from engine.errors import IllegalAction, NotClaimableYet
from engine.game import Game, Transition
from engine.progress import apply
from service.storage import games, moves
from service.storage.errors import Busy
from service.storage.games import LoggedMove, StoredGame
from service.storage.log_rows import Sender
from service.use_cases.computer_seats import Thinking, with_replies
from service.use_cases.house import House
from service.use_cases.open_game import load
from service.use_cases.refusals import Refused

T = TypeVar("T")

TRIES = 3
"""How often a move is decided anew when others changed the game without moving."""


@dataclass(frozen=True, slots=True)
class Made:
    """The game after a request, and the moves since the one it asked for."""

    stored: StoredGame
    moves: list[LoggedMove]
    replayed: bool = False


Decide = Callable[[Game], Transition]
"""Decides what follows in a game; raises IllegalAction or Refused."""


def make_move(
    house: House, stored: StoredGame, action: Action, move_number: int, sender: Sender
) -> Made:
    """Make ``action`` the move ``move_number`` of the game, with the replies of computer seats.

    ``stored`` is the game as the request found it. A request that was accepted before is answered
    again, with all moves since.

    :raises Refused: ``stale_move`` if the game has moved on, or the code of the rule that forbids
        the action; with the game and, for the former, what happened since.
    :raises Busy: if others kept changing the game.
    """

    def decide(game: Game) -> Transition:
        made = apply(game, sender.seat, action)
        return with_replies(made, stored.seats, Thinking.within(house.ai_max_ms))

    return write_move(house, stored, decide, move_number, sender)


def write_move(
    house: House, stored: StoredGame, decide: Decide, move_number: int, sender: Sender
) -> Made:
    """Decide and write the move ``move_number``, or say why not; see :func:`make_move`."""
    for _ in range(TRIES):
        if move_number != stored.game.next_move:
            return _answer_again(house, stored, move_number, sender)
        made = decided(stored, lambda stored: decide(stored.game))
        with house.store.writing() as conn:
            saved = games.save(conn, house.codec, stored, made.game, made.moves, sender)
        if saved is not None:
            return Made(saved, logged(saved, made))
        stored = reloaded(house, stored)
    raise Busy("the game keeps changing")


def decided(stored: StoredGame, decide: Callable[[StoredGame], T]) -> T:
    """Return what ``decide`` makes of the game, or refuse with the game as it stands."""
    try:
        return decide(stored)
    except IllegalAction as error:
        params = dict(error.params)
        if isinstance(error, NotClaimableYet) and stored.claimable_at is not None:
            params["claimable_at"] = stored.claimable_at
        raise Refused(error.code, params, stored=stored) from error


def logged(saved: StoredGame, made: Transition) -> list[LoggedMove]:
    """Return the moves just saved, with their versions and time."""
    first = saved.version - len(made.moves) + 1
    return [
        LoggedMove(first + index, move, saved.updated_at) for index, move in enumerate(made.moves)
    ]


def reloaded(house: House, stored: StoredGame) -> StoredGame:
    """Return the game as it stands now.

    :raises Refused: ``not_found`` if it was deleted meanwhile.
    """
    now = load(house, stored.game.setup.id)
    if now is None:
        raise Refused("not_found")
    return now


def _answer_again(house: House, stored: StoredGame, move_number: int, sender: Sender) -> Made:
    """Answer a request for a move that was made: again if it was this very request, else refuse."""
    game_id = stored.game.setup.id
    with house.store.reading() as conn:
        # One snapshot of game and log: what is answered as "since then" ends where the view stands.
        since = moves.numbered_from(conn, house.codec, game_id, move_number)
        before = moves.sent(conn, game_id, move_number)
    since = [move for move in since if move.move.number < stored.game.next_move]
    if before == sender:
        return Made(stored, since, replayed=True)
    raise Refused(
        "stale_move", {"expected_move": stored.game.next_move}, stored=stored, moves=since
    )
