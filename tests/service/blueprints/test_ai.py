"""Computer players: their levels, and letting one move."""

from dataclasses import replace

import pytest

from engine.players.levels import LEVELS
from service.app import create_app
from service.use_cases import computer_seats
from tests.service.answering import Answering
from tests.service.questions import ForSeats
from tests.service.table import (
    ADA,
    BOB,
    EASY,
    ON_REQUEST,
    SPECTATOR,
    THROWN,
    FixedRandomness,
    Tables,
)
from tests.tables import NEAR_GIN, OTHER, deck

AGAINST_ONE = (ADA, ON_REQUEST)
ALONE = (ON_REQUEST, ON_REQUEST)


class TestListAiLevels:
    def test_names_every_level_that_can_be_played(self, answering):
        items = answering.get("/v1/ai/levels").json["items"]
        assert [item["id"] for item in items] == list(LEVELS)
        for item in items:
            level = LEVELS[item["id"]]
            assert item["deterministic"] == level.deterministic
            assert item["typical_ms"] <= item["max_ms"]


class TestPlayAiMove(ForSeats):
    path = "/ai-moves"

    def body(self, table):
        return {"seat": 1, "move_number": table.next_move}

    @pytest.fixture
    def tables(self, tables):
        tables.at = lambda _phase: tables("0 draw pile", "0 discard TS", seats=AGAINST_ONE)
        return tables


class TestAComputersMove:
    def test_is_not_made_before_it_is_asked_for(self, tables):
        table = tables(*THROWN[:1], seats=AGAINST_ONE)
        game = table.view()
        assert (game["to_act_seats"], game["ai_pending"]) == ([1], True)
        assert game["seats"][1]["ai_mode"] == "on_request"
        assert game["seats"][1]["ai_level"] == "easy"

    def test_goes_through_its_turn(self, tables):
        table = tables("0 draw pile", "0 discard TS", seats=AGAINST_ONE)
        update = table.post("/ai-moves", {"seat": 1, "move_number": table.next_move}).json
        assert [move["action"] for move in update["moves"]] == ["draw", "discard"]
        assert {(move["seat"], move["by"]) for move in update["moves"]} == {(1, "ai")}
        assert "card" not in update["moves"][0]
        assert (update["game"]["to_act_seats"], update["game"]["ai_pending"]) == ([0], False)

    def test_may_be_one_alone(self, tables):
        table = tables("0 draw pile", "0 discard TS", seats=AGAINST_ONE)
        for action, pending in (("draw", True), ("discard", False)):
            body = {"seat": 1, "until": "move", "move_number": table.next_move}
            update = table.post("/ai-moves", body).json
            assert [move["action"] for move in update["moves"]] == [action]
            assert update["game"]["ai_pending"] is pending

    def test_of_another_reach_is_another_request(self, tables):
        table = tables("0 draw pile", "0 discard TS", seats=AGAINST_ONE)
        number = table.next_move
        body = {"seat": 1, "until": "move", "move_number": number}
        assert table.post("/ai-moves", body).status_code == 201
        assert table.post("/ai-moves", {**body, "until": "turn"}).json["code"] == "stale_move"
        assert table.post("/ai-moves", body).json["replayed"]

    def test_is_refused_while_it_is_not_due(self, tables):
        for lines in ((), ("0 draw pile",)):
            table = tables(*lines, seats=AGAINST_ONE)
            answer = table.post("/ai-moves", {"seat": 1, "move_number": table.next_move})
            assert (answer.status_code, answer.json["code"]) == (409, "no_ai_to_move")
            assert answer.json["game"]["to_act_seats"] == [0]

    def test_is_refused_before_and_after_the_game(self, tables):
        open_seat = {"kind": "human"}
        waiting = tables(seats=(ADA, open_seat))
        answer = waiting.post("/ai-moves", {"seat": 0, "move_number": 1})
        assert answer.json["code"] == "hints_disabled"
        over = tables("0 resign", seats=AGAINST_ONE)
        answer = over.post("/ai-moves", {"seat": 1, "move_number": over.next_move})
        assert (answer.status_code, answer.json["code"]) == (409, "game_over")

    def test_is_never_of_a_persons_seat(self, tables):
        table = tables(seats=(ADA, BOB))
        for who in (0, 1):
            body = {"move_number": table.next_move}
            own = table.post("/ai-moves", {**body, "seat": who}, who)
            other = table.post("/ai-moves", {**body, "seat": 1 - who}, who)
            assert (own.status_code, own.json["code"]) == (403, "hints_disabled")
            assert (other.status_code, other.json["code"]) == (403, "not_your_seat")

    def test_has_the_level_of_its_seat(self, tables):
        table = tables(*THROWN[:1], seats=AGAINST_ONE)
        body = {"seat": 1, "level": "easy", "move_number": table.next_move}
        answer = table.post("/ai-moves", body)
        assert answer.status_code == 422
        assert answer.json["errors"] == [
            {"pointer": "/level", "code": "field_not_allowed", "params": {"field": "level"}}
        ]

    @pytest.mark.parametrize(("seat", "greatest"), [(2, 1), (3, 1), (4, 3), (-1, 3)])
    def test_is_of_a_seat_of_the_game(self, tables, seat, greatest):
        table = tables(*THROWN[:1], seats=AGAINST_ONE)
        answer = table.post("/ai-moves", {"seat": seat, "move_number": table.next_move})
        assert answer.json["errors"] == [
            {"pointer": "/seat", "code": "out_of_range", "params": {"min": 0, "max": greatest}}
        ]

    def test_of_a_lay_off_ends_the_hand(self, tables):
        """The knocker lets the computer lay off, as one request."""
        table = tables("0 pass", seats=AGAINST_ONE)
        table.post("/ai-moves", {"seat": 1, "move_number": table.next_move})
        table.play("0 draw stock", "0 knock KS")
        update = table.post("/ai-moves", {"seat": 1, "move_number": table.next_move}).json
        assert [move["action"] for move in update["moves"]] == ["lay_off"]
        assert update["game"]["phase"] == "hand_over"


class TestTwoComputersAlone:
    def test_are_moved_by_whoever_has_a_seats_token(self, tables):
        table = tables(seats=ALONE)
        for who, seat in ((0, 0), (0, 1), (1, 0)):
            body = {"seat": seat, "until": "move", "move_number": table.next_move}
            answer = table.post("/ai-moves", body, who)
            assert answer.status_code == 201, answer.json
            assert answer.json["game"]["you"] == table.view(SPECTATOR)["you"]
            assert answer.json["game"]["you"]["cards"] == []

    def test_play_a_game_to_its_end(self, tables):
        table = tables(seats=ALONE, deal=None, rules={"target": 10})
        game = table.view()
        while not game["over"]:
            if game["phase"] == "hand_over":
                game = table.post("/hands", {"hand_number": game["next_hand"]["number"]}).json
            else:
                body = {"seat": game["to_act_seats"][0], "move_number": table.next_move}
                game = table.post("/ai-moves", body).json
            game = game["game"]
        assert game["score"]["complete"]


class TestAComputerThatAnswersByItself:
    def test_plays_in_the_same_answer(self, tables):
        table = tables("0 draw pile", seats=(ADA, EASY))
        update = table.play("0 discard TS")
        assert [(move["seat"], move["by"], move["action"]) for move in update["moves"]] == [
            (0, "player", "discard"), (1, "ai", "draw"), (1, "ai", "discard")
        ]  # fmt: skip
        assert update["game"]["to_act_seats"] == [0]
        assert update["game"]["seats"][1]["ai_mode"] == "auto"

    def test_opens_the_game_if_it_begins(self, tables):
        table = tables(seats=(EASY, ADA))
        assert [move["action"] for move in table.made["moves"]] == ["deal", "pass"]
        assert table.made["game"]["to_act_seats"] == [1]

    def test_lays_off_in_the_answer_to_the_knock(self, tables):
        table = tables("0 pass", seats=(ADA, EASY))
        update = table.play("0 draw stock", "0 knock KS")
        assert [move["action"] for move in update["moves"]] == ["knock", "lay_off"]
        assert update["game"]["phase"] == "hand_over"

    def test_leaves_the_next_deal_to_the_people(self, tables):
        table = tables("0 pass", seats=(ADA, EASY))
        table.play("0 draw stock", "0 knock KS")
        assert table.view()["to_act_seats"] == [0]
        assert table.view()["ai_pending"] is False

    def test_plays_whole_games(self, tables):
        game = tables(seats=(ADA, EASY), deal=None, rules={"target": 50}).play_on()
        assert game["score"]["complete"]


class TestATimeThatIsUp:
    """The answer holds what was done so far; playAiMove goes on from there."""

    @pytest.fixture
    def hasty(self, settings, tables):
        made = create_app(replace(settings, ai_max_ms=1), FixedRandomness())
        yield Tables(Answering(made), tables._decks)
        made.extensions["gin-rummy"].store.close()

    @pytest.fixture
    def stopped(self, monkeypatch):
        """Lets the time be up at the first look at the clock."""
        clock = iter(range(10**9))
        monkeypatch.setattr(computer_seats, "monotonic", lambda: float(next(clock)))

    def test_leaves_the_computer_pending(self, hasty, stopped):
        table = hasty("0 draw pile", seats=(ADA, EASY))
        update = table.play("0 discard TS")
        assert [move["action"] for move in update["moves"]] == ["discard"]
        assert update["game"]["ai_pending"] is True
        assert update["game"]["to_act_seats"] == [1]

    def test_is_never_up_before_the_first_move_asked_for(self, hasty, stopped):
        table = hasty("0 draw pile", seats=(ADA, EASY))
        table.play("0 discard TS")
        for action, pending in (("draw", True), ("discard", False)):
            body = {"seat": 1, "move_number": table.next_move}
            update = table.post("/ai-moves", body).json
            assert [move["action"] for move in update["moves"]] == [action]
            assert update["game"]["ai_pending"] is pending


class TestWhatAComputerKnows:
    def test_is_no_card_of_the_other_seat_or_of_the_stock(self, tables):
        """Two deals that differ only in what the computer cannot see get the same answer."""
        swapped = NEAR_GIN.replace("AC", "QS").replace("2C", "4S")
        moves = []
        for first, stock in ((NEAR_GIN, "KS QS 4S"), (swapped, "KS AC 2C")):
            dealt = deck(first, OTHER, stock=stock)
            table = tables("0 pass", seats=AGAINST_ONE, deal=dealt)
            table.post("/ai-moves", {"seat": 1, "move_number": table.next_move})
            table.play("0 draw stock", "0 discard KS")
            body = {"seat": 1, "until": "move", "move_number": table.next_move}
            update = table.post("/ai-moves", body).json
            moves.append([(move["action"], move.get("source")) for move in update["moves"]])
        assert moves[0] == moves[1]
