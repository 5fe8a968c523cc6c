from engine.columns import ScoredHand
from engine.rules import PRESETS, STANDARD, resolve
from engine.scoring import HandOutcome, ScoreLine
from engine.settlement import settle
from service.schemas import dump_scores

PARTNERSHIP = resolve("standard", {"four_player": "partnership", "box_bonus": 25, "target": 20})


def knock(number, winner, points, team=None):
    return ScoredHand(number, HandOutcome.KNOCK, winner, winner, points, team)


class TestALine:
    def test_leaves_out_what_it_does_not_have(self):
        line = ScoreLine("gin_bonus", 25, 1)
        assert dump_scores.line(line) == {"code": "gin_bonus", "points": 25, "seat": 1}

    def test_names_a_team_in_the_place_of_a_seat(self):
        line = ScoreLine("box_bonus", 50, count=2, column=3, team=0)
        assert dump_scores.line(line) == {
            "code": "box_bonus", "points": 50, "team": 0, "count": 2, "column": 3,
        }  # fmt: skip


class TestAScore:
    def test_of_two_has_no_teams(self):
        score = dump_scores.score(settle(STANDARD, 2, (knock(1, 1, 100),)))
        assert (score["winner_seat"], score["teams"], "winner_team" in score) == (1, [], False)
        [column] = score["columns"]
        assert column["rows"] == [
            {"hand_number": 1, "seat": 1, "points": 100, "running_total": 100}
        ]
        assert (column["teams"], column["winner_seat"]) == ([], 1)
        assert score["hands"] == [
            {
                "hand_number": 1, "outcome": "knock", "knocker_seat": 1, "winner_seat": 1,
                "points": 100, "counted": True,
            }
        ]  # fmt: skip

    def test_of_partners_has_a_team_that_wins(self):
        score = dump_scores.score(settle(PARTNERSHIP, 4, (knock(1, 2, 30, 0),)))
        assert (score["winner_team"], "winner_seat" in score, score["margin"]) == (0, False, 55)
        assert score["teams"] == [
            {"team": 0, "seats": [0, 2], "score": 30, "boxes": 1, "bonus_points": 25, "total": 55},
            {"team": 1, "seats": [1, 3], "score": 0, "boxes": 0, "bonus_points": 0, "total": 0},
        ]
        [column] = score["columns"]
        assert column["teams"] == score["teams"]
        assert column["rows"] == [
            {"hand_number": 1, "seat": 2, "team": 0, "points": 30, "running_total": 30}
        ]
        assert (score["hands"][0]["winner_seat"], score["hands"][0]["winner_team"]) == (2, 0)

    def test_that_is_a_tie_is_complete_and_has_no_winner(self):
        hands = (knock(1, 0, 100), knock(2, 0, 100), knock(3, 1, 200))
        rules = resolve("hollywood", {"game_bonus": 0, "shutout_bonus": 0, "box_bonus": 0})
        score = dump_scores.score(settle(rules, 2, hands))
        assert (score["complete"], score["margin"]) == (True, 0)
        assert "winner_seat" not in score

    def test_in_play_has_neither_winner_nor_margin(self):
        score = dump_scores.score(settle(PRESETS["hollywood"], 2, ()))
        assert score.keys() == {"complete", "totals", "teams", "columns", "hands"}
        assert len(score["columns"]) == 3
