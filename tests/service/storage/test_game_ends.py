"""The ends of a game's life, by the database's clock."""

from dataclasses import replace
from datetime import timedelta

import pytest

from engine.agreements import abandon
from service.storage import game_ends, games
from service.storage.games import ABANDONED, NOBODYS, Ownership
from tests.service.storage.stored import (
    ADA,
    BOB,
    CODEC,
    COMPUTER,
    begin,
    count,
    loaded,
    passed,
    setup_of,
    started,
    waiting,
)

DAY = timedelta(days=1)


def end(store, stored, reason=None):
    agreed = abandon(stored.game)
    with store.writing() as conn:
        return game_ends.abandon(conn, CODEC, stored, agreed.change, agreed.game, reason)


def aged(store, game_id, days):
    with store.writing() as conn:
        conn.execute(
            "UPDATE games SET created_at = created_at - %s, updated_at = updated_at - %s"
            " WHERE id = %s",
            (days * DAY, days * DAY, game_id),
        )


def expired(store, after=None, limit=9, idle=30):
    with store.reading() as conn:
        return game_ends.expired(conn, after, DAY, idle * DAY, limit)


class TestAnAbandonedGame:
    def test_is_read_as_it_was_stored(self, store):
        saved = end(store, waiting(store), "because")
        found = loaded(store)
        assert replace(found, read_at=saved.read_at) == saved
        assert (found.status, found.join_code, found.abandon_reason) == (ABANDONED, None, "because")
        assert found.game.abandoned

    def test_is_not_one_that_has_changed(self, store):
        stored = started(store)
        passed(store, stored)
        assert end(store, stored) is None
        assert loaded(store).status == "playing"


class TestAnExpiredGame:
    def test_waited_or_was_idle_for_too_long(self, store):
        for game_id, days in (("g_1", 0), ("g_2", 2)):
            waiting(store, game_id, join_code=game_id)
            aged(store, game_id, days)
        for game_id, days in (("g_3", 2), ("g_4", 31)):
            started(store, game_id)
            aged(store, game_id, days)
        assert [game_id for _, game_id in expired(store)] == ["g_4", "g_2"]

    def test_is_not_one_that_was_changed_lately(self, store):
        stored = started(store)
        aged(store, "g_1", 31)
        assert len(expired(store)) == 1
        passed(store, replace(stored))
        assert expired(store) == []

    def test_is_neither_over_nor_deleted(self, store):
        end(store, started(store, "g_1"))
        started(store, "g_2")
        with store.writing() as conn:
            game_ends.forget(conn, "g_2", delete=True)
        for game_id in ("g_1", "g_2"):
            aged(store, game_id, 99)
        assert expired(store) == []

    def test_is_found_in_batches(self, store):
        for at in range(5):
            started(store, f"g_{at}")
            aged(store, f"g_{at}", 90 - at)
        first = expired(store, limit=2)
        second = expired(store, first[-1], limit=2)
        last = expired(store, second[-1], limit=2)
        assert [place[1] for place in first + second + last] == [f"g_{at}" for at in range(5)]


class TestAnArchivedGame:
    def test_was_over_for_long(self, store):
        for game_id, days in (("g_1", 91), ("g_2", 89)):
            end(store, started(store, game_id))
            aged(store, game_id, days)
        started(store, "g_3")
        aged(store, "g_3", 200)
        with store.writing() as conn:
            assert game_ends.archive(conn, 90 * DAY, 9) == 1
            assert game_ends.archive(conn, 90 * DAY, 9) == 0
        assert [loaded(store, f"g_{at}").archived for at in (1, 2, 3)] == [True, False, False]

    def test_is_left_to_who_has_it_already(self, store):
        end(store, started(store))
        aged(store, "g_1", 91)
        with store.writing() as conn, conn.transaction():
            conn.execute("SELECT FROM games FOR UPDATE")
            with store.writing() as other:
                assert game_ends.archive(other, 90 * DAY, 9) == 0


class TestARematch:
    def insert(self, store, before, game_id):
        made = begin(setup_of(game_id))
        with store.writing() as conn:
            return game_ends.insert_rematch(
                conn, CODEC, before, made.game, (ADA, BOB), made.moves, NOBODYS, 1
            )

    def test_is_one_for_each_game(self, store):
        old = end(store, started(store))
        assert self.insert(store, old, "g_2").game.setup.id == "g_2"
        assert self.insert(store, old, "g_3") is None
        found = loaded(store)
        assert (found.rematch_game_id, found.version) == ("g_2", old.version + 1)
        assert loaded(store, "g_3") is None
        assert count(store, "games") == 2


class TestForgetting:
    SEATS = (
        replace(ADA, player_ref="ref-ada"),
        replace(BOB, player_ref="ref-bob"),
        replace(COMPUTER, name="HAL"),
    )

    @pytest.fixture
    def game(self, store):
        made = begin(setup_of("g_1", self.SEATS[:2]))
        owner = Ownership("p_1", {"who": "x"})
        with store.writing() as conn:
            conn.execute("INSERT INTO portals (id, name) VALUES ('p_1', 'arcade')")
            return games.insert(conn, CODEC, made.game, self.SEATS[:2], None, made.moves, owner)

    def test_takes_all_that_tells_who_played(self, store, game):
        with store.writing() as conn:
            assert game_ends.forget(conn, "g_1")
            assert game_ends.metadata_of(conn, "g_1") is None
        found = loaded(store)
        assert [(seat.name, seat.player_ref) for seat in found.seats] == [(None, None)] * 2
        assert [seat.kind for seat in found.seats] == [seat.kind for seat in game.seats]
        assert (found.version, found.game) == (game.version + 1, game.game)

    def test_can_be_of_one_seat(self, store, game):
        with store.writing() as conn:
            assert game_ends.forget(conn, "g_1", seats=[1])
        assert [seat.name for seat in loaded(store).seats] == ["Ada", None]

    def test_can_be_held_to_a_version(self, store, game):
        with store.writing() as conn:
            assert not game_ends.forget(conn, "g_1", version=game.version + 1)
            assert game_ends.forget(conn, "g_1", version=game.version)
            assert not game_ends.forget(conn, "g_none")

    def test_of_a_deleted_game_leaves_it_for_the_operator(self, store, game):
        with store.writing() as conn:
            assert game_ends.forget(conn, "g_1", delete=True)
            assert game_ends.was_deleted(conn, "g_1", "p_1")
            assert not game_ends.was_deleted(conn, "g_1", "p_2")
            assert games.load(conn, CODEC, "g_1") is None
            assert games.load(conn, CODEC, "g_1", deleted=True).game == game.game
            assert not game_ends.forget(conn, "g_1", delete=True)

    def test_finds_a_player_wherever_it_sat(self, store, game):
        with store.reading() as conn:
            for portal in ("arcade", None):
                found = game_ends.with_player(conn, "ref-bob", portal, "", 9)
                assert found == [("g_1", [1])]
            assert game_ends.with_player(conn, "ref-bob", "other", "", 9) == []
            assert game_ends.with_player(conn, "ref-bob", None, "g_1", 9) == []
            assert game_ends.with_player(conn, "ref", None, "", 9) == []
