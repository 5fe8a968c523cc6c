"""The table of deliveries: what is to be sent to which webhook, when, and what came of it.

A process takes a delivery by leasing it for a while, sends it with no lock held, and says what
came of it. If it dies meanwhile the lease runs out, and another one sends it again: at least once.
Whoever locks a webhook and its deliveries locks the webhook first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from service.portal_events import PING
from service.storage.game_lists import Place
from service.storage.pool import Connection
from service.storage.portal_events import COLUMNS as EVENT_COLUMNS
from service.storage.portal_events import PortalEvent, event_in

GONE: Final = "gone"
FAILING: Final = "failing"
"""Why a webhook was disabled: its receiver said 410, or did not answer well for too long."""

FAILS_FOR: Final = timedelta(days=5)
"""A webhook that does not succeed once in so long is disabled."""

RETRY_SECONDS: Final = (5, 300, 1800, 7200, 18_000, 36_000, 36_000)
"""How long after each attempt that failed the next one is due, before chance is added."""

MOST_ATTEMPTS: Final = len(RETRY_SECONDS) + 1


@dataclass(frozen=True, slots=True)
class Delivery:
    """An event on its way to a webhook; ``at`` is the time of the last attempt, or of its making.

    ``attempt`` counts those that were made. ``failure_code`` says why the last one failed if the
    receiver did not say it by its ``status_code``.
    """

    id: str
    event_id: str
    event_type: str
    attempt: int
    status_code: int | None
    failure_code: str | None
    delivered: bool
    next_attempt_at: datetime | None
    at: datetime
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Due:
    """A delivery that may be taken."""

    id: str
    webhook_id: str
    portal_id: str


@dataclass(frozen=True, slots=True)
class Sending:
    """A delivery that was taken: where it goes, and what; no event if it is kept no longer."""

    id: str
    webhook_id: str
    portal_id: str
    url: str
    attempt: int
    leased_until: datetime
    event: PortalEvent | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an attempt: the status of the answer, or why there is none."""

    delivered: bool
    status_code: int | None = None
    failure_code: str | None = None

    @property
    def gone(self) -> bool:
        """Whether the receiver wants no more."""
        return self.status_code == 410


# --- for portals


_COLUMNS: Final = (
    "id, event_id, event_type, attempt, status_code, failure_code, delivered, next_attempt_at, "
    "coalesce(attempted_at, created_at), created_at"
)
_INSERT: Final = f"""
    INSERT INTO deliveries (id, webhook_id, event_id, event_type, next_attempt_at)
    VALUES (%s, %s, %s, %s, now()) RETURNING {_COLUMNS}"""
_LOAD: Final = f"SELECT {_COLUMNS} FROM deliveries WHERE id = %s AND webhook_id = %s"
_LIST: Final = f"""
    SELECT {_COLUMNS} FROM deliveries
    WHERE webhook_id = %s AND (created_at, id) < (%s, %s)
        AND (%s::boolean IS NULL OR delivered = %s)
    ORDER BY created_at DESC, id DESC LIMIT %s"""
_PAUSE: Final = """
    UPDATE deliveries SET next_attempt_at = NULL
    WHERE webhook_id = %s AND next_attempt_at IS NOT NULL"""
_RESUME: Final = """
    UPDATE deliveries SET next_attempt_at = now()
    WHERE webhook_id = %s AND next_attempt_at IS NULL AND NOT delivered AND attempt < %s
        AND event_type <> %s"""
_IS_KEPT: Final = "SELECT FROM portal_events WHERE id = %s"


def insert(
    conn: Connection, delivery_id: str, webhook_id: str, event_id: str, event_type: str
) -> Delivery:
    """Store a delivery that is due at once, whether its webhook is enabled or not."""
    row = conn.execute(_INSERT, (delivery_id, webhook_id, event_id, event_type)).fetchone()
    assert row is not None
    return Delivery(*row)


def load(conn: Connection, delivery_id: str, webhook_id: str) -> Delivery | None:
    """Return a delivery to a webhook, or None if there is none of this id."""
    row = conn.execute(_LOAD, (delivery_id, webhook_id)).fetchone()
    return None if row is None else Delivery(*row)


def to_webhook(
    conn: Connection, webhook_id: str, delivered: bool | None, after: Place | None, limit: int
) -> list[Delivery]:
    """Return at most ``limit`` deliveries to a webhook behind ``after``, newest first."""
    at, last = after or ("infinity", "")
    values = (webhook_id, at, last, delivered, delivered, limit)
    return [Delivery(*row) for row in conn.execute(_LIST, values)]


def event_is_kept(conn: Connection, delivery: Delivery) -> bool:
    """Whether the event of ``delivery`` can be sent once more."""
    if delivery.event_type == PING:
        return True
    return conn.execute(_IS_KEPT, (delivery.event_id,)).fetchone() is not None


def pause(conn: Connection, webhook_id: str) -> None:
    """Send nothing more to a webhook for now."""
    conn.execute(_PAUSE, (webhook_id,))


def resume(conn: Connection, webhook_id: str) -> None:
    """Go on with what was not delivered and not given up."""
    conn.execute(_RESUME, (webhook_id, MOST_ATTEMPTS, PING))


# --- for those who send


_DUE: Final = """
    SELECT deliveries.id, webhook_id, portal_id
    FROM deliveries JOIN webhooks ON webhooks.id = webhook_id
    WHERE next_attempt_at <= now() AND (leased_until IS NULL OR leased_until <= now())
        AND NOT webhook_id = ANY(%s) AND NOT portal_id = ANY(%s)
    ORDER BY next_attempt_at LIMIT %s"""
_LEASE: Final = f"""
    WITH free AS (
        SELECT id FROM deliveries
        WHERE id = ANY(%s) AND next_attempt_at <= now()
            AND (leased_until IS NULL OR leased_until <= now())
        ORDER BY id FOR UPDATE SKIP LOCKED),
    leased AS (
        UPDATE deliveries SET leased_until = now() + %s FROM free WHERE deliveries.id = free.id
        RETURNING deliveries.*)
    SELECT leased.id, webhooks.id, webhooks.portal_id, webhooks.url, leased.attempt,
        leased.leased_until, leased.event_id, leased.event_type, leased.created_at, {EVENT_COLUMNS}
    FROM leased JOIN webhooks ON webhooks.id = leased.webhook_id
        LEFT JOIN portal_events AS events ON events.id = leased.event_id
        LEFT JOIN games ON games.id = events.game_id
    ORDER BY leased.next_attempt_at, events.number"""


def due(
    conn: Connection, busy_webhooks: Sequence[str], busy_portals: Sequence[str], limit: int
) -> list[Due]:
    """Return what is due at those who are not busy, the longest due first."""
    values = (list(busy_webhooks), list(busy_portals), limit)
    return [Due(*row) for row in conn.execute(_DUE, values)]


def lease(conn: Connection, ids: Sequence[str], time: timedelta) -> list[Sending]:
    """Take those of the deliveries that are still to be had, for so long."""
    return [_sending(row) for row in conn.execute(_LEASE, (list(ids), time))]


def _sending(row: Sequence[Any]) -> Sending:
    taken, (event_id, event_type, created_at), event = row[:6], row[6:9], tuple(row[9:])
    if event_type == PING:
        ping = PortalEvent(None, event_id, PING, created_at, None, None, {}, (), {})
        return Sending(*taken, ping)  # type: ignore[call-arg]
    return Sending(*taken, None if event[1] is None else event_in(event))  # type: ignore[call-arg]


_WELL: Final = """
    UPDATE webhooks SET failing_since = NULL WHERE id = %s AND failing_since IS NOT NULL"""
_BADLY: Final = """
    UPDATE webhooks SET failing_since = coalesce(failing_since, now()),
        enabled = CASE WHEN %(code)s::text IS NULL
            AND coalesce(failing_since, now()) > now() - %(fails_for)s THEN enabled
            ELSE false END,
        disabled_code = CASE WHEN NOT enabled THEN disabled_code
            WHEN %(code)s::text IS NOT NULL THEN %(code)s
            WHEN failing_since <= now() - %(fails_for)s THEN %(failing)s END
    WHERE id = %(webhook)s RETURNING enabled"""
_RECORD: Final = """
    UPDATE deliveries SET attempt = attempt + 1, attempted_at = now(), leased_until = NULL,
        delivered = %(delivered)s, status_code = %(status)s, failure_code = %(failure)s,
        next_attempt_at = now() + make_interval(secs => %(seconds)s)
    WHERE id = %(id)s AND NOT delivered
        AND (%(delivered)s OR leased_until = %(leased_until)s)"""


def record(conn: Connection, sent: Sending, outcome: Outcome, retry_seconds: float | None) -> None:
    """Write down what came of an attempt; the next one is due in ``retry_seconds``, if there is.

    Somebody else may have taken the delivery meanwhile, because it took so long: then only that it
    was delivered counts. A receiver that is gone, or has failed for too long, is disabled, and all
    that was on its way there stops.
    """
    with conn.transaction():
        enabled = True
        if outcome.delivered:
            conn.execute(_WELL, (sent.webhook_id,))
        else:
            enabled = _note_failure(conn, sent.webhook_id, outcome)
        seconds = retry_seconds if enabled and not outcome.delivered else None
        values = {
            "id": sent.id,
            "delivered": outcome.delivered,
            "status": outcome.status_code,
            "failure": outcome.failure_code,
            "seconds": seconds,
            "leased_until": sent.leased_until,
        }
        conn.execute(_RECORD, values)
        if not enabled:
            pause(conn, sent.webhook_id)


def _note_failure(conn: Connection, webhook_id: str, outcome: Outcome) -> bool:
    """Return whether more is sent to a webhook that has failed once more."""
    values = {
        "webhook": webhook_id,
        "code": GONE if outcome.gone else None,
        "failing": FAILING,
        "fails_for": FAILS_FOR,
    }
    row = conn.execute(_BADLY, values).fetchone()
    return row is not None and bool(row[0])


_SWEEP: Final = """
    DELETE FROM deliveries WHERE id IN (
        SELECT id FROM deliveries WHERE created_at < now() - %s
        ORDER BY created_at LIMIT %s FOR UPDATE SKIP LOCKED)"""


def sweep(conn: Connection, kept: timedelta, limit: int) -> int:
    """Remove deliveries older than ``kept``, at most ``limit``; return how many it were."""
    return conn.execute(_SWEEP, (kept, limit)).rowcount
