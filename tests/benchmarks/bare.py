"""What the stack can do at most: bare Flask routes on the service's own pool, with nothing in them.

The same gunicorn, the same pool and the same PostgreSQL as the service, but tables of our own
(:data:`TABLES`). ``/turn`` asks of the database what a stateless turn needs: the state by its key,
then one statement that writes state and fact if the version is still the one that was read. State
and fact are as large as the service's in the middle of a hand.
"""

import os
from functools import cache
from typing import Final

from flask import Flask, Response, request
from flask.typing import ResponseReturnValue

from service.settings import Settings, for_serving, load
from service.storage.pool import Store

STATE: Final = bytes(range(256)) * 2 + bytes(38)
FACT: Final = bytes(140)

TABLES: Final = """
    CREATE TABLE bare_games (
        id text PRIMARY KEY,
        version integer NOT NULL,
        state bytea NOT NULL
    ) WITH (fillfactor = 60);
    CREATE TABLE bare_moves (
        game_id text NOT NULL,
        number integer NOT NULL,
        fact bytea NOT NULL,
        PRIMARY KEY (game_id, number)
    )"""
INSERT: Final = "INSERT INTO bare_games VALUES (%s, 1, %b)"
_SELECT: Final = "SELECT version, state FROM bare_games WHERE id = %s"
_UPDATE: Final = """
    UPDATE bare_games SET version = version + 1, state = %b WHERE id = %s RETURNING version"""
_WRITE: Final = """
    WITH saved AS (
        UPDATE bare_games SET version = %s, state = %b WHERE id = %s AND version = %s RETURNING id),
    logged AS (
        INSERT INTO bare_moves (game_id, number, fact) SELECT id, %s, %b FROM saved)
    SELECT id FROM saved"""


@cache
def constant(size: int) -> bytes:
    """Return a JSON text of so many bytes."""
    return b'{"x":"' + b"x" * (size - 8) + b'"}'


def create_app(settings: Settings) -> Flask:
    """Return the bare routes."""
    app = Flask("bare", static_folder=None)
    store = Store(settings)

    @app.get("/flask")
    def flask() -> ResponseReturnValue:
        return {"ok": True, "version": 1}

    @app.post("/sized/<int:size>")
    def sized(size: int) -> ResponseReturnValue:
        request.get_data()
        return Response(constant(size), content_type="application/json")

    @app.get("/select/<row>")
    def select(row: str) -> ResponseReturnValue:
        with store.reading() as conn:
            found = conn.execute(_SELECT, (row,)).fetchone()
        return {"ok": True, "version": found[0]}

    @app.post("/update/<row>")
    def update(row: str) -> ResponseReturnValue:
        with store.writing() as conn:
            version = conn.execute(_UPDATE, (STATE, row)).fetchone()[0]
        return {"ok": True, "version": version}

    @app.post("/turn/<row>")
    def turn(row: str) -> ResponseReturnValue:
        with store.reading() as conn:
            version = conn.execute(_SELECT, (row,)).fetchone()[0]
        values = (version + 1, STATE, row, version, version, FACT)
        with store.writing() as conn:
            saved = conn.execute(_WRITE, values).fetchone()
        return {"ok": saved is not None, "version": version + 1}, 201

    return app


def __getattr__(name: str) -> Flask:
    """Make ``app`` when gunicorn asks for it, and not when only the tables are wanted."""
    if name == "app":
        return create_app(for_serving(load(os.environ)))
    raise AttributeError(name)
