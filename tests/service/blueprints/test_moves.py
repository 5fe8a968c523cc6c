"""The generic door, its idempotent form, and the list of moves."""

from types import MappingProxyType

import pytest

from engine.record import event_name
from service.use_cases.open_game import load
from service.use_cases.read_log import read_moves
from tests.service.questions import ForPlayers, ForViewers, Paged
from tests.service.table import (
    BIG_GIN,
    DRAWN,
    GIN,
    KNOCKED,
    LINES,
    ON_REQUEST,
    PASSED,
    SCORED,
    SPECTATOR,
    THROWN,
    body_of,
)


class TestMakeMove(ForPlayers):
    path = "/moves"
    line = "discard KS"

    def body(self, table):
        return {"action": "discard", "card": "KS", "move_number": table.next_move}


class TestPutMove(ForPlayers):
    method = "PUT"
    line = "discard KS"

    @property
    def path(self):
        return f"/moves/{self.number}"

    number = 1

    def body(self, table):
        self.number = table.next_move
        return {"action": "discard", "card": "KS", "move_number": self.number}

    def ask(self, table, token, path=None, **options):
        self.body(table)
        return super().ask(table, token, path, **options)

    def test_has_one_number_in_path_and_body(self, tables):
        table = tables(*DRAWN)
        body = {**body_of("discard KS"), "move_number": table.next_move}
        answer = table.put(f"/moves/{table.next_move + 1}", body)
        assert answer.status_code == 422
        assert answer.json["errors"] == [
            {"pointer": "/move_number", "code": "move_number_mismatch"}
        ]


class TestEveryAction:
    @pytest.mark.parametrize(
        ("before", "line", "deal"),
        [
            ((), "0 pass", None),
            ((), "0 draw pile", None),
            (PASSED, "0 draw stock", None),
            (DRAWN, "0 discard KS", None),
            (DRAWN, "0 knock KS", None),
            (DRAWN, "0 knock KS AC2C3C 4D5D6D 7H8H9H", None),
            (DRAWN, "0 gin TS", GIN),
            (DRAWN, "0 big_gin", BIG_GIN),
            (KNOCKED, "1 lay_off", None),
            (KNOCKED, "1 lay_off 4C>0 5C>0", None),
            (KNOCKED, "1 lay_off -", None),
            (DRAWN, "0 resign", None),
        ],
    )  # fmt: skip
    def test_goes_through_and_is_logged(self, tables, before, line, deal):
        seat, _, words = line.partition(" ")
        options = {} if deal is None else {"deal": deal}
        table = tables(*before, rules={"big_gin": True}, **options)
        answer = table.send(line)
        assert answer.status_code == 201
        move = answer.json["moves"][0]
        assert (move["action"], move["seat"]) == (words.split(" ")[0], int(seat))
        assert move["by"] == "player"
        assert answer.json["game"]["last_move"]["number"] == move["number"]

    @pytest.mark.parametrize(
        ("body", "faults"),
        [
            ({"action": "discard"}, [("/card", "required")]),
            ({"action": "draw"}, [("/source", "required")]),
            ({"action": "pass", "card": "AC"}, [("/card", "field_not_allowed")]),
            (
                {"action": "draw", "source": "stock", "card": "AC"},
                [("/card", "field_not_allowed")],
            ),
            ({"action": "dance"}, [("/action", "unknown_value")]),
            ({"action": "discard", "card": "1S"}, [("/card", "bad_card")]),
            ({"action": "discard", "card": None}, [("/card", "wrong_type")]),
            (
                {"action": "big_gin", "melds": [{"kind": "run", "cards": ["QS", "KS", "AS"]}]},
                [("/melds/0/cards", "run_wraps_ace")],
            ),
        ],
        ids=repr,
    )
    def test_has_its_own_fields(self, tables, body, faults):
        table = tables(*DRAWN)
        answer = table.post("/moves", {**body, "move_number": table.next_move})
        assert answer.status_code == 422
        assert [(each["pointer"], each["code"]) for each in answer.json["errors"]] == faults
        assert "game" not in answer.json


class TestALateMove:
    def test_is_told_all_that_happened_since(self, tables):
        table = tables(*DRAWN)
        number = table.next_move
        table.play("0 discard KS", "1 draw stock", "1 discard QS")
        answer = table.send("0 discard TS", number)
        assert (answer.status_code, answer.json["code"]) == (409, "stale_move")
        assert answer.json["params"] == {"expected_move": number + 3}
        assert [move["number"] for move in answer.json["moves"]] == [
            number, number + 1, number + 2
        ]  # fmt: skip
        assert "card" not in answer.json["moves"][1]
        assert not answer.json["retryable"]

    def test_of_the_other_seat_is_never_taken_for_a_replay(self, tables):
        table = tables()
        number = table.next_move
        table.play("0 pass")
        answer = table.send("1 pass", number)
        assert answer.json["code"] == "stale_move"
        assert table.next_move == number + 1

    def test_from_the_future_is_stale_too(self, tables):
        table = tables()
        answer = table.send("0 pass", table.next_move + 1)
        assert answer.json["code"] == "stale_move"
        assert answer.json["moves"] == []

    def test_is_answered_with_all_since_when_it_was_this_very_request(self, tables):
        table = tables(*DRAWN)
        number = table.next_move
        first = table.play("0 discard KS")
        table.play("1 draw stock", "1 discard QS", "0 draw stock")
        again = table.send("0 discard KS", number)
        assert again.status_code == 200
        assert again.json["replayed"]
        assert again.json["moves"][0] == first["moves"][0]
        assert len(again.json["moves"]) == 4
        assert again.json["game"]["next_move"] == number + 4

    def test_shows_what_was_seen_then_even_when_the_hand_is_over(self, tables):
        table = tables(*PASSED)
        number = table.next_move
        first = table.send("0 draw stock").json["moves"]
        table.play("0 discard KS", "1 draw stock", "1 discard QS", "0 draw stock")
        table.play("0 knock 4S", "1 lay_off")
        again = table.send("0 draw stock", number).json["moves"]
        assert again[: len(first)] == first
        others = [move for move in again if move["action"] == "draw" and move["seat"] == 1]
        assert "card" not in others[0]


WRONG = {"action": "dance", "card": "1S", "extra": 1}


class TestTheOrderOfChecks:
    """Each request violates all that comes after the check that answers it."""

    def ask(self, table, token, body=None, method="POST", path="/moves", **options):
        return table.answering.send(method, table.path + path, body, token, **options)

    def test_of_transport_comes_before_who_calls(self, tables):
        table = tables.at("game_over")
        for method, options, code in (
            ("DELETE", {}, "method_not_allowed"),
            ("POST", {"data": b" " * 65_537, "content_type": "text/plain"}, "too_large"),
            ("POST", {"data": b"{", "content_type": "text/plain"}, "unsupported_media_type"),
            ("POST", {"headers": {"Accept": "text/html"}, "data": b"{"}, "not_acceptable"),
        ):
            assert self.ask(table, "grs_x", None, method, **options).json["code"] == code

    REQUESTS = MappingProxyType(
        {
            "token_missing": lambda table, other: (None, {"json": WRONG}),
            "token_invalid": lambda table, other: (f"{table.tokens[1]}x", {"json": WRONG}),
            "not_found": lambda table, other: (other.tokens[0], {"json": WRONG}),
            "spectator_read_only": lambda table, other: (table.tokens[SPECTATOR], {"json": WRONG}),
            "malformed_json": lambda table, other: (
                table.tokens[1],
                {"data": b"{", "content_type": "application/json"},
            ),
            "validation_failed": lambda table, other: (table.tokens[1], {"json": WRONG}),
            "replayed": lambda table, other: (
                table.tokens[1],
                {"json": {"action": "lay_off", "move_number": table.next_move - 1}},
            ),
            "stale_move": lambda table, other: (
                table.tokens[1],
                {"json": {"action": "pass", "move_number": table.next_move - 1}},
            ),
            "game_over": lambda table, other: (
                table.tokens[1],
                {"json": {"action": "pass", "move_number": table.next_move}},
            ),
        }
    )

    @pytest.mark.parametrize("code", REQUESTS)
    def test_of_a_game_that_is_over(self, tables, code):
        table, other = tables.at("game_over"), tables.at("game_over")
        token, options = self.REQUESTS[code](table, other)
        answer = self.ask(table, token, **options)
        if code == "replayed":
            assert (answer.status_code, answer.json["replayed"]) == (200, True)
        else:
            assert answer.json["code"] == code

    def test_of_the_seat_comes_before_the_body(self, tables):
        table = tables(seats=(ON_REQUEST, ON_REQUEST))
        assert self.ask(table, table.tokens[0], WRONG).json["code"] == "not_your_seat"

    @pytest.mark.parametrize(
        ("phase", "line", "code"),
        [
            # A seat that is not due, a phase that is not that of the action, a card nobody has.
            ("hand_over", "1 discard AC", "hand_over"),
            ("first_upcard", "1 discard AC", "not_your_turn"),
            ("first_upcard", "0 discard QD", "wrong_phase"),
            ("discard", "0 discard QD", "card_not_in_hand"),
            ("discard", "0 knock QD 4C5C6C", "card_not_in_hand"),
        ],
    )
    def test_of_play(self, tables, phase, line, code):
        assert tables.at(phase).refused(line)["code"] == code

    def test_of_the_number_comes_before_all_of_play(self, tables):
        for phase in LINES:
            table = tables.at(phase)
            for seat in (0, 1):
                answer = table.send(f"{seat} discard QD", table.next_move - 1)
                assert answer.json["code"] == "stale_move"


class TestListMoves(Paged):
    path = "/moves"

    def everything(self, tables):
        return tables(*SCORED, "0 deal", "1 pass")

    def test_begins_with_the_deal_and_has_no_gap(self, tables):
        items = self.everything(tables).get(self.path).json["items"]
        assert [item["number"] for item in items] == list(range(1, len(items) + 1))
        assert [item["action"] for item in items] == [
            "deal", "pass", "pass", "draw", "knock", "lay_off", "deal", "pass"
        ]  # fmt: skip
        assert [item["hand_number"] for item in items] == [1] * 6 + [2] * 2

    def test_may_be_of_one_hand(self, tables):
        table = self.everything(tables)
        whole = table.get(self.path).json["items"]
        for hand in (1, 2):
            address = f"{table.path}{self.path}?hand={hand}&limit=1"
            found = []
            while address:
                page = table.answering.get(address, table.tokens[0])
                found += page.json["items"]
                address = page.headers.get("Link", "")[1:].partition(">")[0]
            assert found == [item for item in whole if item["hand_number"] == hand]

    def test_of_one_hand_takes_no_cursor_of_all(self, tables):
        table = self.everything(tables)
        cursor = table.get("/moves?limit=1").json["next_cursor"]
        answer = table.get(f"/moves?limit=1&hand=1&cursor={cursor}")
        assert answer.json["errors"][0]["code"] == "bad_cursor"

    def test_opens_a_hand_that_is_over_and_no_other(self, tables):
        table = self.everything(tables)
        items = table.get(self.path, SPECTATOR).json["items"]
        assert [item.get("card") for item in items if item["action"] == "draw"] == ["KS"]
        assert all(item["deal"]["cards"] == [] for item in items if item["action"] == "deal")


class TestGetMove(ForViewers):
    path = "/moves/1"

    def test_is_the_item_of_the_list(self, tables):
        table = tables(*SCORED)
        for item in table.get("/moves").json["items"]:
            assert table.get(f"/moves/{item['number']}").json == item

    def test_that_was_not_made_is_not_found(self, tables):
        table = tables(*THROWN)
        for number in (table.next_move, 999_999_999):
            answer = table.get(f"/moves/{number}")
            assert (answer.status_code, answer.json["code"]) == (404, "not_found")

    @pytest.mark.parametrize("number", ["0", "-1", "01", "1.5", "x", "9999999999"])
    def test_of_no_number_is_not_found(self, tables, number):
        assert tables(*THROWN).get(f"/moves/{number}").json["code"] == "not_found"


class TestTheLog:
    def test_says_what_the_moves_say(self, tables, answering):
        table = tables(*SCORED)
        house = answering.house
        logged = read_moves(house, load(house, table.id), None, 0, 100)
        assert [event_name(each.move.event).split(" ")[0] for each in logged][1:] == [
            line.split(" ")[1] for line in SCORED
        ]
