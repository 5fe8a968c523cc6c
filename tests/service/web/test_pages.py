"""How pages are sent, and who is led to them."""

import gzip
import json
import re

import pytest

from service.app import create_app
from service.document import api_of
from service.web import pages
from service.web.site import DOCS
from tests.contract.documents import kept, operations

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
PROGRAMS = (
    "*/*",
    "application/json",
    "application/problem+json,application/json",
    "",
    "text/html,*/*",
)


@pytest.fixture(scope="module")
def client(session_settings):
    app = create_app(session_settings)
    yield app.test_client()
    app.extensions["gin-rummy"].store.close()


class TestAPage:
    @pytest.mark.parametrize(
        "path", ["", "/guide/first-game", "/guide/rules", "/problems", "/problems/busy",
                 "/reference", "/changelog", "/programs/python/play.py"],
    )  # fmt: skip
    def test_is_html_that_may_do_little(self, client, path):
        answer = client.get(DOCS + path)
        assert answer.status_code == 200
        assert answer.content_type == "text/html; charset=utf-8"
        assert answer.headers["Content-Security-Policy"] == pages.POLICY
        assert "unsafe" not in pages.POLICY
        assert not re.search(r"https?:|\*", pages.POLICY)
        assert answer.headers["X-Content-Type-Options"] == "nosniff"

    def test_may_end_with_a_slash(self, client):
        assert client.get(f"{DOCS}/").data == client.get(DOCS).data

    def test_is_not_sent_again_to_who_has_it(self, client):
        for encoding in ("identity", "gzip"):
            headers = {"Accept-Encoding": encoding}
            tag = client.get(DOCS, headers=headers).headers["ETag"]
            again = client.get(DOCS, headers={**headers, "If-None-Match": tag})
            assert (again.status_code, again.data) == (304, b"")

    def test_is_packed_for_who_can_unpack_it(self, client):
        packed = client.get(DOCS, headers={"Accept-Encoding": "gzip"})
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == client.get(DOCS).data
        assert packed.headers["Vary"] == "Accept-Encoding"

    def test_has_a_head_and_takes_nothing(self, client):
        assert client.head(DOCS).status_code == 200
        assert client.post(DOCS).status_code == 405

    @pytest.mark.parametrize(
        "path", ["/nothing", "/guide/nothing", "/guide/README", "/problems/nothing",
                 "/files/nothing", "/files/../site.py", "/guide/../../README",
                 "/files/%2e%2e%2fsite.py"],
    )  # fmt: skip
    def test_that_there_is_not_says_so_in_a_page(self, client, path):
        answer = client.get(DOCS + path)
        assert answer.status_code == 404
        assert "There is no such page" in answer.text

    def test_names_only_operations_of_the_document(self, client):
        known = {one["operationId"]: one["tags"][0] for *_, one in operations(kept())}
        led = re.findall(
            r"reference#/([\w-]+)/(\w+)", client.get(f"{DOCS}/problems/rate_limited").text
        )
        assert led
        assert all(known[name] == tag for tag, name in led)


class TestAFile:
    def test_has_the_kind_that_it_is(self, client):
        for name, kind in (("pages.css", "text/css"), ("pages.js", "text/javascript"),
                           ("icon.svg", "image/svg+xml"), ("LICENSE", "text/plain")):  # fmt: skip
            answer = client.get(f"{DOCS}/files/{name}")
            assert answer.status_code == 200
            assert answer.mimetype in {kind, kind.replace("text/java", "application/java")}

    def test_of_the_reference_comes_with_its_licence(self):
        names = {path.name for path in pages.FILES[1].iterdir()}
        assert {"LICENSE", "NOTICE", "swagger-ui-bundle.js.LICENSE.txt"} <= names


class TestABrowser:
    @pytest.mark.parametrize(
        ("path", "page"),
        [
            ("/", ""),
            ("/v1/problems", "/problems"),
            ("/v1/problems/stale_move", "/problems/stale_move"),
        ],
    )
    def test_is_led_to_the_page(self, client, path, page):
        led = client.get(path, headers={"Accept": BROWSER})
        assert (led.status_code, led.headers["Location"]) == (303, DOCS + page)
        assert led.headers["Vary"] == "Accept"

    @pytest.mark.parametrize("code", ["stale_move", "required", "rate_limited"])
    def test_finds_its_page_at_the_type_of_a_problem(self, client, code):
        """Every other has one, too: see test_site.py."""
        headers = {"Accept": BROWSER}
        page = client.get(f"/v1/problems/{code}", headers=headers, follow_redirects=True)
        assert page.status_code == 200
        assert f"<h1><code>{code}</code></h1>" in page.text

    def test_reads_a_game_as_ever(self, client):
        answer = client.get("/v1/rule-sets", headers={"Accept": BROWSER})
        assert answer.content_type == "application/json"


class TestAProgram:
    @pytest.mark.parametrize("accept", PROGRAMS)
    @pytest.mark.parametrize("path", ["/", "/v1/problems", "/v1/problems/stale_move"])
    def test_gets_json(self, client, path, accept):
        answer = client.get(path, headers={"Accept": accept})
        assert (answer.status_code, answer.content_type) == (200, "application/json")

    def test_that_takes_nothing_but_html_is_refused_as_everywhere(self, client):
        answer = client.get("/", headers={"Accept": "text/html"})
        assert (answer.status_code, answer.json["code"]) == (406, "not_acceptable")

    def test_is_told_where_the_pages_are(self, client, session_settings):
        assert client.get("/").json["documentation_url"] == f"{session_settings.public_url}{DOCS}"


class TestTheDocument:
    def test_does_not_have_the_pages(self, client):
        document = json.dumps(api_of(client.application).document()["paths"])
        assert f'"{DOCS}' not in document
