"""Dealing: once for each hand, whoever asks."""

import pytest

from service.storage.errors import Busy
from service.use_cases.deal_hand import deal_hand
from service.use_cases.make_move import TRIES
from service.use_cases.open_game import load
from service.use_cases.refusals import Refused
from service.use_cases.verify_games import verify_game
from tests.service.table import ADA, EASY, SCORED


@pytest.fixture
def table(tables):
    return tables(*SCORED)


@pytest.fixture
def house(table):
    return table.answering.house


def deal(house, table, seat=0, number=2):
    return deal_hand(house, load(house, table.id), seat, number)


class TestADeal:
    def test_is_one_move_of_the_server(self, house, table):
        dealt = deal(house, table)
        (logged,) = dealt.moves
        assert (logged.move.by, logged.move.seat, logged.move.hand_number) == ("server", None, 2)
        assert verify_game(house.store, house.codec, table.id) is None

    def test_comes_with_the_opening_of_a_computer(self, tables, house):
        table = tables("0 pass", "0 draw stock", "0 knock KS", seats=(ADA, EASY))
        dealt = deal(house, table)
        assert [each.move.seat for each in dealt.moves] == [None, 1]

    def test_is_given_again_to_every_seat(self, house, table):
        first = deal(house, table)
        again = deal(house, table, seat=1)
        assert (again.replayed, again.moves) == (True, first.moves)
        assert again.stored.version == first.stored.version

    def test_of_a_hand_beyond_the_coming_one_is_out_of_range(self, house, table):
        with pytest.raises(Refused) as caught:
            deal(house, table, number=3)
        assert (caught.value.code, caught.value.params) == ("out_of_range", {"min": 1, "max": 2})
        assert caught.value.pointer == "/hand_number"

    def test_is_not_for_a_computer_among_people_to_ask_for(self, tables, house):
        table = tables("0 pass", "0 draw stock", "0 knock KS", seats=(ADA, EASY))
        with pytest.raises(Refused) as caught:
            deal(house, table, seat=1)
        assert (caught.value.code, caught.value.params) == (
            "not_your_turn", {"to_act_seats": (0,)}
        )  # fmt: skip


class TestTwoWhoAskAtOnce:
    def test_get_the_same_deal(self, house, table, meanwhile):
        first = []
        meanwhile(lambda: first.append(deal(house, table)))
        second = deal(house, table, seat=1)
        assert second.replayed
        assert second.moves == first[0].moves

    def test_are_told_that_it_is_busy_if_it_never_stops(self, house, table, meanwhile):
        def change() -> None:
            with house.store.writing() as conn:
                conn.execute("UPDATE games SET version = version + 1")

        meanwhile(change, TRIES)
        with pytest.raises(Busy):
            deal(house, table)
