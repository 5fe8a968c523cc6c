"""The worker that gives threads back: connections go on, whatever becomes of who waits on them."""

import contextlib
import json
import socket

import pytest

from tests.faults.test_following import PEOPLE
from tests.server import Caller, Served

pytestmark = pytest.mark.http


@pytest.fixture
def game(served: Served):
    with contextlib.closing(Caller(served.port)) as call:
        _, made = call("POST", "/v1/games", {"seats": PEOPLE})
    return made


def path_of(game) -> str:
    return f"/v1/games/{game['game']['id']}"


def token_of(game, seat=0) -> str:
    return game["tokens"][seat]["token"]


def request(game, path, *headers, version="HTTP/1.1") -> bytes:
    """Ask as one who looks on: that nobody else comes to the table by this is as it should be."""
    lines = [
        f"GET {path_of(game)}{path} {version}",
        "Host: x",
        f"Authorization: Bearer {game['spectator_token']}",
        *headers,
        "",
        "",
    ]
    return "\r\n".join(lines).encode()


@contextlib.contextmanager
def connected(served: Served):
    with socket.create_connection(("127.0.0.1", served.port), timeout=60) as sock:
        yield sock, sock.makefile("rb")


def answer(file) -> tuple[int, dict]:
    """Read one whole answer with a length."""
    status = int(file.readline().split()[1])
    length = 0
    while line := file.readline().strip():
        name, _, value = line.partition(b": ")
        length = int(value) if name.lower() == b"content-length" else length
    return status, json.loads(file.read(length) or b"{}")


def pass_on(served, game) -> None:
    """Make the next move, which is a pass."""
    seat = game["game"]["to_act_seats"][0]
    with contextlib.closing(Caller(served.port, token_of(game, seat))) as call:
        body = {"action": "pass", "move_number": game["game"]["next_move"]}
        assert call("POST", f"{path_of(game)}/moves", body)[0] == 201


class TestAConnection:
    def test_is_used_again_after_a_poll(self, served, game):
        version = game["game"]["version"]
        with connected(served) as (sock, file):
            for wait in (1, 1, 0):
                sock.sendall(request(game, f"/updates?after={version}&wait={wait}"))
                status, update = answer(file)
                assert (status, update["game"]["version"]) == (200, version)
            sock.sendall(request(game, ""))
            assert answer(file)[0] == 200

    def test_answers_what_was_asked_while_it_waited(self, served, game):
        """A second request on the connection of a poll ends the waiting; both are answered."""
        version = game["game"]["version"]
        with connected(served) as (sock, file):
            sock.sendall(request(game, f"/updates?after={version}&wait=25"))
            sock.sendall(request(game, "/score"))
            assert answer(file)[1]["game"]["version"] == version
            assert "totals" in answer(file)[1]

    def test_of_a_poll_is_told_of_a_move(self, served, game):
        version = game["game"]["version"]
        with connected(served) as (sock, file):
            sock.sendall(request(game, f"/updates?after={version}&wait=25"))
            pass_on(served, game)
            assert [move["action"] for move in answer(file)[1]["moves"]] == ["pass"]

    def test_that_is_given_up_costs_nothing(self, served, game):
        version = game["game"]["version"]
        for _ in range(20):
            with connected(served) as (sock, _):
                sock.sendall(request(game, f"/updates?after={version}&wait=25"))
        with connected(served) as (sock, file):
            sock.sendall(request(game, ""))
            assert answer(file)[0] == 200


class TestAStream:
    def test_needs_no_chunks_for_an_old_client(self, served, game):
        with connected(served) as (sock, file):
            sock.sendall(request(game, "/updates/stream", version="HTTP/1.0"))
            assert file.readline().split()[1] == b"200"
            while line := file.readline().strip():
                assert b"chunked" not in line
            assert [file.readline() for _ in range(2)] == [b"retry: 2000\n", b"\n"]

    def test_closes_its_connection(self, served, game):
        with connected(served) as (sock, file):
            sock.sendall(request(game, "/updates/stream"))
            heads = iter(file.readline, b"\r\n")
            assert b"Connection: close\r\n" in set(heads)

    def test_that_is_refused_is_answered_as_ever(self, served, game):
        with connected(served) as (sock, file):
            sock.sendall(request(game, "/updates/stream?since=1"))
            assert answer(file)[0] == 422
            sock.sendall(request(game, ""))
            assert answer(file)[0] == 200
