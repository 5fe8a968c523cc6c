import pytest
from marshmallow import ValidationError

from service.schemas.batches import BATCH, MOST_ITEMS, items_sent
from service.schemas.scoring import HandScoreRequest
from service.schemas.shapes import faults


def refused(sent):
    with pytest.raises(ValidationError) as caught:
        BATCH.read(sent)
    return [(fault["pointer"], fault["code"]) for fault in faults(caught.value.messages)]


class TestABatch:
    def test_holds_anything_as_it_was_sent(self):
        items = [None, 1, {"a": [2]}, "x"]
        assert (
            BATCH.read({"items": items})["items"] == items == BATCH.load({"items": items})["items"]
        )

    def test_has_a_thousand_items_at_most_and_one_at_least(self):
        assert len(BATCH.read({"items": [0] * MOST_ITEMS})["items"]) == MOST_ITEMS
        assert refused({"items": [0] * (MOST_ITEMS + 1)}) == [("/items", "too_long")]
        assert refused({"items": []}) == [("/items", "out_of_range")]

    def test_is_an_object_with_a_list(self):
        assert refused([]) == [("", "wrong_type")]
        assert refused({"items": "x"}) == [("/items", "wrong_type")]
        assert refused({}) == [("/items", "required")]

    def test_is_shown_with_its_items(self):
        field = items_sent(HandScoreRequest)
        assert (field.required, field.longest) == (True, MOST_ITEMS)
