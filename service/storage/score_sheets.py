"""The tables of score sheets: each sheet's names and rules, and the changes that are its hands.

The changes are the record. A sheet is what they lead to, so no earlier value can get lost. They are
JSON with the names of the engine's fields; one with a default may be added later.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

import msgspec

from engine.kept_sheets import Change, Sheet, evolve
from engine.rules import Rules
from service.storage.pool import Connection


@dataclass(frozen=True, slots=True)
class LoggedChange:
    """A change with its time by the database's clock."""

    change: Change
    at: datetime


@dataclass(frozen=True, slots=True)
class StoredSheet:
    """A score sheet as it was read. ``log`` holds every change, in the order of their places."""

    id: str
    version: int
    names: tuple[str, ...]
    sheet: Sheet
    log: tuple[LoggedChange, ...]
    created_at: datetime
    updated_at: datetime

    def change_after(self, version: int) -> Change | None:
        """Return the change that was made to this ``version``, if one was."""
        place = version - FIRST_VERSION
        return self.log[place].change if 0 <= place < len(self.log) else None


FIRST_VERSION: Final = 1
"""The version of a sheet without hands. Each change makes the next one."""

_encode: Final = msgspec.json.Encoder().encode
_decode_change: Final = msgspec.json.Decoder(Change).decode
_decode_names: Final = msgspec.json.Decoder(tuple[str, ...]).decode
_decode_rules: Final = msgspec.json.Decoder(Rules).decode

_INSERT: Final = """
    INSERT INTO score_sheets (id, version, names, rules) VALUES (%s, %s, %s::jsonb, %s::jsonb)
    RETURNING created_at"""

# One statement, so that the sheet and its changes are of one moment.
_LOAD: Final = """
    SELECT s.version, s.names::text, s.rules::text, s.created_at, s.updated_at,
        c.change::text, c.made_at
    FROM score_sheets AS s LEFT JOIN score_sheet_changes AS c ON c.score_sheet_id = s.id
    WHERE s.id = %s ORDER BY c.version"""

_SAVE: Final = """
    WITH saved AS (
        UPDATE score_sheets SET version = %s, updated_at = now()
        WHERE id = %s AND version = %s RETURNING id, version, updated_at),
    logged AS (
        INSERT INTO score_sheet_changes (score_sheet_id, version, change, made_at)
        SELECT id, version, %s::jsonb, updated_at FROM saved)
    SELECT updated_at FROM saved"""

_DELETE: Final = "DELETE FROM score_sheets WHERE id = %s"
_DELETE_CHANGES: Final = "DELETE FROM score_sheet_changes WHERE score_sheet_id = %s"


def insert(conn: Connection, sheet_id: str, names: tuple[str, ...], rules: Rules) -> StoredSheet:
    """Store a new sheet without hands, and return it."""
    values = (sheet_id, FIRST_VERSION, _text(names), _text(rules))
    row = conn.execute(_INSERT, values).fetchone()
    assert row is not None
    return StoredSheet(sheet_id, FIRST_VERSION, names, Sheet(rules, len(names)), (), row[0], row[0])


def load(conn: Connection, sheet_id: str) -> StoredSheet | None:
    """Return the sheet, or None if there is none."""
    rows = conn.execute(_LOAD, (sheet_id,)).fetchall()
    return _stored(sheet_id, rows) if rows else None


def _stored(sheet_id: str, rows: Sequence[tuple[Any, ...]]) -> StoredSheet:
    version, names, rules, created_at, updated_at = rows[0][:5]
    log = tuple(
        LoggedChange(_decode_change(change), made_at)
        for *_, change, made_at in rows
        if change is not None
    )
    called = _decode_names(names)
    sheet = Sheet(_decode_rules(rules), len(called))
    for each in log:
        sheet = evolve(sheet, each.change)
    return StoredSheet(sheet_id, version, called, sheet, log, created_at, updated_at)


def save(conn: Connection, before: StoredSheet, change: Change) -> StoredSheet | None:
    """Store ``change`` in one guarded statement, and return the sheet after it.

    Returns None if somebody else changed or deleted the sheet since ``before`` was read; then
    nothing was written.
    """
    values = (before.version + 1, before.id, before.version, _text(change))
    row = conn.execute(_SAVE, values).fetchone()
    if row is None:
        return None
    return replace(
        before,
        version=before.version + 1,
        sheet=evolve(before.sheet, change),
        log=(*before.log, LoggedChange(change, row[0])),
        updated_at=row[0],
    )


def delete(conn: Connection, sheet_id: str) -> None:
    """Delete the sheet with all that was ever said of it, if it is there."""
    with conn.transaction():
        # Two statements: the second also sees the change of a writer for whom the first waited.
        conn.execute(_DELETE, (sheet_id,))
        conn.execute(_DELETE_CHANGES, (sheet_id,))


def _text(value: object) -> str:
    return _encode(value).decode()
