from dataclasses import replace

import pytest

from engine.rules import PRESETS, STANDARD
from engine.scoring import HandOutcome, ScoreLine
from engine.settlement import ScoredHand, settle


def hands(*won):
    """Hands as (winner, points); no winner is a drawn hand."""
    return tuple(
        ScoredHand(
            number,
            HandOutcome.DRAWN if winner is None else HandOutcome.KNOCK,
            winner,
            winner,
            points,
        )
        for number, (winner, points) in enumerate(won, 1)
    )


def score(rules, *won, given_to=None):
    return settle(rules, 2, hands(*won), given_to)


def totals(score):
    return [total.total for total in score.totals]


def line_points(score):
    return {(line.code, line.seat): line.points for line in score.columns[0].lines}


class TestTheTarget:
    """Full s5: the first to reach or exceed it wins; the hand is scored in full."""

    def test_reached_exactly_is_won(self):
        made = score(STANDARD, (0, 57), (0, 43))
        assert (made.complete, made.winner, made.margin) == (True, 0, 100)

    def test_missed_by_a_point_is_not(self):
        made = score(STANDARD, (0, 57), (0, 42))
        assert (made.complete, made.winner, made.margin) == (False, None, None)

    def test_exceeded_counts_in_full(self):
        assert totals(score(STANDARD, (0, 99), (1, 28), (0, 60))) == [159, 28]

    @pytest.mark.parametrize("target", [10, 50, 150, 1000])
    def test_is_what_was_agreed(self, target):
        rules = replace(STANDARD, target=target)
        assert score(rules, (1, target)).winner == 1
        assert not score(rules, (1, target - 1)).complete

    def test_may_be_reached_by_an_undercut_of_the_defender(self):
        undercut = ScoredHand(2, HandOutcome.UNDERCUT, knocker=0, winner=1, points=45)
        made = settle(STANDARD, 2, (*hands((1, 60)), undercut))
        assert made.winner == 1

    def test_once_reached_ends_the_counting(self):
        made = score(STANDARD, (0, 100), (1, 500))
        assert (made.winner, totals(made)) == (0, [100, 0])
        assert [each.counted for each in made.hands] == [True, False]


class TestAWinningMargin:
    """Full s6: ``win_by`` asks for a lead; the trailer may overtake."""

    rules = replace(STANDARD, win_by=10)

    def test_not_led_by_goes_on(self):
        assert not score(self.rules, (1, 95), (0, 60), (0, 44)).complete

    def test_led_by_exactly_is_won(self):
        made = score(self.rules, (1, 90), (0, 60), (0, 40))
        assert (made.winner, made.margin) == (0, 10)

    def test_may_be_reached_by_the_one_behind(self):
        made = score(self.rules, (0, 50), (1, 50), (1, 48), (0, 54), (1, 20))
        assert (made.winner, totals(made)) == (1, [104, 118])


class TestRows:
    def test_are_the_hands_that_somebody_won_with_the_running_total(self):
        rows = score(STANDARD, (0, 20), (None, 0), (1, 5), (0, 7)).columns[0].rows
        assert [(row.hand_number, row.seat, row.points, row.running_total) for row in rows] == [
            (1, 0, 20, 20),
            (3, 1, 5, 5),
            (4, 0, 7, 27),
        ]

    def test_count_a_win_of_nothing(self):
        made = score(STANDARD, (1, 0))
        assert len(made.columns[0].rows) == 1
        assert made.totals[1].boxes == 1


class TestBoxes:
    """Full s5: a bonus for each hand won, at the end or at once."""

    rules = replace(STANDARD, box_bonus=25)

    def test_count_at_the_end(self):
        made = score(self.rules, (1, 10), (0, 60), (0, 40))
        assert totals(made) == [150, 35]
        assert line_points(made) == {("box_bonus", 0): 50, ("box_bonus", 1): 25}
        assert [total.boxes for total in made.totals] == [2, 1]

    def test_do_not_count_before_the_end(self):
        made = score(self.rules, (1, 10), (0, 60))
        assert (totals(made), made.columns[0].lines) == ([60, 10], ())

    def test_do_not_change_who_first_won(self):
        made = score(self.rules, *[(1, 10)] * 6, (0, 102))
        assert (made.winner, totals(made), made.margin) == (0, [127, 210], -83)

    def test_count_towards_the_target_where_they_are_given_at_once(self):
        rules = replace(self.rules, box_bonus=10, box_timing="immediate")
        made = score(rules, *[(0, 10)] * 5)
        assert (made.winner, totals(made)) == (0, [100, 0])
        assert [row.running_total for row in made.columns[0].rows] == [20, 40, 60, 80, 100]

    def test_count_towards_the_margin_where_they_are_given_at_once(self):
        rules = replace(self.rules, box_timing="immediate", win_by=10)
        made = score(rules, (0, 40), (1, 70), (0, 10))
        assert (made.complete, totals(made)) == (False, [100, 95])

    def test_are_not_given_for_drawn_hands(self):
        made = score(self.rules, (None, 0), (0, 100))
        assert [total.boxes for total in made.totals] == [1, 0]


class TestBonusesAtTheEnd:
    rules = PRESETS["traditional"]

    def test_are_given_to_the_winner(self):
        made = score(self.rules, (0, 30), (1, 25), (1, 30), (0, 85))
        assert totals(made) == [265, 105]
        assert line_points(made)["game_bonus", 0] == 100
        assert ("shutout_bonus", 0) not in line_points(made)

    def test_are_not_given_before_the_end(self):
        made = score(self.rules, (0, 99))
        assert (totals(made), made.columns[0].lines) == ([99, 0], ())

    def test_include_one_for_a_shutout(self):
        made = score(self.rules, (0, 60), (0, 45))
        assert made.columns[0].lines == (
            ScoreLine("box_bonus", 50, 0, count=2, column=1),
            ScoreLine("game_bonus", 100, 0, column=1),
            ScoreLine("shutout_bonus", 100, 0, count=1, column=1),
        )
        assert (totals(made), made.margin) == ([355, 0], 355)

    def test_see_a_shutout_by_hand_points_whatever_the_boxes(self):
        made = score(self.rules, (1, 0), (0, 100))
        assert line_points(made)["shutout_bonus", 0] == 100

    def test_see_no_shutout_after_a_single_point(self):
        made = score(self.rules, (1, 1), (0, 100))
        assert ("shutout_bonus", 0) not in line_points(made)

    def test_double_everything_for_a_shutout_where_that_was_agreed(self):
        rules = replace(self.rules, shutout_mode="double")
        made = score(rules, (0, 60), (0, 45))
        assert totals(made) == [510, 0]
        assert line_points(made)["shutout_bonus", 0] == 255
        assert totals(score(rules, (1, 1), (0, 100))) == [225, 26]

    def test_are_none_in_the_standard_game(self):
        assert score(STANDARD, (0, 100)).columns[0].lines == ()


class TestAGameGivenUp:
    def test_is_won_by_the_other_whatever_the_score(self):
        made = score(STANDARD, (0, 90), given_to=1)
        assert (made.complete, made.winner, made.margin) == (True, 1, -90)

    def test_has_the_bonuses_of_the_end(self):
        made = score(PRESETS["traditional"], (0, 10), given_to=0)
        assert totals(made) == [10 + 25 + 100 + 100, 0]

    def test_that_was_won_before_stays_won(self):
        assert score(STANDARD, (0, 100), given_to=1).winner == 0


class TestThreeSeats:
    def test_each_have_a_total_of_their_own(self):
        made = settle(STANDARD, 3, hands((2, 40), (0, 30), (2, 60)))
        assert (made.winner, totals(made), made.margin) == (2, [30, 0, 100], 70)

    def test_give_a_shutout_for_each_opponent_without_points(self):
        rules = PRESETS["traditional"]
        made = settle(rules, 3, hands((2, 100)))
        shutout = next(line for line in made.columns[0].lines if line.code == "shutout_bonus")
        assert (shutout.points, shutout.count) == (200, 2)

    def test_double_only_where_all_opponents_have_none(self):
        rules = replace(PRESETS["traditional"], shutout_mode="double")
        made = settle(rules, 3, hands((0, 1), (2, 100)))
        assert ("shutout_bonus", 2) not in line_points(made)
