"""The thread that holds connections: written to, closed, handed back, and never waited for."""

import contextlib
import socket
import threading
from time import monotonic

import pytest

from service.feed import COMMENT, OPENING, Feed
from service.followers import Followers
from service.holding import Poll
from service.storage.errors import Unavailable
from service.updates import Notifier

SOON = 20
GAME = "g_1"


class Story(Feed):
    """A feed that tells what a test lets happen: one event for all numbers since the last."""

    def news(self, _look):
        self.watch.version, happened = self.now, self.now - self.version
        self.version = self.now
        self.over = self.ends
        if self.fails:
            self.failed.set()
            raise self.fails.pop()
        return self.text * happened

    now = 0
    ends = False
    text = b"event\n"


class Held:
    """A connection that is held, from the client's side."""

    def __init__(self, followers, notifier, wish_of, *, chunked=False) -> None:
        self.near, self.far = socket.socketpair()
        self.far.settimeout(SOON)
        self.done = threading.Event()
        self.answer: bool | None = None
        watch = notifier.watch(GAME, None, monotonic())
        self.wish = wish_of(watch)
        followers.hold(self.near, self.wish, self._done, chunked)

    def _done(self, answer) -> None:
        self.answer = answer
        self.done.set()

    def read(self, wanted: bytes) -> None:
        got = b""
        while len(got) < len(wanted):
            came = self.far.recv(len(wanted) - len(got))
            assert came, got
            got += came
        assert got == wanted

    def ended(self) -> bool:
        return self.done.wait(SOON)

    def close(self) -> None:
        self.near.close()
        self.far.close()


@pytest.fixture
def notifier():
    notifier = Notifier(_no_line, 100)
    yield notifier
    notifier.close()


def _no_line():
    raise Unavailable("no line here")


@pytest.fixture
def followers(notifier):
    class House:
        pass

    House.notifier = notifier
    return Followers(House)


@pytest.fixture
def hold(followers, notifier):
    """Holds connections of the test."""
    with contextlib.ExitStack() as all_of_them:

        def hold(wish_of, **options) -> Held:
            held = Held(followers, notifier, wish_of, **options)
            all_of_them.callback(held.close)
            return held

        yield hold


def story(seconds=300.0, comment_seconds=300.0, **more):
    def wish_of(watch):
        made = Story(None, watch, 0, seconds, comment_seconds, **more)
        made.fails, made.failed = [], threading.Event()
        return made

    return wish_of


def poll_for(seconds):
    return lambda watch: Poll(watch, seconds)


class TestAStream:
    def test_begins_with_its_opening(self, hold):
        hold(story()).read(OPENING)

    def test_is_told_when_its_game_changes(self, hold, notifier):
        held = hold(story())
        held.read(OPENING)
        for now in (1, 2):
            held.wish.now = now
            notifier.wake(GAME)
            held.read(b"event\n")

    def test_is_written_in_chunks_where_the_client_knows_them(self, hold, notifier):
        held = hold(story(), chunked=True)
        held.read(b"d\r\n" + OPENING + b"\r\n")
        held.wish.now, held.wish.ends = 1, True
        notifier.wake(GAME)
        held.read(b"6\r\nevent\n\r\n0\r\n\r\n")
        assert held.far.recv(1) == b""

    def test_says_that_it_is_there_while_nothing_happens(self, hold):
        held = hold(story(comment_seconds=0.01))
        held.read(OPENING + COMMENT * 3)

    def test_ends_after_its_time(self, hold):
        held = hold(story(seconds=0.01))
        held.read(OPENING)
        assert held.far.recv(1) == b""
        assert held.ended()
        assert held.answer is False

    def test_ends_with_what_has_an_end(self, hold, notifier):
        held = hold(story())
        held.read(OPENING)
        held.wish.now, held.wish.ends = 1, True
        notifier.wake(GAME)
        held.read(b"event\n")
        assert held.far.recv(1) == b""
        assert held.ended()

    def test_leaves_its_place_when_the_client_goes(self, hold, notifier, followers):
        held = hold(story())
        held.read(OPENING)
        held.far.close()
        assert held.ended()
        assert (len(notifier), len(followers)) == (0, 0)

    def test_does_not_mind_what_the_client_says(self, hold, notifier):
        held = hold(story())
        held.read(OPENING)
        held.far.sendall(b"hello?")
        held.wish.now = 1
        notifier.wake(GAME)
        held.read(b"event\n")

    def test_ends_when_the_process_stops(self, hold, notifier):
        held = hold(story(), chunked=True)
        held.read(b"d\r\n" + OPENING + b"\r\n")
        notifier.drain()
        held.read(b"0\r\n\r\n")
        assert held.ended()

    def test_whose_storage_is_away_goes_on_later(self, hold, notifier):
        held = hold(story())
        held.read(OPENING)
        held.wish.fails = [Unavailable("away")]
        notifier.wake(GAME)
        assert held.wish.failed.wait(SOON)
        held.wish.now = 1
        notifier.wake(GAME)
        held.read(b"event\n")

    def test_that_fails_ends_alone(self, hold, notifier, caplog):
        one, other = hold(story()), hold(story())
        one.read(OPENING)
        other.read(OPENING)
        one.wish.fails = [RuntimeError("odd")]
        other.wish.now = 1
        notifier.wake(GAME)
        other.read(b"event\n")
        assert one.ended()
        assert "odd" in caplog.text


class TestASlowReader:
    LONG = b"x" * 4_000_000

    def test_gets_all_of_it_when_it_reads(self, hold, notifier):
        held = hold(story())
        held.read(OPENING)
        held.wish.text, held.wish.now = self.LONG, 1
        notifier.wake(GAME)
        held.read(self.LONG)

    def test_is_told_no_more_until_it_has_read(self, hold, notifier):
        slow, quick = hold(story()), hold(story())
        slow.read(OPENING)
        quick.read(OPENING)
        slow.wish.text, slow.wish.now, quick.wish.now = self.LONG, 1, 1
        notifier.wake(GAME)
        quick.read(b"event\n")  # nobody waits for the slow one
        slow.wish.text, slow.wish.now, quick.wish.now = b"later\n", 3, 3
        notifier.wake(GAME)
        quick.read(b"event\nevent\n")
        assert slow.wish.version == 1
        slow.read(self.LONG + b"later\n" * 2)

    def test_is_let_go_when_it_never_reads(self, hold, notifier):
        held = hold(story(comment_seconds=0.2))
        held.wish.text, held.wish.now = self.LONG, 1
        notifier.wake(GAME)
        assert held.ended()

    def test_is_told_the_end_before_it_is_closed(self, hold, notifier):
        held = hold(story())
        held.read(OPENING)
        held.wish.text, held.wish.now, held.wish.ends = self.LONG, 1, True
        notifier.wake(GAME)
        held.read(self.LONG)
        assert held.far.recv(1) == b""


class TestAPoll:
    def test_is_answered_when_its_game_changes(self, hold, notifier):
        held = hold(poll_for(300))
        notifier.wake(GAME)
        assert held.ended()
        assert held.answer is True
        assert len(notifier) == 0

    def test_is_answered_after_its_time(self, hold):
        held = hold(poll_for(0.01))
        assert held.ended()
        assert held.answer is True

    def test_is_answered_when_the_process_stops(self, hold, notifier):
        held = hold(poll_for(300))
        notifier.drain()
        assert held.ended()
        assert held.answer is True

    def test_is_answered_at_once_where_news_came_before_it_was_held(self, hold, notifier):
        def wish_of(watch):
            notifier.wake(GAME)
            return Poll(watch, 300)

        held = hold(wish_of)
        assert held.ended()
        assert held.answer is True

    def test_is_forgotten_when_the_client_goes(self, hold, notifier):
        held = hold(poll_for(300))
        held.far.close()
        assert held.ended()
        assert held.answer is False
        assert len(notifier) == 0

    def test_is_answered_when_the_client_asks_for_something_else(self, hold):
        held = hold(poll_for(300))
        held.far.sendall(b"GET / HTTP/1.1\r\n")
        assert held.ended()
        assert held.answer is True
        held.near.settimeout(SOON)
        assert held.near.recv(3) == b"GET"  # it is there for the one who answers


class TestManyOfThem:
    def test_are_all_told_in_order_and_once(self, hold, notifier, followers):
        all_of_them = [hold(story()) for _ in range(90)]
        for held in all_of_them:
            held.read(OPENING)
        for held in all_of_them:
            held.wish.now = 1
        notifier.wake(GAME)
        for held in all_of_them:
            held.read(b"event\n")
        for held in all_of_them:
            held.wish.ends = True
        notifier.wake(GAME)
        for held in all_of_them:
            assert held.far.recv(1) == b""
            assert held.ended()
        assert len(followers) == 0
