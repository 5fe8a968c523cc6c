import json
import os
import random
from pathlib import Path

import pytest

from engine.cards import card_name, parse_card, parse_cards, points
from engine.errors import CardNotInHand, LayOffNotPossible, MeldNotFound
from engine.layoffs import (
    LayOff,
    LayOffChoice,
    PossibleLayOff,
    apply_lay_offs,
    best_lay_offs,
    lay_off,
    possible_lay_offs,
)
from engine.melds import best_arrangement, deadwood, parse_meld
from tests import brute_force, random_hands

SWEEP = int(os.environ.get("GIN_SWEEP_KNOCKS", "300"))
CASES = json.loads(
    (Path(__file__).parents[1] / "cases" / "rules_cases.json").read_text(encoding="utf-8")
)["cases"]


def cases(op):
    return [
        pytest.param(case["input"], case["expected"], id=case["id"])
        for case in CASES
        if (case["kind"], case["op"]) == ("layoff", op)
    ]


def melds(*texts):
    return tuple(parse_meld(parse_cards(text.split())) for text in texts)


def cards(text):
    return parse_cards(text.split())


def card(text):
    return parse_card(text)


def as_texts(lay_offs):
    return [(card_name(each.card), each.meld) for each in lay_offs]


def knocks(seed):
    rng = random.Random(seed)
    for _ in range(SWEEP):
        laid_out, defender = random_hands.knock(rng)
        parsed = tuple(parse_meld(parse_cards(meld)) for meld in laid_out)
        yield parsed, parse_cards(defender), laid_out, defender


class TestTheCaseFile:
    @pytest.mark.parametrize(("given", "expected"), cases("legal"))
    def test_tells_whether_a_card_fits(self, given, expected):
        laid_out = melds(*map(" ".join, given["knocker_melds"]))
        try:
            lay_off(laid_out, card(given["card"]), given["meld"])
            legal = True
        except LayOffNotPossible:
            legal = False
        assert legal is expected["legal"]

    @pytest.mark.parametrize(("given", "expected"), cases("best"))
    def test_finds_the_best_defence(self, given, expected):
        laid_out = melds(*map(" ".join, given["knocker_melds"]))
        defender = parse_cards(given["defender_hand"])
        best = best_lay_offs(laid_out, defender)
        assert best.deadwood == expected["defender_deadwood"]
        assert deadwood(defender) == expected["without_layoffs"]
        assert apply_lay_offs(laid_out, defender, best.lay_offs) == best
        witness = [LayOff(card(name), meld) for name, meld in expected["witness"]["layoffs"]]
        assert apply_lay_offs(laid_out, defender, witness).deadwood == best.deadwood
        assert len(best.lay_offs) <= len(witness)


class TestLayingOffACard:
    def test_makes_four_of_a_set(self):
        assert lay_off(melds("QC QD QH"), card("QS"), 0) == melds("QC QD QH QS")

    @pytest.mark.parametrize("end", ["4C", "8C"])
    def test_makes_a_run_longer_at_either_end(self, end):
        before = melds("KC KD KH", "5C 6C 7C")
        assert lay_off(before, card(end), 1) == melds("KC KD KH", f"5C 6C 7C {end}")

    @pytest.mark.parametrize(
        ("meld", "other"),
        [
            ("QC QD QH QS", "KS"),
            ("JS QS KS", "AS"),
            ("AS 2S 3S", "KS"),
            ("5C 6C 7C", "9C"),
            ("5C 6C 7C", "8D"),
            ("5C 6C 7C", "6C"),
            ("QC QD QH", "KS"),
        ],
    )
    def test_leaves_a_valid_meld_or_is_refused(self, meld, other):
        with pytest.raises(LayOffNotPossible) as refused:
            lay_off(melds(meld), card(other), 0)
        assert refused.value.params == {"card": card(other), "meld": 0}

    def test_does_not_take_a_card_out_of_another_meld(self):
        with pytest.raises(LayOffNotPossible):
            lay_off(melds("7C 7D 7H", "4C 5C 6C"), card("7C"), 1)

    @pytest.mark.parametrize("index", [-1, 1])
    def test_needs_a_meld_that_is_there(self, index):
        with pytest.raises(MeldNotFound) as refused:
            lay_off(melds("QC QD QH"), card("QS"), index)
        assert refused.value.params == {"meld": index}


class TestLayOffsThatSomebodyNames:
    def test_follow_one_another_on_one_meld(self):
        hand = cards("4C 5C KH KD KS 2H")
        choice = apply_lay_offs(
            melds("6C 7C 8C"), hand, [LayOff(card("5C"), 0), LayOff(card("4C"), 0)]
        )
        assert choice == LayOffChoice(
            (LayOff(card("5C"), 0), LayOff(card("4C"), 0)), melds("KD KH KS"), cards("2H"), 2
        )

    def test_are_refused_in_an_order_that_cannot_be(self):
        with pytest.raises(LayOffNotPossible):
            apply_lay_offs(melds("6C 7C 8C"), cards("4C 5C"), [LayOff(card("4C"), 0)])

    def test_may_be_none(self):
        hand = cards("5C KH")
        assert apply_lay_offs(melds("6C 7C 8C"), hand, []) == LayOffChoice((), (), hand, 15)

    def test_may_break_an_own_meld_at_a_loss(self):
        hand = cards("5C 5D 5H KH")
        choice = apply_lay_offs(melds("6C 7C 8C"), hand, [LayOff(card("5C"), 0)])
        assert (choice.melds, choice.deadwood) == ((), 20)

    def test_are_of_cards_the_defender_holds(self):
        with pytest.raises(CardNotInHand) as refused:
            apply_lay_offs(melds("6C 7C 8C"), cards("4C KH"), [LayOff(card("5C"), 0)])
        assert refused.value.params == {"card": card("5C")}

    def test_use_a_card_once(self):
        step = LayOff(card("9H"), 0)
        with pytest.raises(CardNotInHand):
            apply_lay_offs(
                melds("9C 9D 9S", "6H 7H 8H"), cards("9H"), [step, LayOff(card("9H"), 1)]
            )


class TestPossibleLayOffs:
    def test_say_which_card_must_go_first(self):
        found = possible_lay_offs(melds("6C 7C 8C", "9D 9H 9S"), cards("4C 5C 9C TC QC"))
        assert [
            (card_name(each.card), each.meld, each.after and card_name(each.after))
            for each in found
        ] == [("5C", 0, None), ("4C", 0, "5C"), ("9C", 0, None), ("TC", 0, "9C"), ("9C", 1, None)]

    def test_may_name_the_ace_of_clubs_as_the_first(self):
        # The number of this card is 0, which must not pass for none.
        assert possible_lay_offs(melds("2C 3C 4C"), cards("AC")) == (
            PossibleLayOff(card("AC"), 0, None),
        )

    def test_are_all_that_brute_force_can_add(self):
        for parsed, hand, laid_out, defender in knocks(1):
            for index, meld in enumerate(laid_out):
                found = {
                    card_name(each.card)
                    for each in possible_lay_offs(parsed, hand)
                    if each.meld == index
                }
                assert found == brute_force.could_be_added([meld], defender)

    def test_can_be_made_once_the_card_they_follow_lies_there_and_not_before(self):
        for parsed, hand, _, _ in knocks(2):
            grown = dict(enumerate([parsed] * len(parsed)))
            for each in possible_lay_offs(parsed, hand):
                if each.after is not None:
                    with pytest.raises(LayOffNotPossible):
                        lay_off(parsed, each.card, each.meld)
                    assert grown[each.meld][each.meld].cards >> each.after & 1
                grown[each.meld] = lay_off(grown[each.meld], each.card, each.meld)


class TestTheBestLayOffs:
    def test_go_where_others_can_follow(self):
        best = best_lay_offs(melds("TC TD TH", "JS QS KS"), cards("TS 9S 2H"))
        assert as_texts(best.lay_offs) == [("TS", 1), ("9S", 1)]

    def test_break_an_own_meld_where_that_is_better(self):
        best = best_lay_offs(
            melds("KC KD KS", "5S 6S 7S", "9C TC JC"), cards("2S 8S 9S AC 2C 7C 8C 2D 8D 2H")
        )
        assert best.deadwood == 9
        assert as_texts(best.lay_offs) == [("8S", 1), ("9S", 1), ("8C", 2), ("7C", 2)]

    def test_are_no_more_than_needed(self):
        # The run may as well lie on the knocker's, but need not.
        best = best_lay_offs(melds("3C 4C 5C"), cards("6C 7C 8C 2C KD"))
        assert as_texts(best.lay_offs) == [("2C", 0)]

    def test_fill_the_gap_between_two_runs(self):
        best = best_lay_offs(melds("3H 4H 5H", "8H 9H TH"), cards("6H 7H"))
        assert best.deadwood == 0
        assert apply_lay_offs(melds("3H 4H 5H", "8H 9H TH"), cards("6H 7H"), best.lay_offs) == best

    def test_without_melds_are_none(self):
        hand = cards("7C 7D 7H 2C")
        own = best_arrangement(hand)
        assert best_lay_offs((), hand) == LayOffChoice((), own.melds, own.unmatched, 2)

    def test_are_as_good_as_those_of_brute_force_and_no_more_of_them(self):
        for parsed, hand, laid_out, defender in knocks(3):
            best = best_lay_offs(parsed, hand)
            expected = brute_force.best_defence(laid_out, defender)
            assert (best.deadwood, len(best.lay_offs)) == expected

    def test_can_be_made_as_they_stand(self):
        for parsed, hand, _, _ in knocks(4):
            best = best_lay_offs(parsed, hand)
            assert apply_lay_offs(parsed, hand, best.lay_offs) == best
            assert best.deadwood == points(best.unmatched)

    def test_do_not_depend_on_the_order_of_the_melds(self):
        for parsed, hand, _, _ in knocks(5):
            one, other = best_lay_offs(parsed, hand), best_lay_offs(parsed[::-1], hand)
            assert {each.card for each in one.lay_offs} == {each.card for each in other.lay_offs}
            assert one.melds == other.melds
