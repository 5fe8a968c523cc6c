"""Knocks, gin, big gin and lay-offs; and the knocks made."""

import pytest

from tests.service.questions import Conditional, ForAPerson, ForPlayers, Paged
from tests.service.table import (
    BIG_GIN,
    DRAWN,
    GIN,
    KNOCKED,
    KNOCKS,
    SCORED,
    SPECTATOR,
    cards_in,
)
from tests.tables import NEAR_GIN, OTHER, deck

RUNS = [
    {"kind": "run", "cards": ["AC", "2C", "3C"]},
    {"kind": "run", "cards": ["4D", "5D", "6D"]},
    {"kind": "run", "cards": ["7H", "8H", "9H"]},
]


class TestKnock(ForPlayers):
    path = "/knocks"
    line = "knock KS"

    def body(self, table):
        return {"discard": "KS", "move_number": table.next_move}


class TestAKnock:
    def test_lays_both_seats_cards_open_to_all(self, tables):
        table = tables(*DRAWN)
        move = table.play("0 knock KS")["moves"][0]
        knock = move["knock"]
        assert (knock["seat"], knock["kind"], knock["discard"]) == (0, "knock", "KS")
        assert (knock["deadwood"], knock["unmatched"], knock["melds"]) == (10, ["TS"], RUNS)
        assert knock["defender"] == {"seat": 1, "cards": OTHER.split()}
        assert (knock["lay_offs"], "result" in knock) == ([], False)
        for who in (0, 1, SPECTATOR):
            assert table.get(f"/moves/{move['number']}", who).json == move
            assert table.view(who)["hand"]["knock"] == knock
            assert "KS" not in table.view(who)["hand"]["discard_pile"]

    def test_lets_the_other_seat_lay_off(self, tables):
        game = tables(*KNOCKED).view(1)
        assert (game["phase"], game["to_act_seats"]) == ("lay_off", [1])
        assert game["you"]["legal"]["actions"] == ["lay_off"]
        assert game["you"]["legal"]["lay_offs"]["possible"] == [
            {"card": "4C", "meld": 0},
            {"card": "5C", "meld": 0, "after": "4C"},
        ]

    def test_above_the_limit_is_refused_with_both_numbers(self, tables):
        refused = tables(*DRAWN, rules={"knock_limit": 9}).refused("0 knock KS")
        assert refused["code"] == "deadwood_too_high"
        assert refused["params"] == {"deadwood": 10, "knock_limit": 9}
        assert refused["game"]["you"]["legal"]["knocks"] == []

    def test_may_be_laid_out_as_its_seat_wants(self, tables):
        table = tables(*DRAWN)
        body = {"discard": "KS", "melds": RUNS[::-1], "move_number": table.next_move}
        assert table.post("/knocks", body).json["moves"][0]["knock"]["melds"] == RUNS[::-1]

    def test_must_be_laid_out_for_the_least_deadwood_where_agreed(self, tables):
        table = tables(*DRAWN, rules={"knocker_layout": "minimal_only"})
        refused = table.refused("0 knock KS AC2C3C 4D5D6D")
        assert (refused["code"], refused["params"]) == ("layout_not_minimal", {"deadwood": 34})

    def test_is_of_melds_that_are_held(self, tables):
        table = tables(*DRAWN)
        refused = table.refused("0 knock KS AC2C3C 4C5C6C")
        assert (refused["code"], refused["params"]) == (
            "meld_not_in_hand", {"meld": 1, "card": "4C"}
        )  # fmt: skip

    @pytest.mark.parametrize(
        ("body", "faults"),
        [
            ({"kind": "gin"}, [("/discard", "required")]),
            ({"kind": "big_gin", "discard": "KS"}, [("/discard", "field_not_allowed")]),
            (
                {"discard": "KS", "melds": [RUNS[0], RUNS[0]]},
                [("/melds/1/cards", "card_in_two_melds")],
            ),
            (
                {"discard": "KS", "melds": [{"kind": "set", "cards": ["AC", "2C", "3C"]}]},
                [("/melds/0/cards", "not_a_set")],
            ),
            (
                {"discard": "KS", "melds": [{"kind": "run", "cards": ["AC", "2C", "4C"]}]},
                [("/melds/0/cards", "not_a_run")],
            ),
            (
                {"discard": "KS", "melds": [{"kind": "set", "cards": ["AC", "AD", "AC"]}]},
                [("/melds/0/cards/2", "duplicate_card")],
            ),
        ],
        ids=repr,
    )
    def test_that_is_wrong_whatever_the_game_names_the_field(self, tables, body, faults):
        table = tables(*DRAWN)
        answer = table.post("/knocks", {**body, "move_number": table.next_move})
        assert answer.status_code == 422
        assert [(each["pointer"], each["code"]) for each in answer.json["errors"]] == faults


class TestGin:
    def test_ends_the_hand_at_once(self, tables):
        table = tables(*DRAWN, deal=GIN)
        update = table.play("0 gin TS")
        (move,) = update["moves"]
        assert (move["action"], move["result"]["outcome"]) == ("gin", "gin")
        assert move["result"] == move["knock"]["result"] == update["game"]["last_hand"]
        assert sum(line["points"] for line in move["result"]["lines"]) == move["result"]["points"]
        assert update["game"]["phase"] == "hand_over"

    def test_is_gin_whatever_it_was_called(self, tables):
        update = tables(*DRAWN, deal=GIN).play("0 knock TS")
        assert update["moves"][0]["action"] == "gin"

    def test_with_deadwood_is_refused(self, tables):
        refused = tables(*DRAWN).refused("0 gin KS")
        assert (refused["code"], refused["params"]) == ("not_gin", {"deadwood": 10})


class TestBigGin:
    def test_needs_no_discard(self, tables):
        table = tables(*DRAWN, deal=BIG_GIN, rules={"big_gin": True})
        answer = table.post("/knocks", {"move_number": table.next_move})
        (move,) = answer.json["moves"]
        assert (move["action"], "discard" in move["knock"]) == ("big_gin", False)
        assert [line["code"] for line in move["result"]["lines"]][-1] == "big_gin_bonus"

    def test_is_refused_where_it_is_not_played(self, tables):
        assert tables(*DRAWN, deal=BIG_GIN).refused("0 big_gin")["code"] == "big_gin_not_enabled"

    def test_with_deadwood_is_refused(self, tables):
        refused = tables(*DRAWN, rules={"big_gin": True}).refused("0 big_gin")
        assert (refused["code"], refused["params"]) == ("not_big_gin", {"deadwood": 20})


class TestLayOff(ForPlayers):
    path = "/knocks/1/lay-offs"
    phase = "lay_off"
    who = 1
    line = "lay_off"

    def body(self, table):
        return {"move_number": table.next_move}

    def test_of_a_hand_that_was_not_dealt_is_not_found(self, tables):
        table = tables(*KNOCKED)
        answer = table.post("/knocks/2/lay-offs", {}, 1)
        assert (answer.status_code, answer.json["code"]) == (404, "not_found")


class TestALayOff:
    def test_without_a_list_is_the_best(self, tables):
        table = tables(*KNOCKED)
        update = table.play("1 lay_off")
        (move,) = update["moves"]
        assert move["lay_offs"] == [{"card": "4C", "meld": 0}, {"card": "5C", "meld": 0}]
        assert move["result"]["points"] == 22
        assert update["game"]["score"]["totals"][0]["hand_points"] == 22
        assert table.get("/knocks/1").json["lay_offs"] == move["lay_offs"]

    def test_of_an_empty_list_is_none(self, tables):
        (move,) = tables(*KNOCKED).play("1 lay_off -")["moves"]
        assert (move["lay_offs"], move["result"]["points"]) == ([], 31)

    def test_may_name_own_melds(self, tables):
        (move,) = tables(*KNOCKED).play("1 lay_off 4C>0 melds JHQHKH")["moves"]
        assert move["lay_offs"] == [{"card": "4C", "meld": 0}]
        assert move["result"]["sides"][1]["melds"] == [{"kind": "run", "cards": ["JH", "QH", "KH"]}]

    def test_is_tried_in_its_order(self, tables):
        table = tables(*KNOCKED)
        refused = table.refused("1 lay_off 5C>0 4C>0")
        assert refused["code"] == "layoff_not_possible"
        assert refused["params"] == {"card": "5C", "meld": 0}
        assert table.refused("1 lay_off 4C>3")["params"] == {"meld": 3}
        assert table.refused("1 lay_off 4C>3")["code"] == "meld_not_found"
        assert table.refused("1 lay_off TD>0")["params"] == {"card": "TD"}
        assert table.refused("1 lay_off TD>0")["code"] == "card_not_in_hand"

    def test_follows_by_itself_where_agreed(self, tables):
        update = tables(*DRAWN, rules={"layoff": "optimal"}).play("0 knock KS")
        assert [move["action"] for move in update["moves"]] == ["knock", "lay_off"]
        assert update["moves"][1]["by"] == "server"
        assert update["game"]["phase"] == "hand_over"

    def test_that_leaves_less_is_an_undercut(self, tables):
        better = "4C 5C 6C 7D 8D 9D JD JH JC 2S"
        table = tables(*DRAWN, deal=deck("AC 2C 3C 4D 5D 6D 7H 8H 9H TS", better))
        result = table.play("0 knock KS", "1 lay_off")["moves"][0]["result"]
        assert (result["outcome"], result["winner_seat"]) == ("undercut", 1)
        assert [line["code"] for line in result["lines"]] == [
            "deadwood_difference", "undercut_bonus"
        ]  # fmt: skip


class TestListKnocks(Paged):
    path = "/knocks"

    def everything(self, tables):
        table = tables(*SCORED)
        for dealer in (0, 1):
            tables.rig(KNOCKS)
            seat, other = 1 - dealer, dealer
            table.play(f"{seat} deal", f"{seat} pass", f"{other} pass", f"{seat} draw stock")
            table.play(f"{seat} knock KS", f"{other} lay_off")
        return table

    def place(self, item):
        return item["hand_number"]

    def test_has_what_each_knock_has(self, tables):
        table = self.everything(tables)
        items = table.get("/knocks").json["items"]
        assert items == [table.get(f"/knocks/{number}").json for number in (1, 2, 3)]

    def test_has_one_that_nobody_laid_off_on_because_its_game_was_resigned(self, tables):
        table = tables(*KNOCKED)
        assert table.post("/resignations", {"move_number": table.next_move}, 1).status_code == 201
        [knock] = table.get("/knocks").json["items"]
        assert knock["kind"] == "knock"
        assert knock["result"]["outcome"] == "resigned"
        assert "knocker_seat" not in knock["result"]


class TestGetKnock(Conditional):
    path = "/knocks/1"
    phase = "lay_off"

    def test_has_lay_offs_and_result_once_they_are_made(self, tables):
        table = tables(*KNOCKED)
        before = table.get("/knocks/1").json
        result = table.play("1 lay_off")["moves"][0]["result"]
        after = table.get("/knocks/1").json
        lay_offs = [{"card": "4C", "meld": 0}, {"card": "5C", "meld": 0}]
        assert after == {**before, "lay_offs": lay_offs, "result": result}

    def test_of_a_hand_without_one_is_not_found(self, tables):
        table = tables(*DRAWN)
        for number in (1, 2):
            answer = table.get(f"/knocks/{number}")
            assert (answer.status_code, answer.json["code"]) == (404, "not_found")

    def test_says_nothing_of_the_stock(self, tables):
        table = tables(*KNOCKED)
        shown = cards_in(table.get("/knocks/1", SPECTATOR).json)
        assert shown == {*NEAR_GIN.split(), *OTHER.split(), "KS"}


class TestCheckGameMelds(ForAPerson):
    method = "POST"
    path = "/melds/checks"

    def body(self, table):
        return {"melds": RUNS}


class TestACheck:
    def asked(self, table, melds, seat=0):
        token = table.tokens[seat]
        return table.answering.post(f"{table.path}/melds/checks", {"melds": melds}, token)

    def test_says_what_a_lay_out_is_worth_and_changes_nothing(self, tables):
        table = tables(*DRAWN)
        before = table.view(SPECTATOR)["version"]
        answer = self.asked(table, RUNS)
        assert answer.json == {"valid": True, "issues": [], "deadwood": 10, "can_knock": True}
        assert table.view(SPECTATOR)["version"] == before
        table.play("0 knock KS AC2C3C 4D5D6D 7H8H9H")

    def test_names_what_is_wrong(self, tables):
        melds = [RUNS[0], {"kind": "set", "cards": ["4D", "5D"]}, RUNS[0]]
        assert self.asked(tables(*DRAWN), melds).json == {
            "valid": False,
            "issues": [
                {"meld": 1, "code": "not_a_set"},
                {"meld": 2, "code": "card_in_two_melds", "card": "AC"},
                {"meld": 2, "code": "card_in_two_melds", "card": "2C"},
                {"meld": 2, "code": "card_in_two_melds", "card": "3C"},
            ],
            "can_knock": False,
        }

    def test_tells_nothing_of_cards_that_lie_elsewhere(self, tables):
        """In another hand, in the stock and on the pile: they are not in this one, and no more."""
        table = tables(*DRAWN)
        for names in (["JD", "JH", "JC"], ["QS", "QC", "QD"], ["JS", "JC", "JD"]):
            answer = self.asked(table, [{"kind": "set", "cards": names}])
            assert [issue["code"] for issue in answer.json["issues"]] == ["card_not_in_hand"] * 3

    def test_is_of_ones_own_cards_at_any_time(self, tables):
        for phase in ("first_upcard", "draw", "lay_off", "hand_over"):
            answer = self.asked(tables.at(phase), [], 1)
            assert (answer.status_code, answer.json["can_knock"]) == (200, False), phase
            assert answer.json["deadwood"] > 10
        assert self.asked(tables.at("waiting"), []).json["deadwood"] == 0

    def test_is_not_given_with_advice_off(self, tables):
        answer = self.asked(tables(*DRAWN, rules={"advice": "off"}), RUNS)
        assert (answer.status_code, answer.json["code"]) == (403, "hints_disabled")

    @pytest.mark.parametrize(
        ("meld", "pointer", "code"),
        [
            ({"kind": "set", "cards": ["AC", "AC"]}, "/melds/0/cards/1", "duplicate_card"),
            ({"kind": "set", "cards": ["A"]}, "/melds/0/cards/0", "bad_card"),
            ({"kind": "pair", "cards": ["AC", "AD"]}, "/melds/0/kind", "unknown_value"),
            ({"cards": ["AC"]}, "/melds/0/kind", "required"),
        ],
    )
    def test_refuses_what_are_no_cards(self, tables, meld, pointer, code):
        answer = self.asked(tables(*DRAWN), [meld])
        (fault,) = answer.json["errors"]
        assert (answer.status_code, fault["pointer"], fault["code"]) == (422, pointer, code)
