"""What cards are worth that are held elsewhere."""

import pytest

from engine.analyses import analyse
from engine.cards import card_name, parse_card
from engine.hand_scores import Mistold
from engine.melds import best_arrangement, deadwood
from engine.rules import STANDARD, resolve
from tests.tables import ALL_MELDED, NEAR_GIN, cards

PICK_UP = resolve("standard", {"multi_pickup": True})
GROW = resolve("standard", {"multi_pickup": True, "multi_pickup_return": "grow", "big_gin": True})
ELEVEN = NEAR_GIN + " KS"


def refused(*told, **more):
    with pytest.raises(Mistold) as caught:
        analyse(*told, **more)
    return caught.value.error.code, caught.value.place, caught.value.error.params


class TestTenCardsOrFewer:
    def test_have_their_best_arrangement_and_nothing_to_throw(self):
        found = analyse(cards(NEAR_GIN), STANDARD)
        assert found.arrangements == (best_arrangement(cards(NEAR_GIN)),)
        assert (found.deadwood, found.deadwood_after_best_discard) == (10, None)
        assert (found.knocks, found.discards) == ((), ())
        assert (found.knock_limit, found.multiplier, found.more) == (10, 1, True)

    def test_may_be_a_single_one(self):
        assert analyse(cards("KS"), STANDARD).deadwood == 10


class TestElevenCards:
    def test_count_all_and_say_what_a_discard_leaves(self):
        found = analyse(cards(ELEVEN), STANDARD)
        assert (found.deadwood, found.deadwood_after_best_discard) == (20, 10)
        left = {card_name(each.card): each.deadwood for each in found.discards}
        assert left.keys() == set(ELEVEN.split())
        assert left["AC"] == deadwood(cards(ELEVEN) ^ 1)
        thrown = [card_name(each.discard) for each in found.knocks]
        assert thrown == ["TS", "KS"]

    def test_may_not_lose_the_card_just_taken(self):
        taken = parse_card("KS")
        found = analyse(cards(ELEVEN), STANDARD, taken_from_discard=taken)
        assert taken not in {each.card for each in found.discards}
        assert [card_name(each.discard) for each in found.knocks] == ["TS"]
        missing = parse_card("KH")
        code, place, _ = refused(cards(ELEVEN), STANDARD, taken_from_discard=missing)
        assert (code, place) == ("card_not_in_hand", ("taken_from_discard",))

    def test_may_be_big_gin_where_that_is_played(self):
        rules = resolve("big_gin", {})
        assert analyse(cards(ALL_MELDED), rules).knocks[0].kind == "big_gin"
        assert analyse(cards(ALL_MELDED), STANDARD).knocks[0].kind == "gin"


class TestMoreCards:
    def test_are_held_only_where_several_may_be_picked_up(self):
        held = cards(ELEVEN + " QS")
        assert refused(held, STANDARD) == ("wrong_card_count", ("cards",), {"min": 1, "max": 11})
        found = analyse(held, PICK_UP)
        assert len(found.discards) == 12
        assert found.knocks == ()  # two discards are owed

    def test_may_knock_where_hands_grow(self):
        found = analyse(cards(ALL_MELDED + " KH"), GROW)
        assert {knock.kind for knock in found.knocks} == {"big_gin", "gin", "knock"}

    def test_are_never_none(self):
        assert refused(0, STANDARD)[0] == "wrong_card_count"


class TestTheUpcard:
    def test_sets_limit_and_multiplier_and_is_needed_for_them(self):
        rules = resolve("oklahoma", {})
        found = analyse(cards(ELEVEN), rules, parse_card("5S"))
        assert (found.knock_limit, found.multiplier, found.knocks) == (5, 2, ())
        assert refused(cards(ELEVEN), rules)[:2] == ("required", ("upcard",))


class TestArrangements:
    def test_are_as_many_as_asked_for(self):
        found = analyse(cards("4C 5C 6C 7C 7D 7H 7S"), STANDARD, max_arrangements=3)
        assert [each.deadwood for each in found.arrangements] == [0, 0, 4]
        assert found.more
