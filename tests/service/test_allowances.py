"""What a process holds of the rate limits, on a clock and a database of the tests' own."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.allowances import (
    ASKING_SECONDS,
    AWAY_SECONDS,
    FRESH_SECONDS,
    LARGEST_SHARE,
    SWEEP_SECONDS,
    Allowances,
    share_of,
)
from service.settings import Limit
from service.storage.buckets import Grant

WORKERS = 4


class World:
    """A clock, one bucket as the database keeps it, and processes that share it."""

    def __init__(self, quota=100, seconds=3600, workers=1):
        self.now = 1000.0
        self.limit = Limit(quota, seconds)
        self.claims = 0
        self._used, self._used_at = 0.0, self.now
        limits = {"moves": self.limit, "ai": None}
        self.workers = [Allowances(limits, lambda: self.now) for _ in range(workers)]

    def grant(self, claim):
        self.claims += 1
        back = (self.now - self._used_at) * claim.quota / claim.seconds
        missing = max(0.0, self._used - back)
        given = max(0, min(claim.tokens, math.floor(claim.quota - missing + 1e-6)))
        self._used, self._used_at = missing + given, self.now
        return Grant(given, claim.quota - self._used)

    def ask(self, worker=0, owner="g_1"):
        """Send a request; return its standing."""
        allowances = self.workers[worker]
        charge = allowances.charge("moves", owner, "0.0")
        claim = allowances.spend(charge)
        if claim is not None:
            allowances.settle(charge, self.grant(claim))
        return charge.standing

    def admitted(self, worker=0):
        return self.ask(worker).allowed


class TestALimit:
    def test_that_is_off_charges_nobody(self):
        assert World().workers[0].charge("ai", "g_1") is None

    def test_says_what_is_counted_together(self):
        [allowances] = World().workers
        charge = allowances.charge("moves", "g_1", "0.0")
        assert (charge.allowance.owner, charge.allowance.bucket) == ("g_1", "moves 0.0")
        assert allowances.charge("moves", "10.0.0.1").allowance.bucket == "moves"

    def test_has_the_time_after_which_every_bucket_is_full(self):
        assert World(seconds=77).workers[0].longest == 77
        assert Allowances({"moves": None}).longest == 0


class TestOneProcess:
    def test_lets_the_quota_through_and_not_one_more(self):
        for quota in (1, 100, 399, 400, 3000):
            world = World(quota)
            assert [world.admitted() for _ in range(quota + 50)].count(True) == quota

    def test_says_how_many_are_left_and_when_there_is_one_more(self):
        world = World(quota=3, seconds=60)
        assert [world.ask() for _ in range(4)] == [
            (True, 2, 20),
            (True, 1, 20),
            (True, 0, 20),
            (False, 0, 20),
        ]

    def test_says_the_same_whether_it_asked_the_database_or_not(self):
        world = World(quota=3000, seconds=3_000_000)
        assert [world.ask().left for _ in range(40)] == list(range(2999, 2959, -1))

    def test_counts_in_what_has_come_back(self):
        world = World(quota=100, seconds=100)
        for _ in range(50):
            world.ask()
        world.now += 9.5
        assert world.ask() == (True, 58, 1)

    def test_refuses_by_itself_until_there_is_one_more(self):
        world = World(quota=2, seconds=60)
        assert [world.admitted() for _ in range(3)] == [True, True, False]
        asked = world.claims
        world.now += 29
        assert world.ask() == (False, 0, 1)
        assert world.claims == asked
        world.now += 1
        assert [world.admitted() for _ in range(2)] == [True, False]

    def test_asks_the_database_once_for_a_share(self):
        world = World(quota=3000)
        for _ in range(3000):
            world.ask()
        assert world.claims == 3000 / share_of(3000) == 200

    def test_asks_again_when_what_it_knows_is_old(self):
        world = World(quota=3000)
        world.ask()
        world.now += FRESH_SECONDS
        world.ask()
        assert world.claims == 2

    def test_loses_nothing_by_asking_again(self):
        world = World(quota=3000, seconds=86_400)
        for _ in range(100):
            world.ask()
            world.now += FRESH_SECONDS
        assert world.ask().left >= 3000 - 101

    def test_remembers_no_more_than_it_can_hold(self, monkeypatch):
        monkeypatch.setattr("service.allowances.REMEMBERED", 10)
        world = World(quota=3000)
        for number in range(100):
            world.ask(owner=str(number))
        assert len(world.workers[0]._purses) <= 10


class TestThreads:
    def test_take_one_share_together(self):
        world = World(quota=3000)
        [allowances] = world.workers
        charges = [allowances.charge("moves", "g_1", "0.0") for _ in range(3)]
        claims = [allowances.spend(charge) for charge in charges]
        assert [claim.tokens for claim in claims] == [share_of(3000), 1, 1]
        for charge, claim in zip(charges, claims, strict=True):
            allowances.settle(charge, world.grant(claim))
        assert all(charge.standing.allowed for charge in charges)
        assert world.ask().left == 3000 - 4
        assert world.claims == 3

    def test_do_not_wait_for_one_that_got_no_answer(self):
        world = World(quota=3000)
        [allowances] = world.workers
        charge = allowances.charge("moves", "g_1")
        allowances.spend(charge)
        world.now += ASKING_SECONDS
        assert allowances.spend(charge).tokens == share_of(3000)


class TestAShare:
    @pytest.mark.parametrize(
        ("quota", "share"),
        [(1, 1), (100, 1), (399, 1), (400, 2), (3000, 15), (1_000_000, LARGEST_SHARE)],
    )
    def test_is_small(self, quota, share):
        assert share_of(quota) == share


class TestProcessesTogether:
    @given(
        quota=st.integers(1, 1000),
        turns=st.lists(
            st.tuples(st.integers(0, WORKERS - 1), st.integers(1, 300), st.integers(0, 12)),
            min_size=1,
            max_size=20,
        ),
    )
    def test_let_through_what_one_would_give_or_take_two_percent(self, quota, turns):
        """In whatever order they are asked, by whomever, with whatever pauses."""
        world, one = World(quota, 86_400, WORKERS), World(quota, 86_400)
        start = world.now
        for worker, requests, pause in turns:
            let = [world.admitted(worker) for _ in range(requests)].count(True)
            alone = [one.admitted() for _ in range(requests)].count(True)
            world.total = getattr(world, "total", 0) + let
            one.total = getattr(one, "total", 0) + alone
            world.now += pause
            one.now += pause
        most = quota + (world.now - start) * quota / 86_400
        assert world.total <= most + 1e-6
        assert abs(world.total - one.total) <= 0.02 * quota

    def test_are_exact_with_a_quota_of_a_hundred(self):
        world = World(quota=100, workers=WORKERS)
        admitted = [world.admitted(turn * turn % WORKERS) for turn in range(400)]
        assert admitted.count(True) == 100


class TestADatabaseThatIsAway:
    def test_is_left_alone_for_a_while(self):
        world = World()
        [allowances] = world.workers
        assert not allowances.away
        allowances.lost()
        assert allowances.away
        world.now += AWAY_SECONDS
        assert not allowances.away


class TestASweep:
    def test_is_due_once_in_a_while(self):
        world = World()
        [allowances] = world.workers
        assert [allowances.sweep_is_due() for _ in range(3)] == [True, False, False]
        world.now += SWEEP_SECONDS
        assert [allowances.sweep_is_due() for _ in range(2)] == [True, False]
