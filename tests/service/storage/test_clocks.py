"""Games whose time ran out are found as long as something may follow, by an index of their own."""

from datetime import UTC, datetime

from service.storage import clocks
from tests.service.storage.stored import loaded, passed, started


def clock(store, game_id, seconds):
    """Let the time of who is due run out in so many seconds."""
    with store.writing() as conn:
        query = "UPDATE games SET turn_deadline = now() + make_interval(secs => %s) WHERE id = %s"
        conn.execute(query, (seconds, game_id))


def overdue(store, after=None, limit=10):
    with store.reading() as conn:
        return clocks.overdue(conn, after, limit)


def settle(store, stored):
    with store.writing() as conn:
        clocks.settle(conn, stored)


def names(found):
    return [game_id for _, game_id in found]


class TestAnOverdueGame:
    def test_is_found_the_longest_overdue_first(self, store):
        for name, seconds in (("g_1", -5), ("g_2", -9), ("g_3", 60), ("g_4", -1)):
            started(store, name)
            clock(store, name, seconds)
        started(store, "g_5")
        found = overdue(store)
        assert names(found) == ["g_2", "g_1", "g_4"]
        assert found[0][0] < datetime.now(UTC)

    def test_is_found_in_pages(self, store):
        for name in ("g_1", "g_2", "g_3"):
            started(store, name)
        with store.writing() as conn:
            conn.execute("UPDATE games SET turn_deadline = now()")
        first = overdue(store, None, 2)
        assert names(first) == ["g_1", "g_2"]
        assert names(overdue(store, first[-1], 2)) == ["g_3"]

    def test_that_is_over_or_deleted_is_not_found(self, store):
        for name in ("g_over", "g_gone"):
            started(store, name)
            clock(store, name, -1)
        with store.writing() as conn:
            conn.execute("UPDATE games SET status = 'finished' WHERE id = 'g_over'")
            conn.execute("UPDATE games SET deleted_at = now() WHERE id = 'g_gone'")
        assert overdue(store) == []


class TestASettledGame:
    def test_is_found_no_more(self, store):
        started(store)
        clock(store, "g_1", -1)
        before = loaded(store)
        settle(store, before)
        assert overdue(store) == []
        assert loaded(store).version == before.version

    def test_is_found_again_once_another_time_has_run_out(self, store):
        started(store)
        clock(store, "g_1", -2)
        settle(store, loaded(store))
        clock(store, "g_1", -1)
        assert names(overdue(store)) == ["g_1"]

    def test_is_none_if_it_was_changed_meanwhile(self, store):
        started(store)
        clock(store, "g_1", -1)
        before = loaded(store)
        passed(store, before)
        clock(store, "g_1", -1)
        settle(store, before)
        assert names(overdue(store)) == ["g_1"]


class TestTheLook:
    def test_is_by_an_index_that_has_nothing_but_what_is_due(self, store):
        """So it costs next to nothing, however many games have a clock."""
        with store.writing() as conn:
            conn.execute(
                "INSERT INTO games (id, version, next_move, status, seats, setup, state,"
                " turn_deadline) SELECT 'g_' || n, 1, 1, 'playing', '[]', '', '',"
                " now() + n * interval '1 second' FROM generate_series(1, 5000) AS n"
            )
            conn.execute("ANALYZE games")
            plan = conn.execute(f"EXPLAIN {clocks._OVERDUE}", ("-infinity", "", 100)).fetchall()
        assert "games_overdue" in str(plan)
        assert "Seq Scan" not in str(plan)
