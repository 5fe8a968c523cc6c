"""What can be laid off of cards that are kept elsewhere."""

import pytest

from engine.cards import card_names, parse_card
from engine.hand_scores import Mistold
from engine.lay_off_search import search_lay_offs
from engine.layoffs import LayOff
from engine.melds import parse_meld
from engine.rules import STANDARD, resolve
from tests.tables import cards

TARGETS = (parse_meld(cards("6C 7C 8C")), parse_meld(cards("9H 9S 9D")))
HELD = "5C 4C 9C KH KD KS AD 2H 3S QH"


def off(name, meld):
    return LayOff(parse_card(name), meld)


def refused(held, rules=STANDARD, **made):
    with pytest.raises(Mistold) as caught:
        search_lay_offs(TARGETS, cards(held), rules, **made)
    return caught.value.error.code, caught.value.place


class TestASearch:
    def test_finds_the_best_and_what_it_makes_of_the_melds(self):
        found = search_lay_offs(TARGETS, cards(HELD), STANDARD)
        assert found.best.deadwood == 16
        assert [card_names(meld.cards) for meld in found.melds_after] == [
            ["4C", "5C", "6C", "7C", "8C", "9C"],
            ["9D", "9H", "9S"],
        ]
        assert found.chosen is None

    def test_lists_all_that_fits(self):
        found = search_lay_offs(TARGETS, cards(HELD), STANDARD)
        fits = {(each.card, each.meld, each.after) for each in found.possible}
        five, four, nine = map(parse_card, ("5C", "4C", "9C"))
        assert fits == {(five, 0, None), (four, 0, five), (nine, 0, None), (nine, 1, None)}

    def test_counts_what_was_made_of_it(self):
        made = (off("5C", 0),)
        found = search_lay_offs(TARGETS, cards(HELD), STANDARD, lay_offs=made)
        assert (found.chosen.deadwood, found.best.deadwood) == (29, 16)
        own = (cards("KH KD KS"),)
        found = search_lay_offs(TARGETS, cards(HELD), STANDARD, own_melds=own)
        assert found.chosen.deadwood == 16


class TestARefusal:
    def test_names_the_lay_off_or_meld_that_does_not_fit(self):
        assert refused(HELD, lay_offs=(off("5C", 0), off("QH", 0))) == (
            "layoff_not_possible",
            ("lay_offs", 1),
        )
        assert refused(HELD, own_melds=(cards("AD 2D 3D"),)) == ("meld_not_in_hand", ("melds", 0))

    def test_is_of_cards_that_cannot_be(self):
        assert refused(HELD + " JH") == ("wrong_card_count", ("cards",))
        assert refused("6C 2D") == ("duplicate_card", ("cards",))

    def test_is_none_of_more_cards_where_hands_may_grow(self):
        picked = resolve("standard", {"multi_pickup": True})
        assert refused(HELD + " JH", picked)[0] == "wrong_card_count"
        grown = resolve("standard", {"multi_pickup": True, "multi_pickup_return": "grow"})
        assert search_lay_offs(TARGETS, cards(HELD + " JH"), grown).best.deadwood == 26
