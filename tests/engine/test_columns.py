from engine.actions import KnockKind
from engine.cards import parse_cards
from engine.columns import Column, ScoredHand, scored_hand
from engine.melds import best_arrangement
from engine.rules import PRESETS, STANDARD
from engine.scoring import HandOutcome, result_of_knock, side


def hand(number, winner, points):
    return ScoredHand(number, HandOutcome.KNOCK, winner, winner, points)


class TestAColumn:
    def test_is_open_until_somebody_has_reached_the_target(self):
        column = Column(STANDARD, 2, 1)
        column.enter(0, hand(1, 0, 99))
        assert column.winner is None
        column.enter(0, hand(2, 0, 1))
        assert (column.winner, column.column().complete) == (0, True)

    def test_knows_its_number(self):
        column = Column(PRESETS["traditional"], 2, 3)
        column.enter(1, hand(1, 1, 100))
        made = column.column()
        assert made.column == 3
        assert {line.column for line in made.lines} == {3}

    def test_of_partners_counts_by_team(self):
        column = Column(STANDARD, 4, 1)
        column.enter(1, hand(1, 3, 60))
        column.enter(1, hand(2, 1, 40))
        made = column.column()
        assert (made.winner, made.winner_team) == (None, 1)
        assert [team.score for team in made.teams] == [0, 100]
        assert [total.total for total in made.totals] == [0, 40, 0, 60]

    def test_of_single_seats_has_no_teams(self):
        assert Column(STANDARD, 3, 1).column().teams == ()


class TestAScoredHand:
    def test_is_what_the_score_needs_of_a_result(self):
        sides = [
            side(seat, cards, best_arrangement(cards))
            for seat, cards in ((2, parse_cards(["AC"])), (1, parse_cards(["KD"])))
        ]
        result = result_of_knock(7, KnockKind.KNOCK, *sides, STANDARD, 0)
        assert scored_hand(result) == ScoredHand(7, HandOutcome.KNOCK, 2, 2, 9)
