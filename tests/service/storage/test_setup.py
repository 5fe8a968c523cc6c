"""What a database needs before it is used, and whether it has it."""

from dataclasses import replace

import pytest

from service.storage.errors import NotDurable, Unavailable
from service.storage.migrate import read
from service.storage.pool import Store
from service.storage.setup import prepare, ready


@pytest.fixture
def fresh(settings, empty_database_url):
    return replace(settings, database_url=empty_database_url)


class TestPreparing:
    def test_migrates_once(self, fresh):
        assert [one.number for one in prepare(fresh)] == [one.number for one in read()]
        assert prepare(fresh) == []

    def test_refuses_a_server_that_forgets_before_it_changes_anything(self, fresh):
        with pytest.raises(NotDurable):
            prepare(replace(fresh, require_durable=True))
        store = Store(fresh)
        assert not ready(store)
        store.close()

    def test_says_when_there_is_no_server(self, settings):
        with pytest.raises(Unavailable, match="/nowhere"):
            prepare(replace(settings, database_url="postgresql:///none?host=/nowhere"))


class TestReadiness:
    def test_begins_with_the_migrations(self, fresh):
        store = Store(fresh)
        assert not ready(store)
        prepare(fresh)
        assert ready(store)
        store.close()

    def test_needs_a_server(self, settings):
        away = replace(settings, database_url="postgresql:///none?host=/nowhere")
        store = Store(replace(away, pool_timeout_seconds=0.05))
        with pytest.raises(Unavailable):
            ready(store)
        store.close()
