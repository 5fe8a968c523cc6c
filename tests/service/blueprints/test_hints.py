"""Hints over HTTP, and to be played for."""

import pytest

from engine.players.levels import BEST_ADVISOR
from service.app import create_app
from tests.service.answering import Answering
from tests.service.questions import OfAGame
from tests.service.table import (
    ADA,
    DRAWN,
    EASY,
    KNOCKED,
    PASSED,
    SCORED,
    SPECTATOR,
    THROWN,
)

FULL = {"advice": "full"}


@pytest.fixture
def table(tables):
    return tables(*DRAWN, rules=FULL)


def hint(table, who=0, **body):
    return table.answering.post(table.path + "/hints", body, table.tokens[who])


class TestCreateHint(OfAGame):
    method = "POST"
    path = "/hints"
    phase = "discard"

    def body(self, table):
        return {}

    @pytest.fixture
    def tables(self, tables):
        tables.at = lambda _phase: tables(*DRAWN, rules=FULL)
        return tables

    def test_refuses_spectators_whatever_they_send(self, tables):
        table = tables.at(self.phase)
        for body in ({}, {"level": 7}):
            answer = hint(table, SPECTATOR, **body)
            assert (answer.status_code, answer.json["code"]) == (403, "spectator_read_only")

    def test_takes_no_other_fields(self, tables):
        answer = hint(tables.at(self.phase), move_number=3)
        assert answer.json["errors"] == [{"pointer": "/move_number", "code": "unknown_field"}]

    def test_needs_no_body(self, tables):
        table = tables.at(self.phase)
        token = table.tokens[0]
        bare = table.answering.send("POST", table.path + "/hints", token=token)
        assert (bare.status_code, bare.json) == (200, hint(table).json)

    def test_needs_json_if_there_is_a_body(self, tables):
        table = tables.at(self.phase)
        for data, kind, status in ((b"{", "application/json", 400), (b"{}", "text/plain", 415)):
            answer = table.answering.send(
                "POST", table.path + "/hints", token=table.tokens[0], data=data, content_type=kind
            )
            assert answer.status_code == status


class TestAHint:
    @pytest.mark.parametrize(
        ("lines", "who"), [((), 0), (PASSED, 0), (DRAWN, 0), (THROWN, 1), (KNOCKED, 1)]
    )
    def test_is_accepted_as_it_stands_by_the_generic_door(self, tables, lines, who):
        table = tables(*lines, rules=FULL)
        answer = hint(table, who)
        assert (answer.status_code, answer.json["for_move"]) == (200, table.next_move)
        assert answer.json["level"] == BEST_ADVISOR
        moved = table.post("/moves", answer.json["suggestions"][0]["move"], who)
        assert moved.status_code == 201, moved.json

    def test_tells_chances_and_the_cards_that_help(self, table):
        best = hint(table, level="plain").json["suggestions"][1]
        assert best["move"]["action"] == "discard"
        assert best["gin_chance"] <= best["knock_chance"]
        assert best["helping_cards"] == ["4C", "3D", "7D", "6H", "TH"]

    def test_tells_values_best_first_and_how_dangerous_a_discard_is(self, table):
        first, *others = hint(table, level="master").json["suggestions"]
        assert first["value"] == max(each["value"] for each in [first, *others])
        for each in (first, *others):
            thrown = each["move"]["action"] == "discard"
            assert ("danger" in each) is thrown
        plain = hint(table, level="plain").json["suggestions"]
        assert not any({"value", "danger"} & each.keys() for each in plain)

    def test_is_counted_for_all_to_see_and_shown_to_nobody_else(self, table):
        before = table.view()["version"]
        assert table.view()["hints_used"] == []
        hint(table)
        for who in (0, 1, SPECTATOR):
            view = table.view(who)
            assert view["hints_used"] == [{"seat": 0, "count": 1}]
            assert view["version"] == before + 1
            assert view["etag"].startswith(f'"{before + 1}-')
        hint(table)
        assert table.view()["version"] == before + 1

    def test_is_an_update_without_a_move(self, table):
        version = table.view()["version"]
        hint(table)
        update = table.get(f"/updates?after={version}", 1).json
        assert (update["moves"], update["reset"]) == ([], False)
        assert update["game"]["version"] == version + 1
        update = table.play("0 discard KS")
        assert [move["version"] for move in update["moves"]] == [version + 2]

    def test_is_remembered_by_a_service_that_starts_again(self, table, settings):
        hint(table)
        restarted = Answering(create_app(settings))
        try:
            again = restarted.get(table.path, table.tokens[1]).json
            assert again["hints_used"] == [{"seat": 0, "count": 1}]
            restarted.post(table.path + "/hints", {}, table.tokens[0])
            assert restarted.get(table.path, table.tokens[1]).json["version"] == again["version"]
        finally:
            restarted.house.store.close()


class TestARefusedHint:
    @pytest.mark.parametrize("advice", ["off", "legality"])
    def test_is_of_a_game_with_less_advice_before_the_body_is_read(self, tables, advice):
        table = tables(*DRAWN, rules={"advice": advice})
        for body in ({}, {"nonsense": 1}):
            answer = hint(table, **body)
            assert (answer.status_code, answer.json["code"]) == (403, "hints_disabled")
            assert "game" not in answer.json

    def test_is_of_a_level_that_is_not_there(self, table):
        answer = hint(table, level="godlike")
        assert answer.status_code == 422
        assert answer.json["errors"] == [{"pointer": "/level", "code": "unknown_level"}]
        assert table.view()["hints_used"] == []

    @pytest.mark.parametrize(
        ("lines", "code"), [(DRAWN, "not_your_turn"), (SCORED, "hand_over"), (None, "game_over")]
    )
    def test_is_that_of_a_move_and_shows_the_game(self, tables, lines, code):
        rules = FULL if lines else {**FULL, "target": 10}
        table = tables(*(lines or SCORED), rules=rules)
        answer = hint(table, 1)
        assert (answer.status_code, answer.json["code"]) == (409, code)
        assert answer.json["game"]["you"]["seat"] == 1

    def test_is_of_a_computers_seat(self, tables):
        table = tables(seats=(EASY, EASY), rules=FULL, deal=None)
        answer = hint(table, 0)
        assert (answer.status_code, answer.json["code"]) == (403, "not_your_seat")


class TestToBePlayedFor:
    def ask(self, table, who=0, **more):
        body = {"seat": who, "move_number": table.next_move, **more}
        return table.post("/ai-moves", body, who)

    def test_is_a_move_by_the_computer_that_counts(self, tables):
        table = tables(*PASSED, rules=FULL)
        answer = self.ask(table)
        assert answer.status_code == 201
        assert {(move["seat"], move["by"]) for move in answer.json["moves"]} == {(0, "ai")}
        assert answer.json["game"]["hints_used"] == [
            {"seat": 0, "count": len(answer.json["moves"])}
        ]
        assert table.view(SPECTATOR)["hints_used"] == answer.json["game"]["hints_used"]

    def test_is_made_once_for_the_same_request(self, tables):
        table = tables(*PASSED, rules=FULL)
        body = {"seat": 0, "until": "move", "move_number": table.next_move}
        first, again = (table.post("/ai-moves", body) for _ in range(2))
        assert (first.status_code, again.status_code, again.json["replayed"]) == (201, 200, True)
        assert first.json["moves"] == again.json["moves"]
        other = table.post("/ai-moves", {**body, "level": "plain"})
        assert other.json["code"] == "stale_move"

    def test_is_followed_by_the_computer_that_plays_against_it(self, tables):
        table = tables("0 draw pile", seats=(ADA, EASY), rules=FULL)
        moves = self.ask(table, until="move", level="plain").json["moves"]
        assert [(move["seat"], move["action"]) for move in moves] == [(0, "knock"), (1, "lay_off")]

    def test_is_possible_at_any_level_there_is(self, tables):
        table = tables(*PASSED, rules=FULL)
        assert self.ask(table, level="easy").status_code == 201
        answer = self.ask(table, 1, level="godlike")
        assert answer.json["errors"] == [{"pointer": "/level", "code": "unknown_level"}]

    def test_is_refused_out_of_turn(self, tables):
        table = tables(rules=FULL)
        answer = self.ask(table, 1)
        assert (answer.status_code, answer.json["code"]) == (409, "not_your_turn")
        assert answer.json["game"]["you"]["seat"] == 1

    def test_plays_whole_games(self, tables):
        table = tables(seats=(ADA, EASY), rules={**FULL, "target": 10}, deal=None)
        game = table.view()
        while not game["over"]:
            if game["phase"] == "hand_over":
                body = {"hand_number": game["next_hand"]["number"]}
                game = table.post("/hands", body).json["game"]
            else:
                game = self.ask(table).json["game"]
        assert game["score"]["complete"]
        assert game["hints_used"][0]["count"] > 3
