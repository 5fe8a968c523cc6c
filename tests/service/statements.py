"""Counts what is said to PostgreSQL: the statements, and the round trips."""

from contextlib import contextmanager
from threading import get_ident

import psycopg

from service.storage.pool import Store


class Said:
    """``statements`` in their order; ``trips`` counts every waiting for the server's answer."""

    def __init__(self) -> None:
        self.statements: list[str] = []
        self.trips = 0


@contextmanager
def listening():
    """Yield a :class:`Said` that is filled for the length of a ``with``.

    Heard is all that this thread says, and all that any thread says on a connection that a pool
    lends it meanwhile: so work does not become free by being left to another thread. Not heard is
    what nobody here has asked for: a pool's own thread, when a connection is new, and the line of
    the calls between processes.
    """
    said = Said()
    mine, lent = get_ident(), set()
    execute, wait, lend = psycopg.Cursor.execute, psycopg.Connection.wait, Store._lent

    def is_heard(conn):
        return get_ident() == mine or conn in lent

    def heard(cursor, query, *arguments, **options):
        if is_heard(cursor.connection):
            said.statements.append(" ".join(str(query).split()))
        return execute(cursor, query, *arguments, **options)

    def waited(conn, *arguments, **options):
        said.trips += is_heard(conn)
        return wait(conn, *arguments, **options)

    def lending(store):
        conn = lend(store)
        lent.add(conn)
        return conn

    psycopg.Cursor.execute, psycopg.Connection.wait, Store._lent = heard, waited, lending
    try:
        yield said
    finally:
        psycopg.Cursor.execute, psycopg.Connection.wait, Store._lent = execute, wait, lend
