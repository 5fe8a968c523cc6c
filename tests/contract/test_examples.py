"""Recorded examples: what differs from run to run is fixed, everything else counts."""

import json

import pytest

from tests.contract import examples
from tests.contract.documents import kept


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
            assert examples.fixed(body) == body
