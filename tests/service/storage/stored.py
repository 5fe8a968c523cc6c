"""Games put into the database without any HTTP: what the tests of storage begin with."""

from engine.actions import Pass
from engine.game import SeatKind, Setup, new_game
from engine.progress import apply, begin
from engine.rules import STANDARD
from service.storage import games
from service.storage.codec import Codec
from service.storage.log_rows import Sender
from service.storage.occupants import Occupant
from service.storage.sealing import Sealer

SECRET = b"s" * 32
CODEC = Codec(Sealer([SECRET]))
DEAL_KEY = bytes(range(32))
SENDER = Sender(0, b"h" * 16)
ADA = Occupant(SeatKind.HUMAN, occupied=True, name="Ada")
BOB = Occupant(SeatKind.HUMAN, occupied=True, name="Bob")
NOBODY = Occupant(SeatKind.HUMAN, occupied=False)
COMPUTER = Occupant(SeatKind.AI, occupied=True, level="easy", mode="auto")


def setup_of(game_id="g_1", seats=(ADA, BOB)):
    return Setup(game_id, STANDARD, tuple(seat.kind for seat in seats), DEAL_KEY)


def started(store, game_id="g_1", seats=(ADA, BOB)):
    """Store a game whose first hand was dealt: the draw for the deal and the deal are its moves."""
    made = begin(setup_of(game_id, seats))
    with store.writing() as conn:
        return games.insert(conn, CODEC, made.game, seats, None, made.moves)


def waiting(store, game_id="g_1", seats=(ADA, NOBODY), join_code="code"):
    with store.writing() as conn:
        return games.insert(conn, CODEC, new_game(setup_of(game_id, seats)), seats, join_code, ())


def loaded(store, game_id="g_1"):
    with store.reading() as conn:
        return games.load(conn, CODEC, game_id)


def passed(store, stored, sender=SENDER):
    """Store that the seat that is due passes; None if somebody else was quicker."""
    made = apply(stored.game, stored.game.hand.to_act, Pass())
    with store.writing() as conn:
        return games.save(conn, CODEC, stored, made.game, made.moves, sender)


def count(store, table):
    with store.reading() as conn:
        return conn.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
