"""Waiting where the server offers nothing: in the thread of the request, in half of all at most."""

import threading
from time import monotonic

import pytest

from service.feed import COMMENT, OPENING, Feed
from service.holding import HOLDER, Holder, InThread, Poll, holder_of
from service.storage.errors import Unavailable
from service.updates import Notifier

SOON = 20


@pytest.fixture
def house():
    def no_line():
        raise Unavailable("no line here")

    class House:
        notifier = Notifier(no_line, 100)

    yield House
    House.notifier.close()


def watching(house):
    return house.notifier.watch("g_1", None, monotonic())


class Told(Feed):
    """A feed that tells what stands in ``coming``."""

    def news(self, _look):
        found = self.coming.pop(0)
        if isinstance(found, Exception):
            raise found
        self.over = found == b"end"
        return found


def feed(house, *coming, seconds=300.0, comment_seconds=300.0):
    made = Told(None, watching(house), None, seconds, comment_seconds)
    made.coming = list(coming)
    return made


class TestAPoll:
    def test_waits_for_news(self, house):
        in_thread, watch, back = InThread(house, 1), watching(house), threading.Event()
        thread = threading.Thread(
            target=lambda: (in_thread.poll(Poll(watch, 300)), back.set()), daemon=True
        )
        thread.start()
        assert not back.is_set()
        house.notifier.wake("g_1")
        assert back.wait(SOON)

    def test_does_not_wait_where_news_came_before(self, house):
        watch = watching(house)
        house.notifier.wake("g_1")
        InThread(house, 1).poll(Poll(watch, 300))

    def test_waits_no_longer_than_it_says(self, house):
        InThread(house, 1).poll(Poll(watching(house), 0.01))

    def test_does_not_wait_where_there_is_no_place(self, house):
        in_thread = InThread(house, 1)
        stream = in_thread.stream(feed(house))
        in_thread.poll(Poll(watching(house), 300))
        stream.close()


class TestAStream:
    def test_is_told_by_its_feed_to_its_end(self, house):
        told = feed(house, b"one", b"end")
        stream = iter(InThread(house, 1).stream(told))
        assert next(stream) == OPENING
        found = []
        while not told.over:
            house.notifier.wake("g_1")
            found.append(next(stream))
        assert found == [b"one", b"end"]
        assert list(stream) == []

    def test_says_that_it_is_there_and_ends_after_its_time(self, house):
        told = feed(house, *[b""] * 10_000, seconds=0.05, comment_seconds=0.01)
        text = b"".join(InThread(house, 1).stream(told))
        assert text.startswith(OPENING + COMMENT)
        assert set(text.removeprefix(OPENING).split(b"\n\n")) == {COMMENT.strip(), b""}

    def test_looks_again_when_it_is_told_and_not_before(self, house):
        stream = iter(InThread(house, 1).stream(feed(house, b"one", b"end", comment_seconds=0.01)))
        next(stream)
        house.notifier.wake("g_1")
        assert [next(stream) for _ in range(3)] == [b"one", COMMENT, b"end"]

    def test_goes_on_after_the_storage_was_away(self, house):
        told = feed(house, Unavailable("away"), b"end")
        stream = iter(InThread(house, 1).stream(told))
        next(stream)
        told.watch.then(told.watch._then)
        told.comment_seconds = 0.01
        assert b"end" in list(stream)

    def test_ends_when_the_process_stops(self, house):
        stream = iter(InThread(house, 1).stream(feed(house, b"")))
        next(stream)
        house.notifier.drain()
        house.notifier._ring(())
        assert list(stream) == []

    def test_leaves_its_place_once_it_is_closed(self, house):
        in_thread = InThread(house, 1)
        first = in_thread.stream(feed(house))
        told = feed(house)
        assert in_thread.stream(told) is None
        told.watch.close()
        first.close()
        first.close()
        assert len(house.notifier) == 0
        second = in_thread.stream(feed(house, b"", b"", seconds=0.01))
        assert next(iter(list(second))) == OPENING
        assert in_thread.stream(feed(house)) is not None

    def test_leaves_its_place_when_it_ends(self, house):
        list(InThread(house, 1).stream(feed(house, b"", b"", seconds=0.001)))
        assert len(house.notifier) == 0


class TestAHolder:
    def test_is_what_the_server_put_there(self):
        holder = Holder()
        assert holder_of({HOLDER: holder}) is holder
        assert holder_of({}) is None
