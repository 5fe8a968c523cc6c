"""Who is at the table: what the processes have seen, and what the games say of it.

Each process notes for how long the seats that it has seen count as there. What a game says follows
from the notes of all, by the database's clock, and is set right wherever it differs: so it does not
matter which process notices, nor which one died with its streams. A difference that is set right is
a version of the game. The log does not tell who came or went: it is no record of people's days.
"""

from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from service.storage.pool import Connection

PRESENCE: Final = "presence"
"""What the log of changes calls it."""


class Sighting(NamedTuple):
    """A seat, and for how many seconds from now on it counts as there."""

    game_id: str
    seat: int
    seconds: float


_NOTE: Final = """
    INSERT INTO presence AS old (game_id, seat, seen_until)
    SELECT game_id, seat, now() + make_interval(secs => seconds)
    FROM unnest(%s::text[], %s::smallint[], %s::float8[]) AS seen (game_id, seat, seconds)
    ORDER BY game_id, seat
    ON CONFLICT (game_id, seat)
        DO UPDATE SET seen_until = greatest(old.seen_until, excluded.seen_until),
            come_at = CASE WHEN old.seen_until <= now() THEN now() ELSE old.come_at END"""
_FORGET: Final = """
    DELETE FROM presence WHERE (game_id, seat) IN (
        SELECT game_id, seat FROM presence WHERE seen_until <= now() LIMIT %s
        FOR UPDATE SKIP LOCKED)"""
_HERE: Final = """
    SELECT game_id, bit_or(1 << seat)::smallint AS seats FROM presence
    WHERE seen_until > now(){of_games} GROUP BY game_id"""
_DIFFERING: Final = f"""
    WITH here AS ({_HERE.format(of_games="")})
    (SELECT id FROM games LEFT JOIN here ON here.game_id = games.id
    WHERE online <> 0 AND rested_at IS NULL AND deleted_at IS NULL
        AND online <> coalesce(here.seats, 0::smallint)
    LIMIT %(limit)s)
    UNION ALL
    (SELECT id FROM games
    WHERE id = ANY (ARRAY(
            SELECT game_id FROM presence
            WHERE come_at > now() - interval '1 minute' AND seen_until > now()))
        AND online = 0 AND rested_at IS NULL AND deleted_at IS NULL
    LIMIT %(limit)s)"""
_LOCK: Final = """
    SELECT id FROM games WHERE id = ANY(%s) AND rested_at IS NULL AND deleted_at IS NULL
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED"""
_SET_RIGHT: Final = f"""
    WITH here AS ({_HERE.format(of_games=" AND game_id = ANY(%(games)s)")}),
    changed AS (
        UPDATE games SET online = now_here.seats, version = version + 1, sightings = sightings + 1
        FROM (
            SELECT wanted.id, coalesce(here.seats, 0::smallint) AS seats
            FROM unnest(%(games)s::text[]) AS wanted (id) LEFT JOIN here ON here.game_id = wanted.id
        ) AS now_here
        WHERE games.id = now_here.id AND games.online <> now_here.seats
        RETURNING games.id, games.version)
    INSERT INTO changes (game_id, version, kind) SELECT id, version, '{PRESENCE}' FROM changed
    RETURNING game_id"""


def note(conn: Connection, seen: Iterable[Sighting]) -> None:
    """Note who was seen, in one statement; whoever was seen for longer by others stays so."""
    game_ids, seats, seconds = zip(*seen, strict=True)
    conn.execute(_NOTE, (list(game_ids), list(seats), list(seconds)))


def differing(conn: Connection, limit: int) -> list[str]:
    """Return games, about ``limit`` at most, that do not say what is noted.

    Of games that say that nobody is there, only those are looked at to which somebody has come in
    the last minute: this is for what :func:`set_right` had to leave alone.
    """
    return [row[0] for row in conn.execute(_DIFFERING, {"limit": limit})]


def set_right(conn: Connection, game_ids: Collection[str]) -> list[str]:
    """Let games say what is noted; return those that said something else before.

    A game that is over is left alone, and so is one that somebody is writing at this moment: it is
    found again as :func:`differing`. The rows are locked before the notes are read, so that of two
    who do this at once the later one knows more. The time of the last change stays: to look on is
    not to go on with a game.
    """
    with conn.transaction():
        locked = [row[0] for row in conn.execute(_LOCK, (list(game_ids),))]
        if not locked:
            return []
        return [row[0] for row in conn.execute(_SET_RIGHT, {"games": locked})]


def forget(conn: Connection, limit: int) -> int:
    """Remove notes whose time is over, at most ``limit``; return how many it were."""
    return conn.execute(_FORGET, (limit,)).rowcount
