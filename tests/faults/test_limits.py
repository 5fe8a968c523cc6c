"""Rate limits hold for all processes together: four real ones, which begin at once.

``python -m tests.faults.test_limits`` is one of them: it is told a limit and a request, waits for a
line, sends the request so many times, and prints how many were let through.
"""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from random import Random

import psycopg
import pytest

from service.app import create_app
from service.portal_keys import SCOPES
from service.settings import Limit, load
from tests.bot import Bot
from tests.faults.race import at_once
from tests.faults.telling import APPLICATION, WORKER
from tests.server import ROOT, Caller, Served, on_database, plain_environ

WORKERS = 4
SECRET = "a-secret-that-only-the-tests-know-0123456789"
DAY = 86_400
HUMAN = {"kind": "human"}


def work() -> None:
    """Be one process, job after job."""
    app = create_app(load(os.environ))
    allowances = app.extensions["gin-rummy"].allowances
    app.extensions["gin-rummy"].store.open()
    tell("open")
    for line in sys.stdin:
        job = json.loads(line)
        allowances.limits[job["limit"]] = Limit(job["quota"], DAY)
        allowances._purses.clear()  # as after a restart
        tell("ready")
        sys.stdin.readline()
        tell(admitted(app.test_client(), job))
    app.extensions["gin-rummy"].store.close()


def tell(word: object) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def admitted(client, job: dict) -> int:
    """How many of the job's requests were let through; the others were refused for this reason."""
    answers = [client.open(**job["request"]) for _ in range(job["times"])]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert all(answer.json["code"] == "rate_limited" for answer in refused)
    assert all(answer.status_code < 500 for answer in answers)
    return len(answers) - len(refused)


class Workers:
    """Processes that wait for what to do."""

    def __init__(self, environ: dict[str, str], stack: contextlib.ExitStack) -> None:
        self._processes = [stack.enter_context(spawned(environ)) for _ in range(WORKERS)]
        self._hear("open")

    def let_through(self, request: dict, limit: str, quota: int, times: Sequence[int]) -> int:
        """How many of a request all let through that each sent so many times, all at once."""
        job = {"request": request, "limit": limit, "quota": quota}
        self._say([json.dumps({**job, "times": each}) for each in times])
        self._hear("ready")
        self._say(["go"] * WORKERS)
        return sum(int(process.stdout.readline()) for process in self._processes)

    def _say(self, lines: Sequence[str]) -> None:
        for process, line in zip(self._processes, lines, strict=True):
            process.stdin.write(line + "\n")
            process.stdin.flush()

    def _hear(self, word: str) -> None:
        for process in self._processes:
            assert process.stdout.readline() == word + "\n"


def spawned(environ: dict[str, str]) -> subprocess.Popen[str]:
    """One process; it ends when its standard input does."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.faults.test_limits"],
        cwd=ROOT,
        env={**plain_environ(), **environ},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(scope="module")
def environ(database_url, tmp_path_factory):
    """Settings on the database of this worker."""
    folder = tmp_path_factory.mktemp("limits")
    return {**on_database(database_url, SECRET), "GIN_DATA_DIR": str(folder)}


@pytest.fixture(scope="module")
def _session_workers(environ):
    with contextlib.ExitStack() as stack:
        yield Workers(environ, stack)


@pytest.fixture
def workers(_session_workers, empty_tables):
    """Four processes, on tables that are empty before and after the test."""
    return _session_workers


@pytest.fixture
def move(environ):
    """A request that a seat may send as often as its limit lets it."""
    app = create_app(load(environ))
    made = app.test_client().post("/v1/games", json={}).json
    app.extensions["gin-rummy"].store.close()
    return {
        "path": f"/v1/games/{made['game']['id']}/moves",
        "method": "POST",
        "json": {"action": "pass", "move_number": 10**6},
        "headers": {"Authorization": f"Bearer {made['tokens'][0]['token']}"},
    }


RULES = {"path": "/v1/rule-sets", "method": "GET"}


class TestFourProcesses:
    def test_let_a_hundred_of_an_address_through(self, workers):
        let = workers.let_through(RULES, "default", 100, [60] * WORKERS)
        assert abs(let - 100) <= 2

    def test_let_a_hundred_of_a_seat_through(self, workers, move):
        let = workers.let_through(move, "moves", 100, [60] * WORKERS)
        assert abs(let - 100) <= 2

    def test_let_two_thousand_through_give_or_take_two_percent(self, workers):
        """Each takes ten at once, and one of them stops with nine of its last ten in hand."""
        let = workers.let_through(RULES, "default", 2000, [111, 800, 800, 800])
        assert abs(let - 2000) <= 40

    def test_go_on_where_they_left_off(self, workers, database_url):
        """After a restart the same limit holds: what was used stands in the database."""
        assert workers.let_through(RULES, "default", 100, [18] * WORKERS) == 72
        assert workers.let_through(RULES, "default", 100, [18] * WORKERS) == 28
        with psycopg.connect(database_url) as conn:
            [(used,)] = conn.execute("SELECT used FROM rate_buckets").fetchall()
        assert used == pytest.approx(100, abs=1)


DAILY = f"{{}}/{DAY}"
LOW = {"GIN_LIMIT_DEFAULT": DAILY.format(100), "GIN_LIMIT_CREATES": DAILY.format(3)}
CLIENTS = 8


@pytest.fixture(scope="module")
def _low(environ, tmp_path_factory):
    folder = tmp_path_factory.mktemp("low")
    settings = {**environ, **LOW, "GIN_WORKERS": str(WORKERS)}
    with Served(folder, settings, application=APPLICATION) as served:
        yield served


@pytest.fixture
def low(_low, empty_tables):
    """The real service in four processes, with low limits for all but moves."""
    return _low


def portal_key(served: Served) -> str:
    words = ("keys", "create", "--portal", "arcade", "--scopes", ",".join(SCOPES))
    made = served.operate(*words)
    assert made.returncode == 0, made.stderr
    return next(word for word in made.stdout.split() if word.startswith("grk_"))


def asked(port: int, token: str | None, path: str, times: int) -> list[tuple[int, str]]:
    """Ask so often, each time on a new connection; return statuses and who answered."""
    found = []
    for _ in range(times):
        with contextlib.closing(Caller(port, token)) as call:
            status, _ = call("GET", path)
            found.append((status, call.headers[WORKER]))
    return found


def let_through(port: int, token: str | None, path: str) -> int:
    """How many of many requests at once were let through; all processes had a share in it."""
    job = partial(asked, port, token, path, 30)
    told = [each for answers in at_once([job] * CLIENTS) for each in answers]
    assert {status for status, _ in told} == {200, 429}
    assert len({worker for _, worker in told}) == WORKERS
    return sum(status == 200 for status, _ in told)


@pytest.mark.http
class TestFourWorkers:
    def test_let_a_hundred_of_a_portal_through(self, low):
        assert abs(let_through(low.port, portal_key(low), "/v1/games") - 100) <= 2

    def test_never_refuse_a_move_because_of_the_quota_of_the_portal(self, low, database_url):
        key, people = portal_key(low), [HUMAN, {**HUMAN, "seating": "granted"}]
        with contextlib.ExitStack() as stack:

            def caller(token: str | None) -> Caller:
                return stack.enter_context(contextlib.closing(Caller(low.port, token)))

            portal = caller(key)
            made = portal("POST", "/v1/games", {"seats": people, "rules": {"target": 10}})[1]
            path, game = f"/v1/games/{made['game']['id']}", made["game"]
            creates = [portal("POST", "/v1/games", {})[0] for _ in range(6)]
            assert sorted(creates) == [201] * 2 + [429] * 4
            assert let_through(low.port, key, path) <= 102
            before = used_by_portals(database_url)
            seats = {grant["seat"]: caller(grant["token"]) for grant in made["tokens"]}
            bots = {seat: Bot(path, Random(f"limits {seat}"), resigns_at=90) for seat in seats}
            moves = 0
            while not game["over"]:
                seat = game["to_act_seats"][0]
                _, view = seats[seat]("GET", path)
                status, told = seats[seat](*bots[seat].wish(view))
                assert status == 201, told
                assert seats[seat].headers["RateLimit-Policy"].startswith('"moves"')
                game, moves = told["game"], moves + 1
                if moves % 10 == 0:
                    assert portal("GET", path)[0] == 429
            assert moves > 10
            assert used_by_portals(database_url) == before

    def test_refuse_a_seat_what_it_asks_too_often_and_nothing_else(self, low):
        """The other seat, and the moves of this one, go on."""
        with contextlib.closing(Caller(low.port)) as call:
            made = call("POST", "/v1/games", {"seats": [HUMAN, {**HUMAN, "seating": "granted"}]})[1]
        path, number = f"/v1/games/{made['game']['id']}", made["game"]["next_move"]
        due = made["game"]["to_act_seats"][0]
        tokens = {grant["seat"]: grant["token"] for grant in made["tokens"]}
        assert abs(let_through(low.port, tokens[due], path) - 100) <= 2
        with contextlib.closing(Caller(low.port, tokens[1 - due])) as other:
            assert other("GET", path)[0] == 200
        with contextlib.closing(Caller(low.port, tokens[due])) as call:
            passing = {"action": "pass", "move_number": number}
            assert call("POST", f"{path}/moves", passing)[0] == 201


def used_by_portals(database_url: str) -> list[tuple]:
    """What all portals have used of their limits, with no time gone by since."""
    query = (
        "SELECT bucket, round(used) FROM rate_buckets WHERE owner LIKE 'portal:%' ORDER BY bucket"
    )
    with psycopg.connect(database_url) as conn:
        return conn.execute(query).fetchall()


if __name__ == "__main__":
    work()
