"""Scoring as a service: no token, nothing stored, a result or a problem for each question."""

import pytest

from engine.cards import card_names
from tests.tables import ALL_MELDED, NEAR_GIN, OTHER

TEN, OTHER_TEN = NEAR_GIN.split(), OTHER.split()
HAND = {"kind": "knock", "knocker": {"cards": TEN}, "defender": {"cards": OTHER_TEN}}
COUNTS = {"kind": "knock", "knocker": {"deadwood": 7}, "defender": {"deadwood": 18}}
RUNS = [{"kind": "run", "cards": names.split()} for names in ("AC 2C 3C", "4D 5D 6D", "7H 8H 9H")]


def asked(answering, path, body):
    answer = answering.post(f"/v1/scoring/{path}", body)
    assert answer.status_code == 200, answer.json
    return answer.json


def faults(problem):
    assert (problem["status"], problem["code"]) == (422, "validation_failed")
    return [(each["pointer"], each["code"], each.get("params")) for each in problem["errors"]]


def refused(answering, path, body):
    answer = answering.post(f"/v1/scoring/{path}", body)
    assert answer.status_code == 422, answer.json
    return faults(answer.json)


class TestAHand:
    def test_of_cards_is_laid_out_and_scored_line_by_line(self, answering):
        seated = {
            **HAND,
            "knocker": {"seat": 3, "cards": TEN},
            "defender": {"seat": 0, "cards": OTHER_TEN},
        }
        score = asked(answering, "hands", seated)
        assert (score["outcome"], score["winner"], score["winner_seat"]) == ("knock", "knocker", 3)
        assert score["knocker"]["melds"] == RUNS
        assert score["lines"] == [
            {"code": "deadwood_difference", "points": score["points"], "seat": 3}
        ]
        assert score["lay_offs_optimal"]

    def test_of_counts_needs_no_cards(self, answering):
        score = asked(answering, "hands", COUNTS)
        assert (score["points"], score["knocker"]["cards"]) == (11, [])
        assert "lay_offs_optimal" not in score

    def test_laid_out_at_the_table_is_checked_and_its_waste_told(self, answering):
        defender = {"cards": OTHER_TEN, "lay_offs": [{"card": "4C", "meld": 0}]}
        told = {**HAND, "knocker": {"cards": TEN, "melds": RUNS}, "defender": defender}
        score = asked(answering, "hands", told)
        assert score["lay_offs_optimal"] is False
        assert score["points"] > asked(answering, "hands", HAND)["points"]

    def test_doubles_with_a_spade_where_that_was_agreed(self, answering):
        told = {**COUNTS, "kind": "gin", "knocker": {"deadwood": 0}, "upcard": "8s"}
        score = asked(answering, "hands", {**told, "rules": {"spade_doubles": "all"}})
        assert [line["points"] for line in score["lines"]] == [18, 25, 43]
        assert (score["points"], score["multiplier"]) == (86, 2)

    @pytest.mark.parametrize(
        ("change", "pointer", "code", "params"),
        [
            (
                {"defender": {"cards": [*OTHER_TEN, "JC"]}},
                "/defender/cards",
                "wrong_card_count",
                {"min": 10, "max": 10},
            ),
            (
                {"knocker": {"cards": [*TEN[:9], "AC"]}},
                "/knocker/cards/9",
                "duplicate_card",
                {"card": "AC"},
            ),
            (
                {"defender": {"cards": ["10s", *OTHER_TEN[1:]]}},
                "/defender/cards/0",
                "duplicate_card",
                {"card": "TS"},
            ),
            (
                {"defender": {"cards": OTHER_TEN, "lay_offs": [{"card": "4C", "meld": 1}]}},
                "/defender/lay_offs/0",
                "layoff_not_possible",
                {"card": "4C", "meld": 1},
            ),
            (
                {"knocker": {"deadwood": 11}},
                "/knocker/deadwood",
                "deadwood_too_high",
                {"deadwood": 11, "knock_limit": 10},
            ),
            ({"kind": "gin"}, "/knocker/cards", "not_gin", {"deadwood": 10}),
            ({"kind": "big_gin"}, "/knocker/cards", "wrong_card_count", {"min": 11, "max": 11}),
            (
                {
                    "kind": "big_gin",
                    "knocker": {"cards": ALL_MELDED.split()},
                    "defender": {"deadwood": 9},
                },
                "/kind",
                "big_gin_not_enabled",
                None,
            ),
            ({"rules": {"base": "oklahoma"}}, "/upcard", "required", None),
            ({"rules": {"base": "canasta"}}, "/rules/base", "unknown_rule_set", None),
            ({"rules": {"target": 5}}, "/rules/target", "out_of_range", {"min": 10, "max": 1000}),
            (
                {"knocker": {"seat": 1, "deadwood": 3}, "defender": {"seat": 1, "deadwood": 9}},
                "/defender/seat",
                "duplicate_seat",
                None,
            ),
        ],
    )  # fmt: skip
    def test_that_cannot_be_is_refused_with_place_and_number(
        self, answering, change, pointer, code, params
    ):
        assert refused(answering, "hands", {**HAND, **change}) == [(pointer, code, params)]


class TestAnAnalysis:
    def test_names_best_others_discards_and_knocks(self, answering):
        body = {"cards": [*TEN, "KS"], "taken_from_discard": "KS", "max_arrangements": 2}
        found = asked(answering, "analyses", body)
        assert found["best"] == found["arrangements"][0]
        assert [each["deadwood"] for each in found["arrangements"]] == [20, 26]
        assert found["arrangements_truncated"] is True
        assert (found["deadwood"], found["deadwood_after_best_discard"]) == (20, 20 - 10)
        assert len(found["discards"]) == 10
        assert [knock["discard"] for knock in found["knocks"]] == ["TS"]
        assert found["discards"][0]["knock"] == found["knocks"][0]

    def test_of_few_cards_has_nothing_to_throw(self, answering):
        found = asked(answering, "analyses", {"cards": ["3H"]})
        assert (found["deadwood"], found["discards"], found["knocks"]) == (3, [], [])
        assert "deadwood_after_best_discard" not in found
        assert found["arrangements_truncated"] is False

    def test_shows_melds_whatever_advice_a_game_would_give(self, answering):
        body = {"cards": [*TEN, "KS"], "rules": {"advice": "off"}}
        assert "melds" in asked(answering, "analyses", body)["discards"][0]

    @pytest.mark.parametrize(
        ("body", "fault"),
        [
            ({"cards": []}, ("/cards", "wrong_card_count", {"min": 1, "max": 11})),
            ({"cards": ["AC", "ac"]}, ("/cards/1", "duplicate_card", {"card": "AC"})),
            ({"cards": ["AC", "XX"]}, ("/cards/1", "bad_card", None)),
            (
                {"cards": ["AC"], "taken_from_discard": "2C"},
                ("/taken_from_discard", "card_not_in_hand", {"card": "2C"}),
            ),
            (
                {"cards": ["AC"], "max_arrangements": 51},
                ("/max_arrangements", "out_of_range", {"min": 1, "max": 50}),
            ),
        ],
    )
    def test_is_refused_with_the_place(self, answering, body, fault):
        assert refused(answering, "analyses", body) == [fault]


class TestLayOffs:
    def test_are_found_and_those_of_the_table_checked(self, answering):
        body = {"knocker_melds": RUNS, "cards": OTHER_TEN}
        found = asked(answering, "lay-offs", body)
        assert "chosen" not in found
        again = asked(answering, "lay-offs", {**body, "lay_offs": found["best"]["lay_offs"]})
        assert (again["chosen"], again["lay_offs_optimal"]) == (found["best"], True)
        none = asked(answering, "lay-offs", {**body, "lay_offs": []})
        assert none["lay_offs_optimal"] is False

    def test_are_refused_with_the_place(self, answering):
        body = {"knocker_melds": RUNS, "cards": OTHER_TEN}
        shared = {**body, "knocker_melds": [RUNS[0], RUNS[0]]}
        assert refused(answering, "lay-offs", shared) == [
            ("/knocker_melds/1/cards", "card_in_two_melds", {"card": "3C"})
        ]
        held = {**body, "cards": ["KC", "3C"]}
        assert refused(answering, "lay-offs", held) == [
            ("/cards/1", "duplicate_card", {"card": "3C"})
        ]
        wrong = {**body, "lay_offs": [{"card": "4C", "meld": 0}, {"card": "KH", "meld": 9}]}
        assert refused(answering, "lay-offs", wrong) == [
            ("/lay_offs/1", "meld_not_found", {"meld": 9})
        ]


class TestAMeldCheck:
    def test_of_melds_alone_says_whether_they_are_valid(self, answering):
        assert asked(answering, "melds/checks", {"melds": RUNS}) == {"valid": True, "issues": []}
        wrong = [{"kind": "set", "cards": ["AC", "2C", "3C"]}]
        found = asked(answering, "melds/checks", {"melds": wrong})
        assert (found["valid"], found["issues"]) == (False, [{"meld": 0, "code": "not_a_set"}])

    def test_of_cards_says_what_they_leave_and_whether_that_is_a_knock(self, answering):
        body = {"melds": RUNS, "cards": TEN}
        found = asked(answering, "melds/checks", body)
        assert (found["deadwood"], found["can_knock"]) == (10, True)
        strict = asked(answering, "melds/checks", {**body, "rules": {"knock_limit": 9}})
        assert strict["can_knock"] is False
        oklahoma = {**body, "rules": {"base": "oklahoma"}}
        assert refused(answering, "melds/checks", oklahoma) == [("/upcard", "required", None)]


class TestABatch:
    def test_has_a_result_or_a_problem_for_each_item(self, answering):
        items = [HAND, {**HAND, "kind": "gin"}, COUNTS, None, {"kind": "knock"}]
        found = asked(answering, "hands/batch", {"items": items})["items"]
        assert [item["index"] for item in found] == [0, 1, 2, 3, 4]
        assert found[0]["result"] == asked(answering, "hands", HAND)
        assert found[2]["result"] == asked(answering, "hands", COUNTS)
        assert faults(found[1]["problem"]) == [
            ("/items/1/knocker/cards", "not_gin", {"deadwood": 10})
        ]
        assert faults(found[3]["problem"]) == [("/items/3", "wrong_type", None)]
        assert {pointer for pointer, *_ in faults(found[4]["problem"])} == {
            "/items/4/knocker",
            "/items/4/defender",
        }

    def test_of_analyses_is_what_each_would_be_alone(self, answering):
        bodies = [{"cards": [*TEN, name]} for name in ("KS", "7C", "TD")]
        found = asked(answering, "analyses/batch", {"items": bodies})["items"]
        assert [item["result"] for item in found] == [
            asked(answering, "analyses", body) for body in bodies
        ]

    def test_may_be_of_a_thousand_items_beyond_what_other_bodies_may_have(self, answering):
        items = [HAND] * 1000
        found = asked(answering, "hands/batch", {"items": items})["items"]
        assert len(found) == 1000
        assert refused(answering, "hands/batch", {"items": [*items, HAND]}) == [
            ("/items", "too_long", {"max": 1000})
        ]

    @pytest.mark.parametrize("path", ["hands", "analyses"])
    def test_is_refused_as_a_whole_if_it_is_none(self, answering, path):
        path = f"{path}/batch"
        assert refused(answering, path, {}) == [("/items", "required", None)]
        assert refused(answering, path, {"items": []}) == [
            ("/items", "out_of_range", {"min": 1, "max": 1000})
        ]
        assert refused(answering, path, {"items": {}}) == [("/items", "wrong_type", None)]
        body = {"items": [{}], "rules": {}}
        assert refused(answering, path, body) == [("/rules", "unknown_field", None)]

    def test_has_its_own_limit_of_bytes(self, answering):
        for path, most in (("hands/batch", 2_097_152), ("hands", 65_536)):
            data = b" " * (most + 1)
            answer = answering.post(
                f"/v1/scoring/{path}", data=data, content_type="application/json"
            )
            assert (answer.status_code, answer.json["code"]) == (413, "too_large")
            assert answer.json["params"] == {"max": most}
        data = b'{"items":[{"kind":"knock"}]}'.ljust(2_097_152)
        answer = answering.post(
            "/v1/scoring/hands/batch", data=data, content_type="application/json"
        )
        assert answer.status_code == 200


class TestACaller:
    def test_needs_no_token_and_may_send_any(self, answering):
        headers = {"Authorization": "Bearer nonsense"}
        answer = answering.post("/v1/scoring/hands", HAND, headers=headers)
        assert answer.status_code == 200

    def test_is_told_the_limits(self, answering):
        limits = answering.get("/").json["limits"]
        assert limits["max_batch_items"] == 1000
        assert limits["max_batch_bytes"] == 2_097_152
        assert limits["max_arrangements"] == 50

    def test_gets_cards_in_card_order_whatever_was_sent(self, answering):
        names = [name.lower() for name in reversed(TEN)]
        score = asked(answering, "hands", {**HAND, "knocker": {"cards": names}})
        assert score == asked(answering, "hands", HAND)
        assert score["knocker"]["cards"] == card_names(sum(1 << c for c in range(3))) + TEN[3:]
