import pytest
from marshmallow import ValidationError

from engine.layoffs import LayOff
from service.schemas.scoring_cards import (
    CARDS_ANALYSIS_REQUEST,
    LAY_OFF_SEARCH_REQUEST,
    LAY_OUT_CHECK_REQUEST,
)
from service.schemas.shapes import faults

RUN = {"kind": "run", "cards": ["AC", "2C", "3C"]}


def refused(schema, sent):
    with pytest.raises(ValidationError) as caught:
        schema.read(sent)
    return [(fault["pointer"], fault["code"]) for fault in faults(caught.value.messages)]


class TestCards:
    def test_are_read_as_a_set(self):
        for names in (["AC", "3C"], ["3c", "ac"]):
            assert CARDS_ANALYSIS_REQUEST.read({"cards": names}) == {"cards": 5}

    @pytest.mark.parametrize(
        ("cards", "fault"),
        [
            (["AC", "2C", "AC"], ("/cards/2", "duplicate_card")),
            (["AC", "AC", "AC", "AC"], ("/cards/1", "duplicate_card")),
            (["AC", 7], ("/cards/1", "wrong_type")),
            ([["AC"]], ("/cards/0", "wrong_type")),
            (["1C"], ("/cards/0", "bad_card")),
            (["AC"] * 53, ("/cards", "too_long")),
            ("AC", ("/cards", "wrong_type")),
            (None, ("/cards", "wrong_type")),
        ],
    )
    def test_that_are_wrong_are_pointed_at(self, cards, fault):
        assert refused(CARDS_ANALYSIS_REQUEST, {"cards": cards}) == [fault]


class TestASearch:
    def test_is_read_as_the_engine_wants_it(self):
        sent = {"knocker_melds": [RUN], "cards": ["4C"], "lay_offs": [{"card": "4C", "meld": 0}]}
        assert LAY_OFF_SEARCH_REQUEST.read(sent) == {
            "knocker_melds": (7,), "cards": 8, "lay_offs": (LayOff(3, 0),)
        }  # fmt: skip

    @pytest.mark.parametrize("name", ["knocker_melds", "melds"])
    def test_has_melds_that_share_no_card(self, name):
        sent = {"knocker_melds": [], "cards": ["4C"], name: [RUN, RUN]}
        assert refused(LAY_OFF_SEARCH_REQUEST, sent) == [(f"/{name}/1/cards", "card_in_two_melds")]


class TestACheck:
    def test_takes_what_is_no_meld(self):
        wrong = {"kind": "set", "cards": ["AC", "2D"]}
        [meld] = LAY_OUT_CHECK_REQUEST.read({"melds": [wrong]})["melds"]
        assert (meld.kind, meld.cards) == ("set", 1 | 1 << 14)
