"""The smallest application that the launcher, or nginx, can tell from a broken one."""

import threading
from typing import Self
from wsgiref.simple_server import WSGIRequestHandler, make_server


def app(environ, start_response):
    """Answer every request with 200, once its body is read."""
    environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"stand-in"]


class Quiet(WSGIRequestHandler):
    """Says nothing about requests."""

    def log_message(self, *words: object) -> None:
        """Say nothing."""


class Served:
    """The application on a port of its own, in a thread."""

    def __enter__(self) -> Self:
        self.requests = 0
        self.forwarded: str | None = None
        self._server = make_server("127.0.0.1", 0, self._count, handler_class=Quiet)
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def _count(self, environ, start_response):
        self.requests += 1
        self.forwarded = environ.get("HTTP_X_FORWARDED_FOR")
        return app(environ, start_response)

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
