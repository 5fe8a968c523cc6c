import pytest

from engine.analyses import analyse
from engine.cards import DECK, cards_of
from engine.hand_scores import Mistold
from engine.rules import STANDARD, resolve
from service.use_cases.analyse_cards import analyse_in_batch
from tests.tables import NEAR_GIN, cards

PICK_UP = resolve("standard", {"multi_pickup": True})


class TestOneOfMany:
    def test_is_what_it_would_be_alone(self):
        assert analyse_in_batch(cards(NEAR_GIN), STANDARD) == analyse(cards(NEAR_GIN), STANDARD)
        most = cards_of(range(0, 45, 3))
        assert analyse_in_batch(most, PICK_UP) == analyse(most, PICK_UP)

    def test_has_no_more_cards_than_a_thousand_of_them_can_have(self):
        many = DECK >> 25
        assert analyse(many, PICK_UP).deadwood == 0
        with pytest.raises(Mistold) as caught:
            analyse_in_batch(many, PICK_UP)
        assert caught.value.error.params == {"min": 1, "max": 15}

    def test_has_no_more_cards_than_a_seat_can_hold(self):
        with pytest.raises(Mistold) as caught:
            analyse_in_batch(DECK >> 25, STANDARD)
        assert caught.value.error.params == {"min": 1, "max": 11}
