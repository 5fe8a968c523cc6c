"""Clients that follow a game over HTTP: by streams that are taken up again, and by polls."""

import contextlib
import threading
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from typing import ClassVar

from tests.events import Event, read
from tests.server import Caller

PATIENCE = 60


class Stream:
    """One stream of a game; ``lines`` are all that came over it."""

    opened: ClassVar[list["Stream"]] = []
    """Every stream of a test that is to be closed at its end."""

    def __init__(
        self,
        port: int,
        path: str,
        token: str | None,
        *,
        query: str = "",
        last: str | None = None,
    ) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        headers = {"Accept": "text/event-stream"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Last-Event-ID": last} if last is not None else {}
        self._connection.request("GET", f"{path}/updates/stream{query}", headers=headers)
        self.answer: HTTPResponse = self._connection.getresponse()
        self.status = self.answer.status
        self.lines: list[bytes] = []
        self.opened.append(self)

    def _read(self) -> Iterator[bytes]:
        while line := self.answer.readline():
            self.lines.append(line)
            yield line

    def events(self) -> Iterator[Event]:
        """Yield events until the stream ends."""
        return read(self._read())

    def next(self) -> Event:
        """Return the next event."""
        return next(self.events())

    def until(self, line: bytes) -> None:
        """Read on until there is such a line."""
        assert any(each == line for each in self._read())

    def close(self) -> None:
        self.answer.close()
        self._connection.close()


class Follower(threading.Thread):
    """Follows a game to its end in a thread; ``moves`` is what it was told, in that order."""

    def __init__(self, port: int, path: str, token: str, after: int) -> None:
        super().__init__(daemon=True)
        self.port, self.path, self.token = port, path, token
        self.version = after
        self.moves: list[dict] = []
        self.over = False
        self.wrong: str | None = None
        self.connections = 0
        self.start()

    def run(self) -> None:
        """Follow; what goes wrong is kept for the test to see."""
        try:
            while not self.over:
                self.connections += 1
                self.follow()
        except Exception as error:  # noqa: BLE001 - whatever it was
            self.wrong = f"{type(self).__name__}: {error!r}"

    def follow(self) -> None:
        """Follow for the length of a connection."""
        raise AssertionError("each kind of follower says how")

    def told(self, update: dict) -> None:
        """Learn one update."""
        assert not update["reset"], "it was never far behind"
        version = update["game"]["version"]
        assert version >= self.version, "it went back"
        self.version = version
        self.moves += update["moves"]
        self.over = update["game"]["over"]


class BySteadyStream(Follower):
    """Stays on a stream, and takes it up again when the server closes it."""

    def follow(self) -> None:
        stream = Stream(self.port, self.path, self.token, last=str(self.version))
        with contextlib.closing(stream):
            assert stream.status == 200
            for event in stream.events():
                assert event.id == str(event.update["game"]["version"])
                assert int(event.id) > self.version, "an event came twice"
                self.told(event.update)


class ByManyStreams(Follower):
    """Throws its connection away after every event."""

    def follow(self) -> None:
        stream = Stream(self.port, self.path, self.token, last=str(self.version))
        with contextlib.closing(stream):
            for event in stream.events():
                self.told(event.update)
                return


class ByPolls(Follower):
    """Waits, again and again, on a new connection each time."""

    def follow(self) -> None:
        with contextlib.closing(Caller(self.port, self.token)) as call:
            status, update = call("GET", f"{self.path}/updates?after={self.version}&wait=25")
            assert status == 200
            self.told(update)


KINDS = (BySteadyStream, ByManyStreams, ByPolls)
