"""What an answer about a game holds, for each viewer."""

import pytest

from service import answers
from service.use_cases.open_game import Opened, load
from tests.service.table import (
    ADA,
    DRAWN,
    EASY,
    KNOCKED,
    ON_REQUEST,
    SCORED,
    SPECTATOR,
    THROWN,
)

PHASES = ("waiting", "first_upcard", "draw", "discard", "lay_off", "hand_over", "game_over")


class TestTheViewOfASeat:
    def test_has_what_it_may_do_and_the_others_wait(self, tables):
        expected = {
            "waiting": ([], []),
            "first_upcard": (["draw", "pass"], []),
            "draw": (["draw"], []),
            "discard": (["discard", "knock"], []),
            "lay_off": ([], ["lay_off"]),
            "hand_over": (["deal"], ["deal"]),
            "game_over": ([], []),
        }
        for phase in PHASES[1:]:
            table = tables.at(phase)
            shown = [table.view(seat)["you"]["legal"]["actions"] for seat in (0, 1)]
            assert tuple(shown) == expected[phase], phase
        assert tables.at("waiting").view()["you"]["legal"]["actions"] == []

    def test_has_its_own_cards(self, tables):
        table = tables(*DRAWN)
        mine, theirs = table.view(0), table.view(1)
        assert (mine["you"]["viewer"], mine["you"]["seat"]) == ("seat", 0)
        assert len(mine["you"]["cards"]) == 11
        assert mine["you"]["drawn_card"] == "KS"
        assert mine["you"]["deadwood_after_best_discard"] == 10
        assert "drawn_card" not in theirs["you"]
        assert len(theirs["you"]["cards"]) == 10
        assert [seat["card_count"] for seat in theirs["seats"]] == [11, 10]

    def test_gives_no_advice_where_none_is_agreed(self, tables):
        you = tables(*DRAWN, rules={"advice": "off"}).view()["you"]
        assert "best" not in you
        assert you["legal"]["discards"]
        for option in (*you["legal"]["discards"], *you["legal"]["knocks"]):
            assert not {"melds", "unmatched"} & option.keys()
            assert "deadwood" in option


class TestTheViewOfASpectator:
    @pytest.mark.parametrize("phase", PHASES)
    def test_holds_nothing_and_may_do_nothing(self, tables, phase):
        you = tables.at(phase).view(SPECTATOR)["you"]
        assert you == {
            "viewer": "spectator",
            "cards": [],
            "legal": {
                "actions": [],
                "draws": [],
                "discards": [],
                "discard_count": 0,
                "barred": [],
                "knocks": [],
                "lay_offs": {"possible": []},
            },
        }

    @pytest.mark.parametrize("phase", PHASES)
    def test_is_otherwise_that_of_a_seat(self, tables, phase):
        table = tables.at(phase)
        own = {"you", "etag", "server_time", "last_move", "join_code"}
        views = [
            {name: value for name, value in table.view(who).items() if name not in own}
            for who in (0, 1, SPECTATOR)
            if who in table.tokens
        ]
        assert all(view == views[0] for view in views)

    def test_is_that_of_a_computers_token_while_there_is_nothing_to_deal(self, tables):
        table = tables(seats=(ON_REQUEST, ON_REQUEST))
        assert table.view(0)["you"] == table.view(SPECTATOR)["you"]


class TestTheStatus:
    @pytest.mark.parametrize("phase", PHASES)
    def test_follows_the_phase(self, tables, phase):
        game = tables.at(phase).view()
        expected = {"waiting": "waiting", "game_over": "finished"}.get(phase, "playing")
        assert (game["status"], game["phase"]) == (expected, phase)
        assert game["over"] == (phase == "game_over")

    def test_of_the_next_hand_shows_between_hands_alone(self, tables):
        for phase in PHASES:
            assert ("next_hand" in tables.at(phase).view()) == (phase == "hand_over"), phase

    def test_of_the_last_hand_stays_into_the_next(self, tables):
        table = tables(*SCORED)
        last = table.view()["last_hand"]
        assert table.play("0 deal")["game"]["last_hand"] == last
        assert "last_hand" not in tables.at("discard").view()

    def test_of_the_draw_for_the_deal_stays_through_the_first_hand(self, tables):
        table = tables(rules={"first_dealer": "draw"})
        assert table.view()["dealer_draw"]
        assert "dealer_draw" not in tables().view()


class TestTheLastMove:
    def test_is_seen_as_its_viewer_may(self, tables):
        table = tables(*DRAWN)
        mine, theirs = (table.view(seat)["last_move"] for seat in (0, 1))
        assert mine == {**theirs, "card": "KS"}
        assert mine["version"] == table.view()["version"]

    def test_keeps_its_version_when_somebody_joins_later(self, tables):
        table = tables(seats=({"kind": "human"}, {"kind": "human", "seating": "open"}))
        assert "last_move" not in table.view()
        game = table.join().json["game"]
        assert game["last_move"]["version"] == game["version"] == 3


class TestTimes:
    def test_are_in_utc_by_the_databases_clock(self, tables):
        game = tables(*THROWN).view()
        moved = game["last_move"]["at"]
        assert game["updated_at"] == moved
        assert moved.endswith("Z")
        assert game["created_at"] < moved <= game["server_time"]


class TestAnUpdate:
    def test_of_a_computers_moves_hides_their_cards(self, tables):
        table = tables("0 draw pile", seats=(ADA, EASY))
        update = table.play("0 discard TS")
        drawn = next(move for move in update["moves"] if move["action"] == "draw")
        assert ("card" in drawn) == (drawn["source"] == "discard_pile")

    def test_of_the_hand_that_it_ended_hides_what_was_hidden(self, tables, answering):
        table = tables(*KNOCKED, "1 lay_off")
        stored = load(answering.house, table.id)
        opened = Opened(stored, None, None)
        since = table.get("/updates?after=1", SPECTATOR).json["moves"]
        drawn = next(move for move in since if move["action"] == "draw")
        assert "card" not in drawn
        assert answers.etag_of(opened) == f'"{stored.version}-s-1"'


class TestAPersonAtAComputersSeat:
    def test_has_an_etag_of_its_own_since_it_may_deal(self, tables, answering):
        table = tables(*KNOCKED, "1 lay_off")
        stored = load(answering.house, table.id)
        beside, watching = Opened(stored, 0, None), Opened(stored, None, None)
        assert answers.game(beside)["you"]["legal"]["actions"] == ["deal"]
        assert answers.game(watching)["you"]["legal"]["actions"] == []
        assert answers.etag_of(beside) == f'"{stored.version}-a-1"'
        assert answers.etag_of(beside) != answers.etag_of(watching)

    def test_is_never_shown_its_cards(self, answering, tables):
        table = tables(seats=(ADA, ON_REQUEST))
        opened = answers.as_seat(load(answering.house, table.id), 1)
        assert (opened.seat, opened.viewer) == (1, None)
        assert answers.game(opened)["you"]["cards"] == []
