"""Several clients at once on one game: one of them wins, and the log has no hole and no double.

``GIN_SWEEP_RACES`` rounds of eight clients against the real service, which has two processes.
"""

import contextlib
import json
import os
import socket
import struct
import threading
from collections import Counter
from functools import partial
from random import Random

import psycopg
import pytest

from service.app import create_app
from service.settings import load
from service.storage import games
from service.storage.migrate import migrate
from service.use_cases import make_move
from tests.bot import Bot
from tests.faults.race import (
    CLIENTS,
    TOGETHER_SECONDS,
    Answered,
    at_once,
    eight_wishes,
    verdict,
)
from tests.server import Caller, on_database

ROUNDS = int(os.environ.get("GIN_SWEEP_RACES", "25"))
ROUNDS_OF_A_GAME = 100
SECRET = "a-secret-that-only-the-tests-know-0123456789"
GRANTED = {"kind": "human", "seating": "granted"}
COMPUTER = {"kind": "ai", "ai": {"level": "easy"}}


class Clients:
    """Eight clients of one game, each with a connection of its own for each seat it knows."""

    def __init__(self, connect, seats: list[dict], **rules: object) -> None:
        status, made = connect(None)("POST", "/v1/games", {"seats": seats, "rules": rules})
        assert status == 201, made
        self.path = f"/v1/games/{made['game']['id']}"
        tokens = {grant["seat"]: grant["token"] for grant in made["tokens"]}
        self.tokens = tokens
        self.callers = [
            {seat: connect(token) for seat, token in tokens.items()} for _ in range(CLIENTS)
        ]

    def views(self) -> dict[int, dict]:
        return {seat: call("GET", self.path)[1] for seat, call in self.callers[0].items()}

    def round(self, rng: Random) -> tuple[int, list[Answered]]:
        """Let all clients send the same move number; return it, and what they were told."""
        views = self.views()
        number = next(iter(views.values()))["next_move"]
        wishes = eight_wishes(views, rng)

        def call(client: int):
            sent = wishes[client]
            body = {**sent.action, "move_number": number}
            return partial(self.callers[client][sent.seat], "POST", f"{self.path}/moves", body)

        told = at_once([call(client) for client in range(CLIENTS)])
        return number, [Answered(sent, *each) for sent, each in zip(wishes, told, strict=True)]

    def deal(self) -> list[tuple[int, dict]]:
        """Let all clients ask for the next hand."""
        view = next(iter(self.views().values()))
        body = {"hand_number": view["next_hand"]["number"]}
        seats = sorted(self.tokens)

        def call(client: int):
            asks = self.callers[client][seats[client % len(seats)]]
            return partial(asks, "POST", f"{self.path}/hands", body)

        return at_once([call(client) for client in range(CLIENTS)])

    def agree(self, path: str, body: dict | None) -> list[tuple[int, dict]]:
        """Let all clients say the same, each for one of the seats."""
        seats = sorted(self.tokens)

        def call(client: int):
            says = self.callers[client][seats[client % len(seats)]]
            return partial(says, "PUT", self.path + path, body)

        return at_once([call(client) for client in range(CLIENTS)])

    def hints(self, seat: int, *others) -> list[tuple[int, dict]]:
        """Let all clients but for so many others ask for a hint; the others do something else."""
        asking = [
            partial(client[seat], "POST", f"{self.path}/hints", {})
            for client in self.callers[len(others) :]
        ]
        return at_once([*others, *asking])

    def phase(self) -> str:
        return next(iter(self.views().values()))["phase"]

    def log(self) -> list[dict]:
        """The whole log, page after page."""
        call = next(iter(self.callers[0].values()))
        page = call("GET", f"{self.path}/moves?limit=100")[1]
        found = page["items"]
        while "next_cursor" in page:
            page = call("GET", f"{self.path}/moves?limit=100&cursor={page['next_cursor']}")[1]
            found += page["items"]
        return found


def numbers_are_whole(log: list[dict]) -> bool:
    return [move["number"] for move in log] == list(range(1, len(log) + 1))


@pytest.fixture
def connect(served):
    """Makes connections to the service for the holder of a token."""
    with contextlib.ExitStack() as stack:

        def made(token: str | None) -> Caller:
            return stack.enter_context(contextlib.closing(Caller(served.port, token)))

        yield made


@pytest.mark.http
class TestEightClientsWithOneMoveNumber:
    def test_get_one_move_made_and_the_rest_told_how_the_game_stands(self, served, connect):
        rng, played, seen = Random(1), 0, Counter()
        tables = 0
        while played < ROUNDS:
            seats = [GRANTED, COMPUTER] if tables % 2 else [GRANTED, GRANTED]
            clients = Clients(connect, seats)
            tables += 1
            for _ in range(min(ROUNDS_OF_A_GAME, ROUNDS - played, (ROUNDS + 1) // 2)):
                if clients.phase() == "game_over":
                    break
                if clients.phase() == "hand_over":
                    told = clients.deal()
                    assert sorted(status for status, _ in told) == [200] * 7 + [201]
                number, answers = clients.round(rng)
                assert verdict(number, answers) is None
                seen.update(each.status for each in answers)
                played += 1
            assert numbers_are_whole(clients.log())
        assert seen[201] == ROUNDS
        assert seen[200] > 0
        assert seen[409] > 5 * ROUNDS
        verified = served.operate("verify")
        assert verified.stdout == f"{tables} games, 0 findings\n"


def decided_versions(database_url) -> int:
    """How many versions the only game has, less those of people who came to the table or went."""
    with psycopg.connect(database_url) as conn:
        return conn.execute("SELECT max(version - sightings) FROM games").fetchone()[0]


@pytest.mark.http
class TestHintsAskedForAtOnce:
    def test_for_one_move_are_all_the_same_and_count_once(self, connect, served, database_url):
        clients = Clients(connect, [GRANTED, GRANTED], advice="full")
        before = clients.views()[0]
        decided = decided_versions(database_url)
        told = clients.hints(before["to_act_seats"][0])
        assert {status for status, _ in told} == {200}
        assert all(hint == told[0][1] for _, hint in told)
        after = clients.views()[0]
        assert decided_versions(database_url) == decided + 1
        assert after["hints_used"] == [{"seat": before["to_act_seats"][0], "count": 1}]
        assert served.operate("verify").stdout == "1 games, 0 findings\n"

    def test_with_a_move_never_lose_it(self, connect, served):
        clients, rng, counted = Clients(connect, [GRANTED, GRANTED], advice="full"), Random(7), 0
        while counted < 10 and clients.phase() not in {"hand_over", "game_over"}:
            views = clients.views()
            sent = next(sent for sent in eight_wishes(views, rng) if sent.legal)
            number = views[sent.seat]["next_move"]
            body = {**sent.action, "move_number": number}
            mover = clients.callers[0][sent.seat]
            moving = partial(mover, "POST", f"{clients.path}/moves", body)
            (status, update), *told = clients.hints(sent.seat, moving)
            assert (status, update["moves"][0]["number"]) == (201, number)
            for status, answer in told:
                assert status == 200 or answer["code"] in {"not_your_turn", "hand_over"}
            counted += 1
        assert counted
        assert numbers_are_whole(clients.log())
        assert served.operate("verify").stdout == "1 games, 0 findings\n"


@pytest.mark.http
class TestTwoSeatsAtOnce:
    def test_that_ask_for_the_next_hand_are_both_told_the_same_deal(self, connect):
        clients = Clients(connect, [GRANTED, GRANTED])
        path, rng = clients.path, Random(5)
        bots = {seat: Bot(path, rng) for seat in clients.tokens}
        while clients.phase() != "hand_over":
            for seat, view in clients.views().items():
                wish = bots[seat].wish(view)
                if wish and not wish.path.endswith("/hands"):
                    clients.callers[0][seat](*wish)
        told = clients.deal()
        assert sorted(status for status, _ in told) == [200] * 7 + [201]
        by_seat = {0: told[0::2], 1: told[1::2]}
        for seat, answers in by_seat.items():
            moves = [body["moves"] for _, body in answers]
            assert moves == [moves[0]] * 4
            assert len(moves[0][-1]["deal"]["cards"]) == 10
            assert all(body["game"]["you"]["seat"] == seat for _, body in answers)
            assert all(body["replayed"] == (status == 200) for status, body in answers)
        assert sum(move["action"] == "deal" for move in clients.log()) == 2

    def test_that_consent_to_a_void_make_one_of_it(self, connect, served, database_url):
        clients = Clients(connect, [GRANTED, GRANTED])
        told = clients.agree("/hands/1/void-consent", {"consent": True})
        assert {status for status, _ in told} == {200}
        assert sum(move["action"] == "void_hand" for move in clients.log()) == 1
        assert sum(not body["replayed"] for _, body in told) == 2
        view = next(iter(clients.views().values()))
        made = view["next_move"] - 1
        assert view["phase"] == "hand_over"
        assert decided_versions(database_url) == 1 + made + 2
        assert served.operate("verify").stdout == "1 games, 0 findings\n"

    def test_that_want_the_last_seat_do_not_both_get_it(self, connect):
        for named in (False, True) * 3:
            _, made = connect(None)("POST", "/v1/games", {})
            path = f"/v1/games/{made['game']['id']}"
            body = {"join_code": made["join_code"], **({"seat": 1} if named else {})}
            callers = [connect(None) for _ in range(CLIENTS)]
            told = at_once([partial(call, "POST", f"{path}/joins", body) for call in callers])
            assert sorted(status for status, _ in told) == [201] + [409] * 7
            codes = {problem["code"] for status, problem in told if status == 409}
            assert codes <= {"game_full", "seat_taken"}
            [joined] = [answer for status, answer in told if status == 201]
            status, view = connect(joined["token"])("GET", path)
            assert (status, view["you"]["seat"]) == (200, 1)
            assert view["version"] >= 4  # one more once it is told that somebody came

    def test_that_resign_and_move_do_not_both_do_it(self, connect):
        won = Counter()
        for _ in range(10):
            clients = Clients(connect, [GRANTED, GRANTED])
            views = clients.views()
            due = next(seat for seat, view in views.items() if view["you"]["legal"]["actions"])
            number = {"move_number": views[due]["next_move"]}
            mover, other = clients.callers[0][due], clients.callers[1][1 - due]
            passing = {"action": "pass", **number}
            told = at_once(
                [
                    partial(mover, "POST", f"{clients.path}/turns", passing),
                    partial(other, "POST", f"{clients.path}/resignations", number),
                ]
            )
            assert sorted(status for status, _ in told) == [201, 409]
            refused = next(problem for status, problem in told if status == 409)
            assert refused["code"] == "stale_move"
            assert refused["game"]["over"] == (told[1][0] == 201)
            won[told.index(next(each for each in told if each[0] == 201))] += 1
            log = clients.log()
            assert numbers_are_whole(log)
            assert log[-1]["number"] == number["move_number"]
        assert won.total() == 10


def send_and_hang_up(port: int, token: str, path: str, body: dict, *, rudely: bool) -> None:
    """Send a request and close the connection without looking at the answer."""
    data = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {token}\r\nContent-Length: {len(data)}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port)) as connection:
        if rudely:  # a reset instead of a farewell
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.sendall(head.encode() + data)


@pytest.mark.http
class TestALostAnswer:
    def test_is_had_by_sending_the_same_request_again(self, served, connect):
        clients = Clients(connect, [GRANTED, GRANTED])
        bots = {seat: Bot(clients.path, Random(seat)) for seat in clients.tokens}
        seen = Counter()
        for index in range(max(20, ROUNDS // 5)):
            views = clients.views()
            if clients.phase() == "game_over":
                break
            if clients.phase() == "hand_over":
                clients.deal()
                continue
            [(seat, wish)] = [
                (seat, wish) for seat in views if (wish := bots[seat].wish(views[seat]))
            ]
            action = {"action": "lay_off"} if "lay-offs" in wish.path else dict(wish.body)
            if "/knocks" in wish.path and "lay-offs" not in wish.path:
                action["action"] = action.pop("kind")
                action["card"] = action.pop("discard")
            number = views[seat]["next_move"]
            body = {**action, "move_number": number}
            path, token = f"{clients.path}/moves", clients.tokens[seat]
            send_and_hang_up(served.port, token, path, body, rudely=index % 2 == 0)
            status, told = clients.callers[0][seat]("POST", path, body)
            assert (status, told["replayed"]) in {(201, False), (200, True)}
            assert told["moves"][0]["number"] == number
            assert told["moves"][0]["action"] == action["action"]
            again, same = clients.callers[1][seat]("POST", path, body)
            assert (again, same["replayed"], same["moves"]) == (200, True, told["moves"])
            seen[status] += 1
        assert numbers_are_whole(clients.log())
        assert seen.total() > 0


class TestTheJudgeOfRaces:
    """The same race inside one process, where the guards of the write can be taken away."""

    @pytest.fixture
    def house(self, empty_database_url, tmp_path):
        environ = {**on_database(empty_database_url, SECRET), "GIN_DATA_DIR": str(tmp_path)}
        with psycopg.connect(empty_database_url, autocommit=True) as conn:
            migrate(conn)
            app = create_app(load(environ))
            yield app, conn
        app.extensions["gin-rummy"].store.close()

    def clients(self, app) -> Clients:
        def connect(token: str | None):
            headers = {"Authorization": f"Bearer {token}"} if token else {}

            def call(method: str, path: str, body: object = None) -> tuple[int, dict]:
                answer = app.test_client().open(path, method=method, json=body, headers=headers)
                return answer.status_code, answer.get_json()

            return call

        return Clients(connect, [GRANTED, GRANTED])

    @pytest.fixture
    def race(self, monkeypatch):
        """Runs a round in which nobody writes before two of the requests have decided."""
        decide = make_move.decided

        def run(clients: Clients, seed: int) -> str | None:
            first_two, together = iter(range(2)), threading.Barrier(2)

            def decided(stored, how):
                made = decide(stored, how)
                if next(first_two, None) is not None:
                    together.wait(TOGETHER_SECONDS)
                return made

            monkeypatch.setattr(make_move, "decided", decided)
            return verdict(*clients.round(Random(seed)))

        return run

    def test_is_content_with_the_guard(self, house, race):
        app, _ = house
        clients = self.clients(app)
        assert race(clients, 3) is None
        assert numbers_are_whole(clients.log())

    def test_sees_that_the_guard_is_gone(self, house, race, monkeypatch, caplog):
        app, conn = house
        without = games._SAVE.replace("AND version - sightings = %s", "AND version <> -%s")
        assert without != games._SAVE
        monkeypatch.setattr(games, "_SAVE", without)
        assert " 500 " in f" {race(self.clients(app), 3)}"  # the key of the log is the last guard

        conn.execute("ALTER TABLE moves DROP CONSTRAINT moves_pkey CASCADE")
        clients = self.clients(app)
        assert "answers 201 among" in race(clients, 4)
        assert not numbers_are_whole(clients.log())
