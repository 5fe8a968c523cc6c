"""Tell a game move by move from its log."""

from collections.abc import Iterator

from engine.record import game_record
from service.storage import games, moves, pool
from service.storage.codec import Codec
from service.storage.errors import NoSuchGame
from service.storage.games import StoredGame
from service.storage.pool import Store
from service.use_cases.house import House
from service.use_cases.read_log import hand_is_over
from service.use_cases.refusals import Refused


def replay(store: Store, codec: Codec, game_id: str) -> Iterator[str]:
    """Yield the lines of the game's record: its setting, then each move of the hands that are over.

    A deal shows every card, so a hand in play is left out, for the operator too; the last line
    then says so.

    :raises NoSuchGame: if there is no game of this id.
    :raises SealBroken: if it was sealed under a secret that is gone.
    """
    with store.reading() as conn, conn.transaction():
        pool.read_consistently(conn)
        stored = games.load(conn, codec, game_id, deleted=True)
        if stored is None:
            raise NoSuchGame(f"there is no game {game_id}")
        log = moves.numbered_from(conn, codec, game_id, 1)
    told = [logged.move for logged in log if hand_is_over(stored, logged.move.hand_number)]
    yield from game_record(stored.game.setup, told).splitlines()
    if len(told) < len(log):
        open_hand = log[-1].move.hand_number
        yield f"{len(log) - len(told)} moves of hand {open_hand}, which is being played"


def record_of(house: House, stored: StoredGame) -> str:
    """Return the record of a game that is over, a line for each move.

    :raises Refused: ``game_in_progress`` before; a record shows every card.
    """
    game = stored.game
    if not game.over:
        raise Refused("game_in_progress", stored=stored)
    with house.store.reading() as conn:
        log = moves.numbered_from(conn, house.codec, game.setup.id, 1)
    return game_record(game.setup, [logged.move for logged in log])
