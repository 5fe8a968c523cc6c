"""Who plays with a secret in its hands: client and game, and all that may not get out."""

import json
import socket
import struct
from collections.abc import Mapping
from http.client import HTTPConnection
from random import Random
from uuid import uuid4

import psycopg

from tests.bot import Bot, Wish
from tests.faults.canaries import Canaries
from tests.server import Served

SECONDS = 30
JSON = "application/json"
GIVES_UP_AT = 40
"""The move at which a game that is still played is given up."""


class Told(Exception):
    """An answer holds what it may not."""


class Client:
    """Asks, each time on a new connection, and looks at the ``instance`` of what is refused."""

    def __init__(self, served: Served, canaries: Canaries) -> None:
        self.served, self.canaries = served, canaries

    def __call__(
        self,
        method: str,
        path: str,
        token: str | None = None,
        body: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> tuple[int, dict]:
        """Send a request; a body of bytes goes as it is. Return status and body."""
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        sent = {"Content-Type": JSON, **(headers or {})}
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        connection = HTTPConnection("127.0.0.1", self.served.port, timeout=SECONDS)
        connection.request(method, path, data, sent)
        answer = connection.getresponse()
        if answer.headers.get_content_type() == "text/event-stream":
            answer.readline()
            text = b""
        else:
            text = answer.read()
        connection.close()
        told = json.loads(text) if "json" in answer.headers.get_content_type() and text else {}
        if found := self.canaries.found_in(str(told.get("instance", ""))):
            raise Told(f"instance of {told['code']}: {found}")
        return answer.status, told

    def raw(self, *pieces: str | bytes, rudely: bool = False) -> bytes:
        """Send bytes as they are, and hang up; ``rudely`` without a word of farewell."""
        data = b"".join(each.encode() if isinstance(each, str) else each for each in pieces)
        with socket.create_connection(("127.0.0.1", self.served.port), SECONDS) as connection:
            connection.sendall(data)
            if rudely:
                reset = struct.pack("ii", 1, 0)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
                return b""
            connection.shutdown(socket.SHUT_WR)
            told = b""
            while piece := connection.recv(65536):
                told += piece
            return told


class Table:
    """A game that is played over HTTP, and everything about it that is nobody's business."""

    def __init__(self, client: Client, rng: Random, conn: psycopg.Connection) -> None:
        self.client, self.canaries, self.rng, self.conn = client, client.canaries, rng, conn
        self.tokens: dict[int, str] = {}
        self.bots: dict[int, Bot] = {}
        key = self.new_key()
        seats = [{"kind": "human"}, {"kind": "human", "seating": "open"}]
        body = {"seats": seats, "rules": {"target": 10, "advice": "full"}}
        status, made = client("POST", "/v1/games", None, body, {"Idempotency-Key": f'"{key}"'})
        assert status == 201, made
        self.id = made["game"]["id"]
        self.path = f"/v1/games/{self.id}"
        self.join_code = self.secret("join code", made["join_code"])
        self.spectator = self.secret("spectator token", made["spectator_token"])
        for grant in made["tokens"]:
            self.tokens[grant["seat"]] = self.secret("seat token", grant["token"])
        self.view = made["game"]

    def secret(self, kind: str, value: str) -> str:
        """Remember a secret, and return it."""
        self.canaries.add(kind, value)
        return value

    def new_key(self) -> str:
        """Return a new Idempotency-Key with everything in it that may need an escape."""
        return self.secret("Idempotency-Key", f"k/{uuid4().hex}+%7E='x;<>&")

    def join(self) -> None:
        """Let the second player sit down."""
        key = {"Idempotency-Key": f'"{self.new_key()}"'}
        body = {"join_code": self.join_code, "name": "Bob"}
        status, told = self.client("POST", f"{self.path}/joins", None, body, key)
        assert status == 201, told
        self.tokens[told["seat"]] = self.secret("seat token", told["token"])
        self.view = told["game"]

    def look(self, seat: int) -> dict:
        """Return the game as a seat sees it."""
        status, view = self.client("GET", self.path, self.tokens[seat])
        assert status == 200, view
        return view

    def wish(self, seat: int) -> Wish:
        """Return what a seat that is due would do now."""
        wish = self.bots.setdefault(seat, Bot(self.path, self.rng, GIVES_UP_AT)).wish(
            self.look(seat)
        )
        assert wish is not None
        return wish

    def forged(self, token: str) -> str:
        """Return a token that is wrong in one place, which is nobody's business either."""
        at = self.rng.randrange(8, len(token))
        other = "A" if token[at] != "A" else "B"
        return self.secret("wrong token", token[:at] + other + token[at + 1 :])

    def ticket(self) -> str:
        """Return a new ticket for a stream."""
        status, told = self.client("POST", f"{self.path}/stream-tickets", self.tokens[0])
        assert status == 201, told
        return self.secret("stream ticket", told["ticket"])

    def planted(self, table: str, condition: str) -> "Planted":
        """Return a constraint that no row of ``table`` fulfils from now on, within a ``with``."""
        return Planted(self.conn, table, condition)


class Planted:
    """What makes a statement of the service fail with an error that nobody expected."""

    def __init__(self, conn: psycopg.Connection, table: str, condition: str) -> None:
        self._conn, self._table, self._condition = conn, table, condition

    def __enter__(self) -> None:
        self._conn.execute(
            f"ALTER TABLE {self._table} ADD CONSTRAINT planted CHECK ({self._condition}) NOT VALID"
        )

    def __exit__(self, *_: object) -> None:
        self._conn.execute(f"ALTER TABLE {self._table} DROP CONSTRAINT planted")
