"""What belongs to a seat: its notes."""

from typing import Final

from service.schemas import declare as wire
from service.schemas.fields import Lines
from service.schemas.shapes import AnswerSchema, RequestSchema

LONGEST_NOTES: Final = 4000


class NotesRequest(RequestSchema):
    """The text that takes the place of the one before."""

    text = Lines(
        LONGEST_NOTES,
        required=True,
        metadata={"description": "lines end in a line feed; no other control characters"},
    )


class Notes(AnswerSchema):
    """The private text of a seat, as it was sent."""

    text = wire.text("empty until the first is written")
    updated_at = wire.time("absent until then", required=False)


NOTES_REQUEST: Final = NotesRequest()
