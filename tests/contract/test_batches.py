"""A batch says of each item exactly what the single question says: the same result or problem.

The items are all cases of the case file that the operation can be asked, and all values of the
malformed corpus in each field of a good one.
"""

import copy
import json
from collections.abc import Iterator

import pytest

from service.schemas.batches import MOST_ITEMS
from tests.contract.documents import kept, operations
from tests.contract.malformed import VALUES
from tests.contract.test_cases_scored import TestKnocks as Knocks
from tests.contract.test_cases_scored import TestMelds as Melds
from tests.contract.test_cases_scored import TestScores as Scores
from tests.contract.test_cases_scored import cases, meld

HANDS = "/v1/scoring/hands"
ANALYSES = "/v1/scoring/analyses"
LAY_OFFS = "/v1/scoring/lay-offs"
CHECKS = "/v1/scoring/melds/checks"
SINGLES = (HANDS, ANALYSES, LAY_OFFS, CHECKS)


def _hands() -> Iterator[dict]:
    for case in cases("score", "hand"):
        yield Scores().body(case["input"])


def _analyses() -> Iterator[dict]:
    for case in cases("meld", "best"):
        yield Melds().body(case["input"])
    for case in cases("knock", "options"):
        yield Knocks().body(case["input"])


def _searches() -> Iterator[dict]:
    for case in cases("layoff", "best"):
        given, witness = case["input"], case["expected"]["witness"]
        asked = {
            "knocker_melds": [meld(names) for names in given["knocker_melds"]],
            "cards": given["defender_hand"],
        }
        made = [{"card": card, "meld": at} for card, at in witness["layoffs"]]
        yield asked
        yield {**asked, "lay_offs": made}
        yield {**asked, "rules": {"gin_layoffs": True}}
    for case in cases("layoff", "legal"):
        given = case["input"]
        yield {
            "knocker_melds": [meld(names) for names in given["knocker_melds"]],
            "cards": [given["card"]],
            "lay_offs": [{"card": given["card"], "meld": given["meld"]}],
        }


def _checks() -> Iterator[dict]:
    for case in cases("meld", "valid"):
        for kind in ("set", "run"):
            proposed = [{"kind": kind, "cards": case["input"]["cards"]}]
            yield {"melds": proposed}
            yield {"melds": proposed, "cards": case["input"]["cards"]}
    for case in cases("meld", "best"):
        cards = case["input"]["cards"]
        for way in case["expected"]["optimal_arrangements"]:
            asked = {"melds": [meld(names) for names in way], "cards": cards}
            yield asked
            yield {**asked, "rules": {"base": "oklahoma"}}
            yield {**asked, "rules": {"base": "oklahoma"}, "upcard": "AS"}


OF_CASES = {HANDS: _hands, ANALYSES: _analyses, LAY_OFFS: _searches, CHECKS: _checks}


def _fields(path: str) -> list[str]:
    """The names of the fields of a single question, from the document."""
    document = kept()
    [asked] = [
        operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        for method, at, operation in operations(document)
        if (method, at) == ("POST", path)
    ]
    return list(document["components"]["schemas"][asked.rsplit("/", 1)[1]]["properties"])


def _below(good: dict) -> Iterator[dict]:
    """``good`` with each value below its first level gone wrong."""
    text = json.dumps(good)
    for right, wrong in (
        ('"run"', '"flight"'),
        ('"set"', "7"),
        ('["', '["11S", "'),
        ("{", '{"?": 1, '),
    ):
        if right in text[1:]:
            yield json.loads(text[0] + text[1:].replace(right, wrong, 1))


def malformed(path: str) -> Iterator[object]:
    """Questions that no single one would be answered, or only by luck."""
    good = next(OF_CASES[path]())
    yield from (copy.deepcopy(value) for value in VALUES.values())
    for name in _fields(path):
        for value in VALUES.values():
            yield {**good, name: value}
        yield {key: value for key, value in good.items() if key != name}
    yield {**good, "unknown": 1}
    yield {**good, "rules": {"base": "canasta"}}
    yield {**good, "rules": {"max_recycles": 2}}
    yield from _below(good)


def alone(answering, path: str, index: int, asked: object) -> dict:
    """What the single question is answered, as the item ``index`` of a batch has it."""
    sent = {"data": json.dumps(asked), "content_type": "application/json"}
    answer = answering.send("POST", path, **sent)
    if answer.status_code == 200:
        return {"index": index, "result": answer.json}
    told = {**answer.json, "instance": f"{path}/batch"}
    if "errors" in told:
        told["errors"] = [
            {**fault, "pointer": f"/items/{index}{fault['pointer']}"} for fault in told["errors"]
        ]
    return {"index": index, "problem": told}


def in_a_batch(answering, path: str, items: list) -> list[dict]:
    answer = answering.post(f"{path}/batch", {"items": items})
    assert answer.status_code == 200, answer.json
    return answer.json["items"]


@pytest.mark.parametrize("path", SINGLES)
class TestABatch:
    def test_says_of_every_case_what_the_single_question_says(self, answering, path):
        items = list(OF_CASES[path]())
        found = in_a_batch(answering, path, items)
        assert found == [alone(answering, path, *each) for each in enumerate(items)]
        assert any("result" in each for each in found)

    def test_says_what_is_wrong_as_the_single_question_does(self, answering, path):
        good = next(OF_CASES[path]())
        items = [*malformed(path), good]
        found = in_a_batch(answering, path, items)
        assert found == [alone(answering, path, *each) for each in enumerate(items)]
        assert sum("problem" in each for each in found) > len(VALUES)
        assert "result" in found[-1]

    def test_takes_a_thousand_items_and_no_more(self, answering, path):
        good = next(OF_CASES[path]())
        assert len(in_a_batch(answering, path, [good] * MOST_ITEMS)) == MOST_ITEMS
        answer = answering.post(f"{path}/batch", {"items": [good] * (MOST_ITEMS + 1)})
        assert answer.json["errors"] == [
            {"pointer": "/items", "code": "too_long", "params": {"max": MOST_ITEMS}}
        ]

    def test_is_not_empty(self, answering, path):
        [fault] = answering.post(f"{path}/batch", {"items": []}).json["errors"]
        assert (fault["pointer"], fault["code"]) == ("/items", "out_of_range")


class TestTheCases:
    def test_reach_what_the_engine_refuses(self, answering):
        found = in_a_batch(answering, LAY_OFFS, list(OF_CASES[LAY_OFFS]()))
        codes = {e["code"] for each in found for e in each.get("problem", {}).get("errors", [])}
        assert "layoff_not_possible" in codes
