"""A receiver of webhooks in a thread of the tests: it listens on the loopback interface alone."""

import json
import socketserver
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Received:
    """A message as it came."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def event(self) -> dict[str, Any]:
        return json.loads(self.body)


@dataclass
class Receiver:
    """Answers each post with the next of ``answers``, 204 once there is none left.

    An answer is a status, or a function that gets the handler and writes what it likes. ``port``
    is the one to listen on, any free one unless it is given.
    """

    answers: list = field(default_factory=list)
    port: int = 0
    got: list[Received] = field(default_factory=list)

    def __enter__(self):
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                length = int(self.headers["Content-Length"])
                body = self.rfile.read(length)
                if len(body) < length:
                    return  # its sender was killed on the way: that is no message yet
                headers = {name.lower(): value for name, value in self.headers.items()}
                with receiver.news:
                    receiver.got.append(Received(self.path, headers, body))
                    answer = receiver.answers.pop(0) if receiver.answers else 204
                    receiver.news.notify_all()
                if callable(answer):
                    answer(self)
                else:
                    self.send_response(answer)
                    self.end_headers()

            def log_message(self, *_arguments):
                """Say nothing."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, request, client_address):
                """Whoever is cut off while it writes has nothing to say."""

        assert issubclass(Server, socketserver.TCPServer)
        self.news = threading.Condition()
        self._server = Server(("127.0.0.1", self.port), Handler)
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/hook"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(self, *_error):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def wait_for(self, count: int, seconds: float = 30) -> list[Received]:
        """Return what came once there are ``count`` messages."""
        with self.news:
            assert self.news.wait_for(lambda: len(self.got) >= count, seconds), len(self.got)
            return list(self.got)
