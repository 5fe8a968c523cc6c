"""One side of a hand: cards, cards as they were laid out, or a count."""

import pytest
from marshmallow import ValidationError

from engine.hand_scores import HandSide as EngineSide
from engine.layoffs import LayOff
from service.schemas.hand_sides import HandSide
from service.schemas.shapes import faults
from tests.tables import NEAR_GIN, cards

TEN = NEAR_GIN.split()
RUN = {"kind": "run", "cards": ["AC", "2C", "3C"]}
SIDE = HandSide()


def refused(sent):
    with pytest.raises(ValidationError) as caught:
        SIDE.read(sent)
    return [(fault["pointer"], fault["code"]) for fault in faults(caught.value.messages)]


class TestASide:
    @pytest.mark.parametrize(
        ("sent", "read"),
        [
            ({"deadwood": 0}, EngineSide(deadwood=0)),
            ({"deadwood": 170, "seat": 3}, EngineSide(3, deadwood=170)),
            ({"cards": TEN}, EngineSide(cards=cards(NEAR_GIN))),
            (
                {"cards": TEN, "melds": [RUN], "lay_offs": [{"card": "4C", "meld": 0}]},
                EngineSide(None, cards(NEAR_GIN), (7,), (LayOff(3, 0),)),
            ),
        ],
    )
    def test_is_read_as_what_the_engine_scores(self, sent, read):
        assert SIDE.read(sent) == SIDE.load(sent) == read

    @pytest.mark.parametrize(
        ("sent", "found"),
        [
            ({"seat": 1}, [("/cards", "required")]),
            ({"cards": TEN, "deadwood": 3}, [("/cards", "field_not_allowed")]),
            ({"deadwood": 171}, [("/deadwood", "out_of_range")]),
            ({"deadwood": -1}, [("/deadwood", "out_of_range")]),
            ({"cards": [*TEN, "AC"]}, [("/cards/10", "duplicate_card")]),
            ({"cards": TEN, "melds": [RUN, RUN]}, [("/melds/1/cards", "card_in_two_melds")]),
        ],
    )
    def test_is_refused_where_it_is_told_wrongly(self, sent, found):
        assert refused(sent) == found
