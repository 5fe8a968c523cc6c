"""What games say of who is there follows from what all processes have noted."""

import threading
from dataclasses import replace

import pytest

from service.storage import games, presence
from service.storage.presence import Sighting
from tests.service.storage.stored import (
    ADA,
    CODEC,
    COMPUTER,
    count,
    loaded,
    passed,
    started,
    waiting,
)


def note(store, *seen):
    with store.writing() as conn:
        presence.note(conn, [Sighting(*each) for each in seen])


def time_passes(store, seconds):
    with store.writing() as conn:
        conn.execute(
            "UPDATE presence SET seen_until = seen_until - make_interval(secs => %s)", (seconds,)
        )


def set_right(store, *game_ids):
    with store.writing() as conn:
        return presence.set_right(conn, game_ids)


def differing(store, limit=10):
    with store.reading() as conn:
        return presence.differing(conn, limit)


def changes(store):
    with store.reading() as conn:
        query = "SELECT game_id, version, kind, seat FROM changes WHERE kind = 'presence'"
        return conn.execute(f"{query} ORDER BY game_id, version").fetchall()


class TestANote:
    def test_counts_for_so_many_seconds(self, store):
        started(store)
        note(store, ("g_1", 1, 30))
        assert set_right(store, "g_1") == ["g_1"]
        assert loaded(store).online == 0b10
        time_passes(store, 29)
        assert set_right(store, "g_1") == []
        time_passes(store, 1)
        assert set_right(store, "g_1") == ["g_1"]
        assert loaded(store).online == 0

    def test_holds_as_long_as_the_longest_of_those_of_all(self, store):
        started(store)
        note(store, ("g_1", 0, 30))
        note(store, ("g_1", 0, 1))
        time_passes(store, 29)
        set_right(store, "g_1")
        assert loaded(store).online == 0b1

    def test_goes_when_its_time_is_over(self, store):
        note(store, ("g_1", 0, 30), ("g_1", 1, 60), ("g_2", 0, 30))
        time_passes(store, 31)
        with store.writing() as conn:
            assert presence.forget(conn, 1) == 1
            assert presence.forget(conn, 10) == 1
        assert count(store, "presence") == 1


class TestAGame:
    def test_says_it_with_a_version_of_its_own(self, store):
        before = started(store)
        note(store, ("g_1", 0, 30), ("g_1", 1, 30))
        set_right(store, "g_1")
        after = loaded(store)
        assert (after.version, after.sightings) == (before.version + 1, 1)
        assert (after.guard, after.updated_at) == (before.guard, before.updated_at)
        assert (after.moved_version, after.game) == (before.moved_version, before.game)
        assert changes(store) == [("g_1", after.version, "presence", None)]

    def test_says_it_once(self, store):
        started(store)
        note(store, ("g_1", 0, 30))
        assert [set_right(store, "g_1") for _ in range(3)] == [["g_1"], [], []]
        assert len(changes(store)) == 1

    def test_of_which_nobody_is_noted_is_as_it_was(self, store):
        game = started(store)
        assert set_right(store, "g_1", "g_none") == []
        assert loaded(store).version == game.version

    def test_that_is_over_or_deleted_says_nothing_more(self, store):
        for name in ("g_over", "g_gone"):
            started(store, name)
        with store.writing() as conn:
            conn.execute("UPDATE games SET status = 'finished' WHERE id = 'g_over'")
            conn.execute("UPDATE games SET deleted_at = now() WHERE id = 'g_gone'")
        note(store, ("g_over", 0, 30), ("g_gone", 0, 30))
        assert differing(store) == []
        assert set_right(store, "g_over", "g_gone") == []

    def test_that_is_being_written_is_left_for_later(self, store):
        started(store, "g_1")
        started(store, "g_2")
        note(store, ("g_1", 0, 30), ("g_2", 0, 30))
        with store.writing() as conn, conn.transaction():
            conn.execute("UPDATE games SET status = status WHERE id = 'g_1'")
            assert set_right(store, "g_1", "g_2") == ["g_2"]
        assert differing(store) == ["g_1"]
        assert set_right(store, "g_1") == ["g_1"]


class TestADifference:
    def test_is_found_of_who_came_and_of_who_went(self, store):
        for name in ("g_came", "g_went", "g_stays", "g_nobody", "g_more"):
            started(store, name)
        note(store, ("g_went", 0, 30), ("g_stays", 0, 60), ("g_more", 0, 60))
        set_right(store, "g_went", "g_stays", "g_more")
        note(store, ("g_came", 1, 60), ("g_more", 1, 60))
        time_passes(store, 31)
        assert sorted(differing(store)) == ["g_came", "g_more", "g_went"]

    def test_is_found_after_a_crash_that_took_all_notes(self, store):
        started(store)
        note(store, ("g_1", 0, 30))
        set_right(store, "g_1")
        with store.writing() as conn:
            conn.execute("TRUNCATE presence")
        assert differing(store) == ["g_1"]

    def test_is_not_found_beyond_a_limit(self, store):
        for number in range(4):
            started(store, f"g_{number}")
            note(store, (f"g_{number}", 0, 30))
        assert len(differing(store, 2)) == 2

    def test_that_many_set_right_at_once_is_one_version(self, store):
        before = [started(store, f"g_{number}").version for number in range(5)]
        names = [f"g_{number}" for number in range(5)]
        together, done = threading.Barrier(4), []

        def come(seat):
            note(store, *((name, seat, 30) for name in names))
            together.wait(10)
            done.append(set_right(store, *names))

        threads = [threading.Thread(target=come, args=(seat % 2,)) for seat in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        while left := differing(store):
            done.append(set_right(store, *left))
        for name, version in zip(names, before, strict=True):
            after = loaded(store, name)
            assert after.online == 0b11
            assert after.version - version == after.sightings == sum(name in each for each in done)


class TestAMove:
    """What is decided before somebody came or went is written after it, and nothing is lost."""

    @pytest.fixture
    def before(self, store):
        return started(store)

    def come(self, store, seat=0):
        note(store, ("g_1", seat, 30))
        assert set_right(store, "g_1") == ["g_1"]

    def test_is_not_kept_from_being_written(self, store, before):
        self.come(store)
        saved = passed(store, before)
        assert saved is not None
        assert (saved.version, saved.sightings) == (before.version + 2, 1)
        assert saved.online == 0b1
        assert saved.moved_version == saved.version
        assert replace(saved, read_at=None) == replace(loaded(store), read_at=None)
        with store.reading() as conn:
            versions = conn.execute(
                "SELECT version FROM moves UNION ALL SELECT version FROM changes"
            ).fetchall()
        assert sorted(row[0] for row in versions) == list(range(1, saved.version + 1))

    def test_is_so_by_a_move_of_another(self, store, before):
        assert passed(store, before) is not None
        self.come(store)
        assert passed(store, before) is None

    def test_is_not_though_somebody_comes_and_goes_all_the_time(self, store, before):
        for seat in (0, 1):
            self.come(store, seat)
        time_passes(store, 60)
        assert set_right(store, "g_1") == ["g_1"]
        saved = passed(store, before)
        assert (saved.version - before.version, saved.sightings, saved.online) == (4, 3, 0)

    def test_is_as_free_where_somebody_joins(self, store):
        stored = waiting(store)
        self.come(store)
        with store.writing() as conn:
            sat = games.seat(conn, CODEC, stored, 1, ADA, stored.game, ())
        assert (sat.version, sat.online) == (3, 0b1)
        assert loaded(store).seats[1] == ADA
        with store.reading() as conn:
            found = conn.execute("SELECT version, kind FROM changes ORDER BY version").fetchall()
        assert found == [(1, "created"), (2, "presence"), (3, "joined")]

    def test_with_a_computer_is_no_other(self, store):
        stored = started(store, "g_2", (ADA, COMPUTER))
        note(store, ("g_2", 0, 30))
        set_right(store, "g_2")
        assert passed(store, stored) is not None


class TestTheLook:
    def test_reads_only_games_where_somebody_is_or_has_come_to(self, store):
        """So it costs what those who are there cost, however many games there are."""
        with store.writing() as conn:
            conn.execute(
                "INSERT INTO games (id, version, next_move, status, seats, setup, state, online)"
                " SELECT 'g_' || n, 1, 1, 'playing', '[]', '', '', (n % 50 = 0)::int"
                " FROM generate_series(1, 5000) AS n"
            )
            conn.execute(
                "INSERT INTO presence SELECT id, 0, now() + interval '1 minute',"
                " now() - interval '1 hour' FROM games WHERE online = 1"
            )
            conn.execute("ANALYZE games, presence")
            plan = conn.execute(f"EXPLAIN {presence._DIFFERING}", {"limit": 100}).fetchall()
        assert "Seq Scan on games" not in str(plan)
        assert "games_online" in str(plan)
