"""Scores of hands that were played elsewhere."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.actions import KnockKind
from engine.cards import card_name, parse_card, parse_cards
from engine.hand_scores import HandSide, Mistold, score_hand
from engine.layoffs import LayOff
from engine.rules import PRESETS, STANDARD, resolve
from tests.cases import words
from tests.tables import ALL_MELDED, NEAR_GIN, OTHER, cards

KNOCK, GIN, BIG_GIN = KnockKind
BIG = replace(STANDARD, big_gin=True)
GROW = resolve("standard", {"multi_pickup": True, "multi_pickup_return": "grow"})
CASES = [
    case
    for case in json.loads(
        (Path(__file__).parents[1] / "cases" / "rules_cases.json").read_text("utf-8")
    )["cases"]
    if (case["kind"], case["op"]) == ("score", "hand")
]


def held(names, melds=None, lay_offs=None, seat=None):
    off = None
    if lay_offs is not None:
        off = tuple(LayOff(parse_card(card), meld) for card, meld in lay_offs)
    return HandSide(seat, cards(names), None if melds is None else tuple(map(cards, melds)), off)


def count(deadwood, seat=None):
    return HandSide(seat, deadwood=deadwood)


def refused(*told, rules=STANDARD, upcard=None):
    with pytest.raises(Mistold) as caught:
        score_hand(*told, rules, None if upcard is None else parse_card(upcard))
    return caught.value.error.code, caught.value.place, caught.value.error.params


def lines(score):
    return {line.code: line.points for line in score.score.lines}


RUNS = ("AC 2C 3C", "4D 5D 6D", "7H 8H 9H")


class TestACase:
    @pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
    def test_scores_as_it_says(self, case):
        given, expected = case["input"], case["expected"]
        melds = given["knocker_melds"]
        told = (
            KnockKind(given["declare"]),
            HandSide(
                cards=parse_cards(given["knocker_hand"]),
                melds=None if melds is None else tuple(map(parse_cards, melds)),
            ),
            HandSide(cards=parse_cards(given["defender_hand"])),
        )
        rules = words.rules_of(case)
        if not expected["legal"]:
            code, *_ = refused(*told, rules=rules, upcard=given["upcard"])
            assert code in words.ERRORS[expected["error"]]
            return
        upcard = given["upcard"]
        found = score_hand(*told, rules, None if upcard is None else parse_card(upcard))
        assert {
            "legal": True,
            "result": found.score.outcome,
            "winner": "knocker" if found.score.knocker_wins else "defender",
            "knocker_deadwood": found.knocker.deadwood,
            "defender_deadwood": found.defender.deadwood,
            "difference": lines(found)["deadwood_difference"],
            "bonus": sum(at for code, at in lines(found).items() if code.endswith("_bonus")),
            "points": found.score.points,
        } == expected
        assert found.lay_offs_optimal is True


class TestASideToldByItsCards:
    def test_is_laid_out_as_best_can_be(self):
        found = score_hand(KNOCK, held(NEAR_GIN, seat=2), held(OTHER, seat=1), STANDARD)
        assert (found.knocker.deadwood, found.knocker.seat) == (10, 2)
        made = [off.card for off in found.defender.lay_offs]
        assert {parse_card("4C"), parse_card("5C")} <= set(made)
        assert found.winner_seat == 2

    def test_has_as_many_as_the_rules_leave(self):
        eleven = held(ALL_MELDED)
        assert refused(KNOCK, held(NEAR_GIN), eleven) == (
            "wrong_card_count",
            ("defender", "cards"),
            {"min": 10, "max": 10},
        )
        code, place, _ = refused(GIN, eleven, held(OTHER))
        assert (code, place) == ("wrong_card_count", ("knocker", "cards"))
        code, _, params = refused(BIG_GIN, held(NEAR_GIN), count(9), rules=BIG)
        assert (code, params) == ("wrong_card_count", {"min": 11, "max": 11})

    def test_may_have_more_where_hands_grow(self):
        assert score_hand(GIN, held(ALL_MELDED), count(9), GROW).score.points == 34

    def test_shares_no_card_with_the_other(self):
        code, place, params = refused(KNOCK, held(NEAR_GIN), held(NEAR_GIN))
        assert (code, place) == ("duplicate_card", ("defender", "cards"))
        assert params == {"card": 0}


class TestASideThatWasLaidOut:
    def test_counts_as_it_lay_there(self):
        told = held(NEAR_GIN, [*RUNS[:2], "7H 8H 9H"])
        found = score_hand(KNOCK, told, held(OTHER, lay_offs=[("4C", 0)]), STANDARD)
        assert found.lay_offs_optimal is False
        assert [off.card for off in found.defender.lay_offs] == [parse_card("4C")]

    def test_gave_nothing_away_if_it_did_its_best(self):
        best = score_hand(KNOCK, held(NEAR_GIN), held(OTHER), STANDARD)
        made = [(card_name(off.card), off.meld) for off in best.defender.lay_offs]
        told = held(OTHER, lay_offs=made)
        found = score_hand(KNOCK, held(NEAR_GIN, RUNS), told, STANDARD)
        assert found.lay_offs_optimal is True

    def test_is_held_to_the_limit_with_the_number(self):
        told = held(NEAR_GIN, RUNS[:1])
        assert refused(KNOCK, told, held(OTHER)) == (
            "deadwood_too_high",
            ("knocker", "melds"),
            {"deadwood": 49, "knock_limit": 10},
        )

    def test_lays_out_only_what_it_holds(self):
        told = held(NEAR_GIN, [RUNS[0], "4C 5C 6C"])
        code, place, _ = refused(KNOCK, told, held(OTHER))
        assert (code, place) == ("meld_not_in_hand", ("knocker", "melds", 1))

    @pytest.mark.parametrize(
        ("lay_offs", "code", "index"),
        [
            ([("4C", 0), ("KH", 1)], "layoff_not_possible", 1),
            ([("4C", 0), ("5C", 7)], "meld_not_found", 1),
            ([("4C", 0), ("4C", 0)], "card_not_in_hand", 1),
            ([("6C", 0)], "card_not_in_hand", 0),
            ([("5C", 0), ("4C", 0)], "layoff_not_possible", 0),
        ],
    )
    def test_lays_off_only_what_fits_when_it_is_laid(self, lay_offs, code, index):
        told = held(OTHER, lay_offs=lay_offs)
        found = refused(KNOCK, held(NEAR_GIN, RUNS), told)
        assert found[:2] == (code, ("defender", "lay_offs", index))

    def test_lays_nothing_off_on_gin(self):
        gin = held("AC 2C 3C 4D 5D 6D 7H 8H 9H TH")
        told = held(OTHER, lay_offs=[("4C", 0)])
        code, place, _ = refused(GIN, gin, told)
        assert (code, place) == ("layoff_not_possible", ("defender", "lay_offs", 0))
        agreed = replace(STANDARD, layoff_on_gin=True)
        free = score_hand(GIN, gin, held(OTHER, lay_offs=[]), STANDARD)
        assert free.defender.deadwood - score_hand(GIN, gin, told, agreed).defender.deadwood == 4


class TestASideToldByItsCount:
    def test_is_scored_like_cards_of_that_count(self):
        found = score_hand(KNOCK, count(7, 0), count(18, 1), STANDARD)
        assert (found.score.points, found.winner_seat) == (11, 0)
        assert (found.knocker.cards, found.lay_offs_optimal) == (0, None)

    def test_without_deadwood_is_gin(self):
        assert score_hand(KNOCK, count(0), count(18), STANDARD).score.points == 43

    @pytest.mark.parametrize(
        ("told", "rules", "found"),
        [
            ((KNOCK, 11), STANDARD, ("deadwood_too_high", ("knocker", "deadwood"))),
            ((GIN, 1), STANDARD, ("not_gin", ("knocker", "deadwood"))),
            ((BIG_GIN, 0), STANDARD, ("big_gin_not_enabled", ("kind",))),
            ((BIG_GIN, 1), BIG, ("not_big_gin", ("knocker", "deadwood"))),
            ((KNOCK, 1), PRESETS["straight"], ("deadwood_too_high", ("knocker", "deadwood"))),
        ],
    )
    def test_is_refused_where_cards_would_be(self, told, rules, found):
        kind, deadwood = told
        assert refused(kind, count(deadwood), count(20), rules=rules)[:2] == found

    def test_of_the_knocker_leaves_nothing_to_lay_off_on(self):
        found = score_hand(KNOCK, count(5), held(OTHER), STANDARD)
        assert (found.defender.lay_offs, found.lay_offs_optimal) == ((), None)
        told = held(OTHER, lay_offs=[("4C", 0)])
        assert refused(KNOCK, count(5), told)[0] == "meld_not_found"


class TestTheUpcard:
    OKLAHOMA = resolve("oklahoma", {"spade_doubles": "off"})
    SPADES = resolve("standard", {"spade_doubles": "all"})

    def test_is_needed_where_the_limit_or_the_score_depends_on_it(self):
        for rules in (self.OKLAHOMA, self.SPADES):
            assert refused(KNOCK, count(5), count(9), rules=rules)[:2] == ("required", ("upcard",))

    def test_is_not_needed_for_gin_without_spades(self):
        assert score_hand(GIN, count(0), count(9), self.OKLAHOMA).score.points == 34

    def test_sets_the_limit_and_doubles(self):
        told = (KNOCK, count(5), count(9))
        assert refused(*told, rules=self.OKLAHOMA, upcard="4H")[2]["knock_limit"] == 4
        assert score_hand(*told, self.OKLAHOMA, parse_card("5H")).score.points == 4
        assert score_hand(*told, self.SPADES, parse_card("5S")).score.points == 8
