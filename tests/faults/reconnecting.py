"""Clients that live for one request: each is thrown away after it, and another one goes on.

All that one hands to the next is :class:`Kept`. Some send their request and are gone before the
answer comes, so that nobody knows whether it was read.
"""

import contextlib
import json
import threading
from collections.abc import Callable, Mapping
from http.client import HTTPConnection
from random import Random
from typing import NamedTuple

from tests.bot import Bot
from tests.following import PATIENCE, Stream

PAUSE_SECONDS = 0.1
"""Between two looks at a game of who is not told by itself."""

GIVES_UP_AT = 40
"""The move at which a game that is still played is given up."""


class Kept(NamedTuple):
    """What outlives a client: its game, its token, and the version that it knows.

    ``etag`` is that version once more, as the header that goes with it.
    """

    path: str
    token: str
    version: int = 1
    etag: str | None = None


class Client:
    """Lives for one request."""

    def __init__(self, port: int, kept: Kept) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._headers = {
            "Authorization": f"Bearer {kept.token}",
            "Content-Type": "application/json",
        }

    def send(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Send the request, and be gone."""
        self._request(method, path, body, headers)
        self._connection.close()

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> tuple[int, dict]:
        """Send the request; return status and body of the answer."""
        self._request(method, path, body, headers)
        with contextlib.closing(self._connection):
            answer = self._connection.getresponse()
            text = answer.read()
        return answer.status, json.loads(text) if text else {}

    def _request(self, method, path, body, headers) -> None:
        data = None if body is None else json.dumps(body).encode()
        self._connection.request(method, path, data, {**self._headers, **(headers or {})})


Life = Callable[[int, Kept, bool], dict | None]
"""Follows for the length of one request, or of what has to go with it: port, what is kept, and
whether it is gone before the answer. Returns the update that it was told, if it was.
"""


def by_etag(port: int, kept: Kept, gone: bool) -> dict | None:
    """Ask whether the view has changed, and for what happened if it has."""
    seen = {"If-None-Match": kept.etag} if kept.etag else {}
    client = Client(port, kept)
    if gone:
        client.send("GET", kept.path, None, seen)
        return None
    status, _ = client.ask("GET", kept.path, None, seen)
    if status == 304:
        threading.Event().wait(PAUSE_SECONDS)
        return None
    assert status == 200
    return _update(Client(port, kept).ask("GET", f"{kept.path}/updates?after={kept.version}"))


def by_long_poll(port: int, kept: Kept, gone: bool) -> dict | None:
    """Wait until something has happened."""
    address = f"{kept.path}/updates?after={kept.version}&wait=25"
    if gone:
        Client(port, kept).send("GET", address)
        return None
    return _update(Client(port, kept).ask("GET", address))


def by_stream(port: int, kept: Kept, gone: bool) -> dict | None:
    """Open a stream, and close it after its first event."""
    last = str(kept.version)
    if gone:
        headers = {"Accept": "text/event-stream", "Last-Event-ID": last}
        Client(port, kept).send("GET", f"{kept.path}/updates/stream", None, headers)
        return None
    return _first(Stream(port, kept.path, kept.token, last=last))


def by_ticket(port: int, kept: Kept, gone: bool) -> dict | None:
    """Get a ticket and open a stream with it, as a browser does, which sends no header."""
    tickets = f"{kept.path}/stream-tickets"
    if gone:
        Client(port, kept).send("POST", tickets)
        return None
    status, told = Client(port, kept).ask("POST", tickets)
    assert status == 201, told
    query = f"?ticket={told['ticket']}&after={kept.version}"
    return _first(Stream(port, kept.path, None, query=query))


def _update(answer: tuple[int, dict]) -> dict:
    status, told = answer
    assert status == 200, told
    return told


def _first(stream: Stream) -> dict | None:
    with contextlib.closing(stream):
        if stream.status == 503:  # those that are gone have not been noticed yet
            return None
        assert stream.status == 200, stream.status
        return next((event.update for event in stream.events()), None)


WAYS: Mapping[str, Life] = {
    "ETag": by_etag,
    "long poll": by_long_poll,
    "stream": by_stream,
    "ticket": by_ticket,
}


class Reborn(threading.Thread):
    """One client after the other, to the end of a game.

    :ivar lives: how many there were.
    :ivar unanswered: how many of them were gone before the answer.
    :ivar moves: what they were told, in that order.
    """

    def __init__(self, port: int, kept: Kept, rng: Random) -> None:
        super().__init__(daemon=True)
        self.port, self.kept, self.rng = port, kept, rng
        self.moves: list[dict] = []
        self.lives = self.unanswered = 0
        self.over = False
        self.wrong: str | None = None

    def run(self) -> None:
        """Live, again and again; what goes wrong is kept for the test to see."""
        try:
            while not self.over:
                self.live()
        except Exception as error:  # noqa: BLE001 - whatever it was
            self.wrong = f"{type(self).__name__}: {error!r}"

    def live(self) -> None:
        """Do what one client does."""
        raise AssertionError("each kind says how")

    def born(self, *, of: int) -> bool:
        """Count a life; return whether this one, as one in ``of``, will be gone too early."""
        gone = self.rng.randrange(of) == 0
        self.lives += 1
        self.unanswered += gone
        return gone

    def told(self, update: dict) -> None:
        """Learn one update: its moves join on to what is known, and nothing comes twice."""
        assert not update["reset"], "it was never far behind"
        game = update["game"]
        assert game["version"] >= self.kept.version, "it went back"
        known = len(self.moves)
        numbers = [move["number"] for move in update["moves"]]
        assert numbers == list(range(known + 1, known + 1 + len(numbers))), (known, numbers)
        self.moves += update["moves"]
        assert len(self.moves) == game["next_move"] - 1, "a move is missing"
        self.kept = self.kept._replace(version=game["version"], etag=game["etag"])
        self.over = game["over"]


class Watcher(Reborn):
    """Follows in one way."""

    def __init__(self, port: int, kept: Kept, rng: Random, way: str) -> None:
        super().__init__(port, kept, rng)
        self.way = way

    def live(self) -> None:
        """Follow for the length of a request."""
        update = WAYS[self.way](self.port, self.kept, self.born(of=3))
        if update is not None:
            self.told(update)


class Player(Reborn):
    """Plays a seat: asks what happened, moves if it is due, else waits."""

    def live(self) -> None:
        """Ask, and do what is to be done; each with a client that is thrown away."""
        address = f"{self.kept.path}/updates?after={self.kept.version}"
        if self.born(of=6):
            Client(self.port, self.kept).send("GET", address)
            return
        update = _update(Client(self.port, self.kept).ask("GET", address))
        self.told(update)
        if self.over:
            return
        bot = Bot(self.kept.path, self.rng, GIVES_UP_AT)
        wish = bot.wish(update["game"])
        if wish is None:
            self.wait()
        elif self.born(of=3):
            Client(self.port, self.kept).send(*wish)
        else:
            status, told = Client(self.port, self.kept).ask(*wish)
            assert status in {200, 201, 409, 503}, told
            if status < 300:
                self.told(told)

    def wait(self) -> None:
        """Wait for news."""
        update = by_long_poll(self.port, self.kept, self.born(of=3))
        if update is not None:
            self.told(update)
