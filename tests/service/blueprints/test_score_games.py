"""The score of a game kept elsewhere."""

import pytest

from tests.service.sheets import DRAWN_HAND, won

PATH = "/v1/scoring/games"


def score(answering, *hands, **body):
    answer = answering.post(PATH, {"hands": list(hands), **body})
    assert answer.status_code == 200, answer.json
    return answer.json


class TestScoreGame:
    def test_begins_with_nothing(self, answering):
        scored = score(answering)
        assert (scored["complete"], scored["hands"], scored["teams"]) == (False, [], [])
        assert [total["total"] for total in scored["totals"]] == [0, 0]

    def test_has_running_totals_boxes_bonuses_and_a_margin(self, answering):
        hands = (won(0, 57), won(1, 28), DRAWN_HAND, won(0, 43))
        scored = score(answering, *hands, rules={"base": "traditional"})
        [column] = scored["columns"]
        assert [row["running_total"] for row in column["rows"]] == [57, 28, 100]
        assert {line["code"]: line["points"] for line in column["lines"] if line["seat"] == 0} == {
            "box_bonus": 50,
            "game_bonus": 100,
        }
        assert (scored["winner_seat"], scored["margin"]) == (0, 250 - 53)

    def test_leaves_hands_after_the_end_uncounted(self, answering):
        scored = score(answering, won(0, 100), won(1, 90), DRAWN_HAND)
        assert [hand["counted"] for hand in scored["hands"]] == [True, False, False]
        assert scored["totals"][1]["total"] == 0

    def test_has_three_columns_in_hollywood(self, answering):
        scored = score(answering, won(0, 20), won(0, 30), rules={"hollywood": True})
        rows = [[row["points"] for row in column["rows"]] for column in scored["columns"]]
        assert rows == [[20, 30], [30], []]

    def test_keeps_three_apart_and_four_in_teams(self, answering):
        assert len(score(answering, won(2, 20), seats=3)["totals"]) == 3
        four = score(answering, won(2, 20), won(0, 30), seats=4)
        assert [team["score"] for team in four["teams"]] == [50, 0]
        assert [total["total"] for total in four["totals"]] == [30, 0, 20, 0]

    def test_needs_no_credential_and_looks_at_none(self, answering):
        assert answering.post(PATH, {"hands": []}, "nonsense").status_code == 200

    def test_takes_as_many_hands_as_a_sheet(self, answering):
        assert len(score(answering, *[DRAWN_HAND] * 500)["hands"]) == 500
        answer = answering.post(PATH, {"hands": [DRAWN_HAND] * 501})
        assert answer.json["errors"] == [
            {"pointer": "/hands", "code": "too_long", "params": {"max": 500}}
        ]

    @pytest.mark.parametrize(
        ("body", "pointer", "code"),
        [
            ({}, "/hands", "required"),
            ({"hands": [], "seats": 1}, "/seats", "out_of_range"),
            ({"hands": [], "seats": 5}, "/seats", "out_of_range"),
            ({"hands": [], "seats": 3, "rules": {"base": "hollywood"}}, "/rules/hollywood",
             "contradictory_rules"),
            ({"hands": [], "seats": 4, "rules": {"four_player": "two_tables"}},
             "/rules/four_player", "contradictory_rules"),
            ({"hands": [], "rules": {"max_recycles": 2}}, "/rules/max_recycles",
             "contradictory_rules"),
            ({"hands": [won(0, 5), {}]}, "/hands/1/outcome", "required"),
            ({"hands": [won(0, 5), won(3, 5)]}, "/hands/1/winner_seat", "out_of_range"),
        ],
    )  # fmt: skip
    def test_refuses_what_is_no_game(self, answering, body, pointer, code):
        answer = answering.post(PATH, body)
        assert answer.status_code == 422
        assert (pointer, code) in [(e["pointer"], e["code"]) for e in answer.json["errors"]]
