"""Every meld, knock, lay-off and score case, asked of the scoring service: alone and in a batch.

What a case says is asked in one request, and once more among all of its kind: the same results, and
for what is refused the same codes.
"""

import json
from pathlib import Path

import pytest

from engine.cards import card_names, parse_cards
from engine.melds import MeldKind, parse_meld
from tests.cases import words

CASES = json.loads((Path(__file__).parents[1] / "cases" / "rules_cases.json").read_text("utf-8"))


def cases(kind, op):
    return [case for case in CASES["cases"] if (case["kind"], case["op"]) == (kind, op)]


def each(kind, op):
    return pytest.mark.parametrize("case", cases(kind, op), ids=lambda case: case["id"])


def asked(answering, path, body):
    return answering.post(f"/v1/scoring/{path}", body)


def meld(names):
    cards = parse_cards(names)
    return {"kind": parse_meld(cards).kind.value, "cards": card_names(cards)}


def present(**fields):
    return {name: value for name, value in fields.items() if value is not None}


def code_of(problem):
    return problem["errors"][0]["code"]


def outcome(answer):
    """An answer as an item of a batch has it, but for the places, which lead through the batch."""
    if answer.status_code == 200:
        return answer.json
    assert answer.status_code == 422
    return [(fault["code"], fault.get("params")) for fault in answer.json["errors"]]


def outcome_of_item(item):
    if "result" in item:
        return item["result"]
    faults = item["problem"]["errors"]
    assert all(fault["pointer"].startswith(f"/items/{item['index']}/") for fault in faults)
    return [(fault["code"], fault.get("params")) for fault in faults]


class InABatch:
    """The same questions in one request. ``path``, ``of`` and ``body`` say which they are."""

    path = ""
    of = ("", "")

    def test_is_answered_alike_in_a_batch(self, answering):
        bodies = [self.body(case["input"]) for case in cases(*self.of)]
        found = asked(answering, f"{self.path}/batch", {"items": bodies}).json["items"]
        assert [outcome_of_item(item) for item in found] == [
            outcome(asked(answering, self.path, body)) for body in bodies
        ]


class TestMelds(InABatch):
    path = "analyses"
    of = ("meld", "best")

    def body(self, given):
        return {"cards": given["cards"], "max_arrangements": 50}

    @each("meld", "best")
    def test_best(self, answering, case):
        expected = case["expected"]
        found = asked(answering, self.path, self.body(case["input"])).json
        wanted = [set(map(frozenset, layout)) for layout in expected["optimal_arrangements"]]
        minimal = [
            {frozenset(laid["cards"]) for laid in way["melds"]}
            for way in found["arrangements"]
            if way["deadwood"] == found["deadwood"]
        ]
        assert found["deadwood"] == expected["deadwood"] == found["best"]["deadwood"]
        assert set(map(frozenset, minimal)) == set(map(frozenset, wanted))
        assert len(minimal) == len(wanted)

    @each("meld", "valid")
    def test_valid(self, answering, case):
        names = case["input"]["cards"]
        found = [
            asked(answering, "melds/checks", {"melds": [{"kind": kind, "cards": names}]}).json
            for kind in MeldKind
        ]
        # A card that stands there twice is refused: no deck has it.
        twice = len(set(names)) < len(names)
        assert all(each.get("code") == "validation_failed" for each in found) == twice
        assert any(each.get("valid") for each in found) == case["expected"]["valid"]


class TestKnocks(InABatch):
    path = "analyses"
    of = ("knock", "options")

    def body(self, given):
        return present(
            cards=given["hand"],
            taken_from_discard=given["taken_from_discard"],
            upcard=given["upcard"],
            rules=given["rules"],
        )

    @each("knock", "options")
    def test_options(self, answering, case):
        found = asked(answering, self.path, self.body(case["input"])).json
        knocks = [knock for knock in found["knocks"] if knock["kind"] != "big_gin"]
        least = found["deadwood_after_best_discard"]
        assert {
            "limit": found["knock_limit"],
            "deadwood_after_discard": {
                option["card"]: option["deadwood"] for option in found["discards"]
            },
            "legal_knock_discards": sorted(knock["discard"] for knock in knocks),
            "gin_discards": sorted(knock["discard"] for knock in knocks if knock["kind"] == "gin"),
            "can_knock": bool(knocks),
            "can_gin": any(knock["kind"] == "gin" for knock in knocks),
            "big_gin_cards": found["deadwood"] == 0,
            "can_big_gin": any(knock["kind"] == "big_gin" for knock in found["knocks"]),
            "best_discards": sorted(
                option["card"] for option in found["discards"] if option["deadwood"] == least
            ),
        } == {
            key: sorted(value) if isinstance(value, list) else value
            for key, value in case["expected"].items()
        }


class TestLayOffs:
    @each("layoff", "best")
    def test_best(self, answering, case):
        given, expected = case["input"], case["expected"]
        body = {
            "knocker_melds": [meld(names) for names in given["knocker_melds"]],
            "cards": given["defender_hand"],
        }
        witness = expected["witness"]
        made = [{"card": card, "meld": index} for card, index in witness["layoffs"]]
        found = asked(answering, "lay-offs", {**body, "lay_offs": made}).json
        assert found["best"]["deadwood"] == expected["defender_deadwood"]
        assert found["chosen"]["deadwood"] == expected["defender_deadwood"]
        assert found["lay_offs_optimal"] is True
        alone = asked(answering, "lay-offs", {**body, "lay_offs": []}).json
        assert alone["chosen"]["deadwood"] == expected["without_layoffs"]

    @each("layoff", "legal")
    def test_legal(self, answering, case):
        given = case["input"]
        made = [{"card": given["card"], "meld": given["meld"]}]
        body = {
            "knocker_melds": [meld(names) for names in given["knocker_melds"]],
            "cards": [given["card"]],
            "lay_offs": made,
        }
        answer = asked(answering, "lay-offs", body)
        if case["expected"]["legal"]:
            assert answer.status_code == 200
        else:
            assert code_of(answer.json) in {"layoff_not_possible", "meld_not_found"}
        possible = asked(answering, "lay-offs", {**body, "lay_offs": []}).json["possible"]
        fits = {(each["card"], each["meld"]) for each in possible}
        assert ((given["card"], given["meld"]) in fits) == case["expected"]["legal"]


class TestScores(InABatch):
    path = "hands"
    of = ("score", "hand")

    def body(self, given):
        melds = given["knocker_melds"]
        laid_out = None if melds is None else [meld(names) for names in melds]
        return present(
            kind=given["declare"],
            knocker=present(cards=given["knocker_hand"], melds=laid_out),
            defender={"cards": given["defender_hand"]},
            upcard=given["upcard"],
            rules=given["rules"],
        )

    @each("score", "hand")
    def test_hand(self, answering, case):
        expected = case["expected"]
        answer = asked(answering, self.path, self.body(case["input"]))
        if not expected["legal"]:
            assert answer.status_code == 422
            assert code_of(answer.json) in words.ERRORS[expected["error"]]
            return
        found = answer.json
        lines = {line["code"]: line["points"] for line in found["lines"]}
        assert {
            "legal": True,
            "result": found["outcome"],
            "winner": found["winner"],
            "knocker_deadwood": found["knocker"]["deadwood"],
            "defender_deadwood": found["defender"]["deadwood"],
            "difference": lines["deadwood_difference"],
            "bonus": sum(points for code, points in lines.items() if code.endswith("_bonus")),
            "points": found["points"],
        } == expected

    @each("score", "hand")
    def test_hand_by_its_counts_alone(self, answering, case):
        expected, body = case["expected"], self.body(case["input"])
        if expected["legal"]:
            counts = {
                side: {"deadwood": expected[f"{side}_deadwood"]} for side in ("knocker", "defender")
            }
            found = asked(answering, self.path, {**body, **counts}).json
            assert (found["outcome"], found["points"]) == (expected["result"], expected["points"])
