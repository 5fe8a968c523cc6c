"""Giving a game up, at whatever point, and claiming it from who is out of time."""

import pytest

from tests.service.questions import ForPlayers
from tests.service.table import ADA, BOB, EASY, SCORED, SPECTATOR, THROWN, TIMED
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


class TestClaimWin(ForPlayers):
    path = "/claims"
    phase = "late"
    line = "claim"

    def body(self, table):
        return {"move_number": table.next_move}

    def test_refuses_who_is_not_due(self, tables):
        """It is for who is not due: the late seat itself has nothing to claim."""
        table = tables.at("late")
        answer = self.ask(table, table.tokens[1])
        assert (answer.status_code, answer.json["code"]) == (409, "not_claimable_yet")


class TestAClaim:
    def test_ends_the_game_like_a_resignation_of_the_late_seat(self, tables):
        table = tables.at("late")
        update = table.play("0 claim")
        (move,) = update["moves"]
        assert (move["action"], move["seat"], move["by"]) == ("claim", 0, "player")
        assert (move["result"]["outcome"], move["result"]["points"]) == ("resigned", 0)
        game = update["game"]
        assert (game["status"], game["phase"], game["winner_seat"]) == ("finished", "game_over", 0)
        assert not {"turn_deadline", "claimable_at"} & game.keys()
        assert table.view(1)["winner_seat"] == 0
        assert table.get("/moves", 1).json["items"][-1]["action"] == "claim"

    def test_is_legal_exactly_from_claimable_at_on(self, tables):
        table = tables(*THROWN, rules=TIMED)
        view = table.view()
        assert view["turn_deadline"] == view["claimable_at"] > view["server_time"]
        assert view["you"]["legal"]["actions"] == []
        refused = table.refused("0 claim")
        assert refused["code"] == "not_claimable_yet"
        assert refused["params"] == {"claimable_at": view["claimable_at"]}
        table.time_passes()
        late = table.view()
        assert late["you"]["legal"]["actions"] == ["claim"]
        assert late["claimable_at"] == late["turn_deadline"] < late["server_time"]
        assert late["version"] == view["version"] + 1
        assert late["etag"] != view["etag"]
        assert (late["next_move"], late["updated_at"] > view["updated_at"]) == (
            view["next_move"], True,
        )  # fmt: skip

    def test_can_be_made_by_the_first_request_after_the_deadline(self, tables):
        assert tables.at("late").play("0 claim")["game"]["over"]

    def test_is_told_to_who_follows_the_game(self, tables):
        table = tables.at("late")
        version = table.view(1)["version"]
        table.play("0 claim")
        update = table.get(f"/updates?after={version}", 1).json
        assert [move["action"] for move in update["moves"]] == ["claim"]
        assert update["game"]["over"]

    def test_stands_in_the_record(self, tables):
        table = tables.at("late")
        table.play("0 claim")
        assert table.get("/notation").text.splitlines()[-1].endswith("0 claim = resigned")

    def test_has_no_time_to_wait_for_where_there_is_no_clock(self, tables):
        for table in (
            tables(*THROWN),
            tables(*THROWN, rules={**TIMED, "timeout_policy": "forfeit"}),
        ):
            refused = table.refused("0 claim")
            assert (refused["code"], "params" in refused) == ("not_claimable_yet", False)

    def test_is_refused_to_who_sits_out(self, tables):
        table = tables(rules=TIMED, seats=(ADA, BOB, BOB))
        table.time_passes()
        view = table.view()
        (late,) = view["to_act_seats"]
        (out,) = (seat["seat"] for seat in view["seats"] if seat["sits_out"])
        assert table.refused(f"{out} claim")["code"] == "not_claimable_yet"
        other = 3 - late - out
        assert table.view(other)["you"]["legal"]["actions"] == ["claim"]
        assert table.play(f"{other} claim")["game"]["over"]

    def test_is_never_made_by_a_computer(self, tables):
        table = tables(rules=TIMED, seats=(ADA, EASY))
        assert "claimable_at" not in table.view()
        assert table.view()["turn_deadline"]
        table.time_passes(1000)
        assert not table.view()["over"]
        table.play("0 draw pile")
