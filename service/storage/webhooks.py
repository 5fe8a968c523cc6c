"""The tables of webhooks and their secrets, which are sealed."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from service.storage.codec import Codec
from service.storage.game_lists import Place
from service.storage.pool import Connection

SECRET_GOES_ON: Final = timedelta(hours=24)
"""So long a secret that was replaced signs as well."""

MOST_SECRETS: Final = 4
"""So many of a webhook sign at once; one more ends the oldest."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address to which a portal has events sent; all of them without ``event_types``.

    ``disabled_code`` says why it was disabled if its portal did not ask for it.
    """

    id: str
    url: str
    event_types: tuple[str, ...]
    description: str | None
    enabled: bool
    disabled_code: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a portal asks of a webhook; None leaves it as it is."""

    url: str | None = None
    event_types: Sequence[str] | None = None
    description: str | None = None
    enabled: bool | None = None


_COLUMNS: Final = "id, url, event_types, description, enabled, disabled_code, created_at"
_LOCK_PORTAL: Final = "SELECT FROM portals WHERE id = %s FOR UPDATE"
_COUNT: Final = "SELECT count(*) FROM webhooks WHERE portal_id = %s AND deleted_at IS NULL"
_INSERT: Final = f"""
    INSERT INTO webhooks (id, portal_id, url, event_types, description, enabled)
    VALUES (%s, %s, %s, %s, %s, %s) RETURNING {_COLUMNS}"""
_LOAD: Final = f"""
    SELECT {_COLUMNS} FROM webhooks WHERE id = %s AND portal_id = %s AND deleted_at IS NULL"""
_LIST: Final = f"""
    SELECT {_COLUMNS} FROM webhooks
    WHERE portal_id = %s AND deleted_at IS NULL AND (created_at, id) < (%s, %s)
    ORDER BY created_at DESC, id DESC LIMIT %s"""
_CHANGE: Final = f"""
    UPDATE webhooks SET url = coalesce(%(url)s, url),
        event_types = coalesce(%(event_types)s::text[], event_types),
        description = nullif(coalesce(%(description)s, description), ''),
        enabled = coalesce(%(enabled)s, enabled),
        disabled_code = CASE WHEN %(enabled)s::boolean IS NULL THEN disabled_code END,
        failing_since = CASE WHEN %(enabled)s::boolean IS NULL THEN failing_since END
    WHERE id = %(id)s AND portal_id = %(portal)s AND deleted_at IS NULL RETURNING {_COLUMNS}"""
_DELETE: Final = """
    UPDATE webhooks SET url = '', description = NULL, enabled = false, deleted_at = now()
    WHERE id = %s AND portal_id = %s AND deleted_at IS NULL RETURNING id"""
_DELETED: Final = """
    SELECT FROM webhooks WHERE id = %s AND portal_id = %s AND deleted_at IS NOT NULL"""
_LEFT_BEHIND: Final = (
    "DELETE FROM deliveries WHERE webhook_id = %s",
    "DELETE FROM webhook_secrets WHERE webhook_id = %s",
)
_SWEEP: Final = """
    DELETE FROM webhooks WHERE id IN (
        SELECT id FROM webhooks
        WHERE deleted_at < now() - %s
            AND NOT EXISTS (SELECT FROM deliveries WHERE webhook_id = webhooks.id)
        LIMIT %s FOR UPDATE SKIP LOCKED)"""


def insert(
    conn: Connection, codec: Codec, webhook_id: str, portal_id: str, wanted: Wanted, secret: bytes
) -> Webhook:
    """Store a new webhook with its secret. Within a transaction that has the portal's count."""
    types = list(wanted.event_types or ())
    enabled = wanted.enabled is not False
    values = (webhook_id, portal_id, wanted.url, types, wanted.description or None, enabled)
    with conn.transaction():
        row = conn.execute(_INSERT, values).fetchone()
        assert row is not None
        _add_secret(conn, codec, webhook_id, 1, secret)
    return _webhook(row)


def count_locked(conn: Connection, portal_id: str) -> int:
    """Return how many webhooks a portal has; nobody adds one before this transaction ends."""
    conn.execute(_LOCK_PORTAL, (portal_id,))
    row = conn.execute(_COUNT, (portal_id,)).fetchone()
    assert row is not None
    return int(row[0])


def load(conn: Connection, webhook_id: str, portal_id: str) -> Webhook | None:
    """Return a webhook of a portal, or None if there is none of this id."""
    row = conn.execute(_LOAD, (webhook_id, portal_id)).fetchone()
    return None if row is None else _webhook(row)


def of_portal(conn: Connection, portal_id: str, after: Place | None, limit: int) -> list[Webhook]:
    """Return at most ``limit`` webhooks of a portal behind ``after``, newest first."""
    at, last = after or ("infinity", "")
    return [_webhook(row) for row in conn.execute(_LIST, (portal_id, at, last, limit))]


def change(conn: Connection, webhook_id: str, portal_id: str, wanted: Wanted) -> Webhook | None:
    """Change a webhook as ``wanted`` and return it, None if there is none.

    To say whether it is enabled is to forget why it was disabled, and since when it failed. Locks
    the webhook before its deliveries, as everybody does.
    """
    types = None if wanted.event_types is None else list(wanted.event_types)
    values = {
        "id": webhook_id,
        "portal": portal_id,
        "url": wanted.url,
        "event_types": types,
        "description": wanted.description,
        "enabled": wanted.enabled,
    }
    row = conn.execute(_CHANGE, values).fetchone()
    return None if row is None else _webhook(row)


def delete(conn: Connection, webhook_id: str, portal_id: str) -> bool:
    """Delete a webhook, its deliveries and its secrets; False if there is none."""
    with conn.transaction():
        if conn.execute(_DELETE, (webhook_id, portal_id)).fetchone() is None:
            return False
        for query in _LEFT_BEHIND:
            conn.execute(query, (webhook_id,))
    return True


def was_deleted(conn: Connection, webhook_id: str, portal_id: str) -> bool:
    """Whether the portal had this webhook and deleted it."""
    return conn.execute(_DELETED, (webhook_id, portal_id)).fetchone() is not None


def sweep_deleted(conn: Connection, kept: timedelta, limit: int) -> int:
    """Forget webhooks that were deleted so long ago, at most ``limit``; return how many it were."""
    return conn.execute(_SWEEP, (kept, limit)).rowcount


# --- secrets


_NEXT: Final = """
    SELECT coalesce(max(secrets.number), 0) + 1 FROM webhook_secrets AS secrets
    WHERE webhook_id = %s"""
_LOCK: Final = """
    SELECT FROM webhooks WHERE id = %s AND portal_id = %s AND deleted_at IS NULL FOR UPDATE"""
_END: Final = """
    UPDATE webhook_secrets SET ends_at = now() + %s WHERE webhook_id = %s AND ends_at IS NULL"""
_END_OLDEST: Final = """
    DELETE FROM webhook_secrets
    WHERE webhook_id = %(id)s AND (ends_at <= now() OR number <= %(number)s - %(most)s)"""
_ADD: Final = "INSERT INTO webhook_secrets (webhook_id, number, secret) VALUES (%s, %s, %b)"
_LIVING: Final = """
    SELECT webhook_id, number, secret FROM webhook_secrets
    WHERE webhook_id = ANY(%s) AND (ends_at IS NULL OR ends_at > now())
    ORDER BY webhook_id, number DESC"""


def rotate(
    conn: Connection, codec: Codec, webhook_id: str, portal_id: str, secret: bytes
) -> Webhook | None:
    """Give a webhook a new secret and return it, None if there is none; the old one goes on."""
    with conn.transaction():
        if conn.execute(_LOCK, (webhook_id, portal_id)).fetchone() is None:
            return None
        row = conn.execute(_NEXT, (webhook_id,)).fetchone()
        assert row is not None
        conn.execute(_END, (SECRET_GOES_ON, webhook_id))
        conn.execute(_END_OLDEST, {"id": webhook_id, "number": row[0], "most": MOST_SECRETS})
        _add_secret(conn, codec, webhook_id, row[0], secret)
        return load(conn, webhook_id, portal_id)


@dataclass(frozen=True, slots=True)
class SealedSecret:
    """A secret of a webhook as it is kept."""

    webhook_id: str
    number: int
    sealed: bytes

    def opened(self, codec: Codec) -> bytes:
        """Return the secret.

        :raises SealBroken: if it was sealed under a secret of the server that is gone.
        """
        return codec.read_webhook_secret(self.webhook_id, self.number, self.sealed)


def secrets_of(
    conn: Connection, webhook_ids: Collection[str]
) -> dict[str, tuple[SealedSecret, ...]]:
    """Return the secrets that sign for each webhook, the newest first."""
    found: dict[str, tuple[SealedSecret, ...]] = {}
    for row in conn.execute(_LIVING, (list(webhook_ids),)):
        secret = SealedSecret(*row)
        found[secret.webhook_id] = (*found.get(secret.webhook_id, ()), secret)
    return found


def _add_secret(conn: Connection, codec: Codec, webhook_id: str, number: int, plain: bytes) -> None:
    sealed = codec.write_webhook_secret(webhook_id, number, plain)
    conn.execute(_ADD, (webhook_id, number, sealed))


def _webhook(row: Sequence[Any]) -> Webhook:
    webhook_id, url, types, *rest = row
    return Webhook(webhook_id, url, tuple(types), *rest)
