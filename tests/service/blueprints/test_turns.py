"""Turns: pass, draw and discard; and the turns played."""

import pytest

from tests.service.questions import ForPlayers, Paged
from tests.service.table import DRAWN, KNOCKED, PASSED, SCORED, SPECTATOR, THROWN


class TestPlayTurn(ForPlayers):
    path = "/turns"
    line = "discard KS"

    def body(self, table):
        return {"action": "discard", "card": "KS", "move_number": table.next_move}


class TestADraw:
    def test_from_the_stock_shows_its_card_to_its_seat_alone(self, tables):
        table = tables(*PASSED)
        body = {"action": "draw", "source": "stock", "move_number": table.next_move}
        (move,) = table.post("/turns", body).json["moves"]
        assert (move["card"], move["source"], move["turn"]) == ("KS", "stock", 1)
        for who in (1, SPECTATOR):
            shown = table.get(f"/moves/{move['number']}", who).json
            assert shown == {name: move[name] for name in move if name != "card"}
        assert table.view(0)["you"]["drawn_card"] == "KS"

    def test_from_the_pile_shows_its_card_to_all(self, tables):
        table = tables("0 draw pile")
        number = table.next_move - 1
        assert {table.get(f"/moves/{number}", who).json["card"] for who in (0, 1, SPECTATOR)} == {
            "JS"
        }
        assert table.view(1)["seats"][0]["known_cards"] == ["JS"]

    def test_from_the_pile_may_not_be_thrown(self, tables):
        table = tables("0 draw pile")
        refused = table.refused("0 discard JS")
        assert (refused["code"], refused["params"]) == ("card_just_taken", {"card": "JS"})
        assert refused["game"]["you"]["legal"]["barred"] == [
            {"card": "JS", "code": "card_just_taken"}
        ]

    def test_after_two_passes_is_from_the_stock(self, tables):
        refused = tables(*PASSED).refused("0 draw pile")
        assert refused["code"] == "must_draw_stock"
        assert [draw["source"] for draw in refused["game"]["you"]["legal"]["draws"]] == ["stock"]

    @pytest.mark.parametrize(
        ("card", "code"), [("JS", "only_top_discard"), ("AC", "card_not_in_discards")]
    )
    def test_is_of_the_top_card(self, tables, card, code):
        refused = tables(*THROWN).refused(f"1 draw pile {card}")
        assert (refused["code"], refused["params"]) == (code, {"card": card})

    def test_of_the_only_card_leaves_no_top_and_is_the_one_of_its_turn(self, tables):
        table = tables("0 draw pile")
        assert "top_discard" not in table.view()["hand"]
        assert table.refused("0 draw pile")["code"] == "wrong_phase"


class TestADiscard:
    def test_lies_open(self, tables):
        table = tables(*DRAWN)
        update = table.play("0 discard KS")
        assert update["moves"][0]["card"] == update["game"]["hand"]["top_discard"] == "KS"
        assert update["moves"][0]["after"] == {
            "phase": "draw",
            "to_act_seats": [1],
            "stock_count": 30,
            "card_counts": [{"seat": 0, "count": 10}, {"seat": 1, "count": 10}],
            "top_discard": "KS",
        }

    def test_is_of_a_card_that_is_held(self, tables):
        refused = tables(*DRAWN).refused("0 discard QD")
        assert (refused["code"], refused["params"]) == ("card_not_in_hand", {"card": "QD"})
        cards = [each["card"] for each in refused["game"]["you"]["legal"]["discards"]]
        assert sorted(cards) == sorted(refused["game"]["you"]["cards"])

    def test_may_be_any_but_the_card_drawn_where_agreed(self, tables):
        table = tables(*DRAWN, rules={"discard_drawn": "any_drawn"})
        refused = table.refused("0 discard KS")
        assert (refused["code"], refused["params"]) == ("card_just_drawn", {"card": "KS"})

    def test_may_be_spelt_in_other_ways(self, tables):
        table = tables(*DRAWN)
        body = {"action": "discard", "card": "10s", "move_number": table.next_move}
        first = table.post("/turns", body)
        assert first.json["moves"][0]["card"] == "TS"
        assert table.post("/turns", {**body, "card": "TS"}).json["replayed"]

    def test_out_of_its_phase_names_the_phase(self, tables):
        for phase, who in (("first_upcard", 0), ("draw", 0), ("lay_off", 1)):
            refused = tables.at(phase).refused(f"{who} discard AC")
            assert (refused["code"], refused["params"]) == ("wrong_phase", {"phase": phase})

    def test_after_the_hand_waits_for_the_deal(self, tables):
        refused = tables.at("hand_over").refused("0 discard AC")
        assert refused["code"] == "hand_over"
        assert refused["game"]["you"]["legal"]["actions"] == ["deal"]


class TestTheLastDiscard:
    def test_ends_a_hand_whose_stock_has_run_out(self, tables):
        table = tables(*PASSED)
        while table.view()["hand"]["stock_count"] > 2:
            seat = table.view()["to_act_seats"][0]
            card = table.play(f"{seat} draw stock")["game"]["you"]["drawn_card"]
            update = table.play(f"{seat} discard {card}")
        assert [move["action"] for move in update["moves"]] == ["discard", "hand_drawn"]
        drawn = update["moves"][1]
        assert (drawn["by"], "seat" in drawn) == ("server", False)
        assert drawn["result"]["outcome"] == "drawn"
        assert (drawn["result"]["points"], drawn["result"]["lines"]) == (0, [])
        assert "winner_seat" not in drawn["result"]
        assert [side["seat"] for side in drawn["result"]["sides"]] == [0, 1]
        assert update["game"]["phase"] == "hand_over"
        assert update["game"]["last_hand"] == drawn["result"]
        assert table.get("/knocks").json["items"] == []
        dealt = table.play("1 deal")
        assert dealt["game"]["hand"]["dealer_seat"] == 0
        assert dealt["game"]["last_hand"] == drawn["result"]


class TestListTurns(Paged):
    path = "/turns"

    def everything(self, tables):
        return tables(
            *THROWN, "1 draw stock", "1 discard QS", "0 draw stock", "0 knock 4S", "1 lay_off",
            "0 deal", "1 pass", "0 pass", "1 draw stock",
        )  # fmt: skip

    def place(self, item):
        return item["hand_number"], item["number"]

    def test_has_the_moves_of_each(self, tables):
        items = self.everything(tables).get(self.path).json["items"]
        assert [
            (item["hand_number"], item["number"], item["seat"], item["complete"]) for item in items
        ] == [(1, 1, 0, True), (1, 2, 1, True), (1, 3, 0, True), (2, 1, 1, False)]
        assert [[move["action"] for move in item["moves"]] for item in items] == [
            ["draw", "discard"],
            ["draw", "discard"],
            ["draw", "knock", "lay_off"],
            ["draw"],
        ]

    def test_may_be_of_one_hand(self, tables):
        table = self.everything(tables)
        whole = table.get(self.path).json["items"]
        for hand in (1, 2):
            items = table.get(f"{self.path}?hand={hand}").json["items"]
            assert items == [item for item in whole if item["hand_number"] == hand]
        assert table.get(f"{self.path}?hand=3").json["items"] == []

    def test_is_complete_only_after_the_lay_off(self, tables):
        assert not tables(*KNOCKED).get(self.path).json["items"][-1]["complete"]
        assert tables(*SCORED).get(self.path).json["items"][-1]["complete"]

    def test_hides_what_was_drawn_until_the_hand_is_over(self, tables):
        table = tables(*DRAWN)
        drawn = [table.get(self.path, who).json["items"][0]["moves"][0] for who in (0, 1)]
        assert [move.get("card") for move in drawn] == ["KS", None]
        table.play("0 knock KS", "1 lay_off")
        for who in (0, 1, SPECTATOR):
            assert table.get(self.path, who).json["items"][0]["moves"][0]["card"] == "KS"
