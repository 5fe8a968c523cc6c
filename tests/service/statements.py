"""Counts what is said to PostgreSQL: the statements, and the round trips."""

from contextlib import contextmanager
from threading import get_ident

import psycopg


class Said:
    """``statements`` in their order; ``trips`` counts every waiting for the server's answer."""

    def __init__(self) -> None:
        self.statements: list[str] = []
        self.trips = 0


@contextmanager
def listening():
    """Yield a :class:`Said` that is filled for the length of a ``with``, by this thread alone.

    The threads of pools say things of their own, when a connection is new.
    """
    said = Said()
    mine = get_ident()
    execute, wait = psycopg.Cursor.execute, psycopg.Connection.wait

    def heard(cursor, query, *arguments, **options):
        if get_ident() == mine:
            said.statements.append(" ".join(str(query).split()))
        return execute(cursor, query, *arguments, **options)

    def waited(conn, *arguments, **options):
        said.trips += get_ident() == mine
        return wait(conn, *arguments, **options)

    psycopg.Cursor.execute, psycopg.Connection.wait = heard, waited
    try:
        yield said
    finally:
        psycopg.Cursor.execute, psycopg.Connection.wait = execute, wait
