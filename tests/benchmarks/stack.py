"""The stack that is measured: PostgreSQL that waits for its disk, gunicorn, and prepared games.

Games are made and brought to where a measurement begins by the service's own use cases, in this
process. Their deal keys are known here, so that the engine tells beforehand what will be legal:
all requests of a game are bytes before the clock starts.
"""

import contextlib
import io
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import orjson
import psycopg

from engine.actions import Action, Discard, Draw, DrawSource, Pass
from engine.cards import card_name
from engine.game import Game, SeatKind
from engine.hand import Phase
from engine.legal import legal
from engine.progress import apply
from engine.rules import Rules
from service.app import create_house
from service.blueprints.calls import sender_of
from service.leash import leashed
from service.local import LocalServer, poll
from service.postgres_programs import find_binaries
from service.settings import Settings, load
from service.storage.occupants import Occupant
from service.storage.setup import prepare
from service.use_cases.computer_seats import Thinking, with_replies
from service.use_cases.create_game import Created, create_game
from service.use_cases.house import House
from service.use_cases.make_move import make_move
from service.use_cases.open_game import load as stored_now
from tests.benchmarks import bare
from tests.service.processes import children

ROOT = Path(__file__).resolve().parents[2]
SECRET = "the-secret-of-the-benchmarks-0123456789"
TURNS = 20
"""How many turns of a hand are played: about as many as a hand between people has."""

PERSON = Occupant(SeatKind.HUMAN, occupied=True)
COMPUTER = Occupant(SeatKind.AI, occupied=True, level="easy", mode="auto")


@dataclass(frozen=True, slots=True)
class Request:
    """A request, ready to be sent or handed to an application."""

    method: str
    path: str
    token: str | None = None
    body: str = ""
    if_none_match: str | None = None

    def wire(self) -> bytes:
        """Return what goes over the wire."""
        lines = [f"{self.method} {self.path} HTTP/1.1", "Host: 127.0.0.1", "Accept: */*"]
        if self.token:
            lines.append(f"Authorization: Bearer {self.token}")
        if self.if_none_match:
            lines.append(f"If-None-Match: {self.if_none_match}")
        if self.body:
            lines += ["Content-Type: application/json", f"Content-Length: {len(self.body)}"]
        return "\r\n".join([*lines, "", self.body]).encode()

    def environ(self) -> dict[str, Any]:
        """Return what gunicorn would hand to the application."""
        made: dict[str, Any] = {
            "REQUEST_METHOD": self.method,
            "SCRIPT_NAME": "",
            "PATH_INFO": self.path,
            "QUERY_STRING": "",
            "RAW_URI": self.path,
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "8000",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "SERVER_SOFTWARE": "gunicorn",
            "REMOTE_ADDR": "127.0.0.1",
            "REMOTE_PORT": "40000",
            "HTTP_HOST": "127.0.0.1",
            "HTTP_ACCEPT": "*/*",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(self.body.encode()),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
        }
        if self.token:
            made["HTTP_AUTHORIZATION"] = f"Bearer {self.token}"
        if self.if_none_match:
            made["HTTP_IF_NONE_MATCH"] = self.if_none_match
        if self.body:
            made["CONTENT_TYPE"] = "application/json"
            made["CONTENT_LENGTH"] = str(len(self.body))
        return made


class KnownRandomness:
    """Chance that repeats itself: the games of one seed are always the same."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)

    def game_id(self) -> str:
        """Return an id of the right form."""
        alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        return "g_" + "".join(self._chance.choices(alphabet, k=21)) + "A"

    def deal_key(self) -> bytes:
        """Return 32 bytes."""
        return self._chance.randbytes(32)

    def join_code(self) -> str:
        """Return a join code."""
        return self._chance.randbytes(8).hex()

    def score_sheet_id(self) -> str:
        """Return an id of the right form."""
        return "ss_" + self.game_id().removeprefix("g_")


@contextlib.contextmanager
def database() -> Iterator[Settings]:
    """Run a PostgreSQL of our own, durable as in production; yield the settings that use it."""
    with tempfile.TemporaryDirectory(prefix="gin-bench-") as folder:
        binaries = find_binaries(load(os.environ).pg_bindir)
        with LocalServer(Path(folder), binaries) as server:
            own = {"DATABASE_URL": server.url, "GIN_SECRET": SECRET, "GIN_DATA_DIR": folder}
            settings = load({**os.environ, **own})
            prepare(settings)
            with _connected(settings) as conn:
                conn.execute(bare.TABLES)
            yield settings


@contextlib.contextmanager
def _connected(settings: Settings) -> Iterator[psycopg.Connection]:
    with psycopg.connect(settings.database_url or "", autocommit=True) as conn:
        yield conn


def version_of_postgres(settings: Settings) -> str:
    """Return what the server calls itself."""
    with _connected(settings) as conn:
        return str(conn.execute("SHOW server_version").fetchone()[0])


def empty(settings: Settings) -> None:
    """Take all rows away, and tidy up, so that every measurement begins on the same tables."""
    with _connected(settings) as conn:
        conn.execute("TRUNCATE games, moves, changes, bare_games, bare_moves, idempotency_keys")


def settle(settings: Settings) -> None:
    """Have done now what would otherwise disturb a round: checkpoint and statistics."""
    with _connected(settings) as conn:
        conn.execute("VACUUM ANALYZE")
        conn.execute("CHECKPOINT")


@dataclass(frozen=True, slots=True)
class Served:
    """A running gunicorn."""

    port: int
    pid: int

    def cpu(self) -> float:
        """Return the seconds of processor time that its processes have used so far."""
        return sum(_cpu(pid) for pid in (self.pid, *children(self.pid)))


def _cpu(pid: int) -> float:
    times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def gunicorn(settings: Settings, application: str) -> Iterator[Served]:
    """Serve ``application`` as ``make run`` does; yield where, once it answers."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    config = str(ROOT / "deploy/gunicorn.conf.py")
    command = [sys.executable, "-m", "gunicorn", "--config", config, application]
    environ = {
        **os.environ,
        "PORT": str(port),
        "DATABASE_URL": settings.database_url or "",
        "GIN_SECRET": SECRET,
        "GIN_LOG_LEVEL": "warning",
        # Counted like every request, but all of them come from one address.
        "GIN_LIMIT_SCORING": "1000000/1",
    }
    process = subprocess.Popen(leashed(command, signal.SIGTERM), cwd=ROOT, env=environ)
    try:
        if not poll(lambda: process.poll() is not None or _listens(port), 30.0, 0.05):
            raise RuntimeError(f"{application} did not start")
        yield Served(port, process.pid)
    finally:
        process.terminate()
        process.wait()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Table:
    """Prepares games for measurements."""

    def __init__(self, settings: Settings, seed: int = 1) -> None:
        self.settings = settings
        self.house: House = create_house(settings, KnownRandomness(seed))
        self._rows = 0

    def close(self) -> None:
        """Give the connections back."""
        self.house.store.close()

    def bare_row(self) -> str:
        """Make a row for the bare routes; return its key, which is as long as the id of a game."""
        self._rows += 1
        key = f"g_{self._rows:022d}"
        with self.house.store.writing() as conn:
            conn.execute(bare.INSERT, (key, bare.STATE))
        return key

    def game(self, turns: int = TURNS) -> list[Request]:
        """Make a game of two people; return ``turns`` turns: draw from the stock, then discard."""
        created = create_game(self.house, Rules(), (PERSON, PERSON))
        game = self._after_passes(created)
        tokens = {grant.seat: grant.token for grant in created.grants}
        requests = []
        for _ in range(2 * turns):
            hand = game.hand
            assert hand is not None
            action = _draw_or_discard(game, hand.to_act)
            requests.append(move_request(game, tokens[hand.to_act], action))
            game = apply(game, hand.to_act, action).game
        return requests

    def game_with_computer(self) -> list[Request]:
        """Make a game with a computer; return its draws and discards up to the computer's knock.

        The computer answers each discard with its whole turn.
        """
        created = create_game(self.house, Rules(), (PERSON, COMPUTER))
        game = self._after_passes(created)
        requests: list[Request] = []
        turn: list[Request] = []
        while game.phase is Phase.DRAW and len(requests) < 2 * TURNS:
            requests += turn  # which the computer has answered with a turn
            turn = []
            for _ in range(2):
                action = _draw_or_discard(game, 0)
                turn.append(move_request(game, created.grants[0].token, action))
                made = apply(game, 0, action)
                made = with_replies(made, created.stored.seats, Thinking.within(60_000))
                game = made.game
        return requests

    def views(self, turns: int = TURNS // 2) -> list[Request]:
        """Make a game in the middle of a hand; return both seats' requests to look at it."""
        created = create_game(self.house, Rules(), (PERSON, PERSON))
        game = self._after_passes(created)
        for _ in range(2 * turns + 1):
            assert game.hand is not None
            game = self._move(game, _draw_or_discard(game, game.hand.to_act))
        path = f"/v1/games/{game.setup.id}"
        return [Request("GET", path, grant.token) for grant in created.grants]

    def version(self, view: Request) -> int:
        """Return the version of the game that ``view`` looks at."""
        stored = stored_now(self.house, view.path.rpartition("/")[2])
        assert stored is not None
        return stored.version

    def unchanged(self) -> list[Request]:
        """Return requests as of :meth:`views` that are answered 304."""
        made = []
        for seat, request in enumerate(self.views()):
            tag = f'"{self.version(request)}-{seat}-1"'
            made.append(Request("GET", request.path, request.token, if_none_match=tag))
        return made

    def _after_passes(self, created: Created) -> Game:
        """Refuse the upcard for every person; return the game then."""
        game = created.stored.game
        while game.phase is Phase.FIRST_UPCARD:
            game = self._move(game, Pass())
        return game

    def _move(self, game: Game, action: Action) -> Game:
        stored = stored_now(self.house, game.setup.id)
        assert stored is not None
        assert game.hand is not None
        sender = sender_of(game.hand.to_act, action)
        return make_move(self.house, stored, action, game.next_move, sender).stored.game


def _draw_or_discard(game: Game, seat: int) -> Action:
    if game.phase is Phase.DRAW:
        return Draw(DrawSource.STOCK)
    return Discard(legal(game, seat).discards[0].card)


def move_request(game: Game, token: str, action: Action) -> Request:
    """Return the request that makes the draw or discard ``action`` the next move of ``game``."""
    body: dict[str, object] = {"action": "draw", "source": "stock"}
    if isinstance(action, Discard):
        body = {"action": "discard", "card": card_name(action.card)}
    body["move_number"] = game.next_move
    path = f"/v1/games/{game.setup.id}/moves"
    return Request("POST", path, token, orjson.dumps(body).decode())
