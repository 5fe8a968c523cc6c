"""The record of a finished game as text."""

import pytest

from engine.record import play_record
from tests.service.questions import OfAGame
from tests.service.table import BOTH, LINES, SCORED, SPECTATOR


class TestGetNotation(OfAGame):
    path = "/notation"
    phase = "game_over"


class TestARecord:
    def test_is_plain_text_for_every_viewer(self, tables):
        table = tables.at("game_over")
        shown = {who: table.get("/notation", who) for who in (0, 1, SPECTATOR)}
        for answer in shown.values():
            assert answer.status_code == 200
            assert answer.content_type == "text/plain; charset=utf-8"
            assert "public" not in answer.headers["Cache-Control"]
        assert len({answer.text for answer in shown.values()}) == 1

    def test_tells_the_game_so_that_it_can_be_played_again(self, tables):
        table = tables.at("game_over")
        text = table.get("/notation").text
        assert text.startswith(f"game {table.id}\nrules target=10 first_dealer=seat1\n")
        assert play_record(text).score.winner == 0

    def test_tells_of_a_void_hand(self, tables):
        table = tables()
        for seat in (0, 1):
            table.put("/hands/1/void-consent", {"consent": True}, seat)
        table.play("1 deal", "0 resign")
        text = table.get("/notation").text
        assert "\n2 - void_hand = void\n3 - deal 2 1>0 " in text
        assert play_record(text).over

    @pytest.mark.parametrize("phase", LINES)
    def test_is_not_told_before_the_end(self, tables, phase):
        table = tables.at(phase)
        for who in (0, 1, SPECTATOR):
            answer = table.get("/notation", who)
            assert (answer.status_code, answer.json["code"]) == (409, "game_in_progress")
            assert answer.json["game"]["phase"] == phase

    def test_is_not_told_while_the_game_waits(self, tables):
        for table in (tables.at("waiting"), tables(*SCORED, rules={**BOTH, "target": 10})):
            assert table.get("/notation").json["code"] == "game_in_progress"
