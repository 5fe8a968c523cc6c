"""Games with a clock over HTTP: in each phase, by each policy, whoever opens the game next."""

import re
import time

import pytest

from service.use_cases import computer_seats
from service.use_cases.computer_seats import Thinking
from service.use_cases.verify_games import verify_game
from tests.service.statements import listening
from tests.service.table import (
    ADA,
    BOB,
    BOTH,
    DRAWN,
    EASY,
    KNOCKED,
    ON_REQUEST,
    PASSED,
    SCORED,
    SPECTATOR,
    THROWN,
    TIMED,
    TO_THE_WALL,
)
from tests.tables import NEAR_GIN, OTHER, deck

POLICIES = ("claim", "ai_takes_over", "forfeit")
AI_PLAYS = {**TIMED, "timeout_policy": "ai_takes_over"}
FORFEIT = {**TIMED, "timeout_policy": "forfeit"}
OF_PLAY = {"first_upcard": (), "draw": PASSED, "discard": DRAWN}
"""How the game gets to each phase of play; seat 0 is due."""


NO_KNOCK = deck(OTHER, NEAR_GIN)
"""Seat 0 is far from any knock."""


def by_policy(name, **more):
    return {**TIMED, "timeout_policy": name, **more}


def late(tables, *lines, **options):
    """A table where the time of who is due has just run out, and nobody has looked since."""
    table = tables(*lines, **{"rules": TIMED, **options})
    table.time_passes()
    return table


def told(update):
    return [(move["action"], move["by"], move.get("seat")) for move in update["moves"]]


def since(table, version, who=1):
    return table.get(f"/updates?after={version}", who).json


def verified(table):
    house = table.answering.house
    return verify_game(house.store, house.codec, table.id) is None


@pytest.mark.parametrize("phase", OF_PLAY)
class TestATurnThatRanOut:
    def test_may_be_claimed(self, tables, phase):
        table = late(tables, *OF_PLAY[phase])
        assert table.view(1)["you"]["legal"]["actions"] == ["claim"]
        assert table.view(0)["you"]["legal"]["actions"][0] != "claim"
        assert verified(table)

    def test_is_forfeit(self, tables, phase):
        table = tables(*OF_PLAY[phase], rules=FORFEIT)
        version = table.view()["version"]
        assert "claimable_at" not in table.view()
        table.time_passes()
        update = since(table, version)
        assert told(update) == [("resign", "clock", 0)]
        assert (update["game"]["status"], update["game"]["winner_seat"]) == ("finished", 1)
        assert update["game"]["last_hand"]["outcome"] == "resigned"
        assert verified(table)

    def test_is_played_by_a_computer(self, tables, phase):
        table = tables(*OF_PLAY[phase], rules=AI_PLAYS)
        version = table.view()["version"]
        table.time_passes()
        update = since(table, version)
        moves = told(update)
        assert {(by, seat) for _, by, seat in moves} == {("clock", 0)}
        assert moves[-1][0] in ("discard", "pass", "knock")
        game = update["game"]
        assert game["version"] == version + 1 + len(moves)
        assert game["to_act_seats"] == [1]
        assert [seat.get("away") for seat in game["seats"]] == [True, None]
        assert verified(table)

    def test_has_a_late_player_who_comes_first_after_all(self, tables, phase):
        table = late(tables, *OF_PLAY[phase])
        line = {"first_upcard": "0 pass", "draw": "0 draw stock", "discard": "0 discard KS"}[phase]
        update = table.play(line)
        assert told(update) == [(line.split()[1], "player", 0)]
        assert update["game"]["turn_deadline"] > update["game"]["server_time"]
        assert "claim" not in table.view(1)["you"]["legal"]["actions"]
        assert verified(table)

    def test_is_too_late_for_its_player_by_the_other_policies(self, tables, phase):
        line = {"first_upcard": "0 pass", "draw": "0 draw stock", "discard": "0 discard KS"}[phase]
        for rules in (FORFEIT, AI_PLAYS):
            table = late(tables, *OF_PLAY[phase], rules=rules)
            refused = table.send(line)
            assert (refused.status_code, refused.json["code"]) == (409, "stale_move")
            assert refused.json["moves"][0]["by"] == "clock"


class TestWhoeverComesFirst:
    @pytest.mark.parametrize("who", [0, 1, SPECTATOR])
    @pytest.mark.parametrize(
        "path", ["", "/moves", "/turns", "/hands", "/hands/1", "/score", "/updates", "/knocks"]
    )
    def test_sees_what_followed(self, tables, who, path):
        table = late(tables, *PASSED, rules=FORFEIT)
        assert table.get(path, who).status_code == 200
        with table.answering.house.store.reading() as conn:
            assert conn.execute("SELECT status FROM games").fetchone() == ("finished",)

    def test_is_nobody_who_may_not_open_the_game(self, tables):
        table = late(tables, *PASSED, rules=FORFEIT)
        other = tables()
        for token in (None, other.tokens[0], "grs_forged"):
            answer = table.answering.get(table.path, token)
            assert answer.status_code in (401, 404)
        with table.answering.house.store.reading() as conn:
            query = "SELECT status FROM games WHERE id = %s"
            assert conn.execute(query, (table.id,)).fetchone() == ("playing",)

    def test_gets_no_old_view_for_its_tag(self, tables):
        table = tables(*PASSED, rules=TIMED)
        tag = table.get().headers["ETag"]
        assert table.get(headers={"If-None-Match": tag}).status_code == 304
        table.time_passes()
        assert table.get(headers={"If-None-Match": tag}).status_code == 200


class TestWhereNobodyLosesByTheClock:
    @pytest.mark.parametrize("name", POLICIES)
    def test_the_best_lay_offs_are_made(self, tables, name):
        table = tables(*KNOCKED, rules=by_policy(name))
        version = table.view()["version"]
        assert "claimable_at" not in table.view()
        table.time_passes()
        update = since(table, version)
        assert told(update) == [("lay_off", "clock", 1)]
        assert [laid["card"] for laid in update["moves"][0]["lay_offs"]] == ["4C", "5C"]
        assert update["game"]["phase"] == "hand_over"
        assert "turn_deadline" not in update["game"]
        assert verified(table)

    @pytest.mark.parametrize("name", POLICIES)
    def test_the_last_discard_is_passed(self, tables, name):
        table = tables(*TO_THE_WALL, rules=by_policy(name, last_discard="knock_only"))
        version = table.view()["version"]
        table.time_passes()
        update = since(table, version)
        assert told(update) == [("pass", "clock", 1), ("hand_drawn", "server", None)]
        assert verified(table)

    @pytest.mark.parametrize("name", POLICIES)
    def test_the_score_counts_as_confirmed(self, tables, name):
        table = tables(*SCORED, rules=by_policy(name, **BOTH))
        version = table.view()["version"]
        deadline = table.view()["turn_deadline"]
        table.confirm(1)
        assert table.view()["turn_deadline"] == deadline
        table.time_passes()
        update = since(table, version)
        assert (update["moves"], update["game"]["phase"]) == ([], "hand_over")
        assert update["game"]["version"] == version + 2
        assert update["game"]["confirmed_by"] == [0, 1]
        assert verified(table)
        answer = table.post("/hands", {"hand_number": 2})
        assert answer.status_code == 201
        assert verified(table)

    def test_the_hand_that_ends_the_game_ends_it(self, tables):
        table = tables(*SCORED, rules=by_policy("claim", target=10, **BOTH))
        table.time_passes()
        view = table.view()
        assert (view["over"], view["status"]) == (True, "finished")
        assert verified(table)


class TestASeatThatAComputerPlays:
    def away(self, tables, **options):
        table = tables(*PASSED, rules=AI_PLAYS, deal=NO_KNOCK, **options)
        table.time_passes()
        table.view(1)
        return table

    def go_on(self, table):
        """Seat 1 makes its turn."""
        view = table.view(1)
        table.next_move = view["next_move"]
        update = table.play("1 draw stock")
        return table.play(f"1 discard {update['game']['you']['drawn_card']}")["game"]

    def test_waits_five_seconds_for_its_player_and_is_played_again(self, tables):
        table = self.away(tables)
        game = self.go_on(table)
        assert seconds_left(game) == 5
        table.time_passes(5)
        view = table.view(1)
        assert (view["to_act_seats"], view["seats"][0]["away"]) == ([1], True)
        assert seconds_left(view) > 50
        assert verified(table)

    def test_is_its_players_again_with_a_move_in_time(self, tables):
        table = self.away(tables)
        self.go_on(table)
        game = table.play("0 draw stock")["game"]
        assert "away" not in game["seats"][0]
        assert seconds_left(game) == 60
        assert verified(table)

    def test_is_not_given_back_by_looking_on(self, tables):
        table = self.away(tables)
        for path in ("", "/updates", "/moves"):
            table.get(path, 0)
        assert table.view()["seats"][0]["away"]

    def test_lets_an_automatic_computer_reply_at_once(self, tables):
        table = tables(rules=AI_PLAYS, seats=(ADA, EASY))
        version = table.view()["version"]
        table.time_passes()
        moves = told(since(table, version, 0))
        assert {by for _, by, _ in moves} == {"clock", "ai"}
        assert table.view()["to_act_seats"] in ([0], [0, 1])
        assert verified(table)

    def test_sees_no_more_than_its_player(self, tables, monkeypatch):
        seen = []
        level = computer_seats.LEVELS[computer_seats.SUBSTITUTE]

        def choose(view, chance):
            seen.append(view)
            return level.choose(view, chance)

        spy = type(level)("easy", choose, deterministic=False, typical_ms=1, max_ms=1)
        monkeypatch.setattr(computer_seats, "LEVELS", {"easy": spy})
        self.away(tables)
        assert [view.you.seat for view in seen] == [0, 0]

    def test_is_played_on_when_the_thinking_was_cut_short(self, tables, monkeypatch):
        monkeypatch.setattr(Thinking, "over", property(lambda _: True))
        table = self.away(tables)
        view = table.view()
        assert (view["phase"], view["to_act_seats"]) == ("discard", [0])
        table.time_passes(5)
        assert table.view()["to_act_seats"] == [1]
        assert verified(table)


def seconds_left(view):
    """Whole seconds, rounded up, by the times of the view alone."""
    parts = [re.split("[T:Z]", view[name])[1:4] for name in ("turn_deadline", "server_time")]
    one, other = (int(h) * 3600 + int(m) * 60 + float(s) for h, m, s in parts)
    left = (one - other) % 86_400
    return int(left) + (left > int(left))


class TestTheTime:
    def test_is_for_a_whole_turn(self, tables):
        table = tables(*PASSED, rules=TIMED)
        table.time_passes(20)
        before = table.view()
        drawn = table.play("0 draw stock")["game"]
        assert drawn["turn_deadline"] == before["turn_deadline"]
        thrown = table.play("0 discard KS")["game"]
        assert seconds_left(thrown) == 60

    def test_begins_with_the_deal(self, tables):
        assert seconds_left(tables(rules=TIMED).made["game"]) == 60
        table = tables(rules=TIMED, seats=(ADA, {"kind": "human"}))
        assert "turn_deadline" not in table.view()
        assert seconds_left(table.join().json["game"]) == 60

    def test_of_a_lay_off_is_its_own(self, tables):
        table = tables(*DRAWN, rules=TIMED)
        table.time_passes(20)
        assert seconds_left(table.play("0 knock KS")["game"]) == 60

    def test_of_the_next_hand_begins_when_it_is_dealt(self, tables):
        table = tables(*SCORED, rules=TIMED)
        assert "turn_deadline" not in table.view()
        assert seconds_left(table.play("0 deal")["game"]) == 60

    def test_does_not_run_for_a_computer(self, tables):
        table = tables(*PASSED[:1], rules=TIMED, seats=(ADA, ON_REQUEST))
        assert "turn_deadline" not in table.view()
        table.time_passes()
        body = {"seat": 1, "move_number": table.next_move}
        answer = table.post("/ai-moves", body)
        assert answer.status_code == 201
        assert seconds_left(answer.json["game"]) == 60

    def test_goes_on_while_seats_say_something_else(self, tables):
        table = tables(*PASSED, rules=TIMED)
        before = table.view()["turn_deadline"]
        table.put("/hands/1/void-consent", {"consent": True}, 1)
        assert table.view()["turn_deadline"] == before


class TestTheClockOfTheMachine:
    """F16: only the database's clock counts."""

    @pytest.mark.parametrize("hours", [-2, 2])
    def test_may_be_wrong_by_hours(self, tables, monkeypatch, hours):
        true, true_ns = time.time, time.time_ns
        monkeypatch.setattr(time, "time", lambda: true() + hours * 3600)
        monkeypatch.setattr(time, "time_ns", lambda: true_ns() + hours * 3600 * 10**9)
        for rules in (TIMED, AI_PLAYS, FORFEIT):
            table = tables(rules=rules)
            view = table.play(*THROWN)["game"]
            assert seconds_left(table.view()) == 60
            assert table.view()["version"] == view["version"]
            table.time_passes(59)
            assert table.view()["version"] == view["version"]
            table.time_passes(1)
            assert table.view()["version"] > view["version"]


class TestAGameWithAClock:
    def test_costs_no_statement_more_than_one_without(self, tables):
        said = []
        for rules in ({}, TIMED):
            table = tables(*PASSED, rules=rules)
            with listening() as heard:
                table.view()
                table.play("0 draw stock", "0 discard KS")
            said.append((len(heard.statements), heard.trips))
        assert said[0] == said[1] == (5, 5)

    def test_costs_none_either_while_a_claim_waits(self, tables):
        table = late(tables, *PASSED)
        table.view()
        with listening() as heard:
            table.view()
        assert len(heard.statements) == 1

    def test_of_three_or_partners_goes_on_by_the_clock(self, tables):
        for rules, seats in (({}, 3), ({"four_player": "partnership"}, 4)):
            table = tables(rules={**AI_PLAYS, **rules}, seats=(ADA, *[BOB] * (seats - 1)))
            for _ in range(6):
                table.time_passes()
                table.view()
            assert verified(table)
            assert any(seat.get("away") for seat in table.view()["seats"])


class TestTheScenarioOfAnOpponentWhoIsGone:
    def test_can_be_claimed_at_once(self, tables):
        answer = tables.answering.post("/v1/games", {"scenario": "opponent_gone"})
        game = answer.json["game"]
        assert game["you"]["legal"]["actions"] == ["claim"]
        assert game["sandbox"]
        body = {"move_number": game["next_move"]}
        token = answer.json["tokens"][0]["token"]
        path = f"/v1/games/{game['id']}/claims"
        claimed = tables.answering.post(path, body, token)
        assert claimed.json["game"]["winner_seat"] == 0
        versions = [move["version"] for move in answer.json["moves"]]
        assert versions == list(range(2, 2 + len(versions)))

    @pytest.mark.parametrize("seats", [[ADA, EASY], [EASY, ADA]])
    def test_is_a_person(self, tables, seats):
        body = {"scenario": "opponent_gone", "seats": seats}
        answer = tables.answering.post("/v1/games", body)
        (error,) = answer.json["errors"]
        at = f"/seats/{seats.index(EASY)}/kind"
        assert (error["pointer"], error["code"]) == (at, "unknown_value")
        assert error["params"] == {"values": ["human"]}
