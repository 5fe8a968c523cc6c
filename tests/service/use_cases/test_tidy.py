"""Rows whose time is over go by themselves."""

from service.storage.buckets import Claim, take
from service.storage.idempotency import KeyedRequest
from service.use_cases import tidy as module
from service.use_cases.tidy import tidy
from tests.service.storage.stored import count


def kept(house, name, seconds):
    """Keep an answer whose time is over in so many seconds."""
    request = KeyedRequest(name.encode(), b"h" * 16)
    with house.store.writing() as conn:
        house.kept.keep(conn, request, b"answer", None)
        conn.execute(
            "UPDATE idempotency_keys SET expires_at = now() + make_interval(secs => %s)"
            " WHERE name = %b",
            (seconds, request.name),
        )


class TestAnAnswer:
    def test_goes_once_its_time_is_over(self, answering):
        house = answering.house
        kept(house, "old", -1)
        kept(house, "young", 60)
        assert not tidy(house)
        assert count(house.store, "idempotency_keys") == 1

    def test_goes_in_batches(self, answering, monkeypatch):
        monkeypatch.setattr(module, "AT_ONCE", 2)
        house = answering.house
        for number in range(3):
            kept(house, f"old {number}", 60)
        with house.store.writing() as conn:
            conn.execute("UPDATE idempotency_keys SET expires_at = now()")
        assert tidy(house)
        assert not tidy(house)
        assert count(house.store, "idempotency_keys") == 0

    def test_that_lives_with_a_game_stays(self, answering, tables):
        house, table = answering.house, tables()
        with house.store.writing() as conn:
            house.kept.keep(conn, KeyedRequest(b"join", b"h" * 16), b"answer", table.id)
        assert not tidy(house)
        assert count(house.store, "idempotency_keys") == 1


class TestABucket:
    def test_goes_once_it_must_be_full(self, answering):
        house = answering.house
        with house.store.writing() as conn:
            conn.execute("DELETE FROM rate_buckets")
            for owner in ("old", "young"):
                take(conn, Claim(owner, "default", 10, 60, 1))
            conn.execute(
                "UPDATE rate_buckets SET used_at = now() - interval '2 days' WHERE owner = 'old'"
            )
        assert not tidy(house)
        assert count(house.store, "rate_buckets") == 1
