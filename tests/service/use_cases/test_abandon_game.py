"""Ending a game from outside, alone and while somebody plays."""

import pytest

from service.storage.errors import Busy
from service.use_cases.abandon_game import abandon_game, try_to_abandon
from service.use_cases.make_move import TRIES
from service.use_cases.open_game import load
from service.use_cases.refusals import Refused
from service.use_cases.verify_games import verify_game
from tests.service.table import DRAWN


@pytest.fixture
def table(tables):
    return tables(*DRAWN)


@pytest.fixture
def house(table):
    return table.answering.house


@pytest.fixture
def before_the_write(monkeypatch):
    """Lets something happen just before each of the next so many tries."""
    from service.use_cases import abandon_game as module

    def arrange(*happenings):
        left = list(happenings)

        def late(*values):
            if left:
                left.pop(0)()
            return try_to_abandon(*values)

        monkeypatch.setattr(module, "try_to_abandon", late)

    return arrange


class TestAbandoning:
    def test_ends_the_game(self, house, table):
        ended = abandon_game(house, load(house, table.id), "because")
        assert (ended.status, ended.abandon_reason) == ("abandoned", "because")
        assert load(house, table.id).game == ended.game
        assert verify_game(house.store, house.codec, table.id) is None

    def test_ends_what_was_played_meanwhile(self, house, table, before_the_write):
        before_the_write(lambda: table.play("0 discard KS"))
        ended = abandon_game(house, load(house, table.id), None)
        assert ended.game.abandoned
        assert ended.game.last_move.event.action == "discard"

    def test_comes_too_late_for_one_that_was_won_meanwhile(self, house, table, before_the_write):
        before_the_write(lambda: table.play("0 resign"))
        with pytest.raises(Refused) as caught:
            abandon_game(house, load(house, table.id), None)
        assert caught.value.code == "game_over"
        assert caught.value.stored.status == "finished"

    def test_is_done_where_somebody_else_did_it_meanwhile(self, house, table, before_the_write):
        first = load(house, table.id)
        before_the_write(lambda: try_to_abandon(house, first, "first"))
        assert abandon_game(house, first, "second").abandon_reason == "first"

    def test_gives_up_while_others_keep_changing_it(self, house, table, before_the_write):
        consents = [
            lambda void=void: table.answering.put(
                f"{table.path}/hands/1/void-consent", {"consent": void}, table.tokens[0]
            )
            for void in (True, False, True)
        ]
        before_the_write(*consents)
        with pytest.raises(Busy):
            abandon_game(house, load(house, table.id), None)
        assert len(consents) == TRIES
