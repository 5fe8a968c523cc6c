"""Giving a game up, at whatever point."""

import pytest

from tests.service.questions import ForPlayers
from tests.service.table import SCORED, SPECTATOR, THROWN
from tests.tables import NEAR_GIN, OTHER


class TestResign(ForPlayers):
    path = "/resignations"
    line = "resign"
    instead = "discard KS"

    def body(self, table):
        return {"move_number": table.next_move}

    def test_refuses_who_is_not_due(self, tables):
        """A game may be given up at any time."""
        table = tables.at("discard")
        answer = self.ask(table, table.tokens[1])
        assert answer.status_code == 201
        assert answer.json["game"]["winner_seat"] == 0


class TestAResignation:
    @pytest.mark.parametrize("phase", ["first_upcard", "draw", "discard", "lay_off"])
    @pytest.mark.parametrize("seat", [0, 1])
    def test_gives_the_game_away_and_ends_the_hand_without_points(self, tables, phase, seat):
        table = tables.at(phase)
        update = table.play(f"{seat} resign")
        (move,) = update["moves"]
        assert (move["action"], move["seat"], move["by"]) == ("resign", seat, "player")
        assert (move["result"]["outcome"], move["result"]["points"]) == ("resigned", 0)
        game = update["game"]
        assert (game["status"], game["phase"], game["over"]) == ("finished", "game_over", True)
        assert game["winner_seat"] == game["score"]["winner_seat"] == 1 - seat
        assert game["to_act_seats"] == []
        assert game["you"]["legal"]["actions"] == []
        cards = {side["seat"]: side["cards"] for side in game["last_hand"]["sides"]}
        assert set(OTHER.split()) <= set(cards[1])
        assert set(NEAR_GIN.split()) - {"KS"} <= set(cards[0])

    def test_between_two_hands_leaves_the_last_one_as_it_was(self, tables):
        table = tables(*SCORED)
        last = table.view()["last_hand"]
        update = table.play("0 resign")
        assert "result" not in update["moves"][0]
        assert update["game"]["last_hand"] == last
        assert update["game"]["winner_seat"] == 1
        assert update["game"]["score"]["totals"][0]["hand_points"] == 22

    def test_is_not_among_the_legal_actions(self, tables):
        assert "resign" not in tables(*THROWN).view(1)["you"]["legal"]["actions"]

    def test_is_final(self, tables):
        table = tables(*THROWN, "0 resign")
        for line in ("1 draw stock", "1 resign"):
            refused = table.refused(line)
            assert refused["code"] == "game_over"
        assert table.view(SPECTATOR)["winner_seat"] == 1
