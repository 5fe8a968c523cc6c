"""Recorded examples: what differs from run to run is fixed, everything else counts."""

import copy
import json

import pytest
from jsonschema import Draft202012Validator

from tests.contract import examples
from tests.contract.documents import kept, nodes
from tests.contract.validity import closed

KEPT = sorted(path.stem for path in examples.EXAMPLES.glob("*.json"))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(examples, "EXAMPLES", tmp_path)
    monkeypatch.setattr(examples, "RECORDING", True)
    return tmp_path


def game(letter: str, card: str = "AC") -> dict:
    return {
        "id": "g_" + letter * 22,
        "other": "g_" + letter.upper() * 22,
        "again": "g_" + letter * 22,
        "token": f"grs_{letter * 30}",
        "join_code": letter,
        "at": f"2026-01-0{ord(letter) % 9 + 1}T00:00:00.123Z",
        "server_commit": f"{ord(letter):064x}",
        "card": card,
    }


class TestARecording:
    def test_is_the_same_for_another_game(self, folder, monkeypatch):
        examples.record("getGame", "answer", game("a"))
        monkeypatch.setattr(examples, "RECORDING", False)
        examples.record("getGame", "answer", game("b"))

    def test_keeps_different_games_apart(self):
        fixed = examples.fixed(game("a"))
        assert fixed["id"] == fixed["again"] != fixed["other"]

    def test_keeps_no_secret(self):
        text = json.dumps(examples.fixed(game("a")))
        assert "aaaaa" not in text
        assert "AAAAA" not in text

    def test_sees_what_changed(self, folder, monkeypatch):
        examples.record("getGame", "answer", game("a"))
        monkeypatch.setattr(examples, "RECORDING", False)
        with pytest.raises(AssertionError):
            examples.record("getGame", "answer", game("a", "2C"))
        with pytest.raises(AssertionError):
            examples.record("getGame", "answer_other", game("a"))

    def test_of_a_problem_is_of_its_code(self, folder):
        examples.record_problem("required", {"code": "x", "errors": [{"code": "required"}]})
        with pytest.raises(AssertionError):
            examples.record_problem("required", {"code": "x", "errors": []})


class TestTheKeptExamples:
    def test_are_those_of_the_document(self):
        kept_names = {path.stem for path in examples.EXAMPLES.glob("*.json")}
        document = kept()
        assert set(document["components"]["examples"]) == kept_names
        for name in kept_names:
            body = json.loads((examples.EXAMPLES / f"{name}.json").read_bytes())
            assert document["components"]["examples"][name]["value"] == body
            if name.split(".")[0] not in examples.EXACT:
                assert examples.fixed(body) == body


class TestAKeptExample:
    @pytest.fixture(scope="class")
    @classmethod
    def document(cls):
        return closed(kept())

    def faults(self, document: dict, name: str, body) -> list[str]:
        """Return what is wrong with ``body`` where the document shows the example ``name``."""
        reference = {"$ref": f"#/components/examples/{name}"}
        schemas = {
            json.dumps(node["schema"])
            for _, node in nodes([document["paths"], document["components"]["responses"]])
            if node.get("examples", {}).get(name) == reference
        }
        assert len(schemas) == 1, f"{name} stands at {len(schemas)} schemas"
        schema = {**json.loads(schemas.pop()), "components": document["components"]}
        return [error.message for error in Draft202012Validator(schema).iter_errors(body)]

    @pytest.mark.parametrize("name", KEPT)
    def test_is_what_the_document_says_and_nothing_beside_it(self, document, name):
        body = document["components"]["examples"][name]["value"]
        assert self.faults(document, name, body) == []

    def test_would_be_seen_to_be_wrong(self, document):
        name = "getGame.answer"
        game = copy.deepcopy(document["components"]["examples"][name]["value"])
        for place in (game, game["you"], game["seats"][1], game["hand"]):
            place["secret"] = 1
            assert self.faults(document, name, game)
            del place["secret"]
        assert self.faults(document, name, game) == []
        assert self.faults(document, name, {**game, "winner_seat": None})
        del game["next_move"]
        assert self.faults(document, name, game)
