"""Those who follow a game on a real server of two processes: told everything, once, in order.

``GIN_SWEEP_RECONNECTS`` games are followed by all kinds of clients at once, among them some that
throw their connection away after every answer, and played and followed by clients that are thrown
away after every request, answered or not.
"""

import contextlib
import logging
import os
import signal
import tempfile
from pathlib import Path
from random import Random

import psycopg
import pytest

from service.local import LocalServer
from service.postgres_programs import find_binaries
from service.settings import load
from tests.bot import Bot
from tests.faults.reconnecting import WAYS, Kept, Player, Watcher
from tests.following import KINDS, PATIENCE, ByPolls, BySteadyStream, Stream
from tests.server import Caller, Served, on_database

GAMES = int(os.environ.get("GIN_SWEEP_RECONNECTS", "2"))
PEOPLE = [{"kind": "human"}, {"kind": "human", "seating": "granted"}]
SECRET = "a-secret-that-only-the-tests-know-0123456789"
COMMENT = b": still here\n"
SHORT = {"GIN_STREAM_SECONDS": "1.5", "GIN_STREAM_COMMENT_SECONDS": "0.3"}

pytestmark = pytest.mark.http


@pytest.fixture(autouse=True)
def _closed():
    """Close what streams a test has opened."""
    yield
    while Stream.opened:
        Stream.opened.pop().close()


@contextlib.contextmanager
def serving(database_url, **environ):
    with tempfile.TemporaryDirectory(prefix="gin-following-") as folder:
        settings = on_database(database_url, SECRET) | environ
        with Served(Path(folder) / "data", settings) as served:
            yield served


@pytest.fixture(scope="module")
def _brief(database_url):
    with serving(database_url, **SHORT) as served:
        yield served


@pytest.fixture
def brief(_brief, empty_tables):
    """A server that closes its streams soon."""
    return _brief


class Game:
    """A game of two people over HTTP."""

    def __init__(self, port: int, **body) -> None:
        self.port = port
        with contextlib.closing(Caller(port)) as call:
            status, made = call("POST", "/v1/games", {"seats": PEOPLE, **body})
        assert status == 201, made
        self.path = f"/v1/games/{made['game']['id']}"
        self.tokens = {grant["seat"]: grant["token"] for grant in made["tokens"]}
        self.tokens["spectator"] = made["spectator_token"]
        self.view = made["game"]

    @property
    def version(self) -> int:
        return self.view["version"]

    def ask(self, who, method: str, path: str = "", body=None) -> dict:
        """Ask once, and again as long as the service is busy, as every client should."""
        status, found = 503, {}
        while status == 503:
            with contextlib.closing(Caller(self.port, self.tokens[who])) as call:
                status, found = call(method, self.path + path, body)
        assert status in {200, 201}, found
        return found

    def move(self) -> dict:
        """Let the seat that is due pass, draw or discard; return the move."""
        seat = self.view["to_act_seats"][0]
        legal = self.ask(seat, "GET")["you"]["legal"]
        wish = (
            {"action": "pass"}
            if "pass" in legal["actions"]
            else {"action": "draw", "source": "stock"}
        )
        if legal["discards"]:
            wish = {"action": "discard", "card": legal["discards"][-1]["card"]}
        update = self.ask(seat, "POST", "/moves", {**wish, "move_number": self.view["next_move"]})
        self.view = update["game"]
        return update["moves"][0]

    def play(self, seed: int) -> None:
        """Let two bots play it to its end."""
        bots = {seat: Bot(self.path, Random(f"{seed} {seat}"), 150) for seat in (0, 1)}
        with contextlib.ExitStack() as callers:
            calls = {
                seat: callers.enter_context(
                    contextlib.closing(Caller(self.port, self.tokens[seat]))
                )
                for seat in bots
            }
            while not self.view["over"]:
                seat = self.view["to_act_seats"][0]
                _, view = calls[seat]("GET", self.path)
                status, told = calls[seat](*bots[seat].wish(view))
                assert status in {200, 201}, told
                self.view = told["game"]

    def stream(self, who=0, **options) -> Stream:
        return Stream(self.port, self.path, self.tokens.get(who), **options)


def expect(streams, move) -> None:
    """Every stream tells of a move next; before it perhaps of who came to the table."""
    for stream in streams:
        [told] = next(moves for event in stream.events() if (moves := event.update["moves"]))
        assert (told["number"], told["version"]) == (move["number"], move["version"])


class TestEveryProcess:
    def test_tells_those_whom_it_holds(self, served):
        """With two processes and twelve connections, some are where the move is not made."""
        game = Game(served.port)
        streams = [game.stream(who, last=str(game.version)) for who in (0, 1, "spectator") * 4]
        polls = [ByPolls(served.port, game.path, game.tokens[0], game.version) for _ in range(4)]
        for _ in range(6):
            expect(streams, game.move())
        game.ask(0, "POST", "/resignations", {"move_number": game.view["next_move"]})
        for each in polls:
            each.join(PATIENCE)
            assert (each.over, each.wrong) == (True, None)
            assert [move["number"] for move in each.moves] == list(range(3, 10))

    def test_answers_moves_beside_more_waiters_than_threads(self, served):
        games = [Game(served.port) for _ in range(12)]
        polls = [
            ByPolls(served.port, game.path, game.tokens[seat], game.version)
            for game in games
            for seat in (0, 1, "spectator")
        ]
        lonely = Game(served.port)
        for _ in range(10):
            lonely.move()
        for game in games:
            game.ask(0, "POST", "/resignations", {"move_number": game.view["next_move"]})
        for each in polls:
            each.join(PATIENCE)
            assert (each.over, each.wrong) == (True, None)


class TestAStream:
    def test_is_closed_by_plan_and_taken_up_again(self, brief):
        game = Game(brief.port)
        first = game.stream("spectator")
        last = first.next().id
        assert list(first.events()) == []  # it ended by itself, and well
        assert COMMENT in first.lines
        move = game.move()
        again = game.stream(last=last)
        expect([again], move)

    def test_says_that_it_is_there(self, brief):
        stream = Game(brief.port).stream()
        stream.until(COMMENT)
        stream.until(COMMENT)

    def test_has_the_headers_that_let_it_through(self, brief):
        stream = Game(brief.port).stream()
        headers = stream.answer.headers
        assert headers["Content-Type"] == "text/event-stream"
        assert headers["Cache-Control"] == "no-store"
        assert headers["X-Accel-Buffering"] == "no"
        assert headers["Access-Control-Allow-Origin"] == "*"
        assert "Content-Length" not in headers

    @pytest.mark.parametrize("last", [None, "999", "x"])
    def test_begins_afresh_without_a_version_that_is_known(self, brief, last):
        game = Game(brief.port)
        stream = game.stream(last=last)
        update = stream.next().update
        assert (update["reset"], update["moves"]) == (True, [])

    def test_ends_with_the_game_and_is_not_opened_again(self, brief):
        game = Game(brief.port)
        stream = game.stream(1, last=str(game.version))
        game.ask(0, "POST", "/resignations", {"move_number": game.view["next_move"]})
        [event] = stream.events()
        assert event.update["game"]["over"]
        again = game.stream(1, last=event.id)
        assert (again.status, again.answer.read()) == (204, b"")

    def test_is_opened_with_a_ticket(self, brief):
        game = Game(brief.port)
        ticket = game.ask(1, "POST", "/stream-tickets")["ticket"]
        query = f"?ticket={ticket}&after={game.version}"
        stream = game.stream(None, query=query)
        move = game.move()
        event = stream.next()
        assert event.update["game"]["you"]["seat"] == 1
        assert [told["number"] for told in event.update["moves"]] == [move["number"]]
        again = game.stream(None, query=query, last=event.id)
        expect([again], game.move())


class TestTooMany:
    def test_are_told_to_come_later(self, database_url, empty_tables):
        with serving(database_url, GIN_FOLLOWERS="5", GIN_WORKERS="1") as served:
            game = Game(served.port)
            streams = [game.stream() for _ in range(5)]
            assert all(stream.status == 200 for stream in streams)
            refused = game.stream("spectator")
            assert refused.status == 503
            assert refused.answer.headers["Retry-After"]
            update = game.ask(1, "GET", f"/updates?after={game.version}&wait=25")
            assert update["moves"] == []  # at once
            streams.pop().close()
            freed = game.stream("spectator")
            while freed.status == 503:  # until the server has noticed
                freed = game.stream("spectator")
            assert freed.status == 200

    def test_of_one_seat_leave_room_for_others(self, served):
        game = Game(served.port)
        mine = [game.stream() for _ in range(4)]
        assert [stream.status for stream in mine] == [200] * 4
        theirs = game.stream(1)
        assert theirs.status == 200


class TestAStop:
    def test_ends_streams_and_answers_polls(self, database_url, empty_tables):
        with serving(database_url) as served:
            game = Game(served.port)
            streams = [game.stream(who) for who in (0, 1, "spectator")]
            for stream in streams:
                stream.next()
            code, said = served.interrupt()
            assert code == 0, said
            for stream in streams:
                assert list(stream.events()) == []  # a whole answer: chunks with an end


def backends(conn, application) -> list[int]:
    query = (
        "SELECT pid FROM pg_stat_activity"
        " WHERE application_name = %s AND datname = current_database()"
    )
    return [pid for (pid,) in conn.execute(query, (application,))]


class TestALostListener:
    def test_loses_nobody_anything(self, served, database_url):
        game = Game(served.port)
        streams = [game.stream(who, last=str(game.version)) for who in (0, 1, "spectator") * 2]
        with psycopg.connect(database_url, autocommit=True) as conn:
            for _ in range(5):
                expect(streams, game.move())
                for pid in backends(conn, "gin-rummy-updates"):
                    conn.execute("SELECT pg_terminate_backend(%s)", (pid,))


class TestADatabaseThatRestarts:
    def test_loses_nobody_anything(self):
        """It waits for its disk, other than the tests' own: what was answered is there again."""
        folder = Path(tempfile.mkdtemp(prefix="gin-restarting-"))
        with (
            LocalServer(folder, find_binaries(load(os.environ).pg_bindir)) as server,
            serving(server.url) as served,
        ):
            game = Game(served.port)
            streams = [game.stream(who, last=str(game.version)) for who in (0, 1, "spectator") * 2]
            for _ in range(3):
                expect(streams, game.move())
                crash(server.url)


def crash(url: str) -> None:
    """Kill one process of PostgreSQL; it ends all others, and recovers."""
    with psycopg.connect(url) as conn:
        os.kill(conn.info.backend_pid, signal.SIGKILL)
        with contextlib.suppress(psycopg.OperationalError):
            conn.execute("SELECT 1")


class TestAWholeGame:
    @pytest.mark.parametrize("number", range(GAMES))
    def test_is_told_to_all_who_follow_once_and_in_order(self, brief, number):
        game = Game(brief.port, rules={"target": 10})
        followers = [
            kind(brief.port, game.path, game.tokens[who], 1)
            for who in (0, 1, "spectator")
            for kind in KINDS
        ]
        game.play(number)
        for each in followers:
            each.join(PATIENCE)
            assert (each.over, each.wrong) == (True, None)
        for who in (0, 1, "spectator"):
            of_one = [each for each in followers if each.token == game.tokens[who]]
            assert len(of_one) == len(KINDS)
            for each in of_one:
                numbers = [move["number"] for move in each.moves]
                assert numbers == list(range(1, game.view["next_move"]))
                assert each.moves == of_one[0].moves
        came_back = [each for each in followers if not isinstance(each, BySteadyStream)]
        assert all(each.connections > 1 for each in came_back)


class TestClientsThatLiveForOneRequest:
    """Players and those who look on, each rebuilt after every request from game, token, version."""

    @pytest.mark.parametrize("number", range(GAMES))
    def test_miss_nothing_and_double_nothing(self, brief, number):
        game, rng = Game(brief.port, rules={"target": 10}), Random(f"reborn {number}")
        kept = {who: Kept(game.path, token) for who, token in game.tokens.items()}
        players = [Player(brief.port, kept[seat], Random(rng.random())) for seat in (0, 1)]
        whose = [(0, 1, "spectator")[(number + turn) % 3] for turn in range(len(WAYS))]
        watchers = [
            Watcher(brief.port, kept[who], Random(rng.random()), way)
            for who, way in zip(whose, WAYS, strict=True)
        ]
        everybody = [*players, *watchers]
        for each in everybody:
            each.start()
        for each in everybody:
            each.join(PATIENCE)
            assert (each.over, each.wrong) == (True, None)
        log = [plain(move) for move in game.ask("spectator", "GET", "/updates?after=1")["moves"]]
        assert [number for number, *_ in log] == list(range(1, len(log) + 1))
        for each in everybody:
            assert [plain(move) for move in each.moves] == log
        assert all(each.lives > 3 for each in everybody)
        assert sum(each.unanswered for each in everybody) > len(everybody)
        logging.getLogger(__name__).info(
            "%s moves: %s lives, %s unanswered",
            len(log),
            [each.lives for each in everybody],
            [each.unanswered for each in everybody],
        )


def plain(move: dict) -> tuple:
    """What of a move is the same for all who see it."""
    return move["number"], move["version"], move.get("seat"), move["action"]
