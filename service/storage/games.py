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
from engine.hand import Phase
from service.portal_events import JOINED, of_change, of_creation, of_play
from service.storage import fair_counts, outbox
from service.storage.buckets import TAKE, Claim, Grant, grant_of, values_of
from service.storage.codec import Codec
from service.storage.log_rows import (
    MOVE_COLUMNS,
    Sender,
    insert_change,
    insert_changes,
    insert_moves,
    move_rows,
)
from service.storage.occupants import Occupant, column_of, occupants_in
from service.storage.pool import Connection

WAITING: Final = "waiting"
PLAYING: Final = "playing"
FINISHED: Final = "finished"
ABANDONED: Final = "abandoned"


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
    numbers of seat tokens that were ended one by one. ``online`` has a bit for each seat whose
    player is there, and ``sightings`` counts the versions that were a coming or going.
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
    online: int = 0
    sightings: int = 0

    @property
    def guard(self) -> int:
        """What guards a write: the version, less those made by people who came or went.

        These change nothing that anybody decides upon, and keep nobody from writing.
        """
        return self.version - self.sightings

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


COLUMNS: Final = (
    "id, version, status, seats::text, setup, state, join_code, moved_version, moved_at, "
    "created_at, updated_at, turn_deadline, now(), portal_id, rematch_game_id, abandon_reason, "
    "nullif(listed, false), nullif(ended_tokens, '{}'), nullif(archived_at IS NOT NULL, false), "
    "nullif(online, 0::smallint), nullif(sightings, 0)"
)
"""What :func:`stored_game` reads a game from. What most games have not is null: null is free."""

_LOAD_ANY: Final = f"SELECT {COLUMNS} FROM games WHERE id = %s"
_LOAD: Final = f"{_LOAD_ANY} AND deleted_at IS NULL"
_LOAD_CHARGED: Final = f"""
    WITH taken AS ({TAKE})
    SELECT taken.granted, taken.used, {COLUMNS}
    FROM taken LEFT JOIN games ON games.id = %(owner)s AND games.deleted_at IS NULL"""
_LOAD_BY_JOIN_CODE: Final = f"SELECT {COLUMNS} FROM games WHERE join_code = %s"


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


def stored_game(codec: Codec, row: Sequence[Any]) -> StoredGame:
    """Return the game that a row of :data:`COLUMNS` holds."""
    game_id, version, status, seats, setup, state, *rest, listed, ended, archived = row[:-2]
    online, sightings = row[-2:]
    game = codec.read_state(codec.read_setup(game_id, setup), state)
    last = (listed is True, () if ended is None else tuple(ended), archived is True)
    seen = (online or 0, sightings or 0)
    return StoredGame(game, version, status, occupants_in(seats), *rest, *last, *seen)  # type: ignore[call-arg]


def status_of(game: Game) -> str:
    """Return the status of ``game``."""
    if game.abandoned:
        return ABANDONED
    if game.over:
        return FINISHED
    return WAITING if game.phase is Phase.WAITING else PLAYING


_INSERT: Final = """
    INSERT INTO games (id, version, next_move, status, join_code, seats, setup, state,
        portal_id, metadata, listed, moved_version, moved_at, turn_deadline)
    VALUES (%s, %s, %s, %s, %s, %s, %b, %b, %s, %s, %s, %s, CASE WHEN %s THEN now() END,
        now() + make_interval(secs => %s))
    RETURNING created_at, turn_deadline"""


def insert(
    conn: Connection,
    codec: Codec,
    game: Game,
    seats: tuple[Occupant, ...],
    join_code: str | None,
    moves: tuple[Move, ...],
    owner: Ownership = NOBODYS,
    changes: tuple[Change, ...] = (),
    *,
    time_is_up: bool = False,
) -> StoredGame:
    """Store a new game with its first moves, and return it. Its making is version 1.

    The ``changes`` came before the moves. With ``time_is_up`` who is due has no time left.
    """
    version = 1 + len(changes) + len(moves)
    values = (game.setup.id, version, game.next_move, status_of(game), join_code, column_of(seats))
    sealed = (codec.write_setup(game.setup), codec.write_state(game))
    with conn.transaction():
        moved = (version if moves else None, bool(moves))
        seconds = 0 if time_is_up else seconds_for(game)
        all_values = (*values, *sealed, *_owned(owner), *moved, seconds)
        row = conn.execute(_INSERT, all_values).fetchone()
        assert row is not None
        insert_change(conn, game.setup.id, 1, "created")
        insert_changes(conn, codec, game.setup.id, 2, changes)
        if moves:
            insert_moves(conn, codec, None, game, version, moves)
        if owner.portal_id is not None:
            told = of_creation(game, moves, changes)
            outbox.tell(conn, owner.portal_id, game.setup.id, told)
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


_GUARD: Final = "version - sightings = %s"
_SAVED: Final = "updated_at, turn_deadline, version, online"
"""What :func:`_after` wants to know of a row that was written."""

_SAVE: Final = f"""
    WITH saved AS (
        UPDATE games SET version = version + %s, next_move = %s, status = %s, state = %b,
            moved_version = version + %s, moved_at = now(), updated_at = now(){{clock}}
        WHERE id = %s AND {_GUARD} RETURNING id, {_SAVED}),
    logged AS (
        INSERT INTO moves ({MOVE_COLUMNS})
        SELECT id, number, version + ahead, hand_number, sent_by, request_hash, fact, updated_at
        FROM saved, (VALUES {{rows}})
            AS made (number, ahead, hand_number, sent_by, request_hash, fact)){{counted}}{{told}}
    SELECT {_SAVED} FROM saved"""
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
    nothing was written. That people came or went since is in the game that is returned.
    """
    steps = len(moves)
    rows, row_params = move_rows(codec, game, 0, moves, sender)
    clock, time = _clock(before.game, game)
    params = [steps, game.next_move, status_of(game), codec.write_state(game), steps, *time]
    counted, counts = fair_counts.within(before.game, game, moves)
    events = of_play(before.game, game, moves, 0) if before.portal_id else ()
    told, told_params = outbox.together(before.portal_id, events)
    params += [game.setup.id, before.guard, *row_params, *counts, *told_params]
    query = _SAVE.format(rows=rows, clock=clock, counted=counted, told=told)
    row = conn.execute(query, params).fetchone()
    if row is None:
        return None
    return _after(conn, before, game, row, steps, moved=True)


def _clock(before: Game, game: Game) -> tuple[str, tuple[bool, int | None] | tuple[()]]:
    """Return what to set in a game with a clock, and the values for it; nothing in others."""
    if game.rules.turn_seconds == 0:
        return "", ()
    seconds = seconds_for(game)
    return _CLOCK, (seconds is not None and time_goes_on(before, game), seconds)


_CHANGE: Final = f"""
    UPDATE games SET version = version + %s, next_move = %s, status = %s, state = %b,
        seats = coalesce(%s::jsonb, seats),
        moved_version = coalesce(version + %s::int, moved_version),
        moved_at = CASE WHEN %s THEN now() ELSE moved_at END, updated_at = now(){{clock}}
    WHERE id = %s AND {_GUARD} RETURNING {_SAVED}"""


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
    return _change(conn, codec, before, None, changes, game, moves, None)


def _change(
    conn: Connection,
    codec: Codec,
    before: StoredGame,
    what: tuple[str, int] | None,
    changes: tuple[Change, ...],
    game: Game,
    moves: tuple[Move, ...],
    seats: tuple[Occupant, ...] | None,
) -> StoredGame | None:
    steps = (what is not None) + len(changes) + len(moves)
    clock, time = _clock(before.game, game)
    values = (steps, game.next_move, status_of(game), codec.write_state(game))
    sat = None if seats is None else column_of(seats)
    moved = (steps if moves else None, bool(moves), *time)
    params = (*values, sat, *moved, game.setup.id, before.guard)
    with conn.transaction():
        row = conn.execute(_CHANGE.format(clock=clock), params).fetchone()
        if row is None:
            return None
        after = _after(conn, before, game, row, steps, moved=bool(moves))
        first = after.version - steps + 1
        if what is not None:
            insert_change(conn, game.setup.id, first, *what)
        insert_changes(conn, codec, game.setup.id, first + (what is not None), changes)
        if moves:
            insert_moves(conn, codec, before.game, game, after.version, moves)
        else:
            fair_counts.add(conn, before.game, game)
        if before.portal_id is not None:
            told = of_change(what, before.game, game, moves, after.version, changes)
            outbox.tell(conn, before.portal_id, game.setup.id, told)
    return after if seats is None else with_changes(after, seats=seats)


def _after(
    conn: Connection,
    before: StoredGame,
    game: Game,
    row: tuple[Any, ...],
    steps: int,
    *,
    moved: bool,
) -> StoredGame:
    at, deadline, version, online = row
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
        online=online,
        sightings=version - before.guard - steps,
    )


def seat(
    conn: Connection,
    codec: Codec,
    before: StoredGame,
    taken: int,
    occupant: Occupant,
    game: Game,
    moves: tuple[Move, ...],
    what: str = JOINED,
    changes: tuple[Change, ...] = (),
) -> StoredGame | None:
    """Store that ``occupant`` sat down on the seat ``taken``, and what followed.

    First came the ``changes``, then the ``moves``.
    ``what`` says what happened, if something else did: who sat there left, or ended its tokens.

    Returns the stored game, or None if somebody else changed it since ``before`` was read.
    """
    seats = (*before.seats[:taken], occupant, *before.seats[taken + 1 :])
    return _change(conn, codec, before, (what, taken), changes, game, moves, seats)
