"""Others who watch, and playing once more."""

import threading

import pytest

from service.storage import game_ends
from tests.service.portal import ADA, BOB, METADATA, PORTAL
from tests.service.questions import OfAGame
from tests.service.table import EASY, ON_REQUEST, SCORED, SPECTATOR, Table

WON = {"target": 10}


def code_of(answer):
    return answer.status_code, answer.json["code"]


class TestCreateSpectatorToken(OfAGame):
    method = "POST"
    path = "/spectator-tokens"

    def test_gives_the_token_that_the_maker_has(self, tables):
        table = tables()
        for who in (0, 1):
            answer = self.ask(table, table.tokens[who])
            assert (answer.status_code, answer.json) == (201, {"token": table.tokens[SPECTATOR]})

    def test_is_for_seats_and_the_portal(self, portals):
        table = portals("arcade").make()
        assert self.ask(table, table.tokens[PORTAL]).status_code == 201
        reader = portals("arcade", ["games:read"])
        assert code_of(self.ask(table, reader.key)) == (403, "scope_missing")
        watching = self.ask(table, table.tokens[SPECTATOR])
        assert code_of(watching) == (403, "spectator_read_only")

    def test_is_for_who_lets_computers_play(self, tables):
        table = tables(seats=(ON_REQUEST, ON_REQUEST))
        assert self.ask(table, table.tokens[0]).status_code == 201


class TestCreateRematch(OfAGame):
    method = "POST"
    path = "/rematches"
    phase = "game_over"

    def again(self, table, who=0):
        return self.ask(table, table.tokens[who])

    def test_makes_a_new_game_of_the_same_people_and_rules(self, tables):
        table = tables(*SCORED, rules=WON)
        made = self.again(table)
        new = made.json["game"]
        assert made.status_code == 201
        assert made.headers["Location"] == f"/v1/games/{new['id']}"
        assert new["id"] != table.id
        assert new["rules"] == table.view()["rules"]
        assert [(seat["name"], seat["occupied"]) for seat in new["seats"]] == [
            ("Ada", True),
            ("Bob", False),
        ]
        assert (new["status"], made.json["seat"], made.json["moves"]) == ("waiting", 0, [])
        assert "join_code" not in new

    def test_brings_the_others_to_the_same_game_which_then_begins(self, tables):
        table = tables(*SCORED, rules=WON)
        first, second = self.again(table, 1), self.again(table, 0)
        assert (first.status_code, second.status_code) == (201, 200)
        assert first.json["game"]["id"] == second.json["game"]["id"]
        assert first.json["token"] != second.json["token"]
        assert [move["action"] for move in second.json["moves"]] == ["deal"]
        assert len(second.json["game"]["you"]["cards"]) == 10
        answering, path = table.answering, f"/v1/games/{first.json['game']['id']}"
        assert answering.get(path, first.json["token"]).json["you"]["seat"] == 1

    def test_is_told_in_the_game_that_is_over(self, tables):
        table = tables(*SCORED, rules=WON)
        before = table.view()
        assert "rematch_game_id" not in before
        new_id = self.again(table).json["game"]["id"]
        for who in (0, 1, SPECTATOR):
            after = table.view(who)
            assert after["rematch_game_id"] == new_id
            assert after["version"] == before["version"] + 1

    def test_again_gives_the_same_seat_and_token(self, tables):
        table = tables(*SCORED, rules=WON)
        first, again = self.again(table), self.again(table)
        assert (first.status_code, again.status_code) == (201, 200)
        assert first.json["token"] == again.json["token"]
        assert again.json["moves"] == []

    def test_waits_for_the_end(self, tables):
        table = tables.at("discard")
        answer = self.again(table)
        assert code_of(answer) == (409, "game_in_progress")
        assert answer.json["game"]["you"]["seat"] == 0
        assert code_of(self.again(tables.at("waiting"))) == (409, "game_not_started")

    def test_begins_at_once_against_computers(self, tables):
        table = tables("0 resign", seats=({"kind": "human", "name": "Ada"}, EASY))
        made = self.again(table)
        assert (made.status_code, made.json["game"]["status"]) == (201, "playing")
        assert made.json["game"]["seats"][1]["ai_level"] == "easy"

    def test_is_for_people_at_the_table(self, portal):
        table = portal.make(*SCORED, rules=WON)
        for who in (SPECTATOR, PORTAL):
            assert code_of(self.again(table, who)) == (403, "spectator_read_only")
        computers = portal.make(seats=(ON_REQUEST, ON_REQUEST))
        assert code_of(self.again(computers)) == (403, "not_your_seat")

    def test_is_of_the_same_portal(self, portal):
        table = portal.make("0 resign", metadata=METADATA)
        new = self.again(table).json["game"]
        seen = portal.ask("GET", f"/v1/games/{new['id']}").json
        assert seen["metadata"] == METADATA
        assert [seat["player_ref"] for seat in seen["seats"]] == ["ref-ada", "ref-bob"]
        assert "metadata" not in new

    def test_is_an_ordinary_game_after_one_with_chosen_cards(self, answering):
        made = answering.post("/v1/games", {"scenario": "can_gin"}).json
        table = Table(answering, made)
        table.play("0 resign")
        assert not self.again(table).json["game"]["sandbox"]

    def test_lets_nobody_else_in(self, tables):
        table = tables(*SCORED, rules=WON)
        new_id = self.again(table).json["game"]["id"]
        for code in ("x", table.join_code or "y"):
            answer = table.answering.post(f"/v1/games/{new_id}/joins", {"join_code": code})
            assert code_of(answer) == (404, "not_found")

    def test_can_be_left_and_come_back_to(self, tables):
        table = tables(*SCORED, rules=WON)
        made = self.again(table).json
        path = f"/v1/games/{made['game']['id']}"
        left = table.answering.send("DELETE", f"{path}/seats/0", None, made["token"])
        assert left.status_code == 204
        back = self.again(table)
        assert (back.status_code, back.json["game"]["id"]) == (200, made["game"]["id"])
        assert back.json["game"]["seats"][0]["name"] == "Ada"
        assert table.answering.get(path, made["token"]).status_code == 401

    def test_is_over_for_who_comes_too_late(self, portal):
        table = portal.make("0 resign")
        new_id = self.again(table).json["game"]["id"]
        portal.ask("POST", f"/v1/games/{new_id}/abandonments", {})
        assert code_of(self.again(table, 1)) == (409, "game_over")
        assert self.again(table, 0).json["game"]["status"] == "abandoned"

    def test_is_made_anew_where_it_was_deleted(self, portal):
        table = portal.make("0 resign")
        first = self.again(table).json["game"]["id"]
        portal.ask("DELETE", f"/v1/games/{first}")
        made = self.again(table, 1)
        assert made.status_code == 201
        assert made.json["game"]["id"] == table.view()["rematch_game_id"] != first

    def test_gives_no_token_that_was_ended_there(self, tables):
        table = tables(*SCORED, rules=WON)
        made = self.again(table).json
        path = f"/v1/games/{made['game']['id']}/seats/0/tokens"
        table.answering.post(path, {"rotate": True}, made["token"])
        assert code_of(self.again(table)) == (409, "already_joined")

    @pytest.mark.parametrize("seats", [(ADA, BOB)])
    def test_is_one_game_when_two_ask_at_once(self, portal, seats, monkeypatch):
        table = portal.make(*SCORED, rules=WON, seats=seats)
        together = threading.Barrier(2)
        insert = game_ends.insert_rematch

        def late(*values):
            if not together.broken:
                together.wait(10)
            return insert(*values)

        def ask(who, answers):
            client = table.answering.app.test_client()
            headers = {"Authorization": f"Bearer {table.tokens[who]}"}
            answers[who] = client.post(table.path + self.path, headers=headers)
            together.abort()

        monkeypatch.setattr(game_ends, "insert_rematch", late)
        answers = {}
        threads = [threading.Thread(target=ask, args=(who, answers)) for who in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert sorted(answer.status_code for answer in answers.values()) == [200, 201]
        assert len({answer.json["game"]["id"] for answer in answers.values()}) == 1
        assert len(portal.list()) == 2
