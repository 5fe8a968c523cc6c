"""Playing once more while others ask, too; the rest is in blueprints/test_meetings.py."""

import pytest

from service.storage.errors import Busy
from service.use_cases.create_rematch import create_rematch
from service.use_cases.make_move import TRIES
from service.use_cases.open_game import load
from service.use_cases.refusals import Refused
from service.use_cases.verify_games import verify_all
from tests.service.table import SCORED


@pytest.fixture
def table(tables):
    return tables(*SCORED, rules={"target": 10})


@pytest.fixture
def house(table):
    return table.answering.house


@pytest.fixture
def old(house, table):
    return load(house, table.id)


class TestTwoWhoAskAtOnce:
    def test_make_one_game_whoever_read_first(self, house, old):
        first = create_rematch(house, old, 0)
        second = create_rematch(house, old, 1)
        assert (first.made, second.made) == (True, False)
        assert first.stored.game.setup.id == second.stored.game.setup.id
        assert [move.move.event.action for move in second.moves] == ["deal"]
        verdict = verify_all(house.store, house.codec)
        assert (verdict.games, verdict.findings) == (2, ())

    def test_sit_down_one_after_the_other(self, house, old, meanwhile):
        create_rematch(house, old, 0)
        now = load(house, old.game.setup.id)
        meanwhile(lambda: create_rematch(house, now, 1))
        again = create_rematch(house, now, 1)
        assert (again.moves, again.stored.status) == ([], "playing")

    def test_are_told_to_try_again_where_nothing_helps(self, house, old, monkeypatch):
        from service.storage import game_ends

        asked = []
        monkeypatch.setattr(game_ends, "insert_rematch", lambda *values: asked.append(values))
        with pytest.raises(Busy):
            create_rematch(house, old, 0)
        assert len(asked) == TRIES


class TestAGameInPlay:
    def test_has_no_rematch(self, house, tables):
        other = load(house, tables().id)
        with pytest.raises(Refused) as caught:
            create_rematch(house, other, 0)
        assert (caught.value.code, caught.value.stored) == ("game_in_progress", other)
