"""A duty is one process's at a time, and due again after a while."""

import threading

import pytest

from service.storage import duties


def take(store, name="clocks", seconds=10.0):
    with store.writing() as conn:
        return duties.take(conn, name, seconds)


def leave(store, name="clocks", seconds=0.0):
    with store.writing() as conn:
        duties.leave(conn, name, seconds)


def time_passes(store, seconds):
    with store.writing() as conn:
        conn.execute("UPDATE duties SET until = until - make_interval(secs => %s)", (seconds,))


class TestADuty:
    def test_is_whose_who_takes_it_first(self, store):
        assert take(store)
        assert not take(store)
        assert take(store, "another")

    def test_is_anybodys_once_it_was_left(self, store):
        take(store)
        leave(store)
        assert take(store)

    def test_is_due_again_after_a_while(self, store):
        take(store)
        leave(store, seconds=5)
        time_passes(store, 4.5)
        assert not take(store)
        time_passes(store, 1)
        assert take(store)

    def test_is_anybodys_when_who_took_it_is_silent_for_too_long(self, store):
        take(store, seconds=10)
        time_passes(store, 9)
        assert not take(store)
        time_passes(store, 2)
        assert take(store)

    @pytest.mark.parametrize("known", [False, True])
    def test_is_one_process_s_of_many_who_want_it_at_once(self, store, known):
        if known:
            take(store)
            leave(store)
        together, got = threading.Barrier(6), []

        def want():
            together.wait(10)
            got.append(take(store))

        threads = [threading.Thread(target=want) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert sorted(got) == [False] * 5 + [True]
