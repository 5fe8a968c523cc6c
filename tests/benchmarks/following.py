"""What those who follow games cost: move rate, memory, and how soon and surely they are told.

A thousand followers, half streams and half long polls, sit at games of their own. In alternated
rounds moves are made elsewhere with and without them; the ratio of the two is what idle followers
leave. The memory of the workers is looked at before and after a thousand streams. Then moves are
made in the games that are followed, and every follower has to be told each of them once, in order;
printed is how long that took after the move was sent.

    python -m tests.benchmarks.following
"""

import contextlib
import json
import os
import selectors
import socket
import statistics
import threading
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, perf_counter
from typing import Self

from service.local import poll
from tests.benchmarks import http, stack
from tests.benchmarks.client import Round, play
from tests.benchmarks.stack import Request, Served, Table
from tests.service.processes import children

FOLLOWERS = int(os.environ.get("GIN_BENCH_FOLLOWERS", "1000"))
ROUNDS = int(os.environ.get("GIN_BENCH_ROUNDS", "7"))
SECONDS = float(os.environ.get("GIN_BENCH_SECONDS", "2"))
GAMES_TOLD = 50
TURNS_TOLD = 10
PATIENCE = 30.0
STREAM, POLL = "stream", "poll"


@dataclass(slots=True)
class Follower:
    """One connection that is told of a game: the numbers of the moves, and when each came."""

    kind: str
    path: str
    token: str
    version: int
    sock: socket.socket
    got: bytes = b""
    open: bool = False
    told: list[int] = field(default_factory=list)
    at: list[float] = field(default_factory=list)

    def ask(self) -> None:
        """Open the stream, or ask the next question."""
        query = f"/updates?after={self.version}&wait=25"
        path = self.path + (
            f"/updates/stream?after={self.version}" if self.kind == STREAM else query
        )
        self.sock.sendall(Request("GET", path, self.token).wire())

    def hear(self) -> None:
        """Take what has come."""
        came = self.sock.recv(1 << 16)
        now = perf_counter()
        if not came:
            raise ConnectionError(f"a {self.kind} was closed")
        self.got += came
        if self.kind == STREAM:
            self._hear_stream(now)
        else:
            self._hear_answer(now)

    def _hear_stream(self, now: float) -> None:
        if not self.open:
            self.open = self.got.startswith(b"HTTP/1.1 200") and b"retry: 2000" in self.got
        while (end := self.got.find(b"\n\n")) >= 0:
            block, self.got = self.got[:end], self.got[end + 2 :]
            at = block.find(b"data: ")
            if at >= 0:
                self._learn(block[at + 6 :], now)

    def _hear_answer(self, now: float) -> None:
        head, mark, body = self.got.partition(b"\r\n\r\n")
        length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
        if mark and len(body) >= int(length):
            self.got = b""
            self._learn(body, now)
            self.ask()

    def _learn(self, update: bytes, now: float) -> None:
        told = json.loads(update)
        assert not told["reset"]
        self.version = told["game"]["version"]
        for move in told["moves"]:
            self.told.append(move["number"])
            self.at.append(now)


class Crowd:
    """Many followers, heard in a thread of their own."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._selector = selectors.DefaultSelector()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._hear)
        self.members: list[Follower] = []
        self.failed: Exception | None = None

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        for each in self.members:
            each.sock.close()
        self._selector.close()

    def join(self, kind: str, view: Request, version: int) -> None:
        """Let one more follow the game that ``view`` looks at."""
        sock = socket.create_connection(("127.0.0.1", self._port), timeout=PATIENCE)
        member = Follower(kind, view.path, view.token or "", version, sock)
        member.ask()
        self.members.append(member)
        self._selector.register(sock, selectors.EVENT_READ, member)

    def settle(self) -> None:
        """Wait until every stream is open."""
        streams = [each for each in self.members if each.kind == STREAM]
        if not poll(lambda: all(each.open for each in streams), PATIENCE, 0.05):
            raise ConnectionError("some streams were not opened")

    def _hear(self) -> None:
        try:
            while not self._stop.is_set():
                for key, _ in self._selector.select(0.1):
                    key.data.hear()
        except Exception as error:
            self.failed = error
            raise


def memory(served: Served) -> float:
    """Return the KiB of memory that the server's workers use, shared pages in parts."""
    found = 0
    for pid in children(served.pid):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        found += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return found


@dataclass(slots=True)
class Followed:
    """A game that is followed: how to look at it, and its version."""

    views: list[Request]
    version: int


def idle_games(table: Table, count: int) -> list[Followed]:
    """Make games in the middle of a hand, in which nothing will happen."""
    made = []
    for _ in range(count):
        views = table.views(turns=2)
        made.append(Followed(views, table.version(views[0])))
    return made


@contextlib.contextmanager
def crowd(port: int, games: list[Followed], kinds: list[str]) -> Iterator[Crowd]:
    """Let followers of ``kinds`` sit at ``games``, in turn, as either seat."""
    with Crowd(port) as found:
        for number, kind in enumerate(kinds):
            game = games[number % len(games)]
            view = game.views[number // len(games) % len(game.views)]
            found.join(kind, view, game.version)
        found.settle()
        yield found


def idle(served: Served, table: Table) -> tuple[list[Round], list[Round]]:
    """Return the rounds of moves without and with idle followers."""
    move = next(each for each in http.routes(served, served) if each.name == http.MOVE)
    kinds = [STREAM, POLL] * (FOLLOWERS // 2)
    games = idle_games(table, FOLLOWERS // 4)
    move.expected = _moved(table, move, 0.5).rate
    without, beside = [], []
    for number in range(ROUNDS):
        for followed in (True, False) if number % 2 else (False, True):
            if followed:
                with crowd(served.port, games, kinds) as those:
                    beside.append(_moved(table, move, SECONDS))
                    assert those.failed is None, those.failed
                    assert not any(each.told for each in those.members)
            else:
                without.append(_moved(table, move, SECONDS))
    return without, beside


def _moved(table: Table, move: http.Route, seconds: float) -> Round:
    """Make moves; other than the route's own run this leaves the games that are there."""
    scripts = move.prepare(table, int(http.RESERVE * move.expected * seconds))
    stack.settle(table.settings)
    before = move.served.cpu()
    found = play(move.served.port, scripts, seconds, move.status)
    found.cpu = move.served.cpu() - before
    return found


def told(served: Served, table: Table) -> list[float]:
    """Make moves in games that are followed; return after how many ms each follower was told."""
    games = [table.game(TURNS_TOLD) for _ in range(GAMES_TOLD)]
    seats = [{request.token: request for request in game} for game in games]
    followed = []
    for by_token in seats:
        views = [
            Request("GET", request.path.removesuffix("/moves"), token)
            for token, request in by_token.items()
        ]
        followed.append(Followed(views, table.version(views[0])))
    kinds = [(STREAM, POLL)[number // GAMES_TOLD // 2 % 2] for number in range(FOLLOWERS // 2)]
    sent: dict[str, dict[int, float]] = defaultdict(dict)
    with crowd(served.port, followed, kinds) as those:
        for step in range(2 * TURNS_TOLD):
            for game in games:
                _send(served.port, game[step], sent)
        wanted = {path: sorted(numbers) for path, numbers in sent.items()}
        poll(
            lambda: all(len(each.told) >= len(wanted[each.path]) for each in those.members),
            PATIENCE,
            0.05,
        )
        assert those.failed is None, those.failed
        for each in those.members:
            assert each.told == wanted[each.path], (each.kind, each.told, wanted[each.path])
    return [
        1000 * (at - sent[each.path][number])
        for each in those.members
        for number, at in zip(each.told, each.at, strict=True)
    ]


def _send(port: int, request: Request, sent: dict[str, dict[int, float]]) -> None:
    path = request.path.removesuffix("/moves")
    sent[path][json.loads(request.body)["move_number"]] = perf_counter()
    play(port, [iter([request.wire()])], PATIENCE, 201)


def run() -> None:
    """Measure and print."""
    with contextlib.ExitStack() as parts:
        settings = parts.enter_context(stack.database())
        served = parts.enter_context(stack.gunicorn(settings, "service.wsgi:app"))
        table = parts.enter_context(contextlib.closing(Table(settings)))
        print(
            f"\n{FOLLOWERS} followers at {settings.workers} workers of {settings.threads} threads; "
            f"{http.CLIENTS} clients that move; {ROUNDS} alternated rounds of {SECONDS:g} s"
        )
        without, beside = idle(served, table)
        ratios = [two.rate / one.rate for one, two in zip(without, beside, strict=True)]
        before = memory(served)
        begun = monotonic()
        with crowd(served.port, idle_games(table, FOLLOWERS // 4), [STREAM] * FOLLOWERS):
            opened = monotonic() - begun
            each = (memory(served) - before) / FOLLOWERS
        delays = sorted(told(served, table))
    for rounds, when in ((without, "nobody follows"), (beside, "beside idle followers")):
        rate = statistics.median(each.rate for each in rounds)
        spent = statistics.median(1e6 * each.cpu / len(each.latencies) for each in rounds)
        print(f"{f'moves a second, {when}':<60}{rate:>9,.0f}")
        print(f"{f'CPU us of the workers for a move, {when}':<60}{spent:>9,.0f}")
    print(f"{'ratio, median over the rounds':<60}{statistics.median(ratios):>9.2f}")
    print(f"{'KiB of the workers for each stream':<60}{each:>9.1f}")
    print(f"{'seconds until that many streams were open':<60}{opened:>9.1f}")
    print(f"{'moves told, each once and in order':<60}{len(delays):>9,}")
    for hundredths in (50, 99):
        delay = statistics.quantiles(delays, n=100)[hundredths - 1]
        print(f"{f'ms from sending a move to being told, p{hundredths}':<60}{delay:>9.1f}")


if __name__ == "__main__":
    run()
