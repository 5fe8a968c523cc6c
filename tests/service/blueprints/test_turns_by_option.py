"""Turns where several cards are taken, discards are recycled, come to a wall, or are covered."""

import pytest

from engine.cards import card_name
from tests.service.table import KNOCKS, PASSED, SPECTATOR, THROWN, TO_THE_WALL
from tests.tables import NEAR_GIN, deck

SEVERAL = {"multi_pickup": True}
WALL = {"last_discard": "knock_only"}
TOP = {"discard_view": "top"}
TENS = deck(NEAR_GIN, "TC TD TH 4C 5C 6C 2D 2H AS 5S")
"""Seat 1 may knock if seat 0 throws the ten of spades."""


class TestSeveralCards:
    def test_are_offered_with_all_that_come(self, tables):
        table = tables(*THROWN, rules=SEVERAL)
        assert table.view(1)["you"]["legal"]["draws"] == [
            {"source": "stock"},
            {"source": "discard_pile", "card": "KS"},
            {"source": "discard_pile", "card": "JS", "cards": ["JS", "KS"]},
        ]

    @pytest.mark.parametrize("path", ["/moves", "/turns"])
    def test_are_taken_by_the_one_that_is_named(self, tables, path):
        table = tables(*THROWN, rules=SEVERAL)
        body = {"action": "draw", "source": "discard_pile", "card": "JS"}
        answer = table.post(path, {**body, "move_number": table.next_move}, 1)
        assert answer.status_code == 201
        (move,) = answer.json["moves"]
        assert (move["card"], move["cards"]) == ("JS", ["JS", "KS"])
        for who in (0, SPECTATOR):
            assert table.get(f"/moves/{move['number']}", who).json == move
            assert table.view(who)["seats"][1]["known_cards"] == ["JS", "KS"]

    def test_are_thrown_again_one_by_one_before_a_knock(self, tables):
        table = tables(*THROWN, "1 draw pile JS", rules=SEVERAL)
        legal = table.view(1)["you"]["legal"]
        assert (legal["discard_count"], legal["knocks"]) == (2, [])
        refused = table.refused("1 knock KS")
        assert (refused["code"], refused["params"]) == ("wrong_discard_count", {"min": 1})
        table.play("1 discard KS")
        assert table.view(1)["you"]["legal"]["discard_count"] == 1
        update = table.play("1 discard 9D")
        assert update["game"]["hand"]["discard_pile"] == ["KS", "9D"]
        assert [seat["card_count"] for seat in update["game"]["seats"]] == [10, 10]

    def test_are_kept_where_hands_grow(self, tables):
        rules = {**SEVERAL, "multi_pickup_return": "grow"}
        update = tables(*THROWN, rules=rules).play("1 draw pile JS", "1 discard 9D")
        assert [seat["card_count"] for seat in update["game"]["seats"]] == [10, 11]

    def test_are_refused_without_a_meld(self, tables):
        table = tables(*THROWN, "1 draw stock", "1 discard QS", rules=SEVERAL)
        refused = table.refused("0 draw pile KS")
        assert (refused["code"], refused["params"]) == ("pickup_not_melded", {"card": "KS"})


class TestRecycledDiscards:
    @pytest.mark.parametrize("how", ["unshuffled", "shuffled"])
    def test_become_the_stock_and_show_no_order(self, tables, how):
        table = tables(*TO_THE_WALL, rules={"recycle": how})
        left = [card_name(card) for card in KNOCKS[50:]]
        table.play("1 draw stock", f"1 discard {left[0]}", "0 draw stock")
        update = table.play(f"0 discard {left[1]}")
        hand = update["game"]["hand"]
        assert (hand["stock_count"], hand["discard_pile"]) == (31, [left[1]])
        (move,) = update["moves"]
        assert (move["card"], move["after"]["stock_count"]) == (left[1], 31)
        assert "cards" not in move

    def test_are_drawn_from_the_oldest_on(self, tables):
        table = tables(*TO_THE_WALL, rules={"recycle": "unshuffled"})
        left = [card_name(card) for card in KNOCKS[50:]]
        table.play("1 draw stock", f"1 discard {left[0]}", "0 draw stock", f"0 discard {left[1]}")
        assert table.play("1 draw stock")["moves"][0]["card"] == "JS"


class TestTheWall:
    def test_is_where_the_last_discard_may_be_taken_or_passed(self, tables):
        table = tables(*TO_THE_WALL, rules=WALL)
        legal = table.view(1)["you"]["legal"]
        assert legal["actions"] == ["draw", "pass"]
        assert [draw["source"] for draw in legal["draws"]] == ["discard_pile"]
        assert table.refused("1 draw stock")["code"] == "must_knock_or_pass"

    def test_draws_the_hand_after_a_pass(self, tables):
        update = tables(*TO_THE_WALL, rules=WALL).play("1 pass")
        assert [move["action"] for move in update["moves"]] == ["pass", "hand_drawn"]
        assert update["game"]["last_hand"]["outcome"] == "drawn"

    def test_takes_a_card_back_that_was_taken_in_vain(self, tables):
        table = tables(*TO_THE_WALL, rules=WALL)
        top = table.view(1)["hand"]["top_discard"]
        update = table.play("1 draw pile")
        assert update["game"]["you"]["legal"]["actions"] == ["pass"]
        assert table.refused("1 discard 4C")["code"] == "must_knock_or_pass"
        update = table.play("1 pass")
        assert update["moves"][0]["after"]["top_discard"] == top
        assert [seat["card_count"] for seat in update["game"]["seats"]] == [10, 10]

    @pytest.mark.parametrize("advice", ["off", "legality"])
    def test_lists_its_knocks_though_no_discard_is_legal(self, tables, advice):
        table = tables(deal=TENS, rules={**WALL, "advice": advice})
        table.play(*PASSED)
        while table.view()["hand"]["stock_count"] > 3:
            seat = table.view()["to_act_seats"][0]
            drawn = table.play(f"{seat} draw stock")["moves"][0]["card"]
            table.play(f"{seat} discard {drawn}")
        table.play("0 draw stock", "0 discard TS")
        legal = table.play("1 draw pile")["game"]["you"]["legal"]
        assert (legal["actions"], legal["discards"]) == (["knock", "pass"], [])
        assert legal["knocks"][0]["discard"] == "5S"
        assert {"melds" in knock for knock in legal["knocks"]} == {advice != "off"}
        told = {} if advice == "off" else {"unmatched": ["2D", "2H", "AS"]}
        assert {**legal["knocks"][0], **told} == legal["knocks"][0]
        assert {"unmatched" in knock for knock in legal["knocks"]} == {advice != "off"}
        knocked = table.play("1 knock 5S")
        assert knocked["game"]["phase"] == "lay_off"


class TestACoveredPile:
    LINES = (*THROWN, "1 draw stock", "1 discard QS")

    def test_shows_its_top_in_the_view(self, tables):
        table = tables(*self.LINES, rules=TOP)
        for who in (0, 1, SPECTATOR):
            hand = table.view(who)["hand"]
            assert (hand["discard_pile"], hand["top_discard"]) == (["QS"], "QS")
            assert hand["upcard"] == "JS"

    @pytest.mark.parametrize("path", ["/moves", "/hands/1", "/updates?after=1", "/turns"])
    def test_is_covered_wherever_moves_are_read_again(self, tables, path):
        table = tables(*self.LINES, rules=TOP)
        for who in (1, SPECTATOR):
            moves = list(moves_in(table.get(path, who).json))
            thrown = [move.get("card") for move in moves if move["action"] == "discard"]
            assert thrown == [None, "QS"]
            assert {move["after"].get("top_discard") for move in moves} == {None, "QS"}

    def test_is_covered_in_the_answer_to_a_stale_move(self, tables):
        table = tables(*self.LINES, rules=TOP)
        answer = table.send("1 draw stock", 3)
        assert answer.json["code"] == "stale_move"
        thrown = [move.get("card") for move in answer.json["moves"] if move["action"] == "discard"]
        assert thrown == [None, "QS"]

    def test_tells_a_retry_no_more_than_the_log(self, tables):
        table = tables(*THROWN, rules=TOP)
        number = table.next_move - 1
        table.play("1 draw stock", "1 discard QS")
        again = table.send("0 discard KS", number)
        assert (again.status_code, again.json["replayed"]) == (200, True)
        assert "card" not in again.json["moves"][0]

    def test_tells_the_move_itself_when_it_is_made(self, tables):
        assert tables(*PASSED, rules=TOP).play("0 draw stock")["moves"][0]["card"] == "KS"
        table = tables(*THROWN, rules=TOP)
        (move,) = table.play("1 draw pile")["moves"]
        assert (move["card"], move["after"]["top_discard"]) == ("KS", "JS")

    def test_is_not_told_by_a_refusal(self, tables):
        table = tables(*self.LINES, rules=TOP)
        codes = {table.refused(f"0 draw pile {card}")["code"] for card in ("KS", "JS", "AC", "KC")}
        assert codes == {"only_top_discard"}

    def test_opens_when_the_hand_is_over(self, tables):
        table = tables(*self.LINES, "0 resign", rules=TOP)
        assert table.view(SPECTATOR)["hand"]["discard_pile"] == ["JS", "KS", "QS"]
        moves = table.get("/moves", SPECTATOR).json["items"]
        thrown = [move["card"] for move in moves if move["action"] == "discard"]
        assert sorted(thrown) == ["KS", "QS"]


def moves_in(body):
    """Every move that stands anywhere in an answer, views of the game aside."""
    if isinstance(body, list):
        for each in body:
            if isinstance(each, dict):
                yield from moves_in(each)
    elif "after" in body:
        yield body
    else:
        for name, each in body.items():
            if isinstance(each, dict | list) and name != "game":
                yield from moves_in(each)
