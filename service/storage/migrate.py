"""Bring a database to the schema of this version: numbered SQL files, each applied once.

A file is one transaction, together with the note that it was applied, unless its first line is
``-- no-transaction`` (``CREATE INDEX CONCURRENTLY``). An advisory lock lets one migrator work at a
time. What was applied must still be there, unchanged.
"""

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from service.storage.errors import MigrationError
from service.storage.pool import Connection

FOLDER: Final = Path(__file__).with_name("migrations")
LOCK: Final = 0x47494E31
"""The advisory lock of migrators; any number that nothing else in the database uses."""

NO_TRANSACTION: Final = "-- no-transaction"

TABLE: Final = """
CREATE TABLE IF NOT EXISTS schema_migrations (
  number     integer PRIMARY KEY,
  name       text NOT NULL,
  checksum   text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
)
"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One file: ``0001_games.sql`` has the number 1 and the name ``games``."""

    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """SHA-256 of the text, in hexadecimal."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


def read(folder: Path = FOLDER) -> list[Migration]:
    """Return the migrations of ``folder`` in their order.

    :raises MigrationError: if a file has no proper name, or the numbers do not run 1, 2, 3 …
    """
    found = []
    for path in sorted(folder.glob("*.sql")):
        named = re.fullmatch(r"([0-9]{4})_([a-z0-9_]+)\.sql", path.name)
        if named is None:
            raise MigrationError(f"{path.name} is not named like 0001_games.sql")
        found.append(Migration(int(named[1]), named[2], path.read_text("utf-8")))
    if [one.number for one in found] != list(range(1, len(found) + 1)):
        raise MigrationError(f"the numbers in {folder.name} do not run 1, 2, 3 … without a gap")
    return found


def migrate(conn: Connection, folder: Path = FOLDER) -> list[Migration]:
    """Apply what is missing, in order; return what was applied.

    ``conn`` must commit each statement by itself.

    :raises MigrationError: if an applied file was edited or is gone; nothing is applied then.
    """
    with _locked(conn):
        conn.execute(TABLE)
        missing = _missing(conn, read(folder))
        for one in missing:
            _apply(conn, one)
    return missing


def at_head(conn: Connection, folder: Path = FOLDER) -> bool:
    """Whether every migration of this version is applied; those of a later version may be, too."""
    if conn.execute("SELECT to_regclass('schema_migrations')").fetchone() == (None,):
        return False
    known = _applied(conn)
    return all(known.get(one.number) == one.checksum for one in read(folder))


def _applied(conn: Connection) -> dict[int, str]:
    return dict(conn.execute("SELECT number, checksum FROM schema_migrations").fetchall())


def _missing(conn: Connection, files: list[Migration]) -> list[Migration]:
    here = {one.number: one for one in files}
    applied = _applied(conn)
    for number, checksum in sorted(applied.items()):
        if number not in here:
            raise MigrationError(f"migration {number} was applied, but its file is missing")
        if here[number].checksum != checksum:
            raise MigrationError(f"migration {number} was edited after it was applied")
    return [one for one in files if one.number not in applied]


def _apply(conn: Connection, one: Migration) -> None:
    note = "INSERT INTO schema_migrations (number, name, checksum) VALUES (%s, %s, %s)"
    values = (one.number, one.name, one.checksum)
    if one.sql.startswith(NO_TRANSACTION):
        conn.execute(one.sql)
        conn.execute(note, values)
        return
    with conn.transaction():
        conn.execute("SET LOCAL lock_timeout = '2s'")  # rather fail than hold up the games
        conn.execute(one.sql)
        conn.execute(note, values)


@contextmanager
def _locked(conn: Connection) -> Iterator[None]:
    conn.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
    try:
        yield
    finally:
        conn.execute("SELECT pg_advisory_unlock(%s)", (LOCK,))
