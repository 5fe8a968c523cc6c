"""Webhooks of a real server of two processes, with receivers in every kind of trouble.

``GIN_SWEEP_WEBHOOKS`` games are made and ended. The times of the schedule are not waited for: they
are moved in the database, as if they had gone by.
"""

import contextlib
import os
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest
from standardwebhooks import Webhook

from service.local import poll
from service.portal_keys import SCOPES
from service.settings import load
from service.storage.pool import open_store
from service.use_cases.manage_keys import create_key
from tests.server import Caller, Served, free_port, on_database
from tests.service.webhook_receiver import Receiver

GAMES = int(os.environ.get("GIN_SWEEP_WEBHOOKS", "3"))
SECRET = "a-secret-that-only-the-tests-know-0123456789"
SETTINGS = {"GIN_WEBHOOK_NETWORKS": "127.0.0.0/8", "GIN_WEBHOOK_TIMEOUT_SECONDS": "1"}
PEOPLE = [{"kind": "human", "player_ref": "a"}, {"kind": "human", "player_ref": "b"}]
OF_A_GAME = ["game_created", "hand_dealt", "hand_ended", "game_ended"]
PATIENCE = 60
ANSWERS_WITHIN = 10
"""Seconds in which the service answers, whatever its receivers do: they may take one each."""

pytestmark = pytest.mark.http


@dataclass
class Trouble:
    """A receiver that goes through every kind of trouble; ``well`` are the ids it said 2xx to."""

    well: list[str] = field(default_factory=list)

    def elsewhere(self, handler):
        handler.send_response(307)
        handler.send_header("Location", "http://127.0.0.1:1/")
        handler.end_headers()

    def huge(self, handler):
        """Good news, with a gigabyte after it: the news count, the gigabyte is not read."""
        self.well.append(handler.headers["webhook-id"])
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
        with contextlib.suppress(OSError):
            for _ in range(10_000):
                handler.connection.sendall(b"x" * 100_000)

    def slow(self, _handler):
        time.sleep(3)  # the service waits for one second

    def good(self, handler):
        self.well.append(handler.headers["webhook-id"])
        handler.send_response(200)
        handler.end_headers()

    def answers(self, count):
        kinds = [500, self.slow, self.elsewhere, self.huge, 503, self.good, 404]
        return [kinds[at % len(kinds)] for at in range(count)] + [self.good] * 10_000


class Service:
    """The service, again and again on one database, and a portal there."""

    def __init__(self, database_url, runs) -> None:
        self.database_url, self._runs = database_url, runs
        self._folder = Path(runs.enter_context(tempfile.TemporaryDirectory(prefix="gin-hooks-")))
        self.port = free_port()
        self.start()
        with contextlib.closing(open_store(load(self._environ))) as store:
            self.key = create_key(store, "arcade", SCOPES).key

    @property
    def _environ(self) -> dict[str, str]:
        return on_database(self.database_url, SECRET) | SETTINGS

    def start(self) -> None:
        served = Served(self._folder / "data", self._environ, port=self.port)
        self.served = self._runs.enter_context(served)

    def ask(self, method, path, body=None, token=None):
        begun = time.monotonic()
        with contextlib.closing(Caller(self.port, token or self.key)) as call:
            status, told = call(method, path, body)
        assert time.monotonic() - begun < ANSWERS_WITHIN
        assert status < 300, told
        return told

    def webhook(self, receiver) -> dict:
        return self.ask("POST", "/v1/webhooks", {"url": receiver.url})

    def game(self) -> None:
        """Make a game and end it."""
        made = self.ask("POST", "/v1/games", {"seats": PEOPLE})
        path, token = f"/v1/games/{made['game']['id']}", made["tokens"][0]["token"]
        number = {"move_number": made["game"]["next_move"]}
        self.ask("POST", f"{path}/resignations", number, token)

    def feed(self) -> list[dict]:
        found, cursor = [], ""
        while True:
            page = self.ask("GET", f"/v1/events?limit=100{cursor}")
            if not page["items"]:
                return found
            found += page["items"]
            cursor = f"&cursor={page['next_cursor']}"

    def undelivered(self, made) -> list[dict]:
        path = f"/v1/webhooks/{made['webhook']['id']}/deliveries?limit=100&delivered=false"
        return self.ask("GET", path)["items"]

    def all_is_told(self, games) -> bool:
        return len(self.feed()) == games * len(OF_A_GAME)

    def hurry(self) -> None:
        """Let all times of the schedule go by, and those of processes that died."""
        with psycopg.connect(self.database_url, autocommit=True) as conn:
            conn.execute("UPDATE deliveries SET next_attempt_at = now() WHERE attempt > 0")

    def forget_the_dead(self) -> None:
        with psycopg.connect(self.database_url, autocommit=True) as conn:
            conn.execute("UPDATE deliveries SET leased_until = now()")


@pytest.fixture
def service(database_url, empty_tables):
    with contextlib.ExitStack() as runs:
        yield Service(database_url, runs)


def ids(items) -> set[str]:
    return {each["id"] for each in items}


def check_messages(receiver, made, feed) -> None:
    """Each message is signed, the same as in the feed, and in some order that can be restored."""
    told = {each["id"]: each for each in feed}
    verifier = Webhook(made["secret"])
    for got in receiver.got:
        verifier.verify(got.body, got.headers)
        assert got.event == told[got.id]
    once = {got.id: got.event for got in receiver.got}.values()
    for game_id in {each["data"]["game_id"] for each in feed}:
        of_game = [each for each in once if each["data"]["game_id"] == game_id]
        of_game.sort(key=lambda each: (each["data"]["version"], OF_A_GAME.index(each["type"])))
        assert [each["type"] for each in of_game] == OF_A_GAME
        assert of_game == [each for each in feed if each["data"]["game_id"] == game_id]


class TestReceiversInTrouble:
    def test_get_everything_at_last_and_hold_up_nobody(self, service):
        """One is down at first, then in trouble; the service is killed on the way."""
        trouble = Trouble()
        with Receiver() as steady, contextlib.ExitStack() as opened:
            troubled = Receiver(trouble.answers(3 * GAMES * len(OF_A_GAME)), port=free_port())
            troubled.url = f"http://127.0.0.1:{troubled.port}/hook"  # nobody listens there yet
            to_troubled, to_steady = service.webhook(troubled), service.webhook(steady)
            for _ in range(GAMES):
                service.game()
            steady.wait_for(GAMES * len(OF_A_GAME), PATIENCE)
            assert poll(lambda: service.all_is_told(GAMES), PATIENCE)
            failed = service.undelivered(to_troubled)
            assert ids(failed)
            assert {each.get("failure_code") for each in failed} <= {"connection_failed", None}

            opened.enter_context(troubled)
            service.hurry()
            troubled.wait_for(2, PATIENCE)
            service.served.kill()
            service.start()
            for _ in range(GAMES):
                service.game()
            service.forget_the_dead()

            def everything_arrived():
                service.hurry()
                return not service.undelivered(to_troubled) + service.undelivered(to_steady)

            assert poll(lambda: service.all_is_told(2 * GAMES), PATIENCE)
            assert poll(everything_arrived, 2 * PATIENCE)
            feed = service.feed()
            assert ids(feed) == set(trouble.well) == {got.id for got in steady.got}
            assert len(troubled.got) > len(feed)  # it was told again what it had not taken
            for receiver, made in ((troubled, to_troubled), (steady, to_steady)):
                check_messages(receiver, made, feed)
                webhook = service.ask("GET", f"/v1/webhooks/{made['webhook']['id']}")
                assert webhook["enabled"]

    def test_that_hang_while_the_service_is_killed_are_told_again(self, service):
        hanging, over = threading.Event(), threading.Event()

        def hang(_handler):
            hanging.set()
            over.wait(PATIENCE)

        with Receiver([hang] * 2) as receiver:
            made = service.webhook(receiver)
            service.game()
            assert hanging.wait(PATIENCE)
            service.served.kill()
            over.set()
            service.start()
            service.forget_the_dead()

            def arrived():
                service.hurry()
                return service.all_is_told(1) and not service.undelivered(made)

            assert poll(arrived, PATIENCE)
            feed = service.feed()
            assert {got.id for got in receiver.got} == ids(feed)
            assert len(receiver.got) > len(feed)
            check_messages(receiver, made, feed)

    def test_that_are_gone_get_nothing_more_until_they_are_enabled(self, service):
        with Receiver([410] * 2) as receiver:
            made = service.webhook(receiver)
            path = f"/v1/webhooks/{made['webhook']['id']}"
            service.game()
            assert poll(lambda: not service.ask("GET", path)["enabled"], PATIENCE)
            assert service.ask("GET", path)["disabled_code"] == "gone"
            assert poll(lambda: service.all_is_told(1), PATIENCE)
            receiver.answers.clear()
            assert service.ask("PUT", path, {"enabled": True})["enabled"]
            assert poll(lambda: {got.id for got in receiver.got} >= ids(service.feed()), PATIENCE)
            check_messages(receiver, made, service.feed())


class TestAServerThatStops:
    def test_stops_in_time_while_a_receiver_hangs(self, service):
        over = threading.Event()
        with Receiver([lambda _handler: over.wait(PATIENCE)] * 4) as receiver:
            service.webhook(receiver)
            service.game()
            receiver.wait_for(1, PATIENCE)
            code, said = service.served.interrupt()
            assert code == 0, said
            over.set()


class TestAReaderOfTheFeed:
    def test_is_told_of_what_another_process_did_while_it_waits(self, service):
        """It waits without a thread: there are more who wait than the server has threads."""
        cursor = service.ask("GET", "/v1/events")["next_cursor"]
        answers = []

        def wait():
            with contextlib.closing(Caller(service.port, service.key)) as call:
                answers.append(call("GET", f"/v1/events?wait=25&cursor={cursor}"))

        waiting = [threading.Thread(target=wait) for _ in range(40)]
        for thread in waiting:
            thread.start()
        service.game()
        for thread in waiting:
            thread.join(PATIENCE)
        assert len(answers) == 40
        for status, page in answers:
            assert status == 200
            assert page["items"], "it waited for the whole time"
