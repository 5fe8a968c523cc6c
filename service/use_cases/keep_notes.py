"""Read and write the private text of a seat. It is no part of the game: no version counts it."""

from service.storage import notes
from service.storage.games import StoredGame
from service.storage.notes import Notes
from service.use_cases.house import House
from service.use_cases.refusals import Refused


def read_notes(house: House, stored: StoredGame, seat: int) -> Notes:
    """Return the notes of ``seat``.

    :raises Refused: ``notes_disabled`` where the rules allow none.
    """
    check_allowed(stored)
    with house.store.reading() as conn:
        return notes.read(conn, house.codec, stored.game.setup.id, seat)


def write_notes(house: House, stored: StoredGame, seat: int, text: str) -> Notes:
    """Put ``text`` in the place of the notes of ``seat``.

    :raises Refused: ``notes_disabled`` where the rules allow none.
    """
    check_allowed(stored)
    with house.store.writing() as conn:
        return notes.write(conn, house.codec, stored.game.setup.id, seat, text)


def check_allowed(stored: StoredGame) -> None:
    """Refuse notes in a game that is played without."""
    if not stored.game.rules.notes:
        raise Refused("notes_disabled")
