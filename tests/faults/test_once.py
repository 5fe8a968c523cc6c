"""One request with one Idempotency-Key, sent by many at once, and by who was cut off.

``GIN_SWEEP_ONCE`` rounds of eight clients against the real service, which has two processes.
"""

import contextlib
import os
import signal
import socket
import struct
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.client import HTTPConnection, HTTPException
from uuid import uuid4

import psycopg
import pytest

from service.app import create_app
from service.local import poll
from service.settings import load
from service.storage import games, idempotency
from service.storage.migrate import migrate
from tests.faults.race import CLIENTS, TOGETHER_SECONDS, at_once
from tests.server import GONE_SECONDS, Caller, Served, on_database
from tests.service.processes import children, gone

ROUNDS = int(os.environ.get("GIN_SWEEP_ONCE", "10"))
SECRET = "a-secret-that-only-the-tests-know-0123456789"
COMPUTER = {"seats": [{"kind": "human"}, {"kind": "ai", "ai": {"level": "easy"}}]}
GAMES = "/v1/games"
TRIES = 20
GAME_COUNT = "SELECT count(*) FROM games"
PATIENCE = {"GIN_LOCK_TIMEOUT_MS": "60000", "GIN_STATEMENT_TIMEOUT_MS": "60000"}


def new_key() -> dict[str, str]:
    return {"Idempotency-Key": str(uuid4())}


def counted(database_url: str, query: str = GAME_COUNT) -> int:
    with psycopg.connect(database_url) as conn:
        return conn.execute(query).fetchone()[0]


class Told:
    """Makes calls, each on a connection of its own; keeps whether an answer was given before."""

    def __init__(self, port: int) -> None:
        self.port = port

    def post(self, path: str, body: object, headers: dict) -> tuple[int, dict]:
        with contextlib.closing(Caller(self.port)) as call:
            status, told = call("POST", path, body, headers)
            return status, {**told, "again": call.headers.get("Idempotency-Replayed")}

    def settled(self, path: str, body: object, headers: dict) -> dict:
        """Post until it is not in progress any more; the service itself waits a while for that."""
        for _ in range(TRIES):
            status, told = self.post(path, body, headers)
            if status == 201:
                return told
            assert told["code"] == "idempotency_in_progress"
        raise AssertionError("it stays in progress")


def verdict(answers) -> str | None:
    """Return what is wrong with the answers to one request sent often at once, or None.

    One is the first; each other is the same given again, or told that it is still being done.
    """
    made = [dict(body) for status, body in answers if status == 201]
    firsts = sum(body.pop("again") is None for body in made)
    if firsts > 1 or not made:
        return f"{firsts} answers of {len(made)} are no repetition"
    if any(body != made[0] for body in made):
        return "two answers are not the same"
    others = [(status, body.get("code")) for status, body in answers if status != 201]
    if set(others) - {(409, "idempotency_in_progress")}:
        return f"answers {others}"
    return None


@pytest.mark.http
class TestEightClientsWithOneKey:
    def test_make_one_game(self, served, database_url):
        told = Told(served.port)
        for number in range(ROUNDS):
            body, key = (COMPUTER, {})[number % 2], new_key()
            answers = at_once([partial(told.post, GAMES, body, key)] * CLIENTS)
            assert verdict(answers) is None
            status, again = told.post(GAMES, body, key)
            assert (status, again.pop("again")) == (201, "true")
            [first] = [dict(each) for _, each in answers if each["again"] is None]
            first.pop("again")
            assert again == first
            assert counted(database_url) == number + 1
        assert served.operate("verify").stdout == f"{ROUNDS} games, 0 findings\n"

    def test_take_one_seat(self, served, database_url):
        told = Told(served.port)
        for number in range(ROUNDS):
            seats = [{"kind": "human", "seating": "open"}] * (2 + number % 2)
            _, made = told.post(GAMES, {"seats": seats}, {})
            path, key = f"{GAMES}/{made['game']['id']}", new_key()
            body = {"join_code": made["join_code"], "name": "Bob"}
            answers = at_once([partial(told.post, f"{path}/joins", body, key)] * CLIENTS)
            assert verdict(answers) is None
            with contextlib.closing(Caller(served.port, made["spectator_token"])) as watch:
                occupied = [seat["occupied"] for seat in watch("GET", path)[1]["seats"]]
            assert occupied == [True] + [False] * (len(seats) - 1)

    def test_and_eight_with_keys_of_their_own_share_the_seats(self, served):
        told, seen = Told(served.port), Counter()
        for _ in range(ROUNDS):
            seats = [{"kind": "human", "seating": "open"}] * 3
            _, made = told.post(GAMES, {"seats": seats}, {})
            path, body = f"{GAMES}/{made['game']['id']}/joins", {"join_code": made["join_code"]}
            keys = [new_key() for _ in range(4)] * 2
            answers = at_once([partial(told.post, path, body, key) for key in keys])
            given = {}
            for key, (status, answer) in zip(keys, answers, strict=True):
                seen[status] += 1
                if status == 201:
                    given.setdefault(key["Idempotency-Key"], set()).add(answer["token"])
                else:
                    assert answer["code"] in {"game_full", "idempotency_in_progress", "busy"}
            assert len(given) <= 3
            assert all(len(tokens) == 1 for tokens in given.values())
            assert len(set.union(*given.values())) == len(given)
        assert seen[201] >= ROUNDS


def send_and_hang_up(port: int, body: bytes, key: dict, *, rudely: bool) -> None:
    """Send a create and close the connection without looking at the answer."""
    head = (
        f"POST {GAMES} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Idempotency-Key: {key['Idempotency-Key']}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port)) as connection:
        if rudely:  # a reset instead of a farewell
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.sendall(head.encode() + body)


@pytest.mark.http
class TestALostAnswer:
    def test_is_had_by_sending_the_same_request_again(self, served, database_url):
        told = Told(served.port)
        for number in range(2 * ROUNDS):
            key = new_key()
            send_and_hang_up(served.port, b"{}", key, rudely=number % 2 == 0)
            first, second = (told.settled(GAMES, {}, key) for _ in range(2))
            assert second["again"] == "true"
            assert {**first, "again": "true"} == second
            assert counted(database_url) == number + 1


@pytest.mark.http
class TestAHeaderSentTwice:
    def test_is_refused(self, served):
        with contextlib.closing(HTTPConnection("127.0.0.1", served.port)) as connection:
            for keys in ([str(uuid4())] * 2, [f'"{uuid4()}"', f'"{uuid4()}"']):
                connection.putrequest("POST", GAMES)
                connection.putheader("Content-Type", "application/json")
                connection.putheader("Content-Length", "2")
                for key in keys:
                    connection.putheader("Idempotency-Key", key)
                connection.endheaders(b"{}")
                answer = connection.getresponse()
                assert (answer.status, b"idempotency_key_invalid" in answer.read()) == (400, True)


def workers_of(served: Served) -> list[int]:
    """The processes that serve: those that started nothing themselves."""
    return [pid for pid in served.everything() if not children(pid)]


@pytest.mark.http
class TestAWorkerThatIsKilled:
    """With the game written and its answer about to be kept, in a transaction of its own."""

    @pytest.fixture
    def patient(self, database_url, empty_tables, tmp_path):
        environ = {**on_database(database_url, SECRET), **PATIENCE}
        with Served(tmp_path / "data", environ) as served:
            yield served

    def test_leaves_nothing_that_blocks_and_nothing_half_done(self, patient, database_url):
        told, key = Told(patient.port), new_key()
        waiting = (
            "SELECT count(*) FROM pg_locks"
            " WHERE relation = 'idempotency_keys'::regclass AND NOT granted"
        )
        with (
            psycopg.connect(database_url) as holder,
            psycopg.connect(database_url, autocommit=True) as onlooker,
            ThreadPoolExecutor(1) as pool,
        ):
            holder.execute("LOCK TABLE idempotency_keys IN EXCLUSIVE MODE")
            cut_off = pool.submit(told.post, GAMES, COMPUTER, key)
            pause = threading.Event()
            while onlooker.execute(waiting).fetchone() == (0,):
                assert not cut_off.done(), cut_off.result()
                pause.wait(0.01)
            killed = workers_of(patient)
            assert len(killed) == 2
            for pid in killed:
                os.kill(pid, signal.SIGKILL)
            with pytest.raises((OSError, HTTPException)):
                cut_off.result(TOGETHER_SECONDS)
            assert poll(lambda: all(map(gone, killed)), GONE_SECONDS)
        assert counted(database_url) == 0

        answers = [told.post(GAMES, COMPUTER, key) for _ in range(2)]
        assert [(status, body["again"]) for status, body in answers] == [(201, None), (201, "true")]
        assert counted(database_url) == 1
        assert patient.operate("verify").stdout == "1 games, 0 findings\n"


class TestTheJudgeOfKeys:
    """The same race inside one process, where the claim can be taken away."""

    @pytest.fixture
    def race(self, empty_database_url, tmp_path, monkeypatch):
        """Runs a round in which nobody writes before two of the requests have decided."""
        environ = {**on_database(empty_database_url, SECRET), "GIN_DATA_DIR": str(tmp_path)}
        with psycopg.connect(empty_database_url, autocommit=True) as conn:
            migrate(conn)
        app = create_app(load(environ))
        insert, together = games.insert, threading.Barrier(2)

        def late(*arguments, **more):
            together.wait(TOGETHER_SECONDS)
            return insert(*arguments, **more)

        monkeypatch.setattr(games, "insert", late)

        def post(key: dict) -> tuple[int, dict]:
            answer = app.test_client().post(GAMES, json={}, headers=key)
            return answer.status_code, {
                **answer.get_json(), "again": answer.headers.get("Idempotency-Replayed")
            }  # fmt: skip

        yield lambda: at_once([partial(post, new_key())] * 2)
        app.extensions["gin-rummy"].store.close()

    def test_is_content_with_the_claim(self, race, empty_database_url):
        answers = race()
        assert verdict(answers) is None
        assert sorted(str(body["again"]) for _, body in answers) == ["None", "true"]
        assert counted(empty_database_url) == 1

    def test_sees_that_the_claim_is_gone(self, race, empty_database_url, monkeypatch):
        head, _, rest = idempotency._KEEP.partition("ON CONFLICT")
        monkeypatch.setattr(
            idempotency, "_KEEP", head + "RETURNING" + rest.partition("RETURNING")[2]
        )
        with psycopg.connect(empty_database_url, autocommit=True) as conn:
            conn.execute("ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_pkey")
        assert verdict(race()) == "2 answers of 2 are no repetition"
        assert counted(empty_database_url) == 2
