"""End a game without a winner: because its portal says so, or because nobody goes on with it."""

from engine.agreements import abandon
from service.storage import game_ends
from service.storage.errors import Busy
from service.storage.games import StoredGame
from service.storage.pool import Connection
from service.use_cases.do_once import Keep, write_keeping
from service.use_cases.house import House
from service.use_cases.make_move import TRIES, reloaded
from service.use_cases.refusals import Refused


def abandon_game(
    house: House, stored: StoredGame, reason: str | None, keep: Keep[StoredGame] | None = None
) -> StoredGame:
    """End a game, whatever is going on in it; one that was abandoned already stays as it was.

    ``keep`` keeps the answer.

    :raises Refused: ``game_over`` if it was played to its end.
    :raises Busy: if others kept changing the game.
    """
    for _ in range(TRIES):
        if stored.game.abandoned:
            return stored
        if stored.game.over:
            raise Refused("game_over", stored=stored)
        saved = try_to_abandon(house, stored, reason, keep)
        if saved is not None:
            return saved
        stored = reloaded(house, stored)
    raise Busy("the game keeps changing")


def try_to_abandon(
    house: House, stored: StoredGame, reason: str | None, keep: Keep[StoredGame] | None = None
) -> StoredGame | None:
    """End a game that is not over; None if somebody else changed it since it was read."""
    agreed = abandon(stored.game)
    assert agreed.change is not None, "a game that is not over can be abandoned"
    change, game = agreed.change, agreed.game

    def write(conn: Connection) -> StoredGame | None:
        return game_ends.abandon(conn, house.codec, stored, change, game, reason)

    return write_keeping(house, write, keep)
