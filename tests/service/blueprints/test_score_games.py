"""The score of a game kept elsewhere."""

import json

import pytest

from service.blueprints.score_games import MOST_GAME_BYTES
from tests.service.sheets import DRAWN_HAND, won

PATH = "/v1/scoring/games"
MELDS = [
    {"kind": "run", "cards": ["2C", "3C", "4C"]},
    {"kind": "set", "cards": ["10D", "10H", "10S"]},
    {"kind": "set", "cards": ["QD", "QH", "QS"]},
]
TOLD = {
    "kind": "knock",
    "knocker_seat": 0,
    "sides": [
        {"seat": 0, "cards": [*(card for meld in MELDS for card in meld["cards"]), "AD"],
         "melds": MELDS},
        {"seat": 1, "cards": ["5C", "6C", "7C", "10C", "QC", "KC", "KD", "KH", "9S", "8S"],
         "lay_offs": [{"card": "5C", "meld": 0}, {"card": "6C", "meld": 0},
                      {"card": "7C", "meld": 0}, {"card": "10C", "meld": 1},
                      {"card": "QC", "meld": 2}]},
    ],
    "upcard": "10C",
}  # fmt: skip
"""A hand told card by card, with everything that can be told of it."""

OTHER_TABLE = {**TOLD, "knocker_seat": 2,
               "sides": [{**side, "seat": side["seat"] + 2} for side in TOLD["sides"]]}  # fmt: skip


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

    def test_takes_a_whole_game_of_two_tables_card_by_card(self, answering):
        body = {"seats": 4, "hands": [{"tables": [TOLD, OTHER_TABLE]}] * 500}
        text = json.dumps(body, indent=1)
        assert 1_000_000 < len(text) < MOST_GAME_BYTES
        answer = answering.post(PATH, data=text, content_type="application/json")
        assert answer.status_code == 200, answer.json
        assert len(answer.json["hands"]) == 500

    def test_takes_no_more_than_that(self, answering):
        fits = b'{"hands":[]}'.rjust(MOST_GAME_BYTES)
        for text, status in ((fits, 200), (b" " + fits, 413)):
            answer = answering.post(PATH, data=text, content_type="application/json")
            assert answer.status_code == status
        assert answer.json["params"] == {"max": MOST_GAME_BYTES}

    def test_has_limits_that_the_service_tells(self, answering):
        limits = answering.get("/").json["limits"]
        assert limits["max_game_score_bytes"] == MOST_GAME_BYTES
        assert limits["max_game_score_hands"] == 500

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
