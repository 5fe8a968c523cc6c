"""Making games in all combinations of seats and rules, and looking at one."""

from dataclasses import replace

import pytest

from engine.rules import OPTION_NAMES
from service.app import create_app
from tests.service.answering import Answering
from tests.service.questions import UNKNOWN, Conditional
from tests.service.table import (
    ADA,
    BOB,
    EASY,
    ON_REQUEST,
    SPECTATOR,
    FixedRandomness,
)

GAMES = "/v1/games"
OPEN = {"kind": "human"}


def made(answering, *seats, **body):
    if seats:
        body["seats"] = list(seats)
    answer = answering.post(GAMES, body)
    assert answer.status_code == 201, answer.json
    return answer.json


def faults(answer):
    assert answer.status_code == 422, answer.json
    return [(each["pointer"], each["code"]) for each in answer.json["errors"]]


class TestCreateGame:
    def test_without_a_word_seats_its_maker_and_leaves_one_open(self, answering):
        answer = answering.post(GAMES, {})
        body = answer.json
        assert answer.headers["Location"] == f"{GAMES}/{body['game']['id']}"
        assert "ETag" not in answer.headers
        assert [grant["seat"] for grant in body["tokens"]] == [0]
        assert body["join_code"] == body["game"]["join_code"]
        game = body["game"]
        assert (game["status"], game["phase"], game["version"]) == ("waiting", "waiting", 1)
        assert (game["next_move"], body["moves"], game["to_act_seats"]) == (1, [], [])
        assert [seat["occupied"] for seat in game["seats"]] == [True, False]
        assert not {"hand", "next_hand", "last_move"} & game.keys()

    def test_with_two_granted_seats_deals_at_once(self, answering):
        body = made(answering, ADA, BOB)
        assert [grant["seat"] for grant in body["tokens"]] == [0, 1]
        assert "join_code" not in body
        assert [move["action"] for move in body["moves"]] == ["dealer_draw", "deal"]
        game = body["game"]
        assert (game["status"], game["phase"]) == ("playing", "first_upcard")
        assert [seat["name"] for seat in game["seats"]] == ["Ada", "Bob"]
        assert game["you"]["seat"] == 0
        assert len(game["you"]["cards"]) == 10

    def test_shows_the_draw_for_the_first_deal(self, answering):
        body = made(answering, ADA, BOB)
        draws = body["moves"][0]["dealer_draw"]
        assert draws == body["game"]["dealer_draw"]
        lowest = min(draws[-2:], key=lambda draw: "A23456789TJQK".index(draw["card"][0]))
        assert body["game"]["hand"]["dealer_seat"] == lowest["seat"]

    def test_against_the_computer_needs_nobody_else(self, answering):
        body = made(answering, ADA, EASY)
        assert [grant["seat"] for grant in body["tokens"]] == [0]
        assert "join_code" not in body
        assert body["game"]["seats"][1]["ai_level"] == "easy"
        assert body["game"]["to_act_seats"] == [0]

    def test_of_computers_alone_gives_the_tokens_that_move_them(self, answering):
        for seats in ((ON_REQUEST, ON_REQUEST), ({**EASY}, {**EASY})):
            body = made(answering, *seats)
            assert [grant["seat"] for grant in body["tokens"]] == [0, 1]
            assert {seat["ai_mode"] for seat in body["game"]["seats"]} == {"on_request"}
            assert body["game"]["you"]["viewer"] == "spectator"
            assert body["game"]["you"]["cards"] == []

    def test_of_computers_alone_may_not_play_by_itself(self, answering):
        auto = {"kind": "ai", "ai": {"level": "easy", "mode": "auto"}}
        answer = answering.post(GAMES, {"seats": [ON_REQUEST, auto]})
        assert faults(answer) == [("/seats/1/ai/mode", "field_not_allowed")]

    def test_may_leave_every_seat_open(self, answering):
        body = made(answering, {**OPEN, "seating": "open"}, {**OPEN, "seating": "open"})
        assert body["tokens"] == []
        assert body["game"]["you"]["viewer"] == "spectator"
        assert "join_code" not in body["game"]
        assert body["join_code"]

    def test_may_leave_the_first_seat_open_and_grant_the_second(self, answering):
        body = made(answering, {**OPEN, "seating": "open"}, BOB)
        assert [grant["seat"] for grant in body["tokens"]] == [1]
        assert body["game"]["you"]["seat"] == 1

    def test_gives_names_back_as_they_came(self, answering):
        name = "Ada 🂡 </script> Łovelace"
        body = made(answering, {**OPEN, "name": name}, {"kind": "human"})
        assert body["game"]["seats"][0]["name"] == name

    def test_shows_the_join_code_to_its_seats_alone(self, tables):
        table = tables(seats=(ADA, OPEN))
        assert table.view(0)["join_code"] == table.join_code
        assert "join_code" not in table.view(SPECTATOR)
        table.join()
        assert "join_code" not in table.view(0)

    def test_has_the_rules_that_were_asked_for(self, answering):
        rules = {"base": "oklahoma", "gin_bonus": 20, "first_dealer": "seat1"}
        body = made(answering, ADA, BOB, rules=rules)
        assert body["game"]["rules"].keys() == set(OPTION_NAMES)
        assert body["game"]["rules"]["knock_mode"] == "oklahoma"
        assert body["game"]["rules"]["gin_bonus"] == 20
        assert body["game"]["hand"]["dealer_seat"] == 1

    @pytest.mark.parametrize(
        ("seats", "expected"),
        [
            ([], [("/seats", "out_of_range")]),
            ([ADA], [("/seats", "out_of_range")]),
            ([ADA] * 5, [("/seats", "too_long")]),
            ([ADA] * 4, [("/rules/four_player", "contradictory_rules")]),
            ([ADA, {"kind": "robot"}], [("/seats/1/kind", "unknown_value")]),
            ([ADA, {"kind": "ai"}], [("/seats/1/ai", "required")]),
            ([ADA, {**EASY, "seating": "open"}], [("/seats/1/seating", "field_not_allowed")]),
            ([ADA, {**BOB, "ai": {"level": "easy"}}], [("/seats/1/ai", "field_not_allowed")]),
            (
                [ADA, {"kind": "ai", "ai": {"level": "godlike"}}],
                [("/seats/1/ai/level", "unknown_level")],
            ),
            ([ADA, {**BOB, "name": "x" * 61}], [("/seats/1/name", "too_long")]),
            ([ADA, {**BOB, "name": "a\nb"}], [("/seats/1/name", "bad_text")]),
            ([ADA, {**BOB, "token": "x"}], [("/seats/1/token", "unknown_field")]),
        ],
        ids=repr,
    )
    def test_refuses_seats_that_cannot_be(self, answering, seats, expected):
        assert faults(answering.post(GAMES, {"seats": seats})) == expected

    @pytest.mark.parametrize(
        ("seats", "rules", "option"),
        [
            (4, {}, "four_player"),
            (3, {"base": "hollywood"}, "hollywood"),
            (2, {"first_dealer": "seat2"}, "first_dealer"),
            (3, {"first_dealer": "seat3"}, "first_dealer"),
        ],
    )
    def test_refuses_rules_that_so_many_seats_cannot_play_by(self, answering, seats, rules, option):
        answer = answering.post(GAMES, {"seats": [ADA] * seats, "rules": rules})
        assert faults(answer) == [(f"/rules/{option}", "contradictory_rules")]
        assert answer.json["errors"][0]["params"] == {"option": "seats"}

    @pytest.mark.parametrize(
        ("rules", "pair"),
        [
            ({"max_recycles": 2}, ("max_recycles", "recycle")),
            ({"big_gin_bonus": 50}, ("big_gin_bonus", "big_gin")),
            ({"oklahoma_ace": "one"}, ("oklahoma_ace", "knock_mode")),
            ({"base": "straight", "knock_limit": 5}, ("knock_limit", "knock_mode")),
            ({"multi_pickup_return": "grow"}, ("multi_pickup_return", "multi_pickup")),
        ],
        ids=repr,
    )
    def test_names_both_options_that_exclude_each_other(self, answering, rules, pair):
        answer = answering.post(GAMES, {"rules": rules})
        first, second = pair
        assert answer.json["errors"] == [
            {
                "pointer": f"/rules/{option}", "code": "contradictory_rules",
                "params": {"option": other},
            }
            for option, other in ((first, second), (second, first))
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("rules", "expected"),
        [
            ({"base": "canasta"}, [("/rules/base", "unknown_rule_set")]),
            ({"gin_bonus": 101}, [("/rules/gin_bonus", "out_of_range")]),
            ({"gin_bonus": "25"}, [("/rules/gin_bonus", "wrong_type")]),
            ({"ginbonus": 25}, [("/rules/ginbonus", "unknown_field")]),
        ],
        ids=repr,
    )
    def test_refuses_rules_that_are_none(self, answering, rules, expected):
        assert faults(answering.post(GAMES, {"rules": rules})) == expected

    def test_leaves_nothing_behind_when_it_refuses(self, answering):
        for body in ({"rules": {"turn_seconds": 1}}, {"seats": [ADA]}, {"seats": 1}):
            answering.post(GAMES, body)
        with answering.house.store.reading() as conn:
            for table in ("games", "moves", "changes"):
                assert conn.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)

    def test_has_its_answer_kept_by_nobody(self, answering):
        assert answering.post(GAMES, {}).headers["Cache-Control"] == "no-store"


class TestAServiceForPortalsOnly:
    @pytest.fixture
    def closed(self, settings, store):
        app = create_app(replace(settings, anonymous_games=False), FixedRandomness())
        yield Answering(app)
        app.extensions["gin-rummy"].store.close()

    def test_makes_no_game_for_somebody_without_a_key(self, closed):
        for data in (b"{}", b"{"):
            answer = closed.post(GAMES, data=data, content_type="application/json")
            assert (answer.status_code, answer.json["code"]) == (401, "token_missing")


class TestGetGame(Conditional):
    def test_says_its_own_tag(self, tables):
        table = tables.at("discard")
        for who in (0, 1, SPECTATOR):
            answer = table.get(who=who)
            assert answer.json["etag"] == answer.headers["ETag"]

    def test_changes_its_tag_with_every_move(self, tables):
        table = tables()
        tags = {table.get().headers["ETag"]}
        for line in ("0 pass", "1 pass", "0 draw stock"):
            table.play(line)
            tags.add(table.get().headers["ETag"])
        assert len(tags) == 4

    def test_is_the_same_but_for_the_clock(self, tables):
        table = tables.at("discard")
        first, second = table.view(), table.view()
        assert {**first, "server_time": ""} == {**second, "server_time": ""}
        assert first["created_at"] <= first["updated_at"] <= first["server_time"]

    @pytest.mark.parametrize(
        "game_id",
        [
            "g_x",
            "x",
            UNKNOWN[:-1],
            UNKNOWN + "A",
            "g_" + "%00" * 22,
            "g_" + "!" * 22,
            "G_" + "Z" * 22,
        ],
    )
    def test_of_no_id_is_not_found(self, tables, game_id):
        table = tables.at("discard")
        answer = table.answering.client.get(
            f"{GAMES}/{game_id}", headers={"Authorization": f"Bearer {table.tokens[0]}"}
        )
        assert (answer.status_code, answer.json["code"]) == (404, "not_found")
