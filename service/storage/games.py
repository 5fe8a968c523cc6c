"""The table of games: each as it stands, with the version that guards every write."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from psycopg.types.json import Jsonb

from engine.events import Change
from engine.game import Game, Move, SeatKind
from service.storage.codec import Codec
from service.storage.pool import Connection

WAITING: Final = "waiting"
PLAYING: Final = "playing"
FINISHED: Final = "finished"
ABANDONED: Final = "abandoned"

JOINED: Final = "joined"
LEFT: Final = "left"
ROTATED: Final = "rotated"
"""What happens to a seat, as the log of changes names it."""

REMEMBERED_SEATS: Final = 4096


@dataclass(frozen=True, slots=True)
class Occupant:
    """Who sits on a seat. ``level`` and ``mode`` are those of a computer player.

    ``token_version`` is that of the seat's tokens; a higher one ends all earlier ones.
    ``player_ref`` is the portal's own name for the player, for the portal alone.
    """

    kind: SeatKind
    occupied: bool
    name: str | None = None
    level: str | None = None
    mode: str | None = None
    token_version: int = 0
    player_ref: str | None = None


@dataclass(frozen=True, slots=True)
class Ownership:
    """Whose a game is: a portal's with what it keeps there, or nobody's; whether it is listed."""

    portal_id: str | None = None
    metadata: Mapping[str, str] | None = None
    listed: bool = False


NOBODYS: Final = Ownership()


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it was read: its state, its version, and what the engine does not know of it.

    ``moved_version`` and ``moved_at`` are those of the last move, after which other changes may
    have come. ``read_at`` is the database's clock at the reading. ``ended_tokens`` are the numbers
    of seat tokens that were ended one by one.
    """

    game: Game
    version: int
    status: str
    seats: tuple[Occupant, ...]
    join_code: str | None
    moved_version: int | None
    moved_at: datetime | None
    created_at: datetime
    updated_at: datetime
    read_at: datetime
    portal_id: str | None = None
    rematch_game_id: str | None = None
    abandon_reason: str | None = None
    listed: bool = False
    ended_tokens: tuple[int, ...] = ()
    archived: bool = False


@dataclass(frozen=True, slots=True)
class LoggedMove:
    """A move of the log, with the version that it made and its time by the database's clock."""

    version: int
    move: Move
    at: datetime


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sent the request that a move answers, and the hash of what it asked for."""

    seat: int
    request_hash: bytes


COLUMNS: Final = (
    "id, version, status, seats::text, setup, state, join_code, moved_version, moved_at, "
    "created_at, updated_at, now(), portal_id, rematch_game_id, abandon_reason, "
    "nullif(listed, false), nullif(ended_tokens, '{}'), nullif(archived_at IS NOT NULL, false)"
)
"""What :func:`stored_game` reads a game from. What most games have not is null: null is free."""

_LOAD_ANY: Final = f"SELECT {COLUMNS} FROM games WHERE id = %s"
_LOAD: Final = f"{_LOAD_ANY} AND deleted_at IS NULL"
_LOAD_BY_JOIN_CODE: Final = f"SELECT {COLUMNS} FROM games WHERE join_code = %s"
_IDS_AFTER: Final = "SELECT id FROM games WHERE id > %s ORDER BY id LIMIT %s"


def load(
    conn: Connection, codec: Codec, game_id: str, *, deleted: bool = False
) -> StoredGame | None:
    """Return the game, or None if there is none; one that was deleted only if asked for."""
    query = _LOAD_ANY if deleted else _LOAD
    row = conn.execute(query, (game_id,), binary=True).fetchone()
    return None if row is None else stored_game(codec, row)


def load_by_join_code(conn: Connection, codec: Codec, join_code: str) -> StoredGame | None:
    """Return the game that waits for players under ``join_code``, or None if there is none."""
    found = conn.execute(_LOAD_BY_JOIN_CODE, (join_code,), binary=True).fetchone()
    return None if found is None else stored_game(codec, found)


def ids_after(conn: Connection, game_id: str, limit: int) -> list[str]:
    """Return the next ``limit`` ids of games after ``game_id``, in order."""
    return [row[0] for row in conn.execute(_IDS_AFTER, (game_id, limit))]


def read_consistently(conn: Connection) -> None:
    """Let what follows in this transaction read one moment of the database."""
    conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")


def stored_game(codec: Codec, row: Sequence[Any]) -> StoredGame:
    """Return the game that a row of :data:`COLUMNS` holds."""
    game_id, version, status, seats, setup, state, *rest, listed, ended, archived = row
    game = codec.read_state(codec.read_setup(game_id, setup), state)
    last = (listed is True, () if ended is None else tuple(ended), archived is True)
    return StoredGame(game, version, status, _occupants(seats), *rest, *last)  # type: ignore[call-arg]


@lru_cache(maxsize=REMEMBERED_SEATS)  # most games have the same seats, and all of them on each move
def _occupants(seats: str) -> tuple[Occupant, ...]:
    return tuple(Occupant(**{**seat, "kind": SeatKind(seat["kind"])}) for seat in json.loads(seats))


def _seats(seats: tuple[Occupant, ...]) -> Jsonb:
    return Jsonb([{name: getattr(seat, name) for name in Occupant.__slots__} for seat in seats])


def status_of(game: Game) -> str:
    """Return the status of ``game``."""
    if game.abandoned:
        return ABANDONED
    if game.hand is None:
        return WAITING
    return FINISHED if game.over else PLAYING


_INSERT: Final = """
    INSERT INTO games (id, version, next_move, status, join_code, seats, setup, state,
        portal_id, metadata, listed, moved_version, moved_at)
    VALUES (%s, %s, %s, %s, %s, %s, %b, %b, %s, %s, %s, %s, CASE WHEN %s THEN now() END)
    RETURNING created_at"""
_INSERT_CHANGE: Final = "INSERT INTO changes (game_id, version, kind, seat) VALUES (%s, %s, %s, %s)"


def insert(
    conn: Connection,
    codec: Codec,
    game: Game,
    seats: tuple[Occupant, ...],
    join_code: str | None,
    moves: tuple[Move, ...],
    owner: Ownership = NOBODYS,
) -> StoredGame:
    """Store a new game with its first moves, and return it. Its making is version 1."""
    version = 1 + len(moves)
    values = (game.setup.id, version, game.next_move, status_of(game), join_code, _seats(seats))
    sealed = (codec.write_setup(game.setup), codec.write_state(game))
    metadata = None if owner.metadata is None else Jsonb(dict(owner.metadata))
    owned = (owner.portal_id, metadata, owner.listed)
    with conn.transaction():
        moved = (version if moves else None, bool(moves))
        row = conn.execute(_INSERT, values + sealed + owned + moved).fetchone()
        assert row is not None
        conn.execute(_INSERT_CHANGE, (game.setup.id, 1, "created", None))
        if moves:
            query, params = _insert_moves(codec, game, version, moves, None)
            conn.execute(query, params)
    at = row[0]
    moved_version, moved_at = (version, at) if moves else (None, None)
    status = status_of(game)
    first = StoredGame(
        game, version, status, seats, join_code, moved_version, moved_at, at, at, read_at=at
    )
    return replace(first, portal_id=owner.portal_id, listed=owner.listed)


_MOVE_ROW: Final = "(%s::int, %s::int, %s::int, %s::smallint, %b::bytea, %b::bytea)"
_MOVE_COLUMNS: Final = "game_id, number, version, hand_number, sent_by, request_hash, fact, made_at"


def _insert_moves(
    codec: Codec, game: Game, version: int, moves: tuple[Move, ...], sender: Sender | None
) -> tuple[str, list[Any]]:
    rows, params = _move_rows(codec, game, version, moves, sender)
    query = f"INSERT INTO moves ({_MOVE_COLUMNS}) SELECT %s, m.*, now() FROM (VALUES {rows}) AS m"
    return query, [game.setup.id, *params]


def _move_rows(
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


_SAVE: Final = """
    WITH saved AS (
        UPDATE games SET version = %s, next_move = %s, status = %s, state = %b,
            moved_version = %s, moved_at = now(), updated_at = now()
        WHERE id = %s AND version = %s RETURNING id, updated_at),
    logged AS (
        INSERT INTO moves ({columns})
        SELECT saved.id, m.*, saved.updated_at FROM saved, (VALUES {rows}) AS m)
    SELECT updated_at FROM saved"""


def save(
    conn: Connection,
    codec: Codec,
    before: StoredGame,
    game: Game,
    moves: tuple[Move, ...],
    sender: Sender | None,
) -> StoredGame | None:
    """Store ``game`` with the ``moves`` that led to it from ``before``, in one guarded statement.

    Returns the stored game, or None if somebody else changed it since ``before`` was read; then
    nothing was written.
    """
    version = before.version + len(moves)
    rows, row_params = _move_rows(codec, game, version, moves, sender)
    params = [version, game.next_move, status_of(game), codec.write_state(game), version]
    params += [game.setup.id, before.version, *row_params]
    row = conn.execute(_SAVE.format(columns=_MOVE_COLUMNS, rows=rows), params).fetchone()
    if row is None:
        return None
    return _after(before, game, version, row[0], moved=True)


_CHANGE: Final = """
    UPDATE games SET version = %s, next_move = %s, status = %s, state = %b,
        moved_version = coalesce(%s, moved_version),
        moved_at = CASE WHEN %s THEN now() ELSE moved_at END, updated_at = now()
    WHERE id = %s AND version = %s RETURNING updated_at"""


def change(
    conn: Connection, codec: Codec, before: StoredGame, made: Change, game: Game, *moves: Move
) -> StoredGame | None:
    """Store ``game`` with the change that led to it from ``before``, and the ``moves`` after it.

    Returns the stored game, or None if somebody else changed it since ``before`` was read.
    """
    version = before.version + 1 + len(moves)
    values = (version, game.next_move, status_of(game), codec.write_state(game))
    moved = (version if moves else None, bool(moves))
    with conn.transaction():
        row = conn.execute(_CHANGE, (*values, *moved, game.setup.id, before.version)).fetchone()
        if row is None:
            return None
        said = (game.setup.id, before.version + 1, made.kind.value, made.seat)
        conn.execute(_INSERT_CHANGE, said)
        if moves:
            query, params = _insert_moves(codec, game, version, moves, None)
            conn.execute(query, params)
    return _after(before, game, version, row[0], moved=bool(moves))


def _after(
    before: StoredGame, game: Game, version: int, at: datetime, *, moved: bool
) -> StoredGame:
    return replace(
        before,
        game=game,
        version=version,
        status=status_of(game),
        moved_version=version if moved else before.moved_version,
        moved_at=at if moved else before.moved_at,
        updated_at=at,
        read_at=at,
    )


_SEAT: Final = """
    UPDATE games SET version = %s, next_move = %s, status = %s, state = %b, seats = %s,
        moved_version = coalesce(%s, moved_version),
        moved_at = CASE WHEN %s THEN now() ELSE moved_at END, updated_at = now()
    WHERE id = %s AND version = %s RETURNING updated_at"""


def seat(
    conn: Connection,
    codec: Codec,
    before: StoredGame,
    taken: int,
    occupant: Occupant,
    game: Game,
    moves: tuple[Move, ...],
    what: str = JOINED,
) -> StoredGame | None:
    """Store that ``occupant`` sat down on the seat ``taken``, and the ``moves`` that followed.

    ``what`` says what happened, if something else did: who sat there left, or ended its tokens.

    Returns the stored game, or None if somebody else changed it since ``before`` was read.
    """
    seats = (*before.seats[:taken], occupant, *before.seats[taken + 1 :])
    version = before.version + 1 + len(moves)
    values = (version, game.next_move, status_of(game), codec.write_state(game), _seats(seats))
    moved = (version if moves else None, bool(moves))
    with conn.transaction():
        row = conn.execute(_SEAT, (*values, *moved, game.setup.id, before.version)).fetchone()
        if row is None:
            return None
        conn.execute(_INSERT_CHANGE, (game.setup.id, before.version + 1, what, taken))
        if moves:
            query, params = _insert_moves(codec, game, version, moves, None)
            conn.execute(query, params)
    return replace(_after(before, game, version, row[0], moved=bool(moves)), seats=seats)
