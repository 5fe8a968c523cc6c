"""A client that costs little beside the server: ready bytes out, the status line and the length in.

One thread, one ``epoll``, keep-alive connections; each sends its next request when the answer to
the last one is whole. It reads no JSON: what it sends was made before the clock starts.
"""

import contextlib
import gc
import select
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import perf_counter

HEAD_END = b"\r\n\r\n"
LENGTH = b"content-length:"
CHUNK = 1 << 16


class WrongAnswer(AssertionError):
    """The server did not answer as expected, so that there is nothing to measure."""


@dataclass(slots=True)
class Round:
    """What came back in ``seconds``: the latency of each answer, in seconds."""

    seconds: float
    latencies: list[float] = field(default_factory=list)
    cpu: float = 0.0
    """Seconds of processor time that the HTTP server used."""

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.latencies) / self.seconds


@dataclass(slots=True)
class _Connection:
    sock: socket.socket
    requests: Iterator[bytes]
    sent: float = 0.0
    got: bytes = b""
    whole: int | None = None
    """How long the answer is, once its head is there."""

    def send(self) -> bool:
        """Send the next request; tell whether there was one."""
        request = next(self.requests, None)
        if request is None:
            return False
        self.got, self.whole = b"", None
        self.sent = perf_counter()
        self.sock.sendall(request)
        return True

    def receive(self, status: bytes) -> bool:
        """Take what has come; tell whether the answer is whole."""
        came = self.sock.recv(CHUNK)
        if not came:
            raise WrongAnswer("the server closed the connection")
        self.got = self.got + came if self.got else came
        if self.whole is None:
            end = self.got.find(HEAD_END)
            if end < 0:
                return False
            if self.got[9:12] != status:
                raise WrongAnswer(self.got.decode("utf-8", "replace")[:2000])
            self.whole = end + len(HEAD_END) + _length(self.got[:end])
        return len(self.got) >= self.whole


def _length(head: bytes) -> int:
    at = head.lower().find(LENGTH)
    return 0 if at < 0 else int(head[at + len(LENGTH) :].split(b"\r\n", 1)[0])


def play(port: int, scripts: list[Iterator[bytes]], seconds: float, status: int) -> Round:
    """Send each of ``scripts`` over a connection of its own for ``seconds``.

    The round ends early where a script does: rather a shorter one than one with idle clients.

    :raises WrongAnswer: if an answer has another status, or none comes.
    """
    expected = str(status).encode()
    found = Round(seconds)
    with contextlib.ExitStack() as cleanup:
        poll = cleanup.enter_context(select.epoll())
        open_ones = {}
        for script in scripts:
            sock = cleanup.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            open_ones[sock.fileno()] = _Connection(sock, script)
            poll.register(sock, select.EPOLLIN)
        gc.disable()
        cleanup.callback(gc.enable)
        _drive(poll, open_ones, expected, found)
    return found


def _drive(
    poll: select.epoll, open_ones: dict[int, _Connection], expected: bytes, found: Round
) -> None:
    start = perf_counter()
    end = start + found.seconds
    for connection in open_ones.values():
        connection.send()
    while open_ones:
        ready = poll.poll(30)
        if not ready:
            raise WrongAnswer("no answer for 30 seconds")
        for handle, _ in ready:
            connection = open_ones[handle]
            if not connection.receive(expected):
                continue
            now = perf_counter()
            if now < end:
                found.latencies.append(now - connection.sent)
                if connection.send():
                    continue
                end = now
                found.seconds = now - start
            poll.unregister(handle)
            del open_ones[handle]
