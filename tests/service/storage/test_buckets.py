"""The table of rate buckets: what a claim gets, on the database's own clock."""

import pytest

from service.storage import buckets, games
from service.storage.buckets import Claim
from tests.service.statements import listening
from tests.service.storage.stored import CODEC, count, loaded, started


def claim(tokens=1, owner="o", bucket="b", quota=100, seconds=3600):
    return Claim(owner, bucket, quota, seconds, tokens)


def take(store, **of):
    with store.reading() as conn:
        return buckets.take(conn, claim(**of))


def passes(store, seconds):
    """Let time pass: what was noted was noted earlier."""
    with store.writing() as conn:
        conn.execute(
            "UPDATE rate_buckets SET used_at = used_at - make_interval(secs => %s)", (seconds,)
        )


class TestABucket:
    def test_is_full_before_its_first_use(self, store):
        grant = take(store, tokens=3)
        assert (grant.tokens, grant.left) == (3, 97)

    def test_gives_what_it_has_and_then_nothing(self, store):
        assert take(store, tokens=60).tokens == 60
        assert take(store, tokens=60).tokens == 40
        nothing = take(store, tokens=60)
        assert nothing.tokens == 0
        assert nothing.left == pytest.approx(0, abs=0.1)

    def test_gives_the_last_one_alone(self, store):
        given = [take(store).tokens for _ in range(102)]
        assert given == [1] * 100 + [0, 0]

    def test_fills_itself_at_its_pace(self, store):
        take(store, tokens=100)
        passes(store, 36)
        assert [take(store).tokens, take(store).tokens] == [1, 0]
        passes(store, 360)
        assert [take(store, tokens=20).tokens, take(store).tokens] == [10, 0]

    def test_keeps_the_part_of_a_token_that_has_come(self, store):
        take(store, tokens=100)
        passes(store, 27)
        assert take(store).left == pytest.approx(0.75, abs=0.1)
        passes(store, 9)
        assert take(store).tokens == 1

    def test_holds_no_more_than_its_quota(self, store):
        take(store, tokens=100)
        passes(store, 1_000_000)
        assert take(store, tokens=100).tokens == 100
        assert take(store).tokens == 0

    def test_is_its_owners_and_its_names_alone(self, store):
        take(store, tokens=100)
        for other in ({"owner": "p"}, {"bucket": "c"}):
            assert take(store, **other).left == 99
        assert count(store, "rate_buckets") == 3

    def test_that_holds_less_than_was_used_gives_nothing(self, store):
        """The operator has set another quota meanwhile."""
        take(store, tokens=80)
        assert take(store, quota=50).tokens == 0
        assert take(store, quota=100).tokens == 1

    def test_is_exact_with_parts_that_no_computer_can_write(self, store):
        for _ in range(7):
            assert take(store, quota=7, seconds=86_400).tokens == 1
        assert take(store, quota=7, seconds=86_400).tokens == 0


class TestAGamesBucket:
    def charged(self, store, game_id="g_1", **of):
        with store.reading() as conn:
            return games.load_charged(conn, CODEC, claim(owner=game_id, **of))

    def test_is_taken_from_in_the_statement_that_loads_the_game(self, store):
        started(store)
        with listening() as said:
            stored, grant = self.charged(store)
        assert len(said.statements) == 1
        assert (stored.game, stored.version) == (loaded(store).game, loaded(store).version)
        assert (grant.tokens, grant.left) == (1, 99)

    def test_does_not_keep_the_game_back_when_it_is_empty(self, store):
        started(store)
        self.charged(store, tokens=100)
        stored, grant = self.charged(store)
        assert (stored.game, grant.tokens) == (loaded(store).game, 0)

    def test_may_be_that_of_no_game(self, store):
        stored, grant = self.charged(store, "g_none")
        assert (stored, grant.tokens) == (None, 1)


class TestASweep:
    def sweep(self, store, seconds=3600):
        with store.reading() as conn:
            return buckets.sweep(conn, seconds)

    def test_removes_what_must_be_full(self, store):
        take(store, owner="old", tokens=100)
        passes(store, 3601)
        take(store, owner="new")
        assert self.sweep(store) == 1
        assert count(store, "rate_buckets") == 1
        assert take(store, owner="old").left == 99

    def test_keeps_what_may_not_be(self, store):
        take(store)
        passes(store, 3500)
        assert self.sweep(store) == 0

    def test_waits_for_nobody(self, store):
        take(store)
        passes(store, 3601)
        with store.writing() as conn, conn.transaction():
            buckets.take(conn, claim())
            assert self.sweep(store) == 0

    def test_is_not_endless(self, store, monkeypatch):
        monkeypatch.setattr(buckets, "SWEPT", 2)
        for owner in "abc":
            take(store, owner=owner)
        passes(store, 3601)
        assert [self.sweep(store), self.sweep(store)] == [2, 1]
