"""The line between processes: what is called on one is heard on the others, and no record."""

import select
from dataclasses import replace

import psycopg
import pytest

from service.portal_keys import hash_of
from service.storage import seat_tokens
from service.storage.errors import Unavailable
from service.storage.wakeups import LONGEST_CALL, Line
from service.use_cases.manage_keys import create_key, revoke_key
from tests.service.statements import listening
from tests.service.storage.stored import started


@pytest.fixture
def line(settings):
    with Line(settings) as line:
        yield line


@pytest.fixture
def other(settings):
    with Line(settings) as other:
        yield other


def hears(line, wanted: set[str]) -> bool:
    """Wait for calls until all that is ``wanted`` was heard."""
    heard: set[str] = set()
    waiting = select.poll()
    waiting.register(line.fileno(), select.POLLIN)
    while not heard >= wanted and waiting.poll(10_000):
        heard |= line.heard()
    return heard == wanted


class TestACall:
    def test_is_heard_on_another_line(self, line, other):
        line.call(["g_1", "g_2"])
        assert hears(other, {"g_1", "g_2"})

    def test_is_not_heard_where_it_was_called(self, line, other):
        line.call(["g_1"])
        other.call(["g_2"])
        assert hears(line, {"g_2"})

    def test_may_be_of_more_games_than_fit_a_payload(self, line, other):
        many = {f"g_{number:022}" for number in range(LONGEST_CALL + 1)}
        line.call(many)
        assert hears(other, many)

    def test_of_several_games_is_one_statement(self, line):
        with listening() as said:
            line.call(["g_1", "g_2", "g_3"])
        assert len(said.statements) == 1

    def test_does_not_wait_for_the_disk(self, line):
        assert line._conn.execute("SHOW synchronous_commit").fetchone() == ("off",)

    def test_that_came_beside_another_statement_is_not_lost(self, line, other):
        other.call(["g_1"])
        line.standings(["g_2"])
        assert line.heard() == {"g_1"}

    def test_is_none_while_nobody_calls(self, line):
        assert line.heard() == set()


class TestStandings:
    def test_are_those_of_the_games_that_are_there(self, line, store):
        game = started(store, "g_1")
        assert line.standings(["g_1", "g_none"]) == {"g_1": (game.version, 0)}

    def test_count_the_tokens_that_were_ended(self, line, store):
        game = started(store, "g_1")
        with store.writing() as conn:
            seat_tokens.end(conn, "g_1", 7)
        assert line.standings(["g_1"]) == {"g_1": (game.version, 1)}

    def test_are_not_of_a_game_that_was_deleted(self, line, store):
        started(store, "g_1")
        with store.writing() as conn:
            conn.execute("UPDATE games SET deleted_at = now()")
        assert line.standings(["g_1"]) == {}


class TestGoodKeys:
    def test_are_those_that_were_not_revoked(self, line, store):
        good, revoked = (create_key(store, "arcade", ["games:read"]) for _ in range(2))
        revoke_key(store, revoked.id)
        hashes = [hash_of(good.key), hash_of(revoked.key), b"?" * 32]
        assert line.good_keys(hashes) == {hash_of(good.key)}


NOWHERE = "postgresql://127.0.0.1:1/none"


class TestALostLine:
    @pytest.mark.parametrize("use", ["call", "standings"])
    def test_says_so(self, line, settings, use):
        with psycopg.connect(settings.database_url, autocommit=True) as conn:
            conn.execute("SELECT pg_terminate_backend(%s)", (line._conn.info.backend_pid,))
        with pytest.raises(Unavailable):
            getattr(line, use)(["g_1"])
        with pytest.raises(Unavailable):
            line.heard()

    def test_cannot_be_had_where_there_is_no_server(self, settings):
        with pytest.raises(Unavailable):
            Line(replace(settings, database_url=NOWHERE))

    def test_goes_past_a_bouncer(self, settings):
        direct = settings.database_url
        with Line(replace(settings, database_url=NOWHERE, direct_database_url=direct)) as line:
            assert line.standings([]) == {}
