"""The feed of each portal: events in the order in which they were taken out of the outbox.

An event gets its number when its change is long committed, from one transaction at a time, so that
whoever reads on behind a number misses nothing. Who plays is read from the game, where it may have
been erased meanwhile.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import psycopg
from psycopg.rows import TupleRow

from service.portal_events import Facts
from service.storage.occupants import occupants_in
from service.storage.pool import Connection

_LOCK_KEY: Final = 0x67696E5F6F757462
"""Of the advisory lock that whoever gives numbers holds: the letters "gin_outb"."""


@dataclass(frozen=True, slots=True)
class PortalEvent:
    """An event as its portal is told.

    ``facts`` are public and by their wire names; ``player_refs`` are the portal's own words for
    those who sit there now, by seat. ``number`` is its place in the feed; a ping has none, and no
    game.
    """

    number: int | None
    id: str
    type: str
    happened_at: datetime
    game_id: str | None
    version: int | None
    facts: Facts
    player_refs: tuple[tuple[int, str], ...]
    metadata: dict[str, str]


COLUMNS: Final = (
    "events.number, events.id, events.type, events.happened_at, events.game_id, events.version, "
    "events.facts, games.seats::text, games.metadata"
)
"""What :func:`event_in` reads an event from, of ``events`` joined to ``games``."""

_ANY: Final = "SELECT EXISTS (SELECT FROM outbox)"
_LOCK: Final = "SELECT pg_try_advisory_xact_lock(%s)"
# The ids of deliveries that are made together are in the order of their events.
_NUMBER: Final = """
    WITH taken AS (
        DELETE FROM outbox
        WHERE number IN (SELECT number FROM outbox ORDER BY number LIMIT %(most)s)
        RETURNING *),
    numbered AS (
        INSERT INTO portal_events (id, portal_id, game_id, version, type, facts, happened_at)
        SELECT 'evt_' || replace(gen_random_uuid()::text, '-', ''),
            portal_id, game_id, version, type, facts, happened_at
        FROM taken ORDER BY taken.number
        RETURNING number, id, portal_id, type),
    open AS (
        SELECT id, portal_id, event_types FROM webhooks
        WHERE enabled AND portal_id IN (SELECT portal_id FROM taken) FOR SHARE),
    due AS (
        INSERT INTO deliveries (id, webhook_id, event_id, event_type, next_attempt_at)
        SELECT 'd_' || lpad(to_hex((extract(epoch FROM now()) * 1000000)::bigint
                    + row_number() OVER (ORDER BY numbered.number)), 16, '0')
                || left(replace(gen_random_uuid()::text, '-', ''), 16),
            open.id, numbered.id, numbered.type, now()
        FROM numbered JOIN open USING (portal_id)
        WHERE open.event_types = '{}' OR numbered.type = ANY(open.event_types))
    SELECT portal_id, count(*) FROM numbered GROUP BY portal_id"""
_FEED: Final = f"""
    SELECT {COLUMNS} FROM portal_events AS events LEFT JOIN games ON games.id = events.game_id
    WHERE events.portal_id = %s AND events.number > %s ORDER BY events.number LIMIT %s"""
_HEADS: Final = """
    SELECT portal, coalesce((SELECT max(number) FROM portal_events WHERE portal_id = portal), 0)
    FROM unnest(%s::text[]) AS portal"""
_SWEEP: Final = """
    DELETE FROM portal_events WHERE happened_at < now() - %s AND number IN (
        SELECT number FROM portal_events ORDER BY number LIMIT %s)"""


def number_outbox(conn: Connection, most: int) -> dict[str, int]:
    """Move at most ``most`` rows of the outbox on into the feeds, and to whom they are delivered.

    Returns how many went to each portal; nothing if there is none, or somebody else is at it.
    """
    some = conn.execute(_ANY).fetchone()
    if some is None or not some[0]:
        return {}
    with conn.transaction():
        row = conn.execute(_LOCK, (_LOCK_KEY,)).fetchone()
        if row is None or not row[0]:
            return {}
        return dict(conn.execute(_NUMBER, {"most": most}).fetchall())


def feed(conn: Connection, portal_id: str, after: int, limit: int) -> list[PortalEvent]:
    """Return at most ``limit`` events of a portal behind the number ``after``, oldest first."""
    return [event_in(row) for row in conn.execute(_FEED, (portal_id, after, limit))]


def heads(conn: psycopg.Connection[TupleRow], portal_ids: list[str]) -> dict[str, int]:
    """Return the number of the newest event of each portal, 0 where there is none."""
    return dict(conn.execute(_HEADS, (portal_ids,)).fetchall())


def sweep(conn: Connection, kept: timedelta, limit: int) -> int:
    """Remove events older than ``kept`` among the ``limit`` oldest; return how many it were."""
    return conn.execute(_SWEEP, (kept, limit)).rowcount


def event_in(row: tuple[Any, ...]) -> PortalEvent:
    """Return the event that a row of :data:`COLUMNS` holds."""
    *said, seats, metadata = row
    refs = tuple(
        (seat, each.player_ref)
        for seat, each in enumerate(occupants_in(seats) if seats else ())
        if each.player_ref is not None
    )
    return PortalEvent(*said, refs, metadata or {})  # type: ignore[call-arg]
