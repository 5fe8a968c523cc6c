"""The rows of the log, moves and changes, as they are written."""

from dataclasses import dataclass
from typing import Any, Final

from engine.events import Change
from engine.game import Game, Move
from service.storage import fair_counts
from service.storage.codec import Codec
from service.storage.pool import Connection

MOVE_COLUMNS: Final = "game_id, number, version, hand_number, sent_by, request_hash, fact, made_at"
_MOVE_ROW: Final = "(%s::int, %s::int, %s::int, %s::smallint, %b::bytea, %b::bytea)"
_INSERT_MOVES: Final = (
    f"INSERT INTO moves ({MOVE_COLUMNS}) SELECT %s, made.*, now() FROM (VALUES {{rows}}) AS made"
)
_INSERT_CHANGE: Final = (
    "INSERT INTO changes (game_id, version, kind, seat, fact) VALUES (%s, %s, %s, %s, %b)"
)


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sent the request that a move answers, and the hash of what it asked for."""

    seat: int
    request_hash: bytes


def insert_moves(
    conn: Connection,
    codec: Codec,
    before: Game | None,
    game: Game,
    version: int,
    moves: tuple[Move, ...],
) -> None:
    """Log ``moves`` that no request sent by its number; the last of them made ``version``.

    What they add to the public counts of the fair deal since ``before`` is added.
    """
    rows, params = move_rows(codec, game, version, moves, None)
    counted, counts = fair_counts.beside(before, game, moves)
    query = counted + _INSERT_MOVES.format(rows=rows)
    conn.execute(query, [*counts, game.setup.id, *params])


def move_rows(
    codec: Codec, game: Game, version: int, moves: tuple[Move, ...], sender: Sender | None
) -> tuple[str, list[Any]]:
    """Return the rows of ``moves``; the last makes ``version``, the first has the sender."""
    params: list[Any] = []
    for index, move in enumerate(moves):
        sent = (sender.seat, sender.request_hash) if sender and index == 0 else (None, None)
        made = version - len(moves) + index + 1
        fact = codec.write_move(game.setup.id, move)
        params += [move.number, made, move.hand_number, *sent, fact]
    return ", ".join([_MOVE_ROW] * len(moves)), params


def insert_change(
    conn: Connection,
    game_id: str,
    version: int,
    kind: str,
    seat: int | None = None,
    fact: bytes | None = None,
) -> None:
    """Log that ``version`` of a game came of a change of this ``kind``, and its sealed ``fact``."""
    conn.execute(_INSERT_CHANGE, (game_id, version, kind, seat, fact))


def insert_changes(
    conn: Connection, codec: Codec, game_id: str, first: int, changes: tuple[Change, ...]
) -> None:
    """Log ``changes`` of the state of play, which made the versions from ``first`` on."""
    for version, made in enumerate(changes, start=first):
        fact = codec.write_change(game_id, version, made)
        insert_change(conn, game_id, version, made.kind.value, made.seat, fact)
