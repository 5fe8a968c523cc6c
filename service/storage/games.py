"""The table of games: each as it stands, with the version that guards every write."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from psycopg.types.json import Jsonb

from engine.clock import claimable, seconds_for, time_goes_on
from engine.events import Change
from engine.frozen import with_changes
from engine.game import Game, Move
from service.portal_events import of_creation, of_play, of_seat
from service.storage import outbox
from service.storage.buckets import TAKE, Claim, Grant, grant_of, values_of
from service.storage.codec import Codec
from service.storage.occupants import Occupant, column_of, occupants_in
from service.storage.pool import Connection

WAITING: Final = "waiting"
PLAYING: Final = "playing"
FINISHED: Final = "finished"
ABANDONED: Final = "abandoned"

JOINED: Final = "joined"
LEFT: Final = "left"
ROTATED: Final = "rotated"
"""What happens to a seat, as the log of changes names it."""


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
    have come. ``turn_deadline`` is when the time of who is due runs out, if a clock runs, and
    ``read_at`` the time of the reading: both by the database's clock. ``ended_tokens`` are the
    numbers of seat tokens that were ended one by one.
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
    turn_deadline: datetime | None
    read_at: datetime
    portal_id: str | None = None
    rematch_game_id: str | None = None
    abandon_reason: str | None = None
    listed: bool = False
    ended_tokens: tuple[int, ...] = ()
    archived: bool = False

    @property
    def overdue(self) -> bool:
        """Whether the time of who is due had run out at the reading."""
        return self.turn_deadline is not None and self.turn_deadline <= self.read_at

    @property
    def claimable_at(self) -> datetime | None:
        """When the game may be claimed, unless who is due completes its turn before."""
        if self.turn_deadline is None:
            return None
        return self.turn_deadline if claimable(self.game) else None


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
    "created_at, updated_at, turn_deadline, now(), portal_id, rematch_game_id, abandon_reason, "
    "nullif(listed, false), nullif(ended_tokens, '{}'), nullif(archived_at IS NOT NULL, false)"
)
"""What :func:`stored_game` reads a game from. What most games have not is null: null is free."""

_LOAD_ANY: Final = f"SELECT {COLUMNS} FROM games WHERE id = %s"
_LOAD: Final = f"{_LOAD_ANY} AND deleted_at IS NULL"
_LOAD_CHARGED: Final = f"""
    WITH taken AS ({TAKE})
    SELECT taken.granted, taken.used, {COLUMNS}
    FROM taken LEFT JOIN games ON games.id = %(owner)s AND games.deleted_at IS NULL"""
_LOAD_BY_JOIN_CODE: Final = f"SELECT {COLUMNS} FROM games WHERE join_code = %s"
_IDS_AFTER: Final = "SELECT id FROM games WHERE id > %s ORDER BY id LIMIT %s"


def load(
    conn: Connection, codec: Codec, game_id: str, *, deleted: bool = False
) -> StoredGame | None:
    """Return the game, or None if there is none; one that was deleted only if asked for."""
    query = _LOAD_ANY if deleted else _LOAD
    row = conn.execute(query, (game_id,), binary=True).fetchone()
    return None if row is None else stored_game(codec, row)


def load_charged(conn: Connection, codec: Codec, claim: Claim) -> tuple[StoredGame | None, Grant]:
    """Return the game that owns the bucket of ``claim``, and what was taken out of the bucket.

    One statement does both.
    """
    row = conn.execute(_LOAD_CHARGED, values_of(claim), binary=True).fetchone()
    assert row is not None
    granted, used, *game = row
    stored = None if game[0] is None else stored_game(codec, game)
    return stored, grant_of(claim, granted, used)


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
    return StoredGame(game, version, status, occupants_in(seats), *rest, *last)  # type: ignore[call-arg]


def status_of(game: Game) -> str:
    """Return the status of ``game``."""
    if game.abandoned:
        return ABANDONED
    if game.hand is None:
        return WAITING
    return FINISHED if game.over else PLAYING


_INSERT: Final = """
    INSERT INTO games (id, version, next_move, status, join_code, seats, setup, state,
        portal_id, metadata, listed, moved_version, moved_at, turn_deadline)
    VALUES (%s, %s, %s, %s, %s, %s, %b, %b, %s, %s, %s, %s, CASE WHEN %s THEN now() END,
        now() + make_interval(secs => %s))
    RETURNING created_at, turn_deadline"""
_INSERT_CHANGE: Final = "INSERT INTO changes (game_id, version, kind, seat) VALUES (%s, %s, %s, %s)"


def insert(
    conn: Connection,
    codec: Codec,
    game: Game,
    seats: tuple[Occupant, ...],
    join_code: str | None,
    moves: tuple[Move, ...],
    owner: Ownership = NOBODYS,
    *,
    time_is_up: bool = False,
) -> StoredGame:
    """Store a new game with its first moves, and return it. Its making is version 1.

    With ``time_is_up`` who is due has no time left.
    """
    version = 1 + len(moves)
    values = (game.setup.id, version, game.next_move, status_of(game), join_code, column_of(seats))
    sealed = (codec.write_setup(game.setup), codec.write_state(game))
    with conn.transaction():
        moved = (version if moves else None, bool(moves))
        seconds = 0 if time_is_up else seconds_for(game)
        all_values = (*values, *sealed, *_owned(owner), *moved, seconds)
        row = conn.execute(_INSERT, all_values).fetchone()
        assert row is not None
        conn.execute(_INSERT_CHANGE, (game.setup.id, 1, "created", None))
        if moves:
            query, params = _insert_moves(codec, game, version, moves, None)
            conn.execute(query, params)
        if owner.portal_id is not None:
            outbox.tell(conn, owner.portal_id, game.setup.id, of_creation(game, moves))
    at, deadline = row
    moved_version, moved_at = (version, at) if moves else (None, None)
    status = status_of(game)
    first = StoredGame(
        game, version, status, seats, join_code, moved_version, moved_at, at, at, deadline, at
    )
    return with_changes(first, portal_id=owner.portal_id, listed=owner.listed)


def _owned(owner: Ownership) -> tuple[str | None, Jsonb | None, bool]:
    metadata = None if owner.metadata is None else Jsonb(dict(owner.metadata))
    return owner.portal_id, metadata, owner.listed


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
            moved_version = %s, moved_at = now(), updated_at = now(){clock}
        WHERE id = %s AND version = %s RETURNING id, updated_at, turn_deadline),
    logged AS (
        INSERT INTO moves ({columns})
        SELECT saved.id, m.*, saved.updated_at FROM saved, (VALUES {rows}) AS m){told}
    SELECT updated_at, turn_deadline FROM saved"""
_CLOCK: Final = """,
            turn_deadline = CASE WHEN %s THEN turn_deadline
                ELSE now() + make_interval(secs => %s) END"""
"""Keep the deadline, or set one in so many seconds; none if the seconds are NULL."""


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
    clock, time = _clock(before.game, game)
    params = [version, game.next_move, status_of(game), codec.write_state(game), version, *time]
    events = of_play(before.game, game, moves, version) if before.portal_id else ()
    told, told_params = outbox.together(before.portal_id, events)
    params += [game.setup.id, before.version, *row_params, *told_params]
    query = _SAVE.format(columns=_MOVE_COLUMNS, rows=rows, clock=clock, told=told)
    row = conn.execute(query, params).fetchone()
    if row is None:
        return None
    return _after(conn, before, game, version, row, moved=True)


def _clock(before: Game, game: Game) -> tuple[str, tuple[bool, int | None] | tuple[()]]:
    """Return what to set in a game with a clock, and the values for it; nothing in others."""
    if game.rules.turn_seconds == 0:
        return "", ()
    seconds = seconds_for(game)
    return _CLOCK, (seconds is not None and time_goes_on(before, game), seconds)


_CHANGE: Final = """
    UPDATE games SET version = %s, next_move = %s, status = %s, state = %b,
        moved_version = coalesce(%s, moved_version),
        moved_at = CASE WHEN %s THEN now() ELSE moved_at END, updated_at = now(){clock}
    WHERE id = %s AND version = %s RETURNING updated_at, turn_deadline"""


def change(
    conn: Connection,
    codec: Codec,
    before: StoredGame,
    changes: tuple[Change, ...],
    game: Game,
    *moves: Move,
) -> StoredGame | None:
    """Store ``game`` with the changes that led to it from ``before``, and the ``moves`` after them.

    Returns the stored game, or None if somebody else changed it since ``before`` was read.
    """
    version = before.version + len(changes) + len(moves)
    clock, time = _clock(before.game, game)
    values = (version, game.next_move, status_of(game), codec.write_state(game))
    guarded = (version if moves else None, bool(moves), *time, game.setup.id, before.version)
    with conn.transaction():
        row = conn.execute(_CHANGE.format(clock=clock), (*values, *guarded)).fetchone()
        if row is None:
            return None
        for number, made in enumerate(changes, start=before.version + 1):
            conn.execute(_INSERT_CHANGE, (game.setup.id, number, made.kind.value, made.seat))
        if moves:
            query, params = _insert_moves(codec, game, version, moves, None)
            conn.execute(query, params)
        if before.portal_id is not None:
            told = of_play(before.game, game, moves, version, changes)
            outbox.tell(conn, before.portal_id, game.setup.id, told)
    return _after(conn, before, game, version, row, moved=bool(moves))


def _after(
    conn: Connection,
    before: StoredGame,
    game: Game,
    version: int,
    row: tuple[Any, ...],
    *,
    moved: bool,
) -> StoredGame:
    at, deadline = row
    conn.changed = game.setup.id
    return with_changes(
        before,
        game=game,
        version=version,
        status=status_of(game),
        moved_version=version if moved else before.moved_version,
        moved_at=at if moved else before.moved_at,
        updated_at=at,
        turn_deadline=deadline,
        read_at=at,
    )


_SEAT: Final = _CHANGE.replace("state = %b,", "state = %b, seats = %s,")


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
    values = (version, game.next_move, status_of(game), codec.write_state(game), column_of(seats))
    clock, time = _clock(before.game, game)
    guarded = (version if moves else None, bool(moves), *time, game.setup.id, before.version)
    with conn.transaction():
        row = conn.execute(_SEAT.format(clock=clock), (*values, *guarded)).fetchone()
        if row is None:
            return None
        conn.execute(_INSERT_CHANGE, (game.setup.id, before.version + 1, what, taken))
        if moves:
            query, params = _insert_moves(codec, game, version, moves, None)
            conn.execute(query, params)
        if before.portal_id is not None and what != ROTATED:
            told = of_seat(what == JOINED, taken, before.game, game, moves, version)
            outbox.tell(conn, before.portal_id, game.setup.id, told)
    after = _after(conn, before, game, version, row, moved=bool(moves))
    return with_changes(after, seats=seats)
