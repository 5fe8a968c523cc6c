"""How a request waits: without a thread where the server can hold its connection, else in one.

Our gunicorn worker puts a :class:`Holder` into the WSGI environment. A request that has to wait
leaves its wish there and returns; what it returns is not sent. A poll is answered later by running
the same request again with ``waited``; a stream's connection is written to by one thread that
serves all of them. Under another server, and in tests, a request waits in its own thread, and half
of the threads may do so.
"""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

from service.feed import COMMENT, Feed, Look
from service.storage.errors import StorageError
from service.updates import Watch
from service.use_cases.house import House

HOLDER: Final = "gin.holder"
"""The key of the WSGI environment."""


@dataclass(frozen=True, slots=True)
class Poll:
    """A wish to be asked again when there may be news, or after ``seconds``."""

    watch: Watch
    seconds: float


@dataclass(slots=True)
class Holder:
    """What the server offers to a request. ``waited`` says that it is the second time."""

    waited: bool = False
    wish: Poll | Feed | None = None


class InThread:
    """Those who wait in a thread of their own; ``most`` may at a time."""

    def __init__(self, house: House, most: int) -> None:
        self._house = house
        self._places = threading.BoundedSemaphore(most)

    def poll(self, wish: Poll) -> None:
        """Return when there may be news, or after the time; at once if there is no place."""
        if self._places.acquire(blocking=False):
            try:
                rung = threading.Event()
                wish.watch.then(rung.set)
                rung.wait(wish.seconds)
            finally:
                self._places.release()

    def stream(self, feed: Feed) -> "ThreadStream | None":
        """Return what goes over a stream, as it comes; None if there is no place."""
        if not self._places.acquire(blocking=False):
            return None
        return ThreadStream(self._house, feed, self._places.release)


class ThreadStream:
    """What goes over one stream whose thread waits for each event. To be closed when it ends."""

    def __init__(self, house: House, feed: Feed, leave: Callable[[], None]) -> None:
        self._house = house
        self._feed = feed
        self._leave: Callable[[], None] | None = leave
        self._rung = threading.Event()
        feed.watch.then(self._rung.set)

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._told()
        finally:
            self.close()

    def _told(self) -> Iterator[bytes]:
        end = monotonic() + self._feed.seconds
        yield self._feed.opening
        while True:
            left = end - monotonic()
            if self._feed.over or left <= 0 or self._house.notifier.draining:
                return
            if not self._rung.wait(min(left, self._feed.comment_seconds)):
                yield COMMENT
            self._rung.clear()
            event = self._news()
            if event:
                yield event

    def _news(self) -> bytes:
        try:
            return self._feed.news(Look(self._house))
        except StorageError:
            return b""  # the watch rings again: it knows an old version

    def close(self) -> None:
        """Leave the place to another; once is enough."""
        self._feed.watch.close()
        leave, self._leave = self._leave, None
        if leave is not None:
            leave()


def holder_of(environ: dict[str, Any]) -> Holder | None:
    """Return what the server of this request offers, None if that is nothing."""
    holder = environ.get(HOLDER)
    assert holder is None or isinstance(holder, Holder)
    return holder
