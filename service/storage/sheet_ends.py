"""How a score sheet's life ends: deleted, too old, or kept with nobody's name on it.

Times are told by the database's clock alone.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from service.storage import idempotency
from service.storage.pool import Connection

_DELETE: Final = """
    WITH gone AS (DELETE FROM score_sheets WHERE id = ANY(%s) RETURNING id, portal_id)
    INSERT INTO deleted_score_sheets (id, portal_id)
    SELECT id, portal_id FROM gone WHERE portal_id IS NOT NULL"""
_DELETE_CHANGES: Final = "DELETE FROM score_sheet_changes WHERE score_sheet_id = ANY(%s)"
_WAS_DELETED: Final = "SELECT FROM deleted_score_sheets WHERE id = %s AND portal_id = %s"
_OLD: Final = """
    SELECT id FROM score_sheets WHERE updated_at < now() - %s
    ORDER BY updated_at LIMIT %s FOR UPDATE SKIP LOCKED"""
_OLD_IDS: Final = """
    DELETE FROM deleted_score_sheets WHERE id IN (
        SELECT id FROM deleted_score_sheets WHERE deleted_at < now() - %s
        ORDER BY deleted_at LIMIT %s FOR UPDATE SKIP LOCKED)"""
_ERASE: Final = """
    UPDATE score_sheets SET metadata = NULL, erased_at = coalesce(erased_at, now()), names = (
        SELECT jsonb_agg(place::text ORDER BY place)
        FROM generate_series(1, jsonb_array_length(names)) AS place)
    WHERE id = %s RETURNING id"""
_ERASE_REASONS: Final = """
    UPDATE score_sheet_changes SET change = change #- '{word,reason}' WHERE score_sheet_id = %s"""


def delete(conn: Connection, sheet_ids: Sequence[str]) -> None:
    """Delete sheets with all that was ever said of them, those that are there.

    Of a portal's the id is kept, so that it can be told that the sheet was deleted.
    """
    ids = list(sheet_ids)
    with conn.transaction():
        # A statement each: the second also sees the change of a writer for whom the first waited.
        conn.execute(_DELETE, (ids,))
        conn.execute(_DELETE_CHANGES, (ids,))
        idempotency.forget_sheets(conn, ids)


def was_deleted(conn: Connection, sheet_id: str, portal_id: str) -> bool:
    """Whether the portal had this sheet, and it is gone."""
    return conn.execute(_WAS_DELETED, (sheet_id, portal_id)).fetchone() is not None


def expire(conn: Connection, after: timedelta, limit: int) -> int:
    """Delete at most ``limit`` sheets unchanged for so long; return how many it were.

    One that somebody is just changing is left alone. Ids of sheets that are gone for as long are
    deleted, too.
    """
    with conn.transaction():
        found = [row[0] for row in conn.execute(_OLD, (after, limit))]
        if found:
            delete(conn, found)
        conn.execute(_OLD_IDS, (after, limit))
    return len(found)


def erase(conn: Connection, sheet_id: str) -> bool:
    """Remove all that tells who kept a sheet: names, reasons, what the portal keeps there.

    The seats' numbers from 1 stand for the names, and the hands stay. Answers that were kept to be
    given again go, for all names stand in them. False if there is no such sheet.
    """
    with conn.transaction():
        if conn.execute(_ERASE, (sheet_id,)).fetchone() is None:
            return False
        conn.execute(_ERASE_REASONS, (sheet_id,))
        idempotency.forget_sheets(conn, [sheet_id])
    return True
