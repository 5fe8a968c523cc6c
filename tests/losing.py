"""A proxy between clients and the service that loses answers, after the service has acted.

Of each ten answers it loses one, and nobody knows which: it says nothing, or breaks off in the
middle, and closes the connection. Of a stream each event is an answer.
"""

import contextlib
import json
import socket
import threading
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import NamedTuple, Self

PATIENCE = 60
ONE_OF = 10
OWN = {"connection", "host", "transfer-encoding", "content-length", "keep-alive"}
"""Headers that are about one connection only."""


class Asked(NamedTuple):
    """A request that reached the service, and what became of its answer."""

    method: str
    path: str
    token: str | None
    body: dict | None
    status: int
    answer: dict | None
    lost: bool


Change = Callable[[str, dict], dict]
"""What to make of an answer: the path it is about, and its body."""


class Losses:
    """Which answers get lost: one of ten, and always one of them."""

    def __init__(self, rng: Random, first: int | None = None) -> None:
        self._rng = rng
        self._lock = threading.Lock()
        self._place = 0
        self._lost = rng.randrange(ONE_OF) if first is None else first
        self.count = 0

    def next(self) -> bool:
        """Tell whether the next answer gets lost."""
        with self._lock:
            lost = self._place == self._lost
            self.count += lost
            self._place += 1
            if self._place == ONE_OF:
                self._place, self._lost = 0, self._rng.randrange(ONE_OF)
            return lost

    def half(self) -> bool:
        """Tell whether half of what gets lost arrives."""
        with self._lock:
            return self._rng.random() < 0.5


class Losing(ThreadingHTTPServer):
    """The proxy, in threads of its own; a context manager.

    :ivar asked: what reached the service, in the order of its answers.
    :ivar events: how many events of streams were passed on.
    """

    daemon_threads = False
    allow_reuse_address = True

    def __init__(self, port: int, losses: Losses | None, change: Change | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Passing)
        self.service = port
        self.losses = losses
        self.change = change
        self.asked: list[Asked] = []
        self.events = 0
        self._sockets: set[socket.socket] = set()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self._thread.join()
        for each in list(self._sockets):  # streams that nobody reads any more
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self.server_close()

    @contextlib.contextmanager
    def asking(self, method: str, path: str, body: bytes, headers: dict) -> Iterator[HTTPResponse]:
        """Ask the service; yield its answer."""
        with contextlib.closing(
            HTTPConnection("127.0.0.1", self.service, timeout=PATIENCE)
        ) as connection:
            connection.request(method, path, body or None, headers)
            used = connection.sock
            self._sockets.add(used)
            try:
                with connection.getresponse() as answer:
                    yield answer
            finally:
                self._sockets.discard(used)


class Passing(BaseHTTPRequestHandler):
    """Passes on one connection's requests."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Losing

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def _pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name: value for name, value in self.headers.items() if name.lower() not in OWN}
        with (
            contextlib.suppress(ConnectionError),  # the client is gone
            self.server.asking(self.command, self.path, body, headers) as answer,
        ):
            if answer.headers.get_content_type() == "text/event-stream":
                self._stream(answer)
            else:
                self._whole(body, answer)

    do_GET = do_POST = do_PUT = _pass_on  # noqa: N815 - the names are http.server's

    def _whole(self, sent: bytes, answer: HTTPResponse) -> None:
        said = answer.read()
        value = json.loads(said) if said else None
        if self.server.change and value is not None:
            value = self.server.change(self.path, value)
            said = json.dumps(value).encode()
        losses = self.server.losses
        lost = losses is not None and losses.next()
        self.server.asked.append(
            Asked(
                self.command,
                self.path.partition("?")[0],
                self.headers.get("Authorization"),
                json.loads(sent) if sent else None,
                answer.status,
                value,
                lost,
            )
        )
        if lost and not losses.half():
            self.close_connection = True
            return
        self._begin(answer, {"Content-Length": str(len(said))})
        self.wfile.write(said[: len(said) // 2] if lost else said)
        self.close_connection = self.close_connection or lost

    def _stream(self, answer: HTTPResponse) -> None:
        self.close_connection = True
        self._begin(answer, {"Connection": "close"})
        losses = self.server.losses
        while line := answer.readline():
            if line.startswith(b"data:"):
                if losses and losses.next():
                    self.wfile.write(line[: len(line) // 2])
                    return
                self.server.events += 1
            self.wfile.write(line)

    def _begin(self, answer: HTTPResponse, more: dict[str, str]) -> None:
        self.send_response_only(answer.status, answer.reason)
        passed = {name: value for name, value in answer.headers.items() if name.lower() not in OWN}
        for name, value in {**passed, **more}.items():
            self.send_header(name, value)
        self.end_headers()
