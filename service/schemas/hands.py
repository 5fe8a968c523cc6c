"""Asking for the next deal."""

from typing import Final

from service.schemas.fields import Whole
from service.schemas.moves import GREATEST_NUMBER
from service.schemas.shapes import RequestSchema


class DealRequest(RequestSchema):
    """The number of the coming hand."""

    hand_number = Whole(
        1,
        GREATEST_NUMBER,
        required=True,
        metadata={"description": "of the coming hand; the lock and the retry key"},
    )


DEAL_REQUEST: Final = DealRequest()
