"""What belongs to a seat: its notes."""

from flask.typing import ResponseReturnValue

from service.blueprints.calls import refusing
from service.blueprints.moves import may_move
from service.incoming import read_body
from service.operations import SEAT, Blueprint
from service.schemas import dump
from service.schemas.dump_scores import Wire
from service.schemas.seats import NOTES_REQUEST, Notes
from service.storage.notes import Notes as StoredNotes
from service.use_cases.house import House
from service.use_cases.keep_notes import check_allowed, read_notes, write_notes
from service.use_cases.open_game import playing_seat_of


def blueprint(house: House) -> Blueprint:
    """Return the operations on what belongs to a seat."""
    doors = Blueprint("seats")
    codes = ["spectator_read_only", "not_your_seat", "notes_disabled"]

    @doors.operation(
        "GET",
        "/v1/games/<game:game_id>/notes",
        id="getNotes",
        says="Your notes.\nA text that only your own seat can read; it stands in no view.",
        answer=Notes,
        who=SEAT,
        codes=codes,
    )
    def get(game_id: str) -> ResponseReturnValue:
        opened = may_move(house, game_id)
        with refusing(opened):
            return _written(read_notes(house, opened.stored, playing_seat_of(opened)))

    @doors.operation(
        "PUT",
        "/v1/games/<game:game_id>/notes",
        id="putNotes",
        says="Write your notes.\nThe text takes the place of the one before.",
        answer=Notes,
        body=NOTES_REQUEST,
        who=SEAT,
        codes=[*codes, "outcome_unknown"],
    )
    def put(game_id: str) -> ResponseReturnValue:
        opened = may_move(house, game_id)
        with refusing(opened):
            check_allowed(opened.stored)
        text = read_body(NOTES_REQUEST)["text"]
        with refusing(opened):
            return _written(write_notes(house, opened.stored, playing_seat_of(opened), text))

    return doors


def _written(notes: StoredNotes) -> Wire:
    wire: Wire = {"text": notes.text}
    if notes.updated_at is not None:
        wire["updated_at"] = dump.time(notes.updated_at)
    return wire
