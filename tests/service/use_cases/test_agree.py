"""Confirming and consenting: each a guarded write, looked at again if others were quicker."""

import pytest

from engine.game import Mover
from service.storage import games
from service.storage.errors import Busy
from service.use_cases.agree import confirm_hand, consent_void
from service.use_cases.make_move import TRIES
from service.use_cases.open_game import load
from service.use_cases.refusals import Refused
from service.use_cases.verify_games import verify_game
from tests.service.table import BOTH, DRAWN, SCORED


@pytest.fixture
def table(tables):
    return tables(*SCORED, rules=BOTH)


@pytest.fixture
def house(answering):
    return answering.house


def clean(house, table):
    return verify_game(house.store, house.codec, table.id) is None


class TestAConfirmation:
    def test_is_a_version_of_its_own_without_a_move(self, house, table):
        before = load(house, table.id)
        made = confirm_hand(house, before, 1, 1)
        assert (made.moves, made.replayed) == ([], False)
        assert made.stored.version == before.version + 1
        assert (made.stored.moved_version, made.stored.moved_at) == (
            before.moved_version, before.moved_at,
        )  # fmt: skip
        assert load(house, table.id).game == made.stored.game
        assert clean(house, table)

    def test_of_both_at_once_is_decided_again_by_the_later(self, house, table):
        stale = load(house, table.id)
        confirm_hand(house, stale, 0, 1)
        made = confirm_hand(house, stale, 1, 1)
        assert (made.replayed, made.stored.game.confirmed_by) == (False, (0, 1))
        assert clean(house, table)

    def test_that_finds_itself_made_is_answered_and_not_written_twice(self, house, table):
        stale = load(house, table.id)
        first = confirm_hand(house, stale, 0, 1)
        again = confirm_hand(house, stale, 0, 1)
        assert (again.replayed, again.stored.version) == (True, first.stored.version)

    def test_of_the_last_hand_finishes_the_game(self, tables, house):
        table = tables(*SCORED, rules={**BOTH, "target": 10})
        for seat in (0, 1):
            made = confirm_hand(house, load(house, table.id), seat, 1)
        assert (made.stored.status, load(house, table.id).status) == ("finished", "finished")
        assert clean(house, table)

    def test_of_a_hand_that_was_not_dealt_is_not_found(self, house, table):
        with pytest.raises(Refused) as caught:
            confirm_hand(house, load(house, table.id), 0, 2)
        assert caught.value.code == "not_found"

    def test_gives_up_when_the_game_keeps_changing(self, house, table, monkeypatch):
        tries = []
        monkeypatch.setattr(games, "change", lambda *_: tries.append(1))
        with pytest.raises(Busy):
            confirm_hand(house, load(house, table.id), 0, 1)
        assert len(tries) == TRIES


class TestAConsent:
    def test_of_the_second_seat_is_written_with_the_void(self, house, tables):
        table = tables(*DRAWN)
        first = consent_void(house, load(house, table.id), 0, 1, void=True)
        assert (first.moves, first.stored.game.void_consents) == ([], (0,))
        second = consent_void(house, load(house, table.id), 1, 1, void=True)
        (logged,) = second.moves
        assert (logged.move.by, logged.version) == (Mover.SERVER, first.stored.version + 2)
        assert second.stored.version == logged.version == second.stored.moved_version
        assert clean(house, table)

    def test_of_both_at_once_is_one_void(self, house, tables):
        table = tables(*DRAWN)
        stale = load(house, table.id)
        consent_void(house, stale, 0, 1, void=True)
        made = consent_void(house, stale, 1, 1, void=True)
        assert [logged.move.event.action for logged in made.moves] == ["void_hand"]
        assert clean(house, table)

    def test_that_was_taken_back_is_no_consent(self, house, tables):
        table = tables(*DRAWN)
        for seat, void in ((0, True), (0, False), (1, True)):
            made = consent_void(house, load(house, table.id), seat, 1, void=void)
        assert made.stored.game.void_consents == (1,)
        assert clean(house, table)

    def test_meets_a_move_that_was_quicker(self, house, tables):
        """The hand goes on, and so does what was said about it."""
        table = tables(*DRAWN)
        stale = load(house, table.id)
        table.play("0 discard KS")
        made = consent_void(house, stale, 1, 1, void=True)
        assert made.stored.game.hand.to_act == 1
        assert clean(house, table)

    def test_comes_too_late_for_a_hand_that_ended_meanwhile(self, house, tables):
        table = tables(*DRAWN)
        stale = load(house, table.id)
        table.play("0 knock KS", "1 lay_off")
        with pytest.raises(Refused) as caught:
            consent_void(house, stale, 1, 1, void=True)
        assert caught.value.code == "hand_over"
        assert caught.value.stored.version > stale.version
