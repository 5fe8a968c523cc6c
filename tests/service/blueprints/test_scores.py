"""The score of a game, as it grows and when it is final."""

from tests.service.questions import Conditional
from tests.service.table import DRAWN, SCORED, SPECTATOR


class TestGetScore(Conditional):
    path = "/score"

    def test_is_that_of_the_view(self, tables):
        for phase in ("waiting", "first_upcard", "lay_off", "hand_over", "game_over"):
            table = tables.at(phase)
            for who in (0, SPECTATOR):
                assert table.get("/score", who).json == table.view(who)["score"]


class TestAScore:
    def test_begins_with_nothing(self, tables):
        score = tables().get("/score").json
        assert (score["complete"], score["hands"], score["teams"]) == (False, [], [])
        assert [total["total"] for total in score["totals"]] == [0, 0]

    def test_grows_by_the_hand(self, tables):
        score = tables(*SCORED).get("/score").json
        assert score["hands"] == [
            {
                "hand_number": 1, "outcome": "knock", "knocker_seat": 0, "winner_seat": 0,
                "points": 22, "counted": True,
            }
        ]  # fmt: skip
        assert score["totals"][0] == {
            "seat": 0, "hand_points": 22, "boxes": 1, "bonus_points": 0, "total": 22
        }  # fmt: skip
        assert (score["complete"], "winner_seat" in score) == (False, False)
        assert score["columns"][0]["rows"] == [
            {"hand_number": 1, "seat": 0, "points": 22, "running_total": 22}
        ]

    def test_has_the_bonuses_once_the_target_is_reached(self, tables):
        rules = {"base": "traditional", "target": 20}
        game = tables(*DRAWN, rules=rules).play("0 knock KS", "1 lay_off")["game"]
        assert (game["status"], game["phase"], game["over"]) == ("finished", "game_over", True)
        score = game["score"]
        assert (score["complete"], score["winner_seat"]) == (True, 0)
        lines = {line["code"]: line["points"] for line in score["columns"][0]["lines"]}
        assert lines == {"game_bonus": 100, "shutout_bonus": 100, "box_bonus": 25}
        assert score["totals"][0] == {
            "seat": 0, "hand_points": 22, "boxes": 1, "bonus_points": 225, "total": 247
        }  # fmt: skip
        assert score["margin"] == 247

    def test_does_not_end_the_game_below_the_target(self, tables):
        game = tables(*SCORED, rules={"target": 23}).view()
        assert (game["phase"], game["status"]) == ("hand_over", "playing")
