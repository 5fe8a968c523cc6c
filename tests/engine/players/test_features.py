"""Features against slow, plain recounts over random positions, one row after another."""

from itertools import combinations, product
from random import Random

import numpy as np
import pytest

from engine import melds
from engine.cards import POINTS, card_name, card_names, each_card, parse_card, points
from engine.players import features
from engine.players.features import (
    HOLDING,
    KNOCKED,
    THROWN,
    WORST,
    draws_of,
    half_made,
    in_rows,
    of_holding,
    of_knock,
    of_thrown,
    use_to_them,
)
from engine.players.sight import NO_CARD
from tests import brute_force
from tests.positions import any_sights, rows_of, sight
from tests.tables import cards

SIGHTS = any_sights("features", 40)
ROWS = rows_of(SIGHTS)
TRIOS = [set(trio) for trio in combinations(brute_force.DECK, 3) if brute_force.is_meld(trio)]


def least_after_each(row):
    """The least deadwood after each next card and the best discard, sorted."""
    drawn = [row["cards"] | 1 << card for card in each_card(row["unseen"])]
    return sorted(min(melds.deadwood_after_each_discard(cards).values()) for cards in drawn)


LEAST = [least_after_each(row) for row in ROWS]


def mean(numbers):
    return sum(numbers) / len(numbers)


def found():
    return draws_of(SIGHTS.cards, SIGHTS.unseen)


class TestCardsInRows:
    def test_are_those_of_each_set_lowest_first(self):
        row, real = in_rows(SIGHTS.unseen)
        for cards_in_row, flags, seen in zip(row, real, ROWS, strict=True):
            assert cards_in_row[flags].tolist() == list(each_card(seen["unseen"]))

    def test_have_places_as_for_the_largest_set_and_zeros_in_those_left_over(self):
        row, real = in_rows(np.array([cards("3C AS"), 0, cards("KH")]))
        assert row.tolist() == [[2, 39], [0, 0], [38, 0]]
        assert real.tolist() == [[True, True], [False, False], [True, False]]

    def test_of_nothing_have_no_places(self):
        assert in_rows(np.zeros(2, np.int64))[0].shape == (2, 0)


class TestTheNextDraw:
    def test_leaves_what_trying_each_card_and_each_discard_finds(self):
        draws = found()
        assert draws.live.tolist() == [len(least) for least in LEAST]
        for row, least in zip(draws.least.tolist(), LEAST, strict=True):
            assert row[: len(least)] == least
            assert set(row[len(least) :]) <= {WORST}

    @pytest.mark.parametrize("number", [1, 3, 7, 52])
    def test_has_a_mean_of_its_best_cards(self, number):
        expected = [mean(least[:number]) for least in LEAST]
        assert found().mean_of_best(number).tolist() == pytest.approx(expected)

    def test_of_fewer_cards_than_the_best_has_the_mean_of_those(self):
        kept = cards("KC KD 2C 3C 4C 6D 6H 6S AS 9H")
        draws = draws_of(np.array([kept]), np.array([cards("KH 2S")]))
        assert draws.mean_of_best(7).tolist() == [(1 + (10 + 9 + 1 + 2)) / 2]

    @pytest.mark.parametrize("limit", [0, 2, 10, 30])
    def test_has_a_chance_to_leave_no_more_than_a_limit(self, limit):
        expected = [mean([left <= limit for left in least]) for least in LEAST]
        assert found().chance(limit).tolist() == pytest.approx(expected)

    def test_has_that_chance_with_a_limit_for_each_row(self):
        limits = np.arange(len(ROWS)) * 2
        expected = [
            mean([left <= 2 * place for left in least]) for place, least in enumerate(LEAST)
        ]
        assert found().chance(limits).tolist() == pytest.approx(expected)

    @pytest.mark.parametrize(("draws", "live"), [(2, 30), (4, 5), (8, 3)])
    def test_has_a_least_of_several_each_as_if_from_all_cards(self, draws, live):
        kept = np.array([cards("AC 2C 4D 5D 9H 9S JC QC KD 7S")])
        unseen = list(each_card(cards("3C 3D 9C 9D KC JH 8H 2S 6D TC 7C 7D AD AH 4H 4S KH QS")))
        unseen = (unseen + list(each_card(cards("5H 6H 6S 8S TS TH JS JD QD QH 2H 5S"))))[:live]
        found = draws_of(kept, np.array([sum(1 << card for card in unseen)]))
        least = found.least[0].tolist()
        assert len(set(least)) > 1
        expected = mean([min(some) for some in product(least, repeat=draws)])
        assert found.least_of(draws).tolist() == pytest.approx([expected])

    def test_of_rows_with_unlike_numbers_of_cards_has_the_least_of_several_of_each(self):
        together, live = found().least_of(4), found().live
        assert len(set(live.tolist())) > 1
        alone = [
            draws_of(SIGHTS.cards[[place]], SIGHTS.unseen[[place]]).least_of(4)[0]
            for place in range(len(ROWS))
        ]
        assert together.tolist() == pytest.approx(alone)

    def test_where_no_card_is_left_leaves_nothing_to_hope_for(self):
        draws = draws_of(np.array([cards("KC"), cards("QC")]), np.array([0, cards("QD")]))
        assert draws.least.tolist() == [[WORST], [10]]
        assert draws.chance(10).tolist() == [0, 1]
        assert WORST > 9 * 10 + 9 - 2


class TestTheUseToThem:
    def test_counts_the_melds_of_three_by_how_many_others_they_are_known_to_hold(self):
        rng = Random("use")
        thrown = [rng.choice(list(each_card(row["cards"]))) for row in ROWS]
        counted = use_to_them(np.array(thrown), SIGHTS.theirs, SIGHTS.unseen)
        seen = set()
        for card, row, *uses in zip(thrown, ROWS, *map(np.ndarray.tolist, counted), strict=True):
            assert uses == self.counted(card, row)
            seen.update(place for place, use in enumerate(uses) if use)
        assert seen >= {0, 1}

    def counted(self, card, row):
        known = set(card_names(row["theirs"]))
        reach = known | set(card_names(row["unseen"]))
        uses = [0, 0, 0]
        for trio in TRIOS:
            others = trio - {card_name(card)}
            if card_name(card) in trio and others <= reach:
                uses[len(others & known)] += 1
        return uses

    def test_is_greatest_where_both_others_are_known_to_be_theirs(self):
        seen = sight("9C", "9D 9H", "8C")
        uses = use_to_them(np.array([parse_card("9C")]), seen.theirs, seen.unseen)
        # Sets with 9S: two of them with one card known; the run is TC JC.
        assert [use.tolist() for use in uses] == [[1], [2], [1]]

    def test_has_no_seventh_meld_out_of_nothing(self):
        """An ace lies in four melds of three; places that are left over count for none."""
        uses = use_to_them(np.array([parse_card("AC")]), np.array([0]), np.array([cards("2C")]))
        assert [use.tolist() for use in uses] == [[0], [0], [0]]


class TestHalfMadeMelds:
    def test_lack_one_or_two_live_cards(self):
        half = half_made(SIGHTS.cards, SIGHTS.unseen)
        for row, one, two in zip(ROWS, half.lack_one.tolist(), half.lack_two.tolist(), strict=True):
            held, live = set(card_names(row["cards"])), set(card_names(row["unseen"]))
            rests = [trio - held for trio in TRIOS if trio & held and trio - held <= live]
            assert one == sum(len(rest) == 1 for rest in rests)
            assert two == sum(len(rest) == 2 for rest in rests)

    def test_that_are_made_count_no_more(self):
        made = half_made(np.array([cards("QC QD QH")]), np.array([0]))
        assert (made.lack_one.tolist(), made.lack_two.tolist()) == ([0], [0])
        assert (made.outs.tolist(), made.in_hand.tolist()) == ([0], [0])

    def test_wait_for_the_cards_that_would_complete_them(self):
        half = half_made(SIGHTS.cards, SIGHTS.unseen)
        for row, outs, in_hand in zip(ROWS, half.outs.tolist(), half.in_hand.tolist(), strict=True):
            held, live = set(card_names(row["cards"])), set(card_names(row["unseen"]))
            waiting = [trio for trio in TRIOS if len(trio & held) == 2 and trio - held <= live]
            assert set(card_names(outs)) == set().union(*waiting) - held
            assert set(card_names(in_hand)) == set().union(*waiting) & held


def told(row, names):
    return dict(zip(names, row.tolist(), strict=True))


def of_the_table(row):
    """The features that do not depend on what is kept."""
    known = melds.deadwood(row["theirs"])
    thrown = [10 if card == NO_CARD else POINTS[card] for card in row["lately"]]
    return {
        "last_thrown": thrown[0],
        "thrown_before": thrown[1],
        "least_thrown": min(thrown),
        "left": row["left"],
        "turn": row["turn"],
        "their_cards": row["theirs"].bit_count(),
        "their_points_known": known,
        "their_melded": points(row["theirs"]) - known,
        "points_unseen": points(row["unseen"]) / row["unseen"].bit_count(),
        "live": row["unseen"].bit_count(),
        "limit": row["limit"],
        "gin_bonus": row["gin_bonus"],
        "undercut_bonus": row["undercut_bonus"],
    }


class TestTheFeaturesOfAHolding:
    @pytest.mark.parametrize("place", range(0, len(ROWS), 3))
    def test_are_what_their_names_say(self, place):
        row, least = ROWS[place], LEAST[place]
        held = told(of_holding(SIGHTS.cards, SIGHTS)[place], HOLDING)
        lefts = [
            brute_force.left_by(layout, card_names(row["cards"]))
            for layout in brute_force.layouts(card_names(row["cards"]))
        ]
        values = [[brute_force.value(card) for card in left] for left in lefts]
        deadwood = min(map(sum, values))
        expected = {
            "deadwood": deadwood,
            "unmatched": min(map(len, values)),
            "highest": deadwood - min(sum(each) - max(each, default=0) for each in values),
            "within_limit": int(deadwood <= row["limit"]),
            "gin_chance": mean([left == 0 for left in least]),
            "within_two": mean([left <= 2 for left in least]),
            "within_five": mean([left <= 5 for left in least]),
            "knock_chance": mean([left <= row["limit"] for left in least]),
            "best_3": mean(least[:3]),
            "best_7": mean(least[:7]),
            "best_15": mean(least[:15]),
            "mean_draw": mean(least),
            **of_the_table(row),
        }
        assert {name: held[name] for name in expected} == pytest.approx(expected, rel=1e-5)
        for name, counted in {
            "least_of_2": found().least_of(2),
            "least_of_8": found().least_of(8),
            "lack_one": half_made(SIGHTS.cards, SIGHTS.unseen).lack_one,
            "lack_two": half_made(SIGHTS.cards, SIGHTS.unseen).lack_two,
        }.items():
            assert held[name] == pytest.approx(float(counted[place]))

    def test_tell_loose_cards_that_wait_from_those_that_do_not(self):
        """A run lies there, two sevens wait for a third or the six of one suit, a king for none."""
        seen = sight("AC 2C 3C 7D 7H 8H KS", "KC KD", "QS JS")
        held = told(of_holding(seen.cards, seen)[0], HOLDING)
        # The sevens lack 7C and 7S, the seven and eight of hearts 6H and 9H, the run 4C to go on.
        assert (held["waiting_points"], held["idle_points"]) == (22, 10)
        assert held["outs"] == 5

    def test_have_the_chances_of_little_deadwood(self):
        """A seven beside three runs: with two, three and five left there are unlike chances."""
        seen = sight("AC 2C 3C 4D 5D 6D 7H 8H 9H 7S")
        least = least_after_each(rows_of(seen)[0])
        chances = {most: mean([left <= most for left in least]) for most in (0, 1, 2, 3, 5, 6)}
        assert len(set(chances.values())) == len(chances)
        held = told(of_holding(seen.cards, seen)[0], HOLDING)
        assert held["gin_chance"] == pytest.approx(chances[0])
        assert held["within_two"] == pytest.approx(chances[2])
        assert held["within_five"] == pytest.approx(chances[5])

    def test_are_counted_over_other_cards_where_they_are_told(self):
        seen = SIGHTS.rows(np.arange(1))
        live = cards("QC QD 2H")
        held = told(of_holding(seen.cards, seen, unseen=np.array([live]))[0], HOLDING)
        assert (held["live"], held["points_unseen"]) == (3, pytest.approx(22 / 3))

    def test_are_one_number_for_each_name(self):
        assert of_holding(SIGHTS.cards, SIGHTS).shape == (len(ROWS), len(HOLDING))
        assert of_holding(SIGHTS.cards, SIGHTS).dtype == np.float32
        assert len(set(HOLDING)) == len(HOLDING)

    def test_of_no_rows_are_none(self):
        none = SIGHTS.rows(np.arange(0))
        assert of_holding(none.cards, none).shape == (0, len(HOLDING))


def both(seen):
    return seen.rows(np.zeros(2, np.intp))


class TestTheFeaturesOfACardThrown:
    def test_are_its_points_and_its_use_to_them(self):
        seen = sight("9C", "9D 9H", "8C")
        assert told(of_thrown(np.array([parse_card("9C")]), seen)[0], THROWN) == {
            "thrown_points": 9,
            "use_none": 1,
            "use_one": 2,
            "use_two": 1,
            "helps_known": 1,
            "same_rank_gone": 0,
            "next_to_gone": 1,
        }

    def test_count_the_cards_near_it_that_are_out_of_play(self):
        seen = sight("9C AC", "9D", "9H 9S 7C 8C JC QC AD KD", top="TC")
        near, ace = of_thrown(np.array([parse_card("9C"), parse_card("AC")]), both(seen))
        assert (near[THROWN.index("same_rank_gone")], near[THROWN.index("next_to_gone")]) == (2, 4)
        assert (ace[THROWN.index("same_rank_gone")], ace[THROWN.index("next_to_gone")]) == (1, 0)

    def test_say_whether_it_melds_with_what_they_are_known_to_hold(self):
        thrown = np.array([next(each_card(row["cards"])) for row in ROWS])
        helps = of_thrown(thrown, SIGHTS)[:, THROWN.index("helps_known")].tolist()
        expected = [
            melds.deadwood(row["theirs"] | 1 << card) <= melds.deadwood(row["theirs"])
            for card, row in zip(thrown.tolist(), ROWS, strict=True)
        ]
        assert helps == expected

    def test_have_the_points_of_the_rules(self):
        ace_and_king = of_thrown(np.array([0, 12]), SIGHTS.rows(np.arange(2)))[:, 0]
        assert ace_and_king.tolist() == [POINTS[0], POINTS[12]] == [1, 10]


class TestTheFeaturesOfAKnock:
    @pytest.mark.parametrize("place", range(0, len(ROWS), 2))
    def test_are_those_of_the_lay_out_that_the_engine_picks(self, place):
        row = ROWS[place]
        told_of = told(of_knock(SIGHTS.cards, SIGHTS)[place], KNOCKED)
        best = melds.best_arrangement(row["cards"])
        live = row["unseen"] | row["theirs"]
        expected = {
            "deadwood": best.deadwood,
            "unmatched": best.unmatched.bit_count(),
            "is_gin": int(best.deadwood == 0),
            "runs_to_lay_off": melds.can_be_laid_off(best.melds, live).bit_count(),
            **of_the_table(row),
        }
        assert told_of == pytest.approx(expected, rel=1e-5)

    def test_say_that_it_is_gin(self):
        seen = sight("AC 2C 3C 4D 5D 6D 7H 8H 9H TH")
        assert told(of_knock(seen.cards, seen)[0], KNOCKED)["is_gin"] == 1


class TestTheTables:
    def test_know_every_meld_of_three(self):
        assert {frozenset(card_names(trio)) for trio in features.TRIOS} == set(
            map(frozenset, TRIOS)
        )
        assert len(features.TRIOS) == len(TRIOS) == 52 + 44
