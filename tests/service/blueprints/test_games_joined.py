"""Joining a game, and looking at it before."""

import pytest

from tests.service.questions import UNKNOWN
from tests.service.table import ADA, EASY, SPECTATOR, Table

GAMES = "/v1/games"
OPEN = {"kind": "human"}


def faults(answer):
    assert answer.status_code == 422, answer.json
    return [(each["pointer"], each["code"]) for each in answer.json["errors"]]


class TestGetInvitation:
    def ask(self, table, code=None):
        return table.answering.get(f"/v1/invitations/{code or table.join_code}")

    def test_shows_names_rules_and_free_seats(self, tables):
        table = tables(seats=(ADA, OPEN), rules={"target": 50})
        invitation = self.ask(table).json
        assert invitation["game_id"] == table.id
        assert invitation["seats"] == [
            {"seat": 0, "kind": "human", "free": False, "name": "Ada"},
            {"seat": 1, "kind": "human", "free": True},
        ]
        assert invitation["rules"] == table.view()["rules"]

    def test_shows_no_token_and_no_card(self, tables):
        table = tables(seats=(ADA, OPEN))
        assert self.ask(table).json.keys() == {"game_id", "seats", "rules", "created_at"}

    def test_shows_that_no_seat_is_left(self, tables):
        table = tables(seats=(ADA, OPEN))
        table.join()
        assert [seat["free"] for seat in self.ask(table).json["seats"]] == [False, False]

    @pytest.mark.parametrize("code", ["x", "JOIN000000000001", "x" * 65, "join000000000001%00"])
    def test_of_a_wrong_code_is_not_found(self, tables, code):
        table = tables(seats=(ADA, OPEN))
        answer = self.ask(table, code)
        assert (answer.status_code, answer.json["code"]) == (404, "not_found")


class TestJoinGame:
    def test_seats_the_last_player_and_deals(self, tables):
        table = tables(seats=(ADA, OPEN))
        answer = table.join(name="Bob")
        body = answer.json
        assert answer.headers["Location"] == table.path
        assert body["seat"] == 1
        assert [move["action"] for move in body["moves"]] == ["deal"]
        game = body["game"]
        assert (game["status"], game["version"], game["next_move"]) == ("playing", 3, 2)
        assert game["you"]["seat"] == 1
        assert [seat["name"] for seat in game["seats"]] == ["Ada", "Bob"]
        now = table.view(1)
        assert now == {**game, "server_time": now["server_time"]}
        assert table.play("0 pass", "1 pass")["game"]["phase"] == "draw"

    def test_waits_for_the_others(self, tables):
        table = tables(seats=({**OPEN, "seating": "open"}, {**OPEN, "seating": "open"}))
        first = table.join(seat=1, name="Bob").json
        assert (first["seat"], first["moves"], first["game"]["status"]) == (1, [], "waiting")
        assert first["game"]["join_code"] == table.join_code
        assert first["game"]["version"] == 2
        second = table.join().json
        assert (second["seat"], second["game"]["status"]) == (0, "playing")
        assert "name" not in second["game"]["seats"][0]
        assert second["game"]["version"] == 4

    def test_lets_a_computer_that_begins_open(self, tables):
        table = tables(seats=(EASY, {**OPEN, "seating": "open"}))
        body = table.join().json
        assert [move["action"] for move in body["moves"]] == ["deal", "pass"]

    def ask(self, table, token=None, **body):
        body = {"join_code": table.join_code, **body}
        return table.answering.post(f"{table.path}/joins", body, token)

    def test_of_a_full_game_is_refused(self, tables):
        table = tables(seats=(ADA, OPEN))
        table.join()
        for body in ({}, {"seat": 1}, {"seat": 0}):
            answer = self.ask(table, **body)
            assert (answer.status_code, answer.json["code"]) == (409, "game_full")

    def test_of_a_taken_seat_is_refused(self, tables):
        for seats in ((ADA, OPEN), (EASY, {**OPEN, "seating": "open"})):
            table = tables(seats=seats)
            answer = self.ask(table, seat=0)
            assert (answer.status_code, answer.json["code"]) == (409, "seat_taken")
            assert table.view(SPECTATOR)["version"] == 1

    @pytest.mark.parametrize(("seat", "greatest"), [(2, 1), (3, 1), (4, 3)])
    def test_of_a_seat_that_is_none_is_refused(self, tables, seat, greatest):
        table = tables(seats=(ADA, OPEN))
        answer = self.ask(table, seat=seat)
        assert faults(answer) == [("/seat", "out_of_range")]
        assert answer.json["errors"][0]["params"] == {"min": 0, "max": greatest}

    def test_with_a_token_of_the_game_is_refused(self, tables):
        table = tables(seats=(ADA, OPEN))
        answer = self.ask(table, table.tokens[0])
        assert (answer.status_code, answer.json["code"]) == (409, "already_joined")
        assert self.ask(table, table.tokens[SPECTATOR]).status_code == 201

    def test_with_a_token_of_another_game_is_welcome(self, tables):
        other, table = tables(), tables(seats=(ADA, OPEN))
        assert self.ask(table, other.tokens[0]).status_code == 201

    def test_with_a_forged_token_is_refused(self, tables):
        table = tables(seats=(ADA, OPEN))
        answer = self.ask(table, "grs_x")
        assert (answer.status_code, answer.json["code"]) == (401, "token_invalid")

    def test_with_a_wrong_code_or_game_is_not_found(self, tables):
        table = tables(seats=(ADA, OPEN))
        other = tables(seats=(ADA, OPEN))
        for path, code in (
            (table.path, "x"),
            (table.path, other.join_code),
            (f"{GAMES}/{UNKNOWN}", table.join_code),
        ):
            answer = table.answering.post(f"{path}/joins", {"join_code": code})
            assert (answer.status_code, answer.json["code"]) == (404, "not_found")

    def test_of_a_game_without_a_code_is_not_found(self, tables):
        table = tables()
        answer = table.answering.post(f"{table.path}/joins", {"join_code": "None"})
        assert answer.json["code"] == "not_found"

    def test_needs_the_code(self, tables):
        table = tables(seats=(ADA, OPEN))
        answer = table.answering.post(f"{table.path}/joins", {})
        assert faults(answer) == [("/join_code", "required")]
        assert faults(table.answering.post(f"{table.path}/joins", {}, table.tokens[0])) == [
            ("/join_code", "required")
        ]

    def test_gives_a_token_that_plays_the_seat(self, tables):
        table = tables(seats=(ADA, OPEN))
        token = table.join().json["token"]
        mine = Table(table.answering, {**table.made, "tokens": [{"seat": 1, "token": token}]})
        assert mine.view(1)["you"]["seat"] == 1
