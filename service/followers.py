"""The connections of those who wait: one thread of a worker holds all of them.

A stream costs a socket and a place in its game, not a thread; a long poll costs a socket until it
is handed back to the threads that answer requests. A client that goes away is noticed at once, one
that does not read is not written to until it does, and then it goes on from the version it has.
Knows sockets; what is told is the feed's affair, and what a connection is the worker's.
"""

import heapq
import itertools
import logging
import secrets
import selectors
import socket
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Final

from service.feed import COMMENT, Feed, Look
from service.holding import Poll
from service.storage.errors import StorageError
from service.updates import Bell
from service.use_cases.house import House

AT_ONCE: Final = 32
"""So many are told before somebody else's socket is looked at again."""

LAST_CHUNK: Final = b"0\r\n\r\n"
GONE: Final = 4096


@dataclass(eq=False, slots=True)
class Held:
    """A connection that is held for a wish. ``done`` is told when it is held no longer.

    ``done`` gets whether the connection may be used again: that of a poll is, by its answer.
    """

    sock: socket.socket
    wish: Poll | Feed
    chunked: bool
    done: Callable[[bool], None]
    due: float = 0.0
    end: float = 0.0
    unsent: bytes = b""
    rung: bool = False
    closed: bool = False


class Followers:
    """Holds connections until there is news for them, in a thread that starts with the first."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._selector = selectors.DefaultSelector()
        self._bell = Bell()
        self._selector.register(self._bell, selectors.EVENT_READ)
        self._new: deque[Held] = deque()
        self._rung: deque[Held] = deque()
        self._due: list[tuple[float, int, Held]] = []
        self._order = itertools.count()
        self._held: set[Held] = set()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def __len__(self) -> int:
        return len(self._held)

    def hold(
        self, sock: socket.socket, wish: Poll | Feed, done: Callable[[bool], None], chunked: bool
    ) -> None:
        """Hold a connection from now on; of a stream the head has been sent."""
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="followers", daemon=True)
                self._thread.start()
        self._new.append(Held(sock, wish, chunked, done))
        self._bell.ring()

    # --- the thread

    def _run(self) -> None:
        while True:
            try:
                self._turn()
            except Exception:  # one turn, and nobody's connection, is lost
                logging.getLogger(__name__).exception("those who follow were not told")

    def _turn(self) -> None:
        for key, events in self._selector.select(self._patience()):
            if key.data is None:
                self._bell.hush()
            else:
                self._touched(key.data, events)
        while self._new:
            self._take_in(self._new.popleft())
        self._tell()
        self._look_at_the_clock()
        if self._house.notifier.draining:
            for held in tuple(self._held):
                self._end(held)

    def _patience(self) -> float | None:
        if self._rung or self._new:
            return 0
        return max(0.0, self._due[0][0] - monotonic()) if self._due else None

    def _take_in(self, held: Held) -> None:
        self._held.add(held)
        held.sock.setblocking(False)
        self._selector.register(held.sock, selectors.EVENT_READ, held)
        now = monotonic()
        if isinstance(held.wish, Feed):
            # Streams that were opened together are not to come back together.
            held.end = now + held.wish.seconds * (0.9 + secrets.randbelow(200) / 1000)
            self._send(held, held.wish.opening)
            if held.wish.over:
                self._ring(held)
        else:
            held.due = held.end = now + held.wish.seconds
        heapq.heappush(self._due, (held.due, next(self._order), held))
        held.wish.watch.then(lambda: self._ring(held))

    def _ring(self, held: Held) -> None:
        """Have it looked after soon; from any thread."""
        if not held.rung:
            held.rung = True
            self._rung.append(held)
            self._bell.ring()

    def _tell(self) -> None:
        look = Look(self._house)
        for _ in range(min(AT_ONCE, len(self._rung))):
            held = self._rung.popleft()
            held.rung = False
            if held.closed or held.unsent:  # it asks again when it has read
                continue
            if isinstance(held.wish, Feed):
                self._tell_stream(held, held.wish, look)
            else:
                self._end(held)

    def _tell_stream(self, held: Held, feed: Feed, look: Look) -> None:
        try:
            event = feed.news(look)
        except StorageError:
            return  # the watch rings again: it knows an old version
        except Exception:
            logging.getLogger(__name__).exception("a stream failed")
            self._let_go(held)
            return
        if event:
            self._send(held, event)
        if feed.over and not held.unsent:
            self._end(held)

    def _look_at_the_clock(self) -> None:
        now = monotonic()
        while self._due and self._due[0][0] <= now:
            held = heapq.heappop(self._due)[2]
            if held.closed:
                continue
            if held.due <= now:
                self._came_due(held, now)
            if not held.closed:
                heapq.heappush(self._due, (held.due, next(self._order), held))

    def _came_due(self, held: Held, now: float) -> None:
        if now >= held.end:
            self._end(held)
        elif held.unsent:  # did not read for as long as nothing else was said
            self._let_go(held)
        elif isinstance(held.wish, Feed):
            self._send(held, COMMENT)
            held.due = min(held.end, now + held.wish.comment_seconds)

    # --- one connection

    def _send(self, held: Held, text: bytes) -> None:
        """Send ``text``; what the client does not take yet is kept, and nothing more is made."""
        if isinstance(held.wish, Feed):
            held.due = min(held.end, monotonic() + held.wish.comment_seconds)
        self._write(held, b"%x\r\n%b\r\n" % (len(text), text) if held.chunked else text)

    def _write(self, held: Held, data: bytes) -> None:
        data = held.unsent + data
        try:
            sent = held.sock.send(data)
        except BlockingIOError:
            sent = 0
        except OSError:
            self._let_go(held)
            return
        before, held.unsent = held.unsent, data[sent:]
        if bool(before) != bool(held.unsent):
            wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if held.unsent else 0)
            self._selector.modify(held.sock, wanted, held)

    def _touched(self, held: Held, events: int) -> None:
        if events & selectors.EVENT_WRITE:
            self._write(held, b"")
            if not held.unsent:
                self._ring(held)
        if events & selectors.EVENT_READ:
            self._heard(held)

    def _heard(self, held: Held) -> None:
        """Notice that the client has gone; what it says while it waits is left for later."""
        if held.closed:
            return
        try:
            said = held.sock.recv(GONE, socket.MSG_PEEK)
        except BlockingIOError:
            return
        except OSError:
            said = b""
        if not said:
            self._let_go(held)
        elif isinstance(held.wish, Feed):
            held.sock.recv(GONE)
        else:
            self._end(held)

    def _end(self, held: Held) -> None:
        """Close a stream as it should be; have a poll answered."""
        if isinstance(held.wish, Feed):
            if held.chunked:
                self._write(held, LAST_CHUNK)
            self._let_go(held)
        else:
            self._let_go(held, answer=True)

    def _let_go(self, held: Held, *, answer: bool = False) -> None:
        if held.closed:
            return
        held.closed = True
        held.wish.watch.close()
        self._held.discard(held)
        self._selector.unregister(held.sock)
        if not answer:
            _shut(held.sock)
        held.done(answer)


def _shut(sock: socket.socket) -> None:
    try:
        sock.shutdown(socket.SHUT_WR)
    except OSError:
        return
