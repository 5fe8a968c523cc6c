"""What belongs to a seat: its notes and its tokens."""

from typing import Final

from service.schemas import declare as wire
from service.schemas.fields import Flag, Lines, Text
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


class SeatTokenRequest(RequestSchema):
    """Another token for a seat."""

    label = Text(60, metadata={"description": "for example the device"})
    rotate = Flag(
        metadata={"description": "true: all earlier tokens of the seat end; default false"}
    )


class SeatToken(AnswerSchema):
    """A token of a seat, without the token."""

    id = wire.text("what to send to deleteSeatToken")
    label = wire.text(required=False)
    created_at = wire.time()
    current = wire.flag("the one used for this request")


class SeatTokenList(AnswerSchema):
    """The tokens of a seat that are good."""

    items = wire.many(SeatToken)


class CreatedSeatToken(AnswerSchema):
    """A new token of a seat, told this once."""

    seat = wire.seat()
    token = wire.text("grs_…")
    id = wire.text()


NOTES_REQUEST: Final = NotesRequest()
SEAT_TOKEN_REQUEST: Final = SeatTokenRequest()
