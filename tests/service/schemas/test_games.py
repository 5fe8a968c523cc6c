"""What a new game and a join may ask for."""

import pytest
from marshmallow import ValidationError

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

    @pytest.mark.parametrize("name", ["deck", "scenario", "sandbox", "seed", "score", "version"])
    def test_takes_nothing_that_would_fix_the_cards(self, name):
        assert found({name: ["AC"]}) == [(f"/{name}", "unknown_field")]

    def test_names_faults_of_the_rules_by_their_place(self):
        assert found({"rules": {"knock_limit": 11, "hollywod": True, "layoff": "x"}}) == [
            ("/rules/knock_limit", "out_of_range"),
            ("/rules/layoff", "unknown_value"),
            ("/rules/hollywod", "unknown_field"),
        ]
