import pytest

from engine.cards import parse_card
from engine.hand_scores import Mistold
from engine.meld_checks import ProposedMeld
from engine.melds import MeldKind
from engine.rules import STANDARD, resolve
from service.use_cases.check_melds import check_melds
from tests.tables import ALL_MELDED, NEAR_GIN, cards

MELDS = tuple(
    ProposedMeld(MeldKind.RUN, cards(names)) for names in ("AC 2C 3C", "4D 5D 6D", "7H 8H 9H")
)
OKLAHOMA = resolve("oklahoma", {})


class TestMelds:
    def test_alone_are_valid_or_not(self):
        found = check_melds(MELDS, STANDARD)
        assert (found.issues, found.deadwood, found.can_knock) == ((), None, None)

    def test_of_cards_leave_something(self):
        assert check_melds(MELDS, STANDARD, cards(NEAR_GIN)).can_knock

    def test_are_held_to_the_limit_of_the_upcard(self):
        assert not check_melds(MELDS, OKLAHOMA, cards(NEAR_GIN), parse_card("4H")).can_knock
        assert check_melds(MELDS, OKLAHOMA, cards(NEAR_GIN), parse_card("KH")).can_knock
        with pytest.raises(Mistold) as caught:
            check_melds(MELDS, OKLAHOMA, cards(NEAR_GIN))
        assert caught.value.place == ("upcard",)

    def test_are_of_no_more_cards_than_a_seat_holds(self):
        with pytest.raises(Mistold):
            check_melds(MELDS, STANDARD, cards(ALL_MELDED + " KS"))
