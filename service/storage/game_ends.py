"""How a game's life ends: abandoned, followed by another one, archived, deleted, forgotten.

Times are told by the database's clock alone.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

from psycopg.types.json import Jsonb

from engine.events import Change
from engine.game import Game, Move
from service import portal_events
from service.storage import games, idempotency, outbox
from service.storage.codec import Codec
from service.storage.game_lists import Place
from service.storage.games import Ownership, StoredGame
from service.storage.occupants import Occupant
from service.storage.pool import Connection

_SAY: Final = "INSERT INTO changes (game_id, version, kind) VALUES (%s, %s, %s)"


# --- abandoned


_ABANDON: Final = """
    UPDATE games SET join_code = NULL, abandon_reason = %s WHERE id = %s"""
_EXPIRED: Final = """
    SELECT created_at, id FROM games
    WHERE rested_at IS NULL AND deleted_at IS NULL AND (created_at, id) > (%(at)s, %(last)s)
        AND created_at < now() - least(%(waiting)s, %(idle)s)
        AND updated_at < now() - CASE status WHEN 'waiting' THEN %(waiting)s ELSE %(idle)s END
    ORDER BY created_at, id LIMIT %(limit)s"""


def abandon(
    conn: Connection, codec: Codec, before: StoredGame, made: Change, game: Game, reason: str | None
) -> StoredGame | None:
    """Store that the game was abandoned; nobody can join it any more.

    Returns the stored game, or None if somebody else changed it since ``before`` was read.
    """
    with conn.transaction():
        saved = games.change(conn, codec, before, (made,), game)
        if saved is None:
            return None
        conn.execute(_ABANDON, (reason, game.setup.id))
    return replace(saved, join_code=None, abandon_reason=reason)


def expired(
    conn: Connection, after: Place | None, waiting: timedelta, idle: timedelta, limit: int
) -> list[Place]:
    """Return the next games behind ``after`` that waited, or were idle, for too long; oldest first.

    A place is the time at which a game was made, and its id.
    """
    at, last = after or ("-infinity", "")
    values = {"at": at, "last": last, "waiting": waiting, "idle": idle, "limit": limit}
    return [(row[0], row[1]) for row in conn.execute(_EXPIRED, values)]


# --- archived


_ARCHIVE: Final = """
    UPDATE games SET archived_at = now() WHERE id IN (
        SELECT id FROM games
        WHERE rested_at IS NOT NULL AND archived_at IS NULL AND rested_at < now() - %s
        ORDER BY rested_at LIMIT %s FOR UPDATE SKIP LOCKED)
    RETURNING id"""


def archive(conn: Connection, after: timedelta, limit: int) -> int:
    """Archive games that were over for so long, at most ``limit``; return how many it were."""
    return len(conn.execute(_ARCHIVE, (after, limit)).fetchall())


# --- followed by another one


_FOLLOW: Final = """
    UPDATE games SET rematch_game_id = %s, version = version + 1, updated_at = now()
    WHERE id = %s AND rematch_game_id IS NOT DISTINCT FROM %s AND deleted_at IS NULL
    RETURNING version"""
_FOLLOWED: Final = (
    "INSERT INTO changes (game_id, version, kind, seat) VALUES (%s, %s, 'rematch', %s)"
)
_METADATA: Final = "SELECT metadata FROM games WHERE id = %s"


def insert_rematch(
    conn: Connection,
    codec: Codec,
    before: StoredGame,
    game: Game,
    seats: tuple[Occupant, ...],
    moves: tuple[Move, ...],
    owner: Ownership,
    seat: int,
    changes: tuple[Change, ...] = (),
) -> StoredGame | None:
    """Store a new game as the rematch of ``before``, for which ``seat`` asked.

    None, and nothing is stored, if somebody else was quicker: two who ask at once make one game.
    """
    old_id = before.game.setup.id
    with conn.transaction():
        values = (game.setup.id, old_id, before.rematch_game_id)
        row = conn.execute(_FOLLOW, values).fetchone()
        if row is None:
            return None
        conn.execute(_FOLLOWED, (old_id, row[0], seat))
        if before.portal_id is not None:
            told = portal_events.of_rematch(row[0], game.setup.id)
            outbox.tell(conn, before.portal_id, old_id, (told,))
        made = games.insert(conn, codec, game, seats, None, moves, owner, changes)
        conn.changed = old_id
        return made


def metadata_of(conn: Connection, game_id: str) -> dict[str, str] | None:
    """Return what the portal keeps with a game."""
    row = conn.execute(_METADATA, (game_id,)).fetchone()
    return None if row is None else row[0]


# --- deleted and forgotten


_FORGET: Final = """
    UPDATE games SET version = version + 1, metadata = NULL, abandon_reason = NULL,
        seats = (SELECT jsonb_agg(CASE
                WHEN %(seats)s::int[] IS NULL OR place - 1 = ANY(%(seats)s)
                THEN seat || '{"name": null, "player_ref": null}' ELSE seat END ORDER BY place)
            FROM jsonb_array_elements(seats) WITH ORDINALITY AS each(seat, place)),
        join_code = CASE WHEN %(delete)s THEN NULL ELSE join_code END,
        deleted_at = CASE WHEN %(delete)s THEN now() END
    WHERE id = %(game)s AND deleted_at IS NULL
        AND (%(version)s::int IS NULL OR version = %(version)s)
    RETURNING version"""
_FORGET_NOTES: Final = """
    DELETE FROM notes
    WHERE game_id = %(game)s AND (%(seats)s::int[] IS NULL OR seat = ANY(%(seats)s))"""
_FORGET_LABELS: Final = """
    UPDATE seat_tokens SET label = NULL
    WHERE game_id = %(game)s AND (%(seats)s::int[] IS NULL OR seat = ANY(%(seats)s))"""
_DELETED: Final = """
    SELECT FROM games WHERE id = %s AND portal_id = %s AND deleted_at IS NOT NULL"""
_WITH_PLAYER: Final = """
    SELECT games.id, array(
        SELECT (place - 1)::int
        FROM jsonb_array_elements(seats) WITH ORDINALITY AS each(seat, place)
        WHERE seat ->> 'player_ref' = %(ref)s)
    FROM games LEFT JOIN portals ON portals.id = games.portal_id
    WHERE games.portal_id IS NOT NULL AND seats @> %(player)s
        AND (%(portal)s::text IS NULL OR portals.name = %(portal)s) AND games.id > %(last)s
    ORDER BY games.id LIMIT %(limit)s"""


def forget(
    conn: Connection,
    game_id: str,
    *,
    seats: Sequence[int] | None = None,
    delete: bool = False,
    version: int | None = None,
) -> bool:
    """Remove all that tells who played: names, references, notes, labels, what the portal keeps.

    Of ``seats`` only, if there are any given; the answers that were kept to be given again go in
    any case, for all names stand in them. The moves stay, and still lead to the same game.
    With ``delete`` nobody can open the game any more. False if there is no such game, or it is not
    at ``version``; then nothing was changed.
    """
    values = {
        "game": game_id,
        "seats": None if seats is None else list(seats),
        "delete": delete,
        "version": version,
    }
    with conn.transaction():
        row = conn.execute(_FORGET, values).fetchone()
        if row is None:
            return False
        conn.execute(_SAY, (game_id, row[0], "deleted" if delete else "erased"))
        conn.execute(_FORGET_NOTES, values)
        conn.execute(_FORGET_LABELS, values)
        idempotency.forget(conn, game_id)
        conn.changed = game_id
    return True


def was_deleted(conn: Connection, game_id: str, portal_id: str) -> bool:
    """Whether the portal had this game and deleted it."""
    return conn.execute(_DELETED, (game_id, portal_id)).fetchone() is not None


def with_player(
    conn: Connection, player_ref: str, portal: str | None, last: str, limit: int
) -> list[tuple[str, list[int]]]:
    """Return the next games after ``last`` in which a player sat, with its seats."""
    player = Jsonb([{"player_ref": player_ref}])
    values = {"ref": player_ref, "player": player, "portal": portal, "last": last, "limit": limit}
    return [(row[0], row[1]) for row in conn.execute(_WITH_PLAYER, values)]
