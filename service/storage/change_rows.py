"""The rows of the log of changes, as they are written."""

from typing import Final

from engine.events import Change
from service.storage.codec import Codec
from service.storage.pool import Connection

_INSERT: Final = (
    "INSERT INTO changes (game_id, version, kind, seat, fact) VALUES (%s, %s, %s, %s, %b)"
)


def insert_change(
    conn: Connection,
    game_id: str,
    version: int,
    kind: str,
    seat: int | None = None,
    fact: bytes | None = None,
) -> None:
    """Log that ``version`` of a game came of a change of this ``kind``, and its sealed ``fact``."""
    conn.execute(_INSERT, (game_id, version, kind, seat, fact))


def insert_changes(
    conn: Connection, codec: Codec, game_id: str, first: int, changes: tuple[Change, ...]
) -> None:
    """Log ``changes`` of the state of play, which made the versions from ``first`` on."""
    for version, made in enumerate(changes, start=first):
        fact = codec.write_change(game_id, version, made)
        insert_change(conn, game_id, version, made.kind.value, made.seat, fact)
