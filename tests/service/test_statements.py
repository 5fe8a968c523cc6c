"""What is heard of all that is said to PostgreSQL, on which every budget of statements rests."""

import threading

import psycopg
import pytest

from service.storage.pool import Store
from service.storage.wakeups import Line
from tests.service.statements import listening


def in_thread(call):
    """Make a call in another thread, and wait for its end."""
    thread = threading.Thread(target=call)
    thread.start()
    thread.join(30)


def say(store):
    with store.reading() as conn:
        conn.execute("SELECT 1")


@pytest.fixture
def beside(settings):
    """A connection of no pool."""
    with psycopg.connect(settings.database_url, autocommit=True) as conn:
        yield conn


class TestHeard:
    def test_is_what_this_thread_says_on_whatever_connection(self, store, beside):
        say(store)
        with listening() as said:
            say(store)
            beside.execute("SELECT  2")
        assert said.statements == ["SELECT 1", "SELECT 2"]
        assert said.trips == 2

    def test_is_what_another_thread_says_on_a_connection_of_a_pool(self, store):
        say(store)
        with listening() as said:
            in_thread(lambda: say(store))
        assert (said.statements, said.trips) == (["SELECT 1"], 1)

    def test_is_nothing_any_more_in_the_end(self, store):
        with listening() as said:
            pass
        say(store)
        assert (said.statements, said.trips) == ([], 0)


class TestNotHeard:
    def test_is_what_a_pool_says_on_a_new_connection(self, settings):
        store = Store(settings)
        store.open()
        try:
            with listening() as said, store.reading(), store.reading() as second:
                second.execute("SELECT 1")  # one was there at most: the pool has grown
            assert said.statements == ["SELECT 1"]
        finally:
            store.close()

    def test_is_what_is_called_between_processes(self, settings):
        with Line(settings) as line, listening() as said:
            in_thread(lambda: line.call(["g_1"]))
        assert (said.statements, said.trips) == ([], 0)

    def test_is_what_another_thread_began_before(self, store):
        with store.reading() as conn, listening() as said:
            in_thread(lambda: conn.execute("SELECT 1"))
        assert said.statements == []
