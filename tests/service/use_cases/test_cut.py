"""The cut: a guarded write, looked at again if others were quicker, and never dealt twice."""

import hashlib

import pytest

from service.storage.errors import Busy
from service.use_cases.cut import cut_for_hand
from service.use_cases.make_move import TRIES
from service.use_cases.open_game import load
from service.use_cases.refusals import Refused
from service.use_cases.verify_games import verify_game
from tests.contract.tour_of_cuts import MINE, SEATS, YOURS

NONCES = (bytes.fromhex(MINE), bytes.fromhex(YOURS))
NEXT = [hashlib.sha256(bytes([seat])).hexdigest() for seat in (0, 1)]


@pytest.fixture
def house(answering):
    return answering.house


@pytest.fixture
def table(tables):
    return tables(seats=SEATS, deal=None)


def cut(house, stored, seat):
    return cut_for_hand(house, stored, seat, 1, NONCES[seat], NEXT[seat])


def clean(house, table):
    return verify_game(house.store, house.codec, table.id) is None


class TestACut:
    def test_is_a_version_of_its_own_without_a_move(self, house, table):
        before = load(house, table.id)
        made = cut(house, before, 1)
        assert (made.moves, made.replayed) == ([], False)
        assert made.stored.version == before.version + 1
        assert load(house, table.id).game == made.stored.game
        assert clean(house, table)

    def test_of_both_at_once_is_decided_again_by_the_later_which_deals(self, house, table):
        stale = load(house, table.id)
        cut(house, stale, 0)
        made = cut(house, stale, 1)
        assert [each.move.event.action for each in made.moves] == ["deal"]
        assert made.stored.game.hand.contributors == (0, 1)
        assert clean(house, table)

    def test_that_finds_itself_made_is_answered_and_not_written_twice(self, house, table):
        stale = load(house, table.id)
        first = cut(house, stale, 0)
        again = cut(house, stale, 0)
        assert (again.replayed, again.stored.version) == (True, first.stored.version)

    def test_that_finds_the_hand_dealt_is_answered_with_the_deal(self, house, table):
        stale = load(house, table.id)
        cut(house, stale, 0)
        dealt = cut(house, load(house, table.id), 1)
        for seat in (0, 1):
            again = cut(house, stale, seat)
            assert again.replayed
            assert [each.move for each in again.moves] == [each.move for each in dealt.moves]

    def test_gives_up_when_others_keep_changing_the_game(self, house, table, meanwhile):
        def disturb():
            with house.store.writing() as conn:
                conn.execute("UPDATE games SET version = version + 1")

        meanwhile(disturb, TRIES)
        with pytest.raises(Busy):
            cut(house, load(house, table.id), 0)

    def test_meets_the_end_of_the_game(self, house, table):
        stale = load(house, table.id)
        cut(house, stale, 1)
        assert table.send("1 resign").status_code == 201
        with pytest.raises(Refused) as refused:
            cut(house, stale, 0)
        assert refused.value.code == "game_over"
