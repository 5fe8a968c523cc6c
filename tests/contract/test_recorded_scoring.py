"""The examples of the scoring service.

See :mod:`tests.contract.test_recorded`, which looks after all examples together.
"""

import pytest

from service.blueprints import scoring
from tests.contract.examples import record
from tests.contract.test_recorded import noted, refused
from tests.service.framed import framed_app

KNOCKER = ["2C", "3C", "4C", "AD", "7D", "QD", "7H", "QH", "7S", "QS"]
DEFENDER = ["5C", "7C", "8C", "4D", "8D", "KD", "8H", "KH", "9S", "KS"]
MELDS = [
    {"kind": "run", "cards": ["2C", "3C", "4C"]},
    {"kind": "set", "cards": ["7D", "7H", "7S"]},
    {"kind": "set", "cards": ["QD", "QH", "QS"]},
]
HAND = {
    "kind": "knock",
    "knocker": {"seat": 0, "cards": KNOCKER},
    "defender": {"seat": 1, "cards": DEFENDER},
}
COUNTED = {"kind": "knock", "knocker": {"deadwood": 7}, "defender": {"deadwood": 18}}
TOO_HIGH = {"kind": "knock", "knocker": {"deadwood": 11}, "defender": {"deadwood": 18}}


@pytest.fixture(scope="module")
def ask():
    client = framed_app(scoring.blueprint())[0].test_client()
    return lambda path, body: client.post(f"/v1/scoring/{path}", json=body)


class TestAHand:
    def test_of_cards(self, ask):
        answer = ask("hands", HAND)
        assert answer.json["points"] == 12
        noted("scoreHand", answer, request=HAND)

    def test_of_counts_alone(self, ask):
        noted("scoreHand", ask("hands", COUNTED), request=COUNTED, kind="answer_counted")

    def test_that_was_laid_out_at_the_table(self, ask):
        wanted = {
            **HAND,
            "knocker": {"cards": KNOCKER, "melds": MELDS},
            "defender": {"cards": DEFENDER, "lay_offs": [{"card": "5C", "meld": 0}]},
        }
        answer = ask("hands", wanted)
        assert answer.json["lay_offs_optimal"] is False
        noted("scoreHand", answer, request=wanted, kind="answer_laid_out")

    def test_of_gin_that_a_spade_doubles(self, ask):
        wanted = {
            "kind": "gin",
            "knocker": {"cards": ["2C", "3C", "4C", "QC", "7D", "QD", "7H", "QH", "7S", "QS"]},
            "defender": {"cards": ["8C", "9C", "TC", "KC", "5D", "6D", "AH", "9H", "4S", "JS"]},
            "upcard": "8S",
            "rules": {"base": "oklahoma"},
        }
        answer = ask("hands", wanted)
        assert answer.json["points"] == 140
        noted("scoreHand", answer, request=wanted, kind="answer_doubled")

    def test_that_is_one_of_many(self, ask):
        wanted = {"items": [COUNTED, TOO_HIGH]}
        noted("scoreHandsBatch", ask("hands/batch", wanted), request=wanted)

    def test_with_both_sides_at_one_seat(self, ask):
        body = {
            "kind": "knock",
            "knocker": {"seat": 0, "deadwood": 7},
            "defender": {"seat": 0, "deadwood": 18},
        }
        refused("duplicate_seat", ask("hands", body))


class TestCards:
    def test_that_are_analysed(self, ask):
        wanted = {"cards": [*KNOCKER, "5C"], "taken_from_discard": "5C", "max_arrangements": 2}
        noted("analyseCards", ask("analyses", wanted), request=wanted)

    def test_that_are_analysed_many_at_a_time(self, ask):
        wanted = {"items": [{"cards": KNOCKER}, {"cards": ["AC", "AC"]}]}
        noted("analyseCardsBatch", ask("analyses/batch", wanted), request=wanted)

    def test_that_can_be_laid_off(self, ask):
        wanted = {"knocker_melds": MELDS, "cards": DEFENDER}
        noted("findLayOffs", ask("lay-offs", wanted), request=wanted)
        wanted = {**wanted, "lay_offs": [{"card": "5C", "meld": 0}]}
        noted("findLayOffs", ask("lay-offs", wanted), request=wanted, kind="answer_checked")

    def test_that_can_be_laid_off_many_at_a_time(self, ask):
        wrong = {"knocker_melds": MELDS, "cards": ["5C"], "lay_offs": [{"card": "5C", "meld": 1}]}
        wanted = {"items": [{"knocker_melds": MELDS, "cards": DEFENDER}, wrong]}
        noted("findLayOffsBatch", ask("lay-offs/batch", wanted), request=wanted)

    def test_that_are_meant_to_be_melds_many_at_a_time(self, ask):
        wanted = {
            "items": [{"melds": MELDS, "cards": KNOCKER}, {"melds": [], "cards": ["AC", "AC"]}]
        }
        noted("checkMeldsBatch", ask("melds/checks/batch", wanted), request=wanted)

    def test_that_are_meant_to_be_melds(self, ask):
        wanted = {"melds": MELDS, "cards": KNOCKER}
        noted("checkMelds", ask("melds/checks", wanted), request=wanted)
        wrong = {"melds": [{"kind": "run", "cards": ["QH", "KH", "AH"]}]}
        record("checkMelds", "answer_not_valid", ask("melds/checks", wrong).json)
