"""The tables of score sheets: each sheet's names and rules, and the changes that are its hands.

The changes are the record. A sheet is what they lead to, so no earlier value can get lost. They are
JSON with the names of the engine's fields; one with a default may be added later.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

import msgspec
from psycopg.types.json import Jsonb

from engine.kept_sheets import Change, Sheet, evolve
from engine.rules import Rules
from service.storage.pool import Connection


@dataclass(frozen=True, slots=True)
class LoggedChange:
    """A change with its time by the database's clock."""

    change: Change
    at: datetime


@dataclass(frozen=True, slots=True)
class SheetOwnership:
    """The portal whose a score sheet is, None if it is nobody's, and what it keeps there."""

    portal_id: str | None = None
    metadata: Mapping[str, str] | None = None


NOBODYS: Final = SheetOwnership()


@dataclass(frozen=True, slots=True)
class StoredSheet:
    """A score sheet as it was read. ``log`` holds every change, in the order of their places.

    ``erased``: whose it was is forgotten, and numbers stand for the names.
    """

    id: str
    version: int
    names: tuple[str, ...]
    sheet: Sheet
    log: tuple[LoggedChange, ...]
    created_at: datetime
    updated_at: datetime
    owner: SheetOwnership = NOBODYS
    erased: bool = False

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
    INSERT INTO score_sheets (id, version, names, rules, portal_id, metadata)
    VALUES (%s, %s, %s::jsonb, %s::jsonb, %s, %s)
    RETURNING created_at"""

COLUMNS: Final = """
    s.version, s.names::text, s.rules::text, s.created_at, s.updated_at, s.portal_id, s.metadata,
    s.erased_at IS NOT NULL, c.change::text, c.made_at"""
"""What :func:`stored_sheet` reads, of a sheet ``s`` and its changes ``c``."""

TABLES: Final = "score_sheets AS s LEFT JOIN score_sheet_changes AS c ON c.score_sheet_id = s.id"

# One statement, so that the sheet and its changes are of one moment.
_LOAD: Final = f"SELECT {COLUMNS} FROM {TABLES} WHERE s.id = %s ORDER BY c.version"

_SAVE: Final = """
    WITH saved AS (
        UPDATE score_sheets SET version = %s, updated_at = now(), hand_count = %s, complete = %s
        WHERE id = %s AND version = %s AND (erased_at IS NOT NULL) = %s
        RETURNING id, version, updated_at),
    logged AS (
        INSERT INTO score_sheet_changes (score_sheet_id, version, change, made_at)
        SELECT id, version, %s::jsonb, updated_at FROM saved)
    SELECT updated_at FROM saved"""


def insert(
    conn: Connection,
    sheet_id: str,
    names: tuple[str, ...],
    rules: Rules,
    owner: SheetOwnership = NOBODYS,
) -> StoredSheet:
    """Store a new sheet without hands, and return it."""
    metadata = None if owner.metadata is None else Jsonb(dict(owner.metadata))
    values = (sheet_id, FIRST_VERSION, _text(names), _text(rules), owner.portal_id, metadata)
    row = conn.execute(_INSERT, values).fetchone()
    assert row is not None
    sheet = Sheet(rules, len(names))
    return StoredSheet(sheet_id, FIRST_VERSION, names, sheet, (), row[0], row[0], owner)


def load(conn: Connection, sheet_id: str) -> StoredSheet | None:
    """Return the sheet, or None if there is none."""
    rows = conn.execute(_LOAD, (sheet_id,)).fetchall()
    return stored_sheet(sheet_id, rows) if rows else None


def stored_sheet(sheet_id: str, rows: Sequence[tuple[Any, ...]]) -> StoredSheet:
    """Return the sheet of which ``rows`` have the :data:`COLUMNS`, one row for each change."""
    version, names, rules, created_at, updated_at, portal_id, metadata, erased = rows[0][:8]
    log = tuple(
        LoggedChange(_decode_change(change), made_at)
        for *_, change, made_at in rows
        if change is not None
    )
    called = read_names(names)
    sheet = Sheet(_decode_rules(rules), len(called))
    for each in log:
        sheet = evolve(sheet, each.change)
    owner = SheetOwnership(portal_id, metadata)
    times = created_at, updated_at
    return StoredSheet(sheet_id, version, called, sheet, log, *times, owner, erased)


def read_names(text: str) -> tuple[str, ...]:
    """Return the names of a sheet as they are stored."""
    return _decode_names(text)


def save(conn: Connection, before: StoredSheet, change: Change) -> StoredSheet | None:
    """Store ``change`` in one guarded statement, and return the sheet after it.

    Returns None if somebody else changed, erased or deleted the sheet since ``before`` was read;
    then nothing was written.
    """
    sheet = evolve(before.sheet, change)
    told = (len(sheet.hands), sheet.score.complete)
    values = (before.version + 1, *told, before.id, before.version, before.erased, _text(change))
    row = conn.execute(_SAVE, values).fetchone()
    if row is None:
        return None
    return replace(
        before,
        version=before.version + 1,
        sheet=sheet,
        log=(*before.log, LoggedChange(change, row[0])),
        updated_at=row[0],
    )


def _text(value: object) -> str:
    return _encode(value).decode()
