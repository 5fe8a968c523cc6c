from dataclasses import replace

import pytest

from engine.columns import ScoredHand
from engine.rules import PRESETS, STANDARD
from engine.scoring import HandOutcome, ScoreLine
from engine.seating import team_of
from engine.settlement import best_opponent, is_decided, settle


def hands(*won, seats=2):
    """Hands as (winner, points); no winner is a drawn hand."""
    return tuple(
        ScoredHand(
            number,
            HandOutcome.DRAWN if winner is None else HandOutcome.KNOCK,
            winner,
            winner,
            points,
            None if winner is None else team_of(seats, winner),
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
        both = settle(rules, 3, hands((2, 100)))
        assert line_points(both)["shutout_bonus", 2] == 225

    def test_have_to_lead_the_second_by_the_margin(self):
        rules = replace(STANDARD, win_by=10)
        assert not settle(rules, 3, hands((0, 91), (1, 100))).complete
        assert settle(rules, 3, hands((0, 90), (1, 100))).winner == 1

    def test_give_the_game_bonus_once(self):
        rules = replace(STANDARD, game_bonus=100)
        assert totals(settle(rules, 3, hands((2, 100)))) == [0, 0, 200]

    def test_leave_a_game_given_up_to_the_leader_of_the_others(self):
        made = settle(STANDARD, 3, hands((0, 50), (1, 20), (2, 30)))
        assert [best_opponent(made, seat) for seat in range(3)] == [2, 0, 0]
        assert best_opponent(settle(STANDARD, 3, ()), 0) == 1


PARTNERSHIP = replace(PRESETS["traditional"], four_player="partnership")


def partners(*won, rules=PARTNERSHIP, given_to=None):
    return settle(rules, 4, hands(*won, seats=4), given_to)


def team_totals(score):
    return [team.total for team in score.teams]


class TestPartners:
    """Full s6: points, boxes and bonuses are the team's."""

    def test_reach_the_target_together(self):
        made = partners((0, 60), (1, 20), (2, 40))
        assert (made.complete, made.winner, made.winner_team) == (True, None, 0)
        assert [(team.seats, team.score, team.boxes) for team in made.teams] == [
            ((0, 2), 100, 2),
            ((1, 3), 20, 1),
        ]
        assert (team_totals(made), made.margin) == ([100 + 50 + 100, 20 + 25], 205)

    def test_keep_what_each_of_them_won_apart_from_the_bonuses(self):
        made = partners((0, 60), (1, 20), (2, 40))
        assert totals(made) == [60, 20, 40, 0]
        assert [total.boxes for total in made.totals] == [1, 1, 1, 0]
        assert {total.bonus_points for total in made.totals} == {0}

    def test_have_one_running_total(self):
        rows = partners((0, 60), (1, 20), (2, 30)).columns[0].rows
        assert [(row.seat, row.team, row.running_total) for row in rows] == [
            (0, 0, 60),
            (1, 1, 20),
            (2, 0, 90),
        ]

    def test_shut_out_the_other_team(self):
        made = partners((3, 55), (1, 45))
        assert made.columns[0].lines == (
            ScoreLine("box_bonus", 50, count=2, column=1, team=1),
            ScoreLine("game_bonus", 100, column=1, team=1),
            ScoreLine("shutout_bonus", 100, count=1, column=1, team=1),
        )

    def test_give_a_game_up_together(self):
        made = partners((0, 60), (1, 20))
        assert {best_opponent(made, seat) for seat in (1, 3)} == {0}
        assert {best_opponent(made, seat) for seat in (0, 2)} == {1}
        given = partners((0, 60), (1, 20), given_to=1)
        assert (given.winner, given.winner_team, given.margin) == (None, 1, 145 - 85)

    def test_play_hollywood_too(self):
        made = partners((0, 60), (2, 30), rules=replace(PARTNERSHIP, hollywood=True))
        assert [column.teams[0].score for column in made.columns] == [90, 30, 0]
        assert [team.score for team in made.teams] == [120, 0]


HOLLYWOOD = replace(STANDARD, hollywood=True)


def columns(*won, rules=HOLLYWOOD, given_to=None):
    """The totals of each column."""
    made = settle(rules, 2, hands(*won), given_to)
    return [[total.total for total in column.totals] for column in made.columns]


class TestHollywood:
    """A player's k-th win enters the columns up to k that are still open."""

    def test_enters_one_column_more_with_each_win(self):
        assert columns((0, 25), (0, 18), (0, 36), (0, 1)) == [[80, 0], [55, 0], [37, 0]]

    def test_counts_the_wins_of_each_player_apart(self):
        assert columns((0, 25), (1, 18), (0, 36)) == [[61, 18], [36, 0], [0, 0]]

    def test_takes_a_win_of_nothing_for_an_entry_and_a_drawn_hand_for_none(self):
        assert columns((0, 0), (None, 0), (0, 30)) == [[30, 0], [30, 0], [0, 0]]

    def test_enters_nothing_in_a_closed_column(self):
        made = settle(HOLLYWOOD, 2, hands((0, 60), (0, 60), (0, 20)))
        assert [column.complete for column in made.columns] == [True, False, False]
        assert [len(column.rows) for column in made.columns] == [2, 2, 1]

    def test_skips_a_column_that_closed_before_the_player_entered_it(self):
        won = [(0, 60), (0, 50), (1, 33)]
        assert columns(*won) == [[110, 0], [50, 33], [0, 0]]
        assert columns(*won, (1, 10)) == [[110, 0], [50, 43], [0, 10]]

    def test_skips_a_column_that_closed_between_two_of_his_entries(self):
        """By the winning margin the second column may close before the first."""
        rules = replace(HOLLYWOOD, win_by=100)
        won = [(1, 95), (0, 60), (0, 40), (0, 60)]
        made = settle(rules, 2, hands(*won))
        assert [column.complete for column in made.columns] == [False, True, False]
        assert columns(*won, (1, 7), rules=rules) == [[160, 102], [100, 0], [60, 7]]

    def test_has_bonuses_in_each_column(self):
        rules = replace(PRESETS["hollywood"], target=50)
        made = settle(rules, 2, hands((0, 60), (0, 60), (0, 60)))
        assert [column.lines[-1].code for column in made.columns] == ["shutout_bonus"] * 3
        assert [[line.column for line in column.lines] for column in made.columns] == [
            [1] * 3, [2] * 3, [3] * 3
        ]  # fmt: skip

    def test_is_over_when_all_columns_are_closed(self):
        won = hands((0, 100), (0, 100), (0, 99), (0, 1))
        assert [is_decided(HOLLYWOOD, 2, won[:count]) for count in range(5)] == [False] * 4 + [True]
        assert settle(HOLLYWOOD, 2, won[:3]).winner is None

    def test_is_won_by_the_sum_over_all_columns(self):
        made = settle(HOLLYWOOD, 2, hands((0, 100), (1, 60), (1, 60), (1, 90)))
        assert [column.winner for column in made.columns] == [0, 1, 1]
        assert (made.complete, made.winner, totals(made)) == (True, 1, [100, 270])
        assert made.margin == 170
        assert [total.boxes for total in made.totals] == [1, 4]

    def test_is_a_tie_if_the_sums_are_equal(self):
        tied = settle(HOLLYWOOD, 2, hands((0, 100), (0, 100), (1, 200)))
        assert (tied.complete, tied.winner, tied.margin) == (True, None, 0)
        assert totals(tied) == [200, 200]

    def test_given_up_goes_to_the_other_with_all_open_columns(self):
        made = settle(HOLLYWOOD, 2, hands((0, 60), (0, 60)), given_to=1)
        assert [column.winner for column in made.columns] == [0, 1, 1]
        assert (made.winner, made.margin, totals(made)) == (1, -180, [180, 0])

    def test_counts_no_hand_after_its_end(self):
        won = hands((0, 100), (0, 100), (0, 100), (1, 5))
        assert [each.counted for each in settle(HOLLYWOOD, 2, won).hands] == [True] * 3 + [False]
