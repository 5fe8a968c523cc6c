"""How a deal to be checked is read: in one form only."""

import pytest
from marshmallow import ValidationError

from engine.cards import parse_card
from engine.shuffle import DrawnCard
from service.schemas.fairness import VERIFICATION_REQUEST
from service.schemas.fields import DOUBT
from tests.cases.fair_deals import FULL, MALFORMED

DRAW = [{"seat": 0, "card": "4C"}, {"seat": 1, "card": "KD"}]


class TestADealToBeChecked:
    def test_becomes_what_the_engine_takes(self):
        read = VERIFICATION_REQUEST.read({**FULL, "dealer_draw": DRAW})
        assert read["seed"] == bytes(range(32))
        assert read["server_commit"] == FULL["server_commit"]
        assert read["deck"] == tuple(map(parse_card, FULL["deck"]))
        assert read["dealer_draw"] == (
            DrawnCard(0, parse_card("4C")),
            DrawnCard(1, parse_card("KD")),
        )

    @pytest.mark.parametrize("name", MALFORMED)
    def test_of_another_form_is_refused_on_either_way(self, name):
        deal, pointer, code = MALFORMED[name]
        assert VERIFICATION_REQUEST.quick(deal) is DOUBT
        with pytest.raises(ValidationError) as error:
            VERIFICATION_REQUEST.load(deal)
        field = pointer.split("/")[1]
        assert code in str(error.value.messages[field])

    @pytest.mark.parametrize("value", [7, None, True, [], {}])
    def test_has_texts_for_secrets(self, value):
        with pytest.raises(ValidationError) as error:
            VERIFICATION_REQUEST.load({**FULL, "seed": value})
        assert error.value.messages == {"seed": ["wrong_type"]}
