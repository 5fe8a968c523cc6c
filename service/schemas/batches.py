"""Many questions of one kind in one request."""

from typing import Any, Final

from marshmallow import ValidationError, fields

from service.schemas.fields import Fault, Inner, Sequenced
from service.schemas.shapes import RequestSchema

MOST_ITEMS: Final = 1000
MOST_BATCH_BYTES: Final = 2 * 1024 * 1024


def items_sent(item: type[RequestSchema]) -> Sequenced:
    """Return the field of the items of a batch, as the document shows it."""
    return Sequenced(Inner(item), MOST_ITEMS, required=True, metadata={"minItems": 1})


class _Anything(fields.Raw):
    """An item, whatever it is: a wrong one is told beside the others."""

    def __init__(self) -> None:
        super().__init__(allow_none=True)

    def quick(self, value: object) -> object:
        """Return ``value``."""
        return value


class Batch(RequestSchema):
    """What has to be right of a batch before its items are looked at one by one."""

    items = Sequenced(_Anything(), MOST_ITEMS, required=True)

    def check(self, loaded: dict[str, Any]) -> None:
        """Refuse a batch of nothing."""
        if not loaded["items"]:
            raise ValidationError({"items": [Fault("out_of_range", min=1, max=MOST_ITEMS)]})


BATCH: Final = Batch()
