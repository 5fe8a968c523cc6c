"""Dealing, and the hands: what is hidden while they are played, and what opens afterwards."""

import pytest

from tests.service.questions import Conditional, ForSeats, Paged
from tests.service.table import (
    ADA,
    DRAWN,
    KNOCKED,
    ON_REQUEST,
    PASSED,
    SCORED,
    SPECTATOR,
    THROWN,
    cards_in,
)
from tests.tables import NEAR_GIN, OTHER


class TestDealHand(ForSeats):
    path = "/hands"
    phase = "hand_over"

    def body(self, table):
        return {"hand_number": 2}


class TestADeal:
    def test_is_asked_for_by_any_seat_and_given_once(self, tables):
        table = tables(*SCORED)
        first = table.post("/hands", {"hand_number": 2}, 1)
        other = table.post("/hands", {"hand_number": 2}, 0)
        assert (first.status_code, other.status_code) == (201, 200)
        assert other.json["replayed"]
        mine, theirs = first.json["moves"][0]["deal"], other.json["moves"][0]["deal"]
        assert mine["cards"] == NEAR_GIN.split()
        assert theirs == {**mine, "cards": OTHER.split()}
        assert first.json["game"]["hand"]["number"] == 2

    def test_alternates_the_dealer(self, tables):
        table = tables(*SCORED)
        assert table.view()["hand"]["dealer_seat"] == 1
        assert table.play("0 deal")["game"]["hand"]["dealer_seat"] == 0

    def test_given_again_tells_all_since(self, tables):
        table = tables(*SCORED)
        table.play("0 deal", "1 pass", "0 pass")
        again = table.post("/hands", {"hand_number": 2}, 0).json
        assert [move["action"] for move in again["moves"]] == ["deal", "pass", "pass"]
        first = table.post("/hands", {"hand_number": 1}, 0).json
        assert first["replayed"]
        assert len(first["moves"]) == table.next_move - 1

    def test_was_committed_to_before(self, tables):
        table = tables(*SCORED)
        coming = table.view(SPECTATOR)["next_hand"]
        assert (coming["number"], coming["nonce_commits"], coming["cuts"]) == (2, [], [])
        update = table.play("0 deal")
        assert update["moves"][0]["deal"]["server_commit"] == coming["server_commit"]
        assert update["game"]["hand"]["server_commit"] == coming["server_commit"]
        assert "next_hand" not in update["game"]

    @pytest.mark.parametrize("phase", ["first_upcard", "draw", "discard", "lay_off"])
    def test_comes_after_the_hand(self, tables, phase):
        table = tables.at(phase)
        answer = table.post("/hands", {"hand_number": 2})
        assert (answer.status_code, answer.json["code"]) == (409, "hand_in_progress")
        assert answer.json["game"]["phase"] == phase

    def test_is_of_the_coming_hand(self, tables):
        answer = tables(*SCORED).post("/hands", {"hand_number": 3})
        assert answer.status_code == 422
        assert answer.json["errors"] == [
            {"pointer": "/hand_number", "code": "out_of_range", "params": {"min": 1, "max": 2}}
        ]

    @pytest.mark.parametrize(
        ("number", "code"), [(0, "out_of_range"), ("2", "wrong_type"), (2.0, "wrong_type")]
    )
    def test_is_of_a_number(self, tables, number, code):
        answer = tables(*SCORED).post("/hands", {"hand_number": number})
        assert [each["code"] for each in answer.json["errors"]] == [code]

    def test_waits_until_every_seat_is_taken(self, tables):
        table = tables(seats=(ADA, {"kind": "human"}))
        answer = table.post("/hands", {"hand_number": 1})
        assert (answer.status_code, answer.json["code"]) == (409, "game_not_started")

    def test_comes_no_more_when_the_game_is_over(self, tables):
        answer = tables.at("game_over").post("/hands", {"hand_number": 2})
        assert (answer.status_code, answer.json["code"]) == (409, "game_over")

    def test_may_be_asked_for_with_the_token_of_a_computer_that_plays_alone(self, tables):
        table = tables(seats=(ON_REQUEST, ON_REQUEST), deal=None)
        while table.view()["phase"] != "hand_over":
            seat = table.view()["to_act_seats"][0]
            body = {"seat": seat, "move_number": table.next_move}
            assert table.post("/ai-moves", body).status_code == 201
        assert table.view(1)["you"]["legal"]["actions"] == ["deal"]
        assert table.post("/hands", {"hand_number": 2}, 1).status_code == 201


class TestListHands(Paged):
    path = "/hands"

    def everything(self, tables):
        table = tables(*SCORED)
        table.play("1 deal", "1 pass", "0 pass", "1 draw stock", "1 knock KS", "0 lay_off")
        table.play("0 deal", "0 draw pile")
        return table

    def test_sums_each_up(self, tables):
        items = self.everything(tables).get("/hands").json["items"]
        scored = {"playing_seats": [0, 1], "complete": True, "outcome": "knock", "points": 22}
        assert items == [
            {"number": 1, "dealer_seat": 1, "winner_seat": 0, "turn_count": 1, **scored},
            {"number": 2, "dealer_seat": 0, "winner_seat": 1, "turn_count": 1, **scored},
            {
                "number": 3, "dealer_seat": 1, "playing_seats": [0, 1], "complete": False,
                "turn_count": 1,
            },
        ]  # fmt: skip


class TestGetHand(Conditional):
    path = "/hands/1"

    def test_has_the_deal_and_all_moves(self, tables):
        table = tables(*SCORED)
        hand = table.get("/hands/1").json
        assert hand["moves"] == table.get("/moves").json["items"]
        assert (hand["dealer_seat"], hand["upcard"], hand["knock_limit"]) == (1, "JS", 10)
        assert hand["result"] == table.view()["last_hand"]

    def test_that_was_not_dealt_is_not_found(self, tables):
        for number in (2, 999_999_999):
            answer = tables(*SCORED).get(f"/hands/{number}")
            assert (answer.status_code, answer.json["code"]) == (404, "not_found")

    def test_shows_a_seat_its_own_cards_while_it_is_played(self, tables):
        table = tables(*DRAWN)
        mine, theirs, watched = (table.get("/hands/1", who).json for who in (0, 1, SPECTATOR))
        assert mine["dealt"] == [{"seat": 0, "cards": NEAR_GIN.split()}]
        assert theirs["dealt"] == [{"seat": 1, "cards": OTHER.split()}]
        assert watched["dealt"] == []
        assert "result" not in mine
        assert mine["complete"] is False

    def test_shows_everything_that_was_dealt_and_drawn_once_it_is_over(self, tables):
        table = tables(*SCORED)
        shown = [table.get("/hands/1", who).json for who in (0, 1, SPECTATOR)]
        for hand in shown:
            assert hand["complete"]
            assert hand["dealt"] == [
                {"seat": 0, "cards": NEAR_GIN.split()},
                {"seat": 1, "cards": OTHER.split()},
            ]
            assert [m["card"] for m in hand["moves"] if m["action"] == "draw"] == ["KS"]

    def test_opens_only_with_the_end_of_the_game_where_that_was_agreed(self, tables):
        table = tables(*SCORED, rules={"reveal": "game"})
        shown = table.get("/hands/1", 1).json
        assert shown["complete"]
        assert shown["result"] == table.view()["last_hand"]
        assert [each["seat"] for each in shown["dealt"]] == [1]
        drawn = [move for move in shown["moves"] if move["action"] == "draw" and move["seat"] == 0]
        listed = [move for move in table.get("/moves", 1).json["items"] if move in drawn]
        assert listed == drawn
        assert all("card" not in move for move in drawn)
        table.play("1 resign")
        shown = table.get("/hands/1", 1).json
        assert [each["seat"] for each in shown["dealt"]] == [0, 1]
        drawn = [move for move in shown["moves"] if move["action"] == "draw"]
        assert all("card" in move for move in drawn)

    def test_that_was_given_up_opens_as_well(self, tables):
        table = tables(*THROWN, "1 draw stock", "0 resign")
        hand = table.get("/hands/1", SPECTATOR).json
        assert hand["result"]["outcome"] == "resigned"
        assert [m["card"] for m in hand["moves"] if m["action"] == "draw"] == ["KS", "QS"]


class TestWhatAHandHides:
    """Cards that nobody was shown stand in no answer at all, whoever asks and wherever."""

    PATHS = ("", "/moves", "/turns", "/hands", "/hands/1", "/score", "/knocks", "/updates?after=1")
    OPEN = frozenset({"JS"})

    def shown(self, table, who):
        return {path: cards_in(table.get(path, who).data) for path in self.PATHS}

    def test_from_a_spectator(self, tables):
        table = tables(*DRAWN)
        for path, cards in self.shown(table, SPECTATOR).items():
            assert cards <= self.OPEN, path

    def test_from_the_other_seat(self, tables):
        table = tables(*DRAWN)
        for path, cards in self.shown(table, 1).items():
            assert cards <= {*OTHER.split(), *self.OPEN}, path
        for path, cards in self.shown(table, 0).items():
            assert cards <= {*NEAR_GIN.split(), "KS", *self.OPEN}, path

    def test_from_everybody_before_the_lay_off_is_the_stock(self, tables):
        table = tables(*KNOCKED)
        seen = {*NEAR_GIN.split(), *OTHER.split(), "KS", *self.OPEN}
        for who in (0, 1, SPECTATOR):
            for path, cards in self.shown(table, who).items():
                assert cards <= seen, path

    def test_from_everybody_after_the_hand_is_the_stock(self, tables):
        table = tables(*SCORED)
        seen = {*NEAR_GIN.split(), *OTHER.split(), "KS", *self.OPEN}
        for who in (0, 1, SPECTATOR):
            for path, cards in self.shown(table, who).items():
                assert cards <= seen, path

    def test_does_not_show_in_a_refusal(self, tables):
        table = tables(*PASSED)
        for line in ("1 draw stock", "1 discard AC", "0 knock KS", "0 draw pile"):
            seat = int(line[0])
            own = {*(OTHER if seat else NEAR_GIN).split(), *self.OPEN, "KS" if "KS" in line else ""}
            assert cards_in(table.refused(line)) <= own, line
