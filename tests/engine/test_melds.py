import json
import os
import random
from pathlib import Path

import pytest

from engine.cards import DECK, card_name, card_names, parse_card, parse_cards, points
from engine.errors import CardInTwoMelds, MeldNotInHand, NotARun, NotASet, RunWrapsAce
from engine.melds import (
    Arrangement,
    Meld,
    MeldKind,
    arrangements,
    arrangements_after_each_discard,
    best_arrangement,
    can_be_laid_off,
    check_arrangement,
    deadwood,
    deadwood_after_each_discard,
    in_possible_melds,
    parse_meld,
)
from tests import brute_force, random_hands

SWEEP = int(os.environ.get("GIN_SWEEP_HANDS", "1000"))
CASES = json.loads(
    (Path(__file__).parents[1] / "cases" / "rules_cases.json").read_text(encoding="utf-8")
)["cases"]


def cases(kind, op):
    return [
        pytest.param(case["input"], case["expected"], id=case["id"])
        for case in CASES
        if (case["kind"], case["op"]) == (kind, op)
    ]


def cards(names):
    return parse_cards(names.split())


def names(arrangement):
    return [" ".join(card_names(meld.cards)) for meld in arrangement.melds]


def as_layout(arrangement):
    return frozenset(frozenset(card_names(meld.cards)) for meld in arrangement.melds)


def hands_of_all_kinds(seed):
    """As dealt and rich in melds, ten cards and eleven."""
    rng = random.Random(seed)
    for number in range(SWEEP):
        make = random_hands.dealt if number % 4 == 0 else random_hands.rich
        yield make(rng, 10 + number // 2 % 2)


class TestTheCaseFile:
    @pytest.mark.parametrize(("given", "expected"), cases("meld", "best"))
    def test_finds_every_best_arrangement(self, given, expected):
        hand = parse_cards(given["cards"])
        found = arrangements(hand)
        assert {each.deadwood for each in found} == {expected["deadwood"]} == {deadwood(hand)}
        assert len(found) == len(expected["optimal_arrangements"])
        assert {*map(as_layout, found)} == {
            frozenset(map(frozenset, layout)) for layout in expected["optimal_arrangements"]
        }
        assert best_arrangement(hand) in found

    @pytest.mark.parametrize(("given", "expected"), cases("meld", "valid"))
    def test_tells_melds_from_other_cards(self, given, expected):
        try:
            parse_meld(parse_cards(given["cards"]))
            valid = True
        except ValueError:
            valid = False
        assert valid is expected["valid"]

    @pytest.mark.parametrize(("given", "expected"), cases("knock", "options"))
    def test_finds_what_each_discard_leaves(self, given, expected):
        hand = parse_cards(given["hand"])
        barred = given["taken_from_discard"]
        after = {
            card_name(card): left
            for card, left in deadwood_after_each_discard(hand).items()
            if card_name(card) != barred
        }
        assert after == expected["deadwood_after_discard"]
        assert (deadwood(hand) == 0) is expected["big_gin_cards"]
        gin = [name for name in after if best_arrangement(hand ^ cards(name)).deadwood == 0]
        assert sorted(gin) == sorted(expected["gin_discards"])


class TestAMeld:
    def test_is_three_or_four_cards_of_one_rank(self):
        assert parse_meld(cards("7C 7D 7S")) == Meld(MeldKind.SET, cards("7C 7D 7S"))
        assert parse_meld(cards("7C 7D 7H 7S")).kind is MeldKind.SET

    @pytest.mark.parametrize("run", ["AH 2H 3H", "JS QS KS", "A23456789TJQK"])
    def test_is_three_or_more_consecutive_cards_of_one_suit(self, run):
        run = run if " " in run else " ".join(rank + "D" for rank in run)
        assert parse_meld(cards(run)) == Meld(MeldKind.RUN, cards(run))

    def test_is_one_of_329(self):
        possible = brute_force.melds_within(brute_force.DECK)
        assert len(possible) == 329
        for meld in possible:
            kind = MeldKind.SET if brute_force.is_set(meld) else MeldKind.RUN
            assert parse_meld(parse_cards(meld)) == Meld(kind, parse_cards(meld))

    @pytest.mark.parametrize("pair", ["7C 7D", "KS", "AC"])
    def test_of_one_rank_has_at_least_three_cards(self, pair):
        with pytest.raises(NotASet):
            parse_meld(cards(pair))

    @pytest.mark.parametrize("wrapped", ["QH KH AH", "KS AS 2S", "JC QC KC AC 2C"])
    def test_does_not_go_round_the_ace(self, wrapped):
        with pytest.raises(RunWrapsAce):
            parse_meld(cards(wrapped))

    @pytest.mark.parametrize(
        "other",
        ["", "4C 5C", "4C 5C 7C", "4C 5C 6D", "KC KD AD", "QC KC AD", "KH AH", "AH 5H KH",
         "AH 2H 5H QH KH", "JS QS KS AC", "QC KC AC 5D", "AC 2C 4C"],
    )  # fmt: skip
    def test_is_nothing_else(self, other):
        with pytest.raises(NotARun):
            parse_meld(cards(other))


class TestALayOutThatSomebodyNames:
    def test_keeps_its_order_and_counts_the_rest(self):
        hand = cards("7C 7D 7H 4S 5S 6S KD 2C")
        melds = [cards("4S 5S 6S"), cards("7C 7D 7H")]
        assert check_arrangement(melds, hand) == Arrangement(
            (Meld(MeldKind.RUN, melds[0]), Meld(MeldKind.SET, melds[1])), cards("2C KD"), 12
        )

    def test_need_not_be_the_best(self):
        assert check_arrangement([], cards("7C 7D 7H")).deadwood == 21

    def test_has_no_card_twice(self):
        hand = cards("7C 7D 7H 5C 6C")
        with pytest.raises(CardInTwoMelds) as refused:
            check_arrangement([cards("7C 7D 7H"), cards("5C 6C 7C")], hand)
        assert refused.value.params == {"card": parse_card("7C")}

    def test_has_no_card_from_elsewhere(self):
        with pytest.raises(MeldNotInHand) as refused:
            check_arrangement([cards("7C 7D 7H"), cards("4S 5S 6S")], cards("7C 7D 7H 4S 6S"))
        assert refused.value.params == {"meld": 1, "card": parse_card("5S")}

    def test_consists_of_melds(self):
        with pytest.raises(NotARun):
            check_arrangement([cards("7C 7D 8H")], cards("7C 7D 8H"))


class TestTheLeastDeadwood:
    def test_is_zero_without_cards_and_with_all_of_them(self):
        assert deadwood(0) == deadwood(DECK) == 0

    def test_counts_all_eleven_cards(self):
        hand = cards("KS KC QD QH JS JC TD TH 9S 9C 2D")
        assert deadwood(hand) == points(hand) == 100

    def test_of_a_hand_without_melds_is_its_points(self):
        assert deadwood(cards("AC 3C 5D JH")) == 19

    def test_is_that_of_brute_force(self):
        for hand in hands_of_all_kinds(1):
            assert deadwood(hand) == brute_force.least_deadwood(frozenset(card_names(hand)))

    def test_is_that_of_brute_force_for_any_smaller_number_of_cards(self):
        rng = random.Random(2)
        for number in range(SWEEP):
            hand = random_hands.rich(rng, number % 10)
            assert deadwood(hand) == brute_force.least_deadwood(frozenset(card_names(hand)))

    def test_is_that_of_brute_force_for_more_cards_than_a_hand_has(self):
        rng = random.Random(3)
        for number in range(SWEEP // 50):
            hand = random_hands.rich(rng, 12 + number % 4)
            assert deadwood(hand) == brute_force.least_deadwood(frozenset(card_names(hand)))

    def test_with_many_clashing_ranks_needs_every_choice(self):
        # Five sets or three runs leave nothing. Without 5H neither does: sets of sixes and sevens
        # and two runs up to the fives leave 3H and 4H.
        hand = cards("3C 4C 5C 6C 7C 3D 4D 5D 6D 7D 3H 4H 5H 6H 7H")
        assert deadwood(hand) == 0
        assert deadwood(hand | cards("3S 5S")) == 0
        assert deadwood(hand ^ cards("5H")) == 7


class TestDeadwoodAfterEachDiscard:
    def test_is_the_deadwood_of_what_is_left(self):
        for hand in hands_of_all_kinds(4):
            after = deadwood_after_each_discard(hand)
            assert [card_name(card) for card in after] == card_names(hand)
            assert after == {card: deadwood(hand ^ 1 << card) for card in after}


class TestArrangementsAfterEachDiscard:
    def test_are_the_best_of_what_is_left_with_the_thrown_card_seen(self):
        for hand in hands_of_all_kinds(4):
            after = arrangements_after_each_discard(hand)
            assert [card_name(card) for card in after] == card_names(hand)
            for card, arrangement in after.items():
                assert arrangement == best_arrangement(hand ^ 1 << card, 1 << card)

    def test_are_chosen_anew_where_the_whole_hand_has_several(self):
        # The run leaves 6C and 6D, the set leaves 5S and 7S: as much. Which is better depends on
        # the cards seen, so that every rest is looked at by itself.
        hand = cards("5S 6S 7S 6C 6D KH QD 9C 2H TD 3D")
        for card, arrangement in arrangements_after_each_discard(hand).items():
            assert arrangement == best_arrangement(hand ^ 1 << card, 1 << card)


class TestAllBestArrangements:
    def test_are_those_of_brute_force(self):
        for hand in hands_of_all_kinds(5):
            found = arrangements(hand)
            layouts = [as_layout(each) for each in found]
            assert set(layouts) == brute_force.best_layouts(card_names(hand))
            assert len(set(layouts)) == len(layouts)

    def test_are_those_of_brute_force_with_more_cards_than_a_hand_has(self):
        rng = random.Random(6)
        for number in range(SWEEP // 50):
            hand = random_hands.rich(rng, 12 + number % 3)
            layouts = {as_layout(each) for each in arrangements(hand)}
            assert layouts == brute_force.best_layouts(card_names(hand))

    def test_split_their_cards_without_remainder(self):
        for hand in hands_of_all_kinds(7):
            for each in arrangements(hand):
                melded = [meld.cards for meld in each.melds]
                assert all(parse_meld(meld.cards) == meld for meld in each.melds)
                assert each.unmatched == hand - sum(melded)
                assert each.deadwood == points(each.unmatched)

    def test_have_their_melds_in_order_of_the_lowest_card_and_stand_in_card_order(self):
        hand = cards("4C 5C 6C 7C 7D 7H 7S KD 9H 2S")
        assert [names(each) for each in arrangements(hand)] == [
            ["4C 5C 6C", "7C 7D 7H 7S"],
            ["4C 5C 6C 7C", "7D 7H 7S"],
        ]

    def test_join_runs_that_touch(self):
        assert [names(each) for each in arrangements(cards("2H 3H 4H 5H 6H 7H"))] == [
            ["2H 3H 4H 5H 6H 7H"]
        ]

    def test_are_the_first_ones_up_to_a_limit(self):
        for hand in hands_of_all_kinds(12):
            assert arrangements(hand, 1) == arrangements(hand)[:1]

    def test_are_no_more_than_the_limit_of_the_whole_deck_either(self):
        assert len(arrangements(DECK, 50)) == 50


class TestTheArrangementToLayOut:
    def test_is_the_one_of_the_rule_for_equals(self):
        for hand in hands_of_all_kinds(8):
            assert as_layout(best_arrangement(hand)) == brute_force.layout_to_show(card_names(hand))

    def test_knows_that_nobody_lays_off_the_discard(self):
        rng = random.Random(9)
        for _ in range(SWEEP // 4):
            hand = random_hands.rich(rng, 11)
            for name in card_names(hand):
                kept = hand ^ cards(name)
                if len(arrangements(kept)) > 1:
                    assert as_layout(
                        best_arrangement(kept, cards(name))
                    ) == brute_force.layout_to_show(card_names(kept), [name])

    def test_is_open_to_the_fewest_lay_offs(self):
        # A set takes one card more, a run in the middle of its suit all the others.
        assert names(best_arrangement(cards("5S 6S 7S 6C 6D KH QD 9C 2H 3D"))) == ["6C 6D 6S"]

    def test_of_the_whole_deck_is_found_too(self):
        assert best_arrangement(DECK).deadwood == 0


class TestWhatCouldBeLaidOff:
    def test_is_the_fourth_of_a_set_and_both_ends_of_a_run(self):
        melds = [parse_meld(cards("7C 7D 7S")), parse_meld(cards("JH QH KH"))]
        assert card_names(can_be_laid_off(melds, cards("7H TH 9H 7S AH AS"))) == ["7H", "9H", "TH"]

    def test_reaches_no_further_than_a_card_that_is_missing(self):
        run = parse_meld(cards("5D 6D 7D"))
        assert card_names(can_be_laid_off([run], cards("3D 4D 9D TD"))) == ["3D", "4D"]

    def test_is_no_card_of_another_meld(self):
        melds = [parse_meld(cards("3D 4D 5D")), parse_meld(cards("6C 6D 6H"))]
        assert card_names(can_be_laid_off(melds)) == ["AD", "2D", "6S"]

    def test_is_that_of_brute_force(self):
        rng = random.Random(10)
        for _ in range(SWEEP):
            melds, defender = random_hands.knock(rng)
            parsed = [parse_meld(parse_cards(meld)) for meld in melds]
            fitting = can_be_laid_off(parsed, parse_cards(defender))
            assert set(card_names(fitting)) == brute_force.could_be_added(melds, defender)


class TestCardsOfUse:
    def test_are_those_of_every_possible_meld(self):
        for hand in hands_of_all_kinds(11):
            possible = brute_force.melds_within(card_names(hand))
            assert set(card_names(in_possible_melds(hand))) == set().union(*possible)
