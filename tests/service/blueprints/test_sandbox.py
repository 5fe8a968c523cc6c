"""Games with chosen cards: the list of scenarios, and what such a game says of itself."""

from dataclasses import replace

import pytest

from engine.cards import CARD_NAMES
from engine.scenarios import SCENARIOS
from service.app import create_app
from service.use_cases.verify_games import verify_all
from tests.service.answering import Answering
from tests.service.table import ADA, EASY, KNOCKS, SPECTATOR, Table

GAMES = "/v1/games"
DECK = [CARD_NAMES[card] for card in KNOCKS]
OPEN = {"kind": "human"}


def made(answering, **body):
    answer = answering.post(GAMES, body)
    assert answer.status_code == 201, answer.json
    return Table(answering, answer.json)


def faults(answer):
    assert answer.status_code == 422, answer.json
    return [(fault["pointer"], fault["code"]) for fault in answer.json["errors"]]


class TestListScenarios:
    def test_names_each_with_its_phase(self, answering):
        items = answering.get("/v1/sandbox/scenarios").json["items"]
        assert [(each["id"], each["phase"]) for each in items] == [
            (name, scenario.phase) for name, scenario in SCENARIOS.items()
        ]
        assert items[0]["description_code"] == "scenario_first_upcard_offer"


class TestAScenario:
    @pytest.mark.parametrize("name", SCENARIOS)
    def test_is_a_game_at_that_position(self, answering, name):
        table = made(answering, scenario=name)
        view = table.view(0)
        scenario = SCENARIOS[name]
        # A seat that is out of time is due; what seat 0 may do is to claim the game.
        due = 1 if scenario.time_is_up else 0
        assert (view["phase"], view["to_act_seats"]) == (scenario.phase, [due])
        assert ("claim" in view["you"]["legal"]["actions"]) == scenario.time_is_up
        assert (view["sandbox"], view["you"]["seat"]) == (True, 0)
        assert view["rules"]["first_dealer"] == SCENARIOS[name].rules.first_dealer
        moves = table.get("/moves?limit=100", SPECTATOR).json["items"]
        assert len(moves) == min(view["next_move"] - 1, 100)

    def test_is_played_on_like_any_game(self, answering):
        table = made(answering, scenario="one_point_from_target")
        table.play_on()
        house = answering.house
        assert verify_all(house.store, house.codec).findings == ()

    def test_may_be_against_a_computer(self, answering):
        table = made(answering, scenario="lay_off_run_and_set", seats=[ADA, EASY])
        assert table.view()["phase"] == "lay_off"
        knock = table.get("/moves", 0).json["items"][-1]
        assert (knock["action"], knock["by"], knock["seat"]) == ("knock", "ai", 1)

    def test_is_answered_by_a_computer_that_is_due(self, answering):
        table = made(answering, scenario="can_gin", seats=[EASY, ADA])
        assert table.view(1)["to_act_seats"] != [0]

    def test_has_a_name_that_is_known(self, answering):
        answer = answering.post(GAMES, {"scenario": "can_fly"})
        assert faults(answer) == [("/scenario", "unknown_value")]
        assert answer.json["errors"][0]["params"] == {"values": list(SCENARIOS)}

    def test_needs_two_seats_that_are_taken(self, answering):
        seats = [ADA, {**OPEN, "seating": "open"}]
        answer = answering.post(GAMES, {"scenario": "can_gin", "seats": seats})
        assert faults(answer) == [("/seats/1/seating", "field_not_allowed")]
        answer = answering.post(GAMES, {"scenario": "can_gin", "seats": [ADA] * 3})
        assert faults(answer) == [("/seats", "out_of_range")]


class TestADeck:
    def test_is_dealt_in_the_first_hand(self, answering):
        table = made(answering, deck=DECK, seats=[ADA, {**OPEN, "seating": "granted"}])
        view = table.view(0)
        assert (view["sandbox"], view["hand"]["upcard"]) == (True, "JS")
        nondealer = 1 - view["hand"]["dealer_seat"]
        assert set(table.view(nondealer)["you"]["cards"]) == set(DECK[0:20:2])

    def test_waits_for_the_seats_like_any_game(self, answering):
        table = made(answering, deck=DECK)
        assert table.view()["phase"] == "waiting"
        table.join()
        assert table.view()["hand"]["upcard"] == "JS"

    def test_goes_with_rules(self, answering):
        table = made(answering, deck=DECK, rules={"base": "short"})
        assert table.view()["rules"]["target"] == 50

    def test_is_dealt_once(self, answering):
        seats = [ADA, {**OPEN, "seating": "granted"}]
        rules = {"first_dealer": "seat1", "target": 1000}
        table = made(answering, deck=DECK, seats=seats, rules=rules)
        table.play_on(until=lambda view: view["hand"]["number"] == 2)
        hand = table.view()["hand"]
        first = table.get("/hands/1").json
        second = table.get("/hands/2").json
        assert first["dealt"][0]["cards"] != second["dealt"][0]["cards"] or hand["upcard"] != "JS"


class TestAnOrdinaryGame:
    def test_says_that_it_is_none(self, tables):
        assert tables().view()["sandbox"] is False


class TestWhereItIsNotAllowed:
    @pytest.fixture
    def strict(self, settings, empty_tables):
        app = create_app(replace(settings, sandbox=False))
        yield Answering(app)
        app.extensions["gin-rummy"].store.close()

    @pytest.mark.parametrize("body", [{"deck": DECK}, {"scenario": "can_gin"}])
    def test_is_refused(self, strict, body):
        answer = strict.post(GAMES, body)
        assert (answer.status_code, answer.json["code"]) == (403, "sandbox_only")
        assert "sandbox" not in strict.get("/").json["capabilities"]

    def test_are_other_games_made_all_the_same(self, strict):
        assert strict.post(GAMES, {}).status_code == 201
