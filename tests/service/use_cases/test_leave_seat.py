"""Leaving while others come; the rest is in blueprints/test_seat_tokens.py."""

import pytest

from service.storage import games
from service.storage.errors import Busy
from service.use_cases.join_game import join_game
from service.use_cases.leave_seat import leave_seat, open_to_leave
from service.use_cases.make_move import TRIES
from service.use_cases.open_game import load
from service.use_cases.refusals import Refused

OPEN = {"kind": "human", "seating": "open"}
ADA = {"kind": "human", "name": "Ada"}


@pytest.fixture
def table(tables):
    return tables(seats=(ADA, OPEN, OPEN))


@pytest.fixture
def house(table):
    return table.answering.house


def opened(house, table, seat=0):
    return open_to_leave(house, house.tokens.read(table.tokens[seat]), table.id, seat)


def sit(house, table, seat=None):
    return join_game(house, table.id, table.join_code, seat, "Bob")


class TestLeaving:
    def test_is_done_after_somebody_else_came(self, house, table, meanwhile):
        meanwhile(lambda: sit(house, table))
        leave_seat(house, opened(house, table), 0)
        stored = load(house, table.id)
        assert [seat.occupied for seat in stored.seats] == [False, True, False]

    def test_is_too_late_when_the_last_one_came_meanwhile(self, house, table, meanwhile):
        sit(house, table)
        meanwhile(lambda: sit(house, table))
        with pytest.raises(Refused) as caught:
            leave_seat(house, opened(house, table), 0)
        assert caught.value.code == "game_in_progress"

    def test_does_not_take_the_seat_from_who_came_after(self, house, table, meanwhile):
        one = opened(house, table)

        def leave_and_sit():
            leave_seat(house, opened(house, table), 0)
            sit(house, table, 0)

        meanwhile(leave_and_sit)
        leave_seat(house, one, 0)
        assert load(house, table.id).seats[0].name == "Bob"

    def test_gives_up_while_others_keep_changing_the_game(self, house, table, monkeypatch):
        asked = []
        monkeypatch.setattr(games, "seat", lambda *values, **_options: asked.append(values))
        with pytest.raises(Busy):
            leave_seat(house, opened(house, table), 0)
        assert len(asked) == TRIES
        assert load(house, table.id).seats[0].occupied
