"""Asking for the next deal, and consenting to a void of the present one."""

from typing import Final

from service.schemas import declare as wire
from service.schemas.fields import Commitment, Secret, Whole
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


class VoidConsentRequest(RequestSchema):
    """Whether the seat consents to a void of the hand."""

    consent = wire.flag("false takes it back")


class CutRequest(RequestSchema):
    """The nonce of this hand, and the commitment to the next one."""

    nonce = Secret(
        required=True, metadata={"description": "64 hex digits, opens the committed one"}
    )
    next_nonce_commit = Commitment(
        metadata={"description": "64 hex digits; absent = contribute no more"}
    )


CUT_REQUEST: Final = CutRequest()
DEAL_REQUEST: Final = DealRequest()
VOID_CONSENT_REQUEST: Final = VoidConsentRequest()
