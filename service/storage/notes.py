"""The table of notes: the private text of each seat, sealed."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from service.storage.codec import Codec
from service.storage.pool import Connection


@dataclass(frozen=True, slots=True)
class Notes:
    """What a seat wrote for itself; ``updated_at`` is None until it does."""

    text: str = ""
    updated_at: datetime | None = None


_SELECT: Final = "SELECT text, updated_at FROM notes WHERE game_id = %s AND seat = %s"
_WRITE: Final = """
    INSERT INTO notes (game_id, seat, text) VALUES (%s, %s, %b)
    ON CONFLICT (game_id, seat) DO UPDATE SET text = excluded.text, updated_at = now()
    RETURNING updated_at"""


def read(conn: Connection, codec: Codec, game_id: str, seat: int) -> Notes:
    """Return the notes of a seat."""
    row = conn.execute(_SELECT, (game_id, seat)).fetchone()
    return Notes() if row is None else Notes(codec.read_notes(game_id, seat, row[0]), row[1])


def write(conn: Connection, codec: Codec, game_id: str, seat: int, text: str) -> Notes:
    """Store ``text`` in the place of the notes of a seat, and return them."""
    sealed = codec.write_notes(game_id, seat, text)
    row = conn.execute(_WRITE, (game_id, seat, sealed)).fetchone()
    assert row is not None
    return Notes(text, row[0])
