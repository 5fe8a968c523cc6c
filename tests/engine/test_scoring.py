from dataclasses import replace

import pytest

from engine.actions import KnockKind
from engine.cards import parse_card
from engine.rules import STANDARD
from engine.scoring import HandOutcome, ScoredSide, ScoreLine, result_without_score, score_knock
from tests.tables import NEAR_GIN, OTHER, play, table

SPADE, HEART = parse_card("3S"), parse_card("3H")


def sides(knocker, defender):
    return (
        ScoredSide(0, 0, (), 0, (), knocker),
        ScoredSide(1, 0, (), 0, (), defender),
    )


def score(knocker, defender, kind=KnockKind.KNOCK, rules=STANDARD, upcard=HEART):
    return score_knock(kind, *sides(knocker, defender), rules, upcard)


def lines(score):
    return {line.code: line.points for line in score.lines}


class TestAKnock:
    """Full s5: the difference of the counts."""

    def test_scores_the_difference(self):
        made = score(7, 18)
        assert (made.outcome, made.knocker_wins, made.points) == (HandOutcome.KNOCK, True, 11)
        assert made.lines == (ScoreLine("deadwood_difference", 11, 0),)

    def test_by_a_single_point_is_won(self):
        assert score(9, 10).points == 1


class TestAnUndercut:
    """Full s5: equal or lower: the bonus and the difference, to the defender."""

    def test_scores_the_bonus_and_the_difference(self):
        made = score(8, 5)
        assert (made.outcome, made.knocker_wins, made.points) == (HandOutcome.UNDERCUT, False, 28)
        assert made.lines == (
            ScoreLine("deadwood_difference", 3, 1),
            ScoreLine("undercut_bonus", 25, 1),
        )

    def test_is_an_equal_count_too_for_the_bonus_alone(self):
        made = score(8, 8)
        assert (made.outcome, made.points) == (HandOutcome.UNDERCUT, 25)

    @pytest.mark.parametrize("bonus", [0, 10, 20, 100])
    def test_has_the_bonus_that_was_agreed(self, bonus):
        assert score(8, 5, rules=replace(STANDARD, undercut_bonus=bonus)).points == 3 + bonus

    def test_is_no_equal_count_where_ties_are_the_knockers(self):
        rules = replace(STANDARD, undercut_on_tie=False)
        made = score(8, 8, rules=rules)
        assert (made.outcome, made.knocker_wins, made.points) == (HandOutcome.KNOCK, True, 0)
        assert score(8, 7, rules=rules).outcome is HandOutcome.UNDERCUT


class TestGin:
    """Full s5: the bonus and all of the opponent's deadwood; never undercut."""

    def test_scores_the_bonus_and_the_deadwood(self):
        made = score(0, 32, KnockKind.GIN)
        assert (made.outcome, made.points) == (HandOutcome.GIN, 57)
        assert lines(made) == {"deadwood_difference": 32, "gin_bonus": 25}

    def test_against_nothing_scores_the_bonus(self):
        made = score(0, 0, KnockKind.GIN)
        assert (made.outcome, made.knocker_wins, made.points) == (HandOutcome.GIN, True, 25)

    def test_has_the_bonus_that_was_agreed(self):
        assert score(0, 10, KnockKind.GIN, replace(STANDARD, gin_bonus=20)).points == 30

    def test_that_is_big_has_its_own_bonus_in_place_of_the_other(self):
        rules = replace(STANDARD, big_gin=True)
        made = score(0, 72, KnockKind.BIG_GIN, rules)
        assert (made.outcome, made.points) == (HandOutcome.BIG_GIN, 103)
        assert lines(made) == {"deadwood_difference": 72, "big_gin_bonus": 31}
        fifty = replace(rules, big_gin_bonus=50)
        assert score(0, 72, KnockKind.BIG_GIN, fifty).points == 122


class TestSpades:
    """Full s6: an initial upcard of spades doubles the hand; whether bonuses too is agreed."""

    everything = replace(STANDARD, spade_doubles="all")
    difference = replace(STANDARD, spade_doubles="difference")

    @pytest.mark.parametrize(
        ("knocker", "defender", "kind", "of_all", "of_difference"),
        [
            (5, 26, KnockKind.KNOCK, 42, 42),
            (8, 5, KnockKind.KNOCK, 56, 31),
            (8, 8, KnockKind.KNOCK, 50, 25),
            (0, 26, KnockKind.GIN, 102, 77),
            (0, 26, KnockKind.BIG_GIN, 114, 83),
        ],
    )
    def test_double_all_or_the_difference(self, knocker, defender, kind, of_all, of_difference):
        for rules, points in ((self.everything, of_all), (self.difference, of_difference)):
            made = score(knocker, defender, kind, rules, SPADE)
            assert made.points == points == sum(line.points for line in made.lines)
            assert made.multiplier == 2
            assert made.lines[-1].code == "multiplier"

    def test_are_only_the_initial_upcard(self):
        made = score(8, 5, rules=self.everything, upcard=HEART)
        assert (made.points, made.multiplier) == (28, 1)
        assert "multiplier" not in lines(made)

    def test_do_nothing_where_that_was_not_agreed(self):
        assert score(8, 5, upcard=SPADE).points == 28

    def test_do_nothing_where_nobody_knows_the_upcard(self):
        assert score(8, 5, rules=self.everything, upcard=None).points == 28

    def test_count_although_the_upcard_was_taken(self):
        game = play(table(self.everything, upcard="JS"), "0 draw pile", "0 knock TS", "1 lay_off")
        assert (game.last_result.multiplier, game.last_result.points) == (2, 44)


class TestAResult:
    @pytest.mark.parametrize("knocker", [0, 1])
    def test_shows_both_sides_by_seat_whoever_knocked(self, knocker):
        holdings = (NEAR_GIN, OTHER) if knocker == 0 else (OTHER, NEAR_GIN)
        game = table(STANDARD, *holdings, dealer=1 - knocker)
        game = play(game, f"{knocker} draw pile", f"{knocker} knock TS", f"{1 - knocker} lay_off")
        result = game.last_result
        assert (result.hand_number, result.knocker, result.winner) == (1, knocker, knocker)
        assert [side.seat for side in result.sides] == [0, 1]
        assert [side.deadwood for side in result.sides] == ([10, 32] if knocker == 0 else [32, 10])

    def test_is_not_there_before_the_end(self):
        assert play(table(), "0 draw pile", "0 knock TS").last_result is None

    @pytest.mark.parametrize("outcome", [HandOutcome.DRAWN, HandOutcome.VOID, HandOutcome.RESIGNED])
    def test_without_a_score_has_no_winner_and_no_lines(self, outcome):
        result = result_without_score(3, outcome, sides(5, 7), STANDARD, HEART)
        assert (result.winner, result.knocker, result.points, result.lines) == (None, None, 0, ())
        assert (result.hand_number, result.outcome) == (3, outcome)
