"""Sitting down, alone and at the same time as others."""

import pytest

from service.storage.errors import Busy
from service.use_cases.join_game import invitation, join_game
from service.use_cases.make_move import TRIES
from service.use_cases.open_game import load
from service.use_cases.refusals import Refused
from service.use_cases.verify_games import verify_game
from tests.service.table import ADA

OPEN = {"kind": "human", "seating": "open"}


@pytest.fixture
def table(tables):
    return tables(seats=(OPEN, OPEN))


@pytest.fixture
def house(table):
    return table.answering.house


def join(house, table, seat=None, name=None):
    return join_game(house, table.id, table.join_code, seat, name)


def code_of(act):
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.code


class TestSittingDown:
    def test_takes_the_seat_that_was_asked_for(self, house, table):
        joined = join(house, table, 1, "Bob")
        assert (joined.seat, joined.stored.seats[1].name) == (1, "Bob")
        assert house.tokens.read(joined.token).seat == 1
        assert not joined.stored.seats[0].occupied

    def test_takes_the_first_free_one_otherwise(self, house, table):
        assert [join(house, table).seat, join(house, table).seat] == [0, 1]

    def test_last_has_the_first_hand_dealt(self, house, table):
        assert join(house, table).moves == []
        joined = join(house, table)
        assert [each.version for each in joined.moves] == [4]
        assert joined.stored.game.hand.number == 1
        assert verify_game(house.store, house.codec, table.id) is None

    def test_is_refused_where_it_cannot_be(self, house, table):
        assert code_of(lambda: join(house, table, 2)) == "out_of_range"
        join(house, table, 1)
        assert code_of(lambda: join(house, table, 1)) == "seat_taken"
        join(house, table)
        assert code_of(lambda: join(house, table)) == "game_full"
        assert code_of(lambda: join_game(house, table.id, "x", None, None)) == "not_found"
        assert code_of(lambda: join_game(house, "g_x", "x", None, None)) == "not_found"


class TestAnInvitation:
    def test_finds_the_game(self, house, table):
        assert invitation(house, table.join_code).game.setup.id == table.id
        assert code_of(lambda: invitation(house, "x")) == "not_found"


class TestTwoWhoSitDownAtOnce:
    def test_get_one_seat_each(self, house, table, meanwhile):
        first = []
        meanwhile(lambda: first.append(join(house, table)))
        assert (join(house, table).seat, first[0].seat) == (1, 0)
        assert verify_game(house.store, house.codec, table.id) is None

    def test_never_get_the_same_one(self, house, table, meanwhile):
        meanwhile(lambda: join(house, table, 0))
        assert code_of(lambda: join(house, table, 0)) == "seat_taken"

    def test_find_the_game_full(self, house, tables, meanwhile):
        table = tables(seats=(ADA, OPEN))
        meanwhile(lambda: join(house, table))
        assert code_of(lambda: join(house, table)) == "game_full"
        assert load(house, table.id).version == 3

    def test_are_told_that_it_is_busy_if_it_never_stops(self, house, table, meanwhile):
        def change() -> None:
            with house.store.writing() as conn:
                conn.execute("UPDATE games SET version = version + 1")

        meanwhile(change, TRIES)
        with pytest.raises(Busy):
            join(house, table)
