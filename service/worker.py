"""gunicorn's threaded worker, less the threads of those who only wait.

A request that wishes to wait (:mod:`service.holding`) gives its connection to the worker's
:class:`~service.followers.Followers`, and its thread back. When a poll is over its request is run
once more, in a thread like any other. Knows gunicorn; what is waited for it does not know.
"""

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from types import FrameType
from typing import Any, Final

from gunicorn.workers.gthread import ThreadWorker

from service.duties import Duties
from service.feed import Feed
from service.followers import Followers
from service.holding import HOLDER, Holder
from service.use_cases.house import House
from service.webhooks import Dispatcher

OURS: Final = "gin."
"""What the names begin with that the service puts into a WSGI environment."""

HELD: Final = "held"
"""What becomes of a request whose connection was given away."""


class GaveItsThreadBack(Exception):
    """A request wishes to wait."""

    def __init__(self, response: Any, kept: dict[str, Any]) -> None:  # noqa: ANN401
        super().__init__()
        self.response = response  # gunicorn has no types
        self.kept = kept


class _Again:
    """Gives a request to its connection once more, and makes room for the parser it had.

    What the service had found out about the request is ``kept`` for the second time.
    """

    def __init__(self, connection: Any, request: Any, kept: dict[str, Any]) -> None:  # noqa: ANN401
        self._connection, self._request, self._kept = connection, request, kept
        self._parser = connection.parser

    def __next__(self) -> Any:  # noqa: ANN401
        self._connection.parser = self._parser
        self._connection.kept = self._kept
        return self._request


class FollowingWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """Serves the service; any other application as ever."""

    def load_wsgi(self) -> None:
        """Load the application, and stand between it and those who ask."""
        super().load_wsgi()
        self._now = threading.local()
        self._application: Any = self.wsgi  # type: ignore[has-type]
        parts = getattr(self._application, "extensions", {})
        self.house: House | None = parts.get("gin-rummy")
        self.duties: Duties | None = parts.get("gin-duties")
        self.webhooks: Dispatcher | None = parts.get("gin-webhooks")
        if self.house is not None and not self.cfg.is_ssl:
            self._followers = Followers(self.house)
            self.wsgi = self._ask

    def _ask(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        kept = self._now.kept
        environ.update(kept or {})
        holder = environ[HOLDER] = self._now.holder = Holder(waited=kept is not None)
        body: Iterable[bytes] = self._application(environ, start_response)
        if holder.wish is None:
            return body
        if hasattr(body, "close"):
            body.close()
        kept = {name: value for name, value in environ.items() if name.startswith(OURS)}
        raise GaveItsThreadBack(start_response.__self__, kept)  # type: ignore[attr-defined]

    def handle_request(self, req: Any, conn: Any) -> object:  # noqa: ANN401
        """Answer a request, or give its connection away; tell what is to become of it."""
        self._now.kept = conn.__dict__.pop("kept", None)
        try:
            return super().handle_request(req, conn)
        except GaveItsThreadBack as gave:
            self._give_away(req, conn, gave)
            return HELD

    def _give_away(self, req: Any, conn: Any, gave: GaveItsThreadBack) -> None:  # noqa: ANN401
        wish, response = self._now.holder.wish, gave.response
        if isinstance(wish, Feed):
            response.force_close()
            try:
                response.send_headers()
            except OSError:
                wish.watch.close()
                raise
        poll = not isinstance(wish, Feed)
        done = self._after_poll(conn, req, gave.kept) if poll else self._after_stream(conn)
        self._followers.hold(conn.sock, wish, done, response.chunked)

    def _after_stream(self, conn: Any) -> Callable[[bool], None]:  # noqa: ANN401
        conn.parser = None  # with its buffers: nothing more is read
        return lambda _answer: self.method_queue.defer(self._close, conn)

    def _after_poll(self, conn: Any, req: Any, kept: dict[str, Any]) -> Callable[[bool], None]:  # noqa: ANN401
        def done(answer: bool) -> None:
            if answer:
                conn.parser = _Again(conn, req, kept)
                self.enqueue_req(conn)
            else:
                self.method_queue.defer(self._close, conn)

        return done

    def _close(self, conn: Any) -> None:  # noqa: ANN401
        self.nr_conns -= 1
        conn.close()

    def _keepalive_after(self, conn: Any, keepalive: object) -> object:  # noqa: ANN401
        return HELD if keepalive is HELD else super()._keepalive_after(conn, keepalive)

    def finish_request(self, conn: Any, fs: "Future[object]") -> None:  # noqa: ANN401
        """Look after a connection whose request was answered; others have the one that waits."""
        if fs.cancelled() or fs.exception() is not None or fs.result() is not HELD:
            super().finish_request(conn, fs)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop: those who wait are let go first."""
        house: House | None = getattr(self, "house", None)
        if house is not None:
            house.notifier.drain()
        super().handle_exit(sig, frame)
