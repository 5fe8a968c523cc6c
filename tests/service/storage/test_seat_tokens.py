"""Numbers of devices, labels, and tokens that were ended."""

from dataclasses import replace

import pytest

from service.storage import seat_tokens
from service.storage.seat_tokens import number_of
from tests.service.storage.stored import ADA, CODEC, loaded, passed, started


@pytest.fixture
def game(store):
    return started(store)


def add(store, seat=0, version=0, label=None, most=9):
    with store.writing() as conn:
        return seat_tokens.add(conn, "g_1", seat, version, label, most)


def end(store, number):
    with store.writing() as conn:
        seat_tokens.end(conn, "g_1", number)


def of_seat(store, seat=0):
    with store.reading() as conn:
        return seat_tokens.of_seat(conn, "g_1", seat, 0)


class TestADevice:
    def test_has_the_next_number_of_its_seat(self, store, game):
        assert [add(store).device for _ in range(3)] == [1, 2, 3]
        assert add(store, seat=1).device == 1

    def test_is_listed_behind_the_first_one(self, store, game):
        add(store, label="phone")
        first, second = of_seat(store)
        assert (first.device, first.label, first.created_at) == (0, None, game.created_at)
        assert (second.device, second.label) == (1, "phone")
        assert len(of_seat(store, 1)) == 1

    def test_is_not_given_beyond_the_most(self, store, game):
        assert [add(store, most=2) is None for _ in range(3)] == [False, False, True]
        with store.reading() as conn:
            assert seat_tokens.given(conn, "g_1", 0) == 2

    def test_is_given_once(self, store, game):
        with store.writing() as conn, conn.transaction():
            first = seat_tokens.add(conn, "g_1", 0, 0, None, 9)
        with store.writing() as conn:
            conn.execute("DELETE FROM seat_tokens")
        assert add(store).device == first.device


class TestAnEndedToken:
    def test_is_known_with_the_game_and_makes_no_version(self, store, game):
        for number in (number_of(1, 2, 3), 7, 7):
            end(store, number)
        found = loaded(store)
        assert found.ended_tokens == (number_of(1, 2, 3), 7)
        assert found.version == game.version

    def test_stays_ended_whatever_is_played(self, store, game):
        end(store, 5)
        passed(store, game)
        assert loaded(store).ended_tokens == (5,)

    def test_has_a_number_of_its_own(self):
        numbers = {
            number_of(seat, version, device)
            for seat in range(4)
            for version in (0, 1, 65535)
            for device in (0, 1, 65535)
        }
        assert len(numbers) == 36


class TestRotation:
    def rotate(self, store, before, most=9):
        now = replace(ADA, token_version=before.seats[0].token_version + 1)
        with store.writing() as conn:
            return seat_tokens.rotate(conn, CODEC, before, 0, now, "new", most)

    def test_gives_the_new_token_and_ends_the_first_of_its_version(self, store, game):
        given = self.rotate(store, game)
        found = loaded(store)
        assert (given.version, given.device, given.label) == (1, 1, "new")
        assert found.seats[0].token_version == 1
        assert found.ended_tokens == (number_of(0, 1, 0),)
        assert found.version == game.version + 1

    def test_changes_nothing_if_the_game_has_changed(self, store, game):
        passed(store, game)
        before = loaded(store)
        assert self.rotate(store, game) is None
        assert replace(loaded(store), read_at=before.read_at) == before
        assert len(of_seat(store)) == 1

    def test_changes_nothing_beyond_the_most(self, store, game):
        assert self.rotate(store, game, most=0) is None
        assert loaded(store).seats[0].token_version == 0


class TestWhatIsLeftBehind:
    def test_is_nothing(self, store, game):
        add(store, label="phone")
        add(store, seat=1, label="pad")
        with store.writing() as conn:
            seat_tokens.forget_seat(conn, "g_1", 0)
        assert [each.label for each in of_seat(store)] == [None, None]
        assert [each.label for each in of_seat(store, 1)] == [None, "pad"]
