"""Kept answers: sealed, claimed by one transaction, and gone when their time is over."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from service.storage.errors import KeyTaken
from service.storage.idempotency import SWEPT, KeptAnswer, KeptAnswers, KeyedRequest
from service.storage.pool import Store
from service.storage.sealing import SealBroken
from tests.service.storage.stored import SECRET, count, waiting

REQUEST = KeyedRequest(b"createGame|a-key", b"h" * 16)
OTHER = KeyedRequest(b"createGame|another-key", b"h" * 16)
ANSWER = b'{"token":"grs_1"}'
KEPT = KeptAnswers([SECRET], 3600)
TOGETHER_SECONDS = 60


def keep(store, request=REQUEST, answer=ANSWER, game_id=None, kept=KEPT):
    with store.writing() as conn, conn.transaction():
        kept.keep(conn, request, answer, game_id)


def find(store, request=REQUEST, kept=KEPT):
    with store.reading() as conn:
        return kept.find(conn, request)


def expire(store, *requests):
    with store.writing() as conn:
        conn.execute(
            "UPDATE idempotency_keys SET expires_at = now() WHERE name = ANY(%s)",
            ([each.name for each in requests],),
        )


class TestAnAnswer:
    def test_is_found_as_it_was_kept(self, store):
        assert find(store) is None
        keep(store)
        assert find(store) == KeptAnswer(REQUEST.request_hash, ANSWER)
        assert find(store, OTHER) is None

    def test_is_found_by_a_request_that_asks_for_something_else(self, store):
        keep(store)
        reused = replace(REQUEST, request_hash=b"x" * 16)
        assert find(store, reused) == KeptAnswer(REQUEST.request_hash, ANSWER)

    def test_is_kept_once(self, store):
        keep(store)
        with pytest.raises(KeyTaken):
            keep(store, answer=b"another")
        assert find(store).answer == ANSWER

    def test_is_not_kept_if_what_it_tells_of_is_not(self, store):
        with store.writing() as conn, conn.transaction(force_rollback=True):
            KEPT.keep(conn, REQUEST, ANSWER, None)
        assert find(store) is None
        keep(store)


class TestItsTime:
    def test_is_by_the_clock_of_the_database(self, store):
        keep(store)
        with store.reading() as conn:
            (left,) = conn.execute(
                "SELECT extract(epoch FROM expires_at - now()) FROM idempotency_keys"
            ).fetchone()
        assert 0 < 3600 - left < TOGETHER_SECONDS

    def test_ends(self, store):
        keep(store)
        expire(store, REQUEST)
        assert find(store) is None
        keep(store, answer=b"the next")
        assert find(store).answer == b"the next"

    def test_is_as_long_as_that_of_its_game(self, store):
        waiting(store)
        keep(store, game_id="g_1")
        with store.writing() as conn:
            assert conn.execute("SELECT expires_at FROM idempotency_keys").fetchone() == (None,)
            assert KEPT.find(conn, REQUEST) is not None
            conn.execute("DELETE FROM games")
        assert count(store, "idempotency_keys") == 0

    def test_ends_without_anything_piling_up(self, store):
        old = [KeyedRequest(b"old %d" % number, b"h" * 16) for number in range(2 * SWEPT + 1)]
        for each in (*old, OTHER):
            keep(store, each)
        expire(store, *old)
        left = []
        for number in range(4):
            keep(store, KeyedRequest(b"new %d" % number, b"h" * 16))
            left.append(count(store, "idempotency_keys"))
        assert left == [1 + 2 * SWEPT + 1 + 1 - SWEPT, 4, 4, 5]
        assert find(store, OTHER) is not None

    def test_of_an_answer_that_is_kept_for_its_game_is_never_over(self, store):
        waiting(store)
        keep(store, game_id="g_1")
        keep(store, OTHER)
        assert find(store) is not None


class TestWhatLiesInTheDatabase:
    def test_tells_nothing_to_who_has_not_the_request(self, store):
        keep(store)
        with store.reading() as conn:
            name, answer = conn.execute("SELECT name, answer FROM idempotency_keys").fetchone()
        assert b"a-key" not in name + answer
        assert b"grs_1" not in answer
        assert REQUEST.request_hash not in name + answer

    def test_does_not_open_in_the_place_of_another(self, store):
        keep(store)
        with store.writing() as conn:
            conn.execute("UPDATE idempotency_keys SET name = %b", (OTHER.name,))
        with pytest.raises(SealBroken):
            find(store, OTHER)

    def test_opens_under_an_older_secret_and_under_no_other(self, store):
        keep(store)
        assert find(store, kept=KeptAnswers([b"n" * 32, SECRET], 3600)).answer == ANSWER
        with pytest.raises(SealBroken):
            find(store, kept=KeptAnswers([b"n" * 32], 3600))

    def test_has_a_place_that_does_not_depend_on_the_secret(self, store):
        keep(store)
        with pytest.raises(KeyTaken):
            keep(store, kept=KeptAnswers([b"n" * 32, SECRET], 3600))


class TestTwoAtOnce:
    @pytest.fixture
    def patient(self, settings):
        store = Store(replace(settings, lock_timeout_ms=60_000, statement_timeout_ms=60_000))
        yield store
        store.close()

    def second(self, store, first_ends):
        """Keep an answer while another transaction is about to; return what came of it."""
        with ThreadPoolExecutor(1) as pool:
            with store.writing() as conn, conn.transaction(force_rollback=first_ends == "undone"):
                KEPT.keep(conn, REQUEST, ANSWER, None)
                late = pool.submit(keep, store, answer=b"late")
                self.wait_until_it_waits(conn)
            return late.exception(TOGETHER_SECONDS)

    @staticmethod
    def wait_until_it_waits(conn):
        pause = threading.Event()
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'"
        while conn.execute(waiting).fetchone() == (0,):
            pause.wait(0.01)

    def test_have_one_kept(self, patient, store):
        assert isinstance(self.second(patient, "done"), KeyTaken)
        assert find(store).answer == ANSWER

    def test_have_the_second_kept_if_the_first_is_undone(self, patient, store):
        assert self.second(patient, "undone") is None
        assert find(store).answer == b"late"

    def test_are_told_before_long(self, settings, store):
        hasty = Store(replace(settings, lock_timeout_ms=50))
        try:
            with store.writing() as conn, conn.transaction():
                KEPT.keep(conn, REQUEST, ANSWER, None)
                with pytest.raises(KeyTaken):
                    keep(hasty)
        finally:
            hasty.close()
