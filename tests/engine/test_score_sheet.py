import pytest

from engine.columns import ScoredHand
from engine.rules import PRESETS, STANDARD, resolve
from engine.score_sheet import TableResult, corrected, correction_stands, net_of_tables, struck
from engine.scoring import HandOutcome
from engine.settlement import settle


def hand(number, winner, points):
    return ScoredHand(number, HandOutcome.KNOCK, winner, winner, points)


class TestTwoHandsAtOnce:
    """Full s6, Four: the teams' points of both tables are set against each other."""

    @pytest.mark.parametrize(
        ("tables", "expected"),
        [
            ([(0, 16), (0, 12)], (0, 28)),
            ([(0, 30), (1, 29)], (0, 1)),
            ([(1, 30), (0, 29)], (1, 1)),
            ([(0, 12), (1, 12)], (None, 0)),
            ([(None, 0), (1, 7)], (1, 7)),
            ([(None, 0), (None, 0)], (None, 0)),
            ([(0, 0), (None, 0)], (None, 0)),
        ],
    )
    def test_are_won_by_the_difference(self, tables, expected):
        assert net_of_tables(TableResult(*table) for table in tables) == TableResult(*expected)

    def test_make_one_entry_and_one_box_of_a_team(self):
        rules = resolve("traditional", {"four_player": "partnership", "target": 20})
        net = net_of_tables([TableResult(1, 30), TableResult(0, 9)])
        entry = ScoredHand(1, HandOutcome.KNOCK, None, None, net.points, net.winner_team)
        score = settle(rules, 4, (entry,))
        assert (score.winner, score.winner_team, score.margin) == (None, 1, 21 + 25 + 100 + 100)
        assert [(team.score, team.boxes) for team in score.teams] == [(0, 0), (21, 1)]
        [row] = score.columns[0].rows
        assert (row.seat, row.team, row.running_total) == (None, 1, 21)


class TestACorrection:
    """Full s5, Score Disputes."""

    @pytest.mark.parametrize(
        ("dealt", "confirmed", "stands"),
        [
            (False, [0], True),
            (False, [1], True),
            (False, [0, 1], True),
            (False, [], False),
            (False, [2], False),
            (True, [0], False),
            (True, [1], False),
            (True, [1, 0], True),
            (True, [0, 2], False),
        ],
    )
    def test_counts_by_any_ones_word_and_after_the_next_deal_by_that_of_all(
        self, dealt, confirmed, stands
    ):
        found = correction_stands(next_hand_dealt=dealt, confirmed_by=confirmed, players=(0, 1))
        assert found == stands

    def test_counts_the_game_anew_so_that_it_may_go_on(self):
        hands = (hand(1, 0, 60), hand(2, 0, 45))
        assert settle(STANDARD, 2, hands).complete
        again = corrected(hands, hand(1, 0, 50))
        assert settle(STANDARD, 2, again).totals[0].total == 95
        assert not settle(STANDARD, 2, again).complete

    def test_counts_the_game_anew_so_that_it_may_have_ended_earlier(self):
        hands = (hand(1, 0, 28), hand(2, 0, 60), hand(3, 1, 99))
        score = settle(STANDARD, 2, corrected(hands, hand(2, 0, 72)))
        assert (score.winner, score.totals[1].total) == (0, 0)
        assert [each.counted for each in score.hands] == [True, True, False]

    def test_moves_the_columns_of_hollywood(self):
        hands = (hand(1, 0, 20), hand(2, 0, 30))
        columns = settle(PRESETS["hollywood"], 2, corrected(hands, hand(1, 1, 20))).columns
        assert [[row.points for row in column.rows] for column in columns] == [[20, 30], [], []]

    def test_of_no_hand_is_refused(self):
        with pytest.raises(ValueError, match="no hand 3"):
            corrected((hand(1, 0, 20),), hand(3, 0, 20))


class TestAHandStruckOut:
    def test_moves_later_ones_up(self):
        hands = (hand(1, 0, 20), hand(2, 1, 5), hand(3, 0, 7))
        assert struck(hands, 2) == (hand(1, 0, 20), hand(2, 0, 7))
