"""What a new game and a join may ask for."""

import pytest
from marshmallow import ValidationError

from engine.cards import CARD_NAMES
from service.schemas.games import GAME_REQUEST
from service.schemas.shapes import faults


def found(body) -> list[tuple[str, str]]:
    with pytest.raises(ValidationError) as refused:
        GAME_REQUEST.read(body)
    return [(fault["pointer"], fault["code"]) for fault in faults(refused.value.messages)]


class TestANewGame:
    def test_may_leave_everything_to_the_defaults(self):
        assert GAME_REQUEST.read({}) == {}

    def test_seats_two_to_four(self):
        human = {"kind": "human"}
        for count in (2, 3, 4):
            assert len(GAME_REQUEST.read({"seats": [human] * count})["seats"]) == count
        assert found({"seats": [human]}) == [("/seats", "out_of_range")]
        assert found({"seats": []}) == [("/seats", "out_of_range")]
        assert found({"seats": [human] * 5}) == [("/seats", "too_long")]

    def test_tells_a_computer_how_to_play_and_no_person(self):
        human = {"kind": "human"}
        assert found({"seats": [human, {"kind": "ai"}]}) == [("/seats/1/ai", "required")]
        with_ai = {"kind": "human", "ai": {"level": "easy"}}
        assert found({"seats": [human, with_ai]}) == [("/seats/1/ai", "field_not_allowed")]
        seated = {"kind": "ai", "ai": {"level": "easy"}, "seating": "open"}
        assert found({"seats": [human, seated]}) == [("/seats/1/seating", "field_not_allowed")]

    @pytest.mark.parametrize("name", ["sandbox", "seed", "score", "version", "decks"])
    def test_takes_nothing_that_would_fix_what_happens(self, name):
        assert found({name: ["AC"]}) == [(f"/{name}", "unknown_field")]

    def test_of_a_sandbox_has_each_card_once_in_its_deck(self):
        assert GAME_REQUEST.read({"deck": list(CARD_NAMES)})["deck"] == list(range(52))
        assert found({"deck": list(CARD_NAMES[:51])}) == [("/deck", "wrong_card_count")]
        assert found({"deck": []}) == [("/deck", "wrong_card_count")]
        assert found({"deck": [*CARD_NAMES, "AC"]}) == [("/deck", "too_long")]
        assert found({"deck": [*CARD_NAMES[:51], "3C"]}) == [("/deck/51", "duplicate_card")]
        assert found({"deck": [*CARD_NAMES[:51], "XX"]}) == [("/deck/51", "bad_card")]

    def test_of_a_scenario_brings_no_rules_and_no_deck(self):
        for other in ({"rules": {}}, {"deck": list(CARD_NAMES)}):
            (name,) = other
            assert found({"scenario": "can_gin", **other}) == [(f"/{name}", "field_not_allowed")]

    def test_names_faults_of_the_rules_by_their_place(self):
        assert found({"rules": {"knock_limit": 11, "hollywod": True, "layoff": "x"}}) == [
            ("/rules/knock_limit", "out_of_range"),
            ("/rules/layoff", "unknown_value"),
            ("/rules/hollywod", "unknown_field"),
        ]
