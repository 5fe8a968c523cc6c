"""Tokens of a seat while something else happens; the rest is in blueprints/test_seat_tokens.py."""

import pytest

from service.storage import games, seat_tokens
from service.storage.errors import Busy
from service.use_cases.keep_seat_tokens import give_token, living_tokens
from service.use_cases.make_move import TRIES
from service.use_cases.open_game import load

SEAT = games.seat
ADD = seat_tokens.add


@pytest.fixture
def table(tables):
    return tables()


@pytest.fixture
def house(table):
    return table.answering.house


class TestRotation:
    def test_is_done_after_what_was_played_meanwhile(self, house, table, meanwhile):
        meanwhile(lambda: table.play("0 pass"))
        given = give_token(house, load(house, table.id), 0, None, rotate=True)
        assert house.tokens.read(given.token).version == 1
        assert load(house, table.id).game.last_move.seat == 0

    def test_twice_at_once_leaves_the_second_alone(self, house, table, meanwhile):
        made = []
        stored = load(house, table.id)
        meanwhile(lambda: made.append(give_token(house, stored, 0, None, rotate=True)))
        last = give_token(house, stored, 0, None, rotate=True)
        assert [house.tokens.read(each.token).version for each in (*made, last)] == [1, 2]
        living = living_tokens(house, load(house, table.id), 0)
        assert [(each.version, each.device) for each in living] == [(2, 2)]

    def test_gives_up_while_others_keep_changing_the_game(self, house, table, meanwhile):
        lines = iter(("0 pass", "1 pass", "0 draw stock"))
        stored = load(house, table.id)
        from service.storage.games import save

        def play():
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(games, "save", save)
                table.play(next(lines))

        meanwhile(play, TRIES)
        with pytest.raises(Busy):
            give_token(house, stored, 0, None, rotate=True)
        assert load(house, table.id).seats[0].token_version == 0


class TestAnotherDevice:
    def test_gets_a_token_though_another_one_got_the_number(self, house, table, monkeypatch):
        lost = [None]

        def late(*values):
            return lost.pop() if lost else ADD(*values)

        monkeypatch.setattr(seat_tokens, "add", late)
        given = give_token(house, load(house, table.id), 0, "phone", rotate=False)
        assert given.id == "st_0_1"
