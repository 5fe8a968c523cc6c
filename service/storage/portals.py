"""The tables of portals and their keys. A key is known by its SHA-256 alone."""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from service.storage import score_sheets
from service.storage.codec import Codec
from service.storage.errors import NoSuchKey, StorageError
from service.storage.games import COLUMNS, StoredGame, stored_game
from service.storage.pool import Connection
from service.storage.score_sheets import StoredSheet, stored_sheet


@dataclass(frozen=True, slots=True)
class Portal:
    """Who calls with a portal key: the portal, and what this key of it is good for."""

    id: str
    scopes: frozenset[str]


@dataclass(frozen=True, slots=True)
class PortalGame:
    """A game of a portal, with what the portal keeps there."""

    stored: StoredGame
    metadata: dict[str, str]


@dataclass(frozen=True, slots=True)
class KeyInfo:
    """A key as an operator sees it. The key itself is nowhere to be seen."""

    id: str
    portal: str
    scopes: tuple[str, ...]
    created_at: datetime
    revoked_at: datetime | None
    replaces: str | None


_KEY: Final = (
    "SELECT hash, portal_id, scopes FROM portal_keys WHERE hash = %b AND revoked_at IS NULL"
)
_KEY_AND_GAME: Final = f"""
    SELECT keys.hash, keys.portal_id, keys.scopes, games.*
    FROM portal_keys AS keys LEFT JOIN (
        SELECT coalesce(metadata, '{{}}') AS metadata, {COLUMNS}
        FROM games WHERE id = %s AND deleted_at IS NULL
    ) AS games ON games.portal_id = keys.portal_id
    WHERE keys.hash = %b AND keys.revoked_at IS NULL"""

_KEY_AND_SHEET: Final = f"""
    SELECT keys.hash, keys.portal_id, keys.scopes, sheets.*
    FROM portal_keys AS keys LEFT JOIN (
        SELECT {score_sheets.COLUMNS}, c.version AS place
        FROM {score_sheets.TABLES} WHERE s.id = %s
    ) AS sheets ON sheets.portal_id = keys.portal_id
    WHERE keys.hash = %b AND keys.revoked_at IS NULL ORDER BY sheets.place"""


def by_key(conn: Connection, key_hash: bytes) -> Portal | None:
    """Return the portal that has the key of this hash, or None if there is none, or no more."""
    row = conn.execute(_KEY, (key_hash,)).fetchone()
    return None if row is None else _portal(row, key_hash)


def load_game(
    conn: Connection, codec: Codec, key_hash: bytes, game_id: str
) -> tuple[Portal | None, PortalGame | None]:
    """Return the portal of a key and its game ``game_id``; a game of others is None like none.

    One statement, so that a key that was revoked meanwhile opens nothing.
    """
    row = conn.execute(_KEY_AND_GAME, (game_id, key_hash), binary=True).fetchone()
    portal = None if row is None else _portal(row, key_hash)
    if row is None or portal is None or row[4] is None:
        return portal, None
    return portal, PortalGame(stored_game(codec, row[4:]), row[3])


def load_sheet(
    conn: Connection, key_hash: bytes, sheet_id: str
) -> tuple[Portal | None, StoredSheet | None]:
    """Return the portal of a key and its score sheet, as :func:`load_game` does of games."""
    rows = conn.execute(_KEY_AND_SHEET, (sheet_id, key_hash)).fetchall()
    portal = _portal(rows[0], key_hash) if rows else None
    if portal is None or rows[0][3] is None:
        return portal, None
    return portal, stored_sheet(sheet_id, [row[3:-1] for row in rows])


def _portal(row: Sequence[Any], key_hash: bytes) -> Portal | None:
    # Found by an index, whose comparison may take a different time for every hash.
    if not hmac.compare_digest(row[0], key_hash):
        return None
    return Portal(row[1], frozenset(row[2]))


_PORTAL: Final = """
    WITH made AS (
        INSERT INTO portals (id, name) VALUES (%s, %s) ON CONFLICT (name) DO NOTHING RETURNING id)
    SELECT id FROM made UNION ALL SELECT id FROM portals WHERE name = %s LIMIT 1"""
_NEW_KEY: Final = "INSERT INTO portal_keys (id, portal_id, hash, scopes) VALUES (%s, %s, %b, %s)"
_ROTATE: Final = """
    INSERT INTO portal_keys (id, portal_id, hash, scopes, replaces)
    SELECT %s, old.portal_id, %b, old.scopes, old.id FROM portal_keys AS old
    WHERE old.id = %s AND old.revoked_at IS NULL AND NOT EXISTS (
        SELECT FROM portal_keys AS later WHERE later.replaces = old.id AND later.revoked_at IS NULL)
    ON CONFLICT DO NOTHING
    RETURNING portal_id"""
_REVOKE: Final = """
    UPDATE portal_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = %s RETURNING id"""
_KEYS: Final = """
    SELECT keys.id, portals.name, keys.scopes, keys.created_at, keys.revoked_at, keys.replaces
    FROM portal_keys AS keys JOIN portals ON portals.id = keys.portal_id
    ORDER BY portals.name, keys.created_at, keys.id"""


def add_key(
    conn: Connection, portal: tuple[str, str], key_id: str, key_hash: bytes, scopes: Sequence[str]
) -> None:
    """Store a new key of the portal named ``portal[1]``; ``portal[0]`` is its id if it is new.

    :raises StorageError: if somebody else made this portal at the same moment.
    """
    new_id, name = portal
    with conn.transaction():
        row = conn.execute(_PORTAL, (new_id, name, name)).fetchone()
        if row is None:
            raise StorageError("the portal is being made by somebody else: try again")
        conn.execute(_NEW_KEY, (key_id, row[0], key_hash, list(scopes)))


def rotate_key(conn: Connection, old_id: str, new_id: str, new_hash: bytes) -> bool:
    """Store a new key with the scopes of ``old_id``, which stays good; False if that cannot be.

    It cannot if the old key is unknown or revoked, or has a living successor already.
    """
    return conn.execute(_ROTATE, (new_id, new_hash, old_id)).fetchone() is not None


def revoke_key(conn: Connection, key_id: str) -> None:
    """End a key, now and for good. One that was ended already stays as it was.

    :raises NoSuchKey: if there is none of this id.
    """
    if conn.execute(_REVOKE, (key_id,)).fetchone() is None:
        raise NoSuchKey(f"there is no key {key_id}")


def keys(conn: Connection) -> list[KeyInfo]:
    """Return every key of every portal, in the order of portals and of time."""
    return [
        KeyInfo(key_id, name, tuple(scopes), *rest)
        for key_id, name, scopes, *rest in conn.execute(_KEYS)
    ]
