"""What one process has seen: noted by a request, told later, and forgotten in the end."""

import threading

import pytest

from service.presence import Presence

ADA, BOB = ("g_1", 0), ("g_1", 1)
CARL = ("g_2", 0)


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def calls():
    return []


@pytest.fixture
def presence(clock, calls):
    presence = Presence(30, clock)
    presence.open(lambda: calls.append(clock.now))
    return presence


def told(presence, following=()):
    """Tell everything; return it."""
    left, come = presence.take(following)
    presence.told(left)
    return left, come


class TestASeat:
    def test_counts_from_when_it_was_seen(self, presence, clock):
        presence.see(*ADA)
        clock.now += 4
        presence.see(*BOB)
        clock.now += 1
        assert presence.take() == ({ADA: 25, BOB: 29}, {"g_1"})

    def test_is_told_at_once_when_it_comes(self, presence, clock, calls):
        presence.see(*ADA)
        assert calls == [1000]
        told(presence)
        clock.now += 19
        presence.see(*ADA)
        assert calls == [1000]

    def test_is_told_at_once_when_it_would_be_late_otherwise(self, presence, clock, calls):
        presence.see(*ADA)
        told(presence)
        clock.now += 20
        presence.see(*ADA)
        assert calls == [1000, 1020]

    def test_has_come_once(self, presence, clock):
        presence.see(*ADA)
        assert told(presence) == ({ADA: 30}, {"g_1"})
        clock.now += 10
        presence.see(*ADA)
        presence.see(*CARL)
        assert told(presence) == ({ADA: 30, CARL: 30}, {"g_2"})

    def test_comes_again_after_its_time(self, presence, clock):
        presence.see(*ADA)
        told(presence)
        clock.now += 30
        presence.see(*ADA)
        assert told(presence) == ({ADA: 30}, {"g_1"})

    def test_is_not_told_again_unless_it_was_seen_again(self, presence, clock):
        presence.see(*ADA)
        told(presence)
        clock.now += 1
        assert told(presence) == ({}, set())

    def test_that_was_told_too_late_is_not_told(self, presence, clock):
        presence.see(*ADA)
        clock.now += 30
        assert presence.take()[0] == {}

    def test_is_told_later_if_it_could_not_be_told(self, presence, clock):
        presence.see(*ADA)
        presence.see(*BOB)
        left, _ = presence.take()
        clock.now += 2
        presence.see(*BOB)
        presence.not_told(left)
        assert presence.take() == ({ADA: 30, BOB: 30}, {"g_1"})


class TestAFollower:
    def test_is_there_as_long_as_it_follows(self, presence, clock):
        presence.see(*ADA)
        for _ in range(9):
            assert told(presence, [ADA])[0] == {ADA: 30}
            clock.now += 10
        assert told(presence) == ({}, set())

    def test_that_was_never_seen_is_a_computer(self, presence):
        assert told(presence, [BOB]) == ({}, set())

    def test_is_not_forgotten_while_the_database_is_away(self, presence, clock):
        presence.see(*ADA)
        told(presence, [ADA])
        for _ in range(9):
            clock.now += 10
            left, _ = presence.take([ADA])
            presence.not_told(left)
        assert told(presence, [ADA]) == ({ADA: 30}, {"g_1"})


class TestTheTime:
    def test_has_come_with_each_third_of_what_a_seat_counts(self, presence, clock):
        assert not presence.is_due()
        clock.now += 10
        assert presence.is_due()
        presence.take()
        assert not presence.is_due()


class TestAProcess:
    @pytest.mark.parametrize("seconds", [30, 0])
    def test_notes_nothing_unless_it_tells_somebody(self, clock, seconds):
        presence = Presence(seconds, clock)
        if not seconds:
            presence.open(lambda: pytest.fail("nobody is there"))
        presence.see(*ADA)
        assert presence.take() == ({}, set())
        clock.now += 100
        assert presence.is_due() == bool(seconds)

    def test_notes_nothing_once_it_is_closed(self, presence):
        presence.close()
        presence.see(*ADA)
        assert presence.take() == ({}, set())

    def test_forgets_who_was_not_seen_again(self, presence, clock):
        for number in range(100):
            presence.see(f"g_{number}", 0)
        told(presence)
        clock.now += 31
        presence.see(*CARL)
        told(presence)
        assert len(presence._told_until) == 1

    def test_loses_nobody_whom_many_threads_see(self, presence):
        seen, done = set(), threading.Event()

        def look():
            while not done.is_set():
                seen.update(presence.take()[0])

        def see(number):
            for seat in range(500):
                presence.see(f"g_{number}", seat)

        looking = threading.Thread(target=look)
        looking.start()
        threads = [threading.Thread(target=see, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        done.set()
        looking.join()
        seen.update(presence.take()[0])
        assert seen == {(f"g_{number}", seat) for number in range(4) for seat in range(500)}
