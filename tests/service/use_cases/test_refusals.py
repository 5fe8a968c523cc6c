"""What a use case says when it changed nothing."""

import pytest

from service.problems import CATALOGUE
from service.use_cases.open_game import load
from service.use_cases.refusals import Refused, check_seat


class TestARefusal:
    def test_carries_what_the_caller_may_look_at(self):
        refused = Refused("stale_move", {"expected_move": 3}, moves=[])
        assert (refused.code, refused.params, refused.moves) == (
            "stale_move", {"expected_move": 3}, []
        )  # fmt: skip
        assert (refused.stored, refused.pointer) == (None, None)
        assert str(refused) == "stale_move"

    def test_has_facts_of_its_own(self):
        params = {"min": 0}
        refused = Refused("out_of_range", params)
        params["min"] = 1
        assert refused.params == {"min": 0}
        assert Refused("game_full").params == {}
        assert "game_full" in CATALOGUE


class TestASeat:
    def test_is_one_of_the_game(self, tables):
        table = tables()
        stored = load(table.answering.house, table.id)
        for seat in (0, 1):
            check_seat(stored, seat)
        with pytest.raises(Refused) as caught:
            check_seat(stored, 2)
        assert (caught.value.params, caught.value.pointer) == ({"min": 0, "max": 1}, "/seat")
