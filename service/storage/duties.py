"""The table of duties: what is to be done from time to time by one process, whichever it is.

Whoever takes a duty has it for some seconds, by the database's clock; a process that dies with one
keeps the others from it no longer than that. An advisory lock would need a connection to itself for
the whole time, which a PgBouncer in transaction mode does not give.
"""

from typing import Final

from service.storage.pool import Connection

_TAKE: Final = """
    INSERT INTO duties AS old (name, until)
    SELECT %(name)s, now() + make_interval(secs => %(seconds)s)
    WHERE NOT EXISTS (SELECT FROM duties WHERE name = %(name)s AND until > now())
    ON CONFLICT (name) DO UPDATE SET until = excluded.until WHERE old.until <= now()
    RETURNING true"""
_LEAVE: Final = """
    UPDATE duties SET until = now() + make_interval(secs => %s) WHERE name = %s"""


def take(conn: Connection, name: str, seconds: float) -> bool:
    """Take a duty for so many seconds; False if it is somebody's, or is not due yet."""
    values = {"name": name, "seconds": float(seconds)}
    return conn.execute(_TAKE, values).fetchone() is not None


def leave(conn: Connection, name: str, seconds: float) -> None:
    """Leave a duty that is done; it is due again in so many seconds."""
    conn.execute(_LEAVE, (float(seconds), name))
