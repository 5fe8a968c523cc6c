"""A page of another origin, in a real browser: what its script may send and can read.

Chromium opens a page that a small server of its own hands out. The page asks the service and posts
what it saw back to where it came from; the answers are looked at here.
"""

import json
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self

import pytest

from service.frame import EVERY_ANSWER
from tests.server import Served, on_database

PAGE = Path(__file__).with_name("other_origin.html").read_bytes()
SECRET = "a-secret-that-only-the-tests-know-0123456789"
BROWSER_SECONDS = 90
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class Origin:
    """Hands out the page, and takes what it posts."""

    def __enter__(self) -> Self:
        self.said: dict = {}
        self._heard = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}/"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        origin = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                known = self.path.startswith("/?")
                self._answer(200 if known else 404, PAGE if known else b"")

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                origin.said = json.loads(body)
                self._answer(200, b"")
                origin._heard.set()

            def _answer(self, status: int, body: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *words: object) -> None:
                """Say nothing."""

        return Handler

    def listen(self) -> dict:
        assert self._heard.wait(BROWSER_SECONDS), "the page said nothing"
        return self.said

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture(scope="module")
def seen(database_url, tmp_path_factory):
    """What the page saw of a service in which an address may make three games."""
    environ = {**on_database(database_url, SECRET), "GIN_LIMIT_CREATES": "3/86400"}
    data = tmp_path_factory.mktemp("served") / "data"
    with Served(data, environ) as served, Origin() as origin:
        profile = tmp_path_factory.mktemp("profile")
        browser = subprocess.Popen(
            ["chromium", *FLAGS, f"--user-data-dir={profile}", f"{origin.url}?{served.url}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            told = origin.listen()
        finally:
            browser.terminate()
            browser.wait(BROWSER_SECONDS)
    assert "failed" not in told, told
    return told


@pytest.mark.http
@pytest.mark.system("chromium")
class TestAPageOfAnotherOrigin:
    def test_makes_a_game_and_reads_where_it_is(self, seen):
        made = seen["created"]
        assert made["status"] == 201
        assert made["headers"]["location"] == f"/v1/games/{made['body']['game']['id']}"
        assert made["headers"]["ratelimit-policy"] == '"creates";q=3;w=86400'
        assert made["headers"]["ratelimit"].startswith('"creates";r=2;t=')

    def test_sends_its_token_and_reads_the_view(self, seen):
        view = seen["view"]
        assert view["status"] == 200
        assert view["body"]["you"]["viewer"] == "seat"
        assert view["headers"]["etag"] == view["body"]["etag"]
        assert view["headers"]["request-id"] == "from-the-page"
        assert view["headers"]["date"]

    def test_sends_the_tag_and_learns_that_nothing_is_new(self, seen):
        again = seen["again"]
        assert (again["status"], again["text"]) == (304, "")
        assert again["headers"]["etag"] == seen["view"]["headers"]["etag"]

    def test_sends_every_header_that_may_be_sent(self, seen):
        assert seen["everything"]["status"] == 200

    def test_may_not_send_others(self, seen):
        assert seen["forbidden"] == "TypeError"

    def test_uses_every_method(self, seen):
        assert seen["put"]["status"] == 200
        assert (seen["deleted"]["status"], seen["deleted"]["body"]["code"]) == (
            405, "method_not_allowed",
        )  # fmt: skip

    def test_reads_why_a_move_was_refused(self, seen):
        stale = seen["stale"]
        assert (stale["status"], stale["body"]["code"]) == (409, "stale_move")
        assert stale["body"]["game"]["id"] == seen["created"]["body"]["game"]["id"]

    def test_reads_that_it_has_asked_too_often_and_when_to_come_back(self, seen):
        many = seen["many"]
        assert (many["status"], many["body"]["code"]) == (429, "rate_limited")
        assert many["headers"]["retry-after"] == str(many["body"]["params"]["retry_after_seconds"])
        assert many["headers"]["ratelimit"].startswith('"creates";r=0;t=')

    def test_reads_what_is_wrong_with_a_token(self, seen):
        assert (seen["forged"]["status"], seen["forged"]["body"]["code"]) == (401, "token_invalid")
        assert seen["forged"]["headers"]["www-authenticate"] == "Bearer"

    def test_reads_that_there_is_nothing(self, seen):
        for nowhere in (seen["nowhere"], seen["no_route"]):
            assert (nowhere["status"], nowhere["body"]["code"]) == (404, "not_found")

    def test_follows_pages(self, seen):
        assert seen["page"]["headers"]["link"].endswith('; rel="next"')

    def test_reads_every_header_that_is_exposed_and_was_sent(self, seen):
        """A browser shows the safe ones and those; each that this service sends was seen."""
        exposed = dict(EVERY_ANSWER)["Access-Control-Expose-Headers"].lower().split(", ")
        shown = {name for answer in seen.values() if "headers" in answer
                 for name in answer["headers"]}  # fmt: skip
        later = {"deprecation", "sunset", "idempotency-replayed"}
        assert set(exposed) - later <= shown
