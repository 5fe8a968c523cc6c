"""Opening a game: who may, and as whom."""

import pytest

from service.tokens import Token, TokenKind
from service.use_cases.open_game import Opened, load, open_game, playing_seat_of, seat_of
from service.use_cases.refusals import Refused
from tests.service.table import ADA, ON_REQUEST


def code_of(act, *arguments):
    with pytest.raises(Refused) as caught:
        act(*arguments)
    return caught.value.code


@pytest.fixture
def table(tables):
    return tables(seats=(ADA, ON_REQUEST))


@pytest.fixture
def house(table):
    return table.answering.house


class TestAToken:
    def test_of_a_person_opens_the_view_of_its_seat(self, house, table):
        opened = open_game(house, Token(TokenKind.SEAT, table.id, 0), table.id)
        assert (opened.seat, opened.viewer) == (0, 0)

    def test_of_a_computers_seat_opens_the_spectators(self, house, table):
        opened = open_game(house, Token(TokenKind.SEAT, table.id, 1), table.id)
        assert (opened.seat, opened.viewer) == (1, None)

    def test_of_a_spectator_has_no_seat(self, house, table):
        opened = open_game(house, Token(TokenKind.SPECTATOR, table.id, None), table.id)
        assert (opened.seat, opened.viewer) == (None, None)

    def test_of_another_game_finds_none(self, house, table, tables):
        other = tables()
        assert (
            code_of(open_game, house, Token(TokenKind.SEAT, other.id, 0), table.id) == "not_found"
        )
        assert code_of(open_game, house, Token(TokenKind.SEAT, "g_x", 0), "g_x") == "not_found"

    @pytest.mark.parametrize("token", [{"seat": 2}, {"seat": 0, "version": 1}, {"seat": None}])
    def test_that_was_ended_or_never_given_is_invalid(self, house, table, token):
        made = Token(TokenKind.SEAT, table.id, **token)
        assert code_of(open_game, house, made, table.id) == "token_invalid"

    def test_of_a_seat_that_nobody_took_is_invalid(self, house, tables):
        table = tables(seats=(ADA, {"kind": "human"}))
        token = Token(TokenKind.SEAT, table.id, 1)
        assert code_of(open_game, house, token, table.id) == "token_invalid"


class TestTheCaller:
    def test_has_a_seat_or_may_only_look(self, house, table):
        stored = load(house, table.id)
        assert seat_of(Opened(stored, 1, None)) == 1
        assert code_of(seat_of, Opened(stored, None, None)) == "spectator_read_only"

    def test_plays_its_own_seat_alone(self, house, table):
        stored = load(house, table.id)
        assert playing_seat_of(Opened(stored, 0, 0)) == 0
        assert code_of(playing_seat_of, Opened(stored, 1, None)) == "not_your_seat"
        assert code_of(playing_seat_of, Opened(stored, None, None)) == "spectator_read_only"
