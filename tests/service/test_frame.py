"""What every answer carries, and what is refused before an operation is asked."""

import io
import re

import pytest
from werkzeug.test import EnvironBuilder, run_wsgi_app

from service.frame import MAX_BODY_BYTES
from tests.service.framed import GAME, echoing, framed_app, raising

JSON = {"Content-Type": "application/json"}
JOIN = b'{"join_code":"abc"}'


@pytest.fixture(scope="module")
def client():
    app, _ = framed_app(echoing())
    return app.test_client()


def code_of(answer) -> tuple[int, str]:
    assert answer.content_type == "application/problem+json"
    return answer.status_code, answer.json["code"]


class TestEveryAnswer:
    @pytest.fixture(
        params=[
            ("GET", GAME, {}),
            ("HEAD", GAME, {}),
            ("GET", GAME, {"If-None-Match": "*"}),
            ("GET", "/nowhere", {}),
            ("DELETE", GAME, {}),
            ("GET", "/openapi.json", {}),
            ("GET", GAME, {"Accept": "text/html"}),
            ("OPTIONS", GAME, {}),
            ("OPTIONS", "/nowhere", {"Access-Control-Request-Method": "PUT"}),
            ("POST", f"{GAME}/joins", JSON),
        ],
        ids=lambda request: "-".join(map(str, request)),
    )
    def answer(self, client, request):
        method, path, headers = request.param
        return client.open(path, method=method, headers=headers)

    def test_may_be_read_by_pages_of_any_origin(self, answer):
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in answer.headers
        assert answer.headers["Access-Control-Expose-Headers"].split(", ") == [
            "ETag", "Location", "Link", "RateLimit", "RateLimit-Policy", "Retry-After",
            "Deprecation", "Sunset", "Date", "WWW-Authenticate", "Request-Id",
            "Idempotency-Replayed",
        ]  # fmt: skip

    def test_is_taken_for_nothing_but_what_it_says(self, answer):
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert answer.headers["Referrer-Policy"] == "no-referrer"

    def test_says_once_whether_it_may_be_kept(self, answer):
        assert len(answer.headers.getlist("Cache-Control")) == 1

    def test_says_that_it_depends_on_the_token(self, answer):
        assert answer.headers.getlist("Vary") == ["Authorization, Origin"]

    def test_has_an_id(self, answer):
        assert re.fullmatch("[0-9a-f]{16}", answer.headers["Request-Id"])


class TestABug:
    def test_is_answered_like_everything_else(self, caplog):
        app, _ = framed_app(raising(RuntimeError("a bug")))
        answer = app.test_client().post(f"{GAME}/turns", data=b"{}", headers=JSON)
        assert answer.status_code == 500
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "Request-Id" in answer.headers["Access-Control-Expose-Headers"]
        assert "a bug" in caplog.text


class TestTheRequestId:
    def test_is_the_client_s_where_it_sends_a_sane_one(self, client):
        answer = client.get(GAME, headers={"Request-Id": "my-id:42"})
        assert answer.headers["Request-Id"] == "my-id:42"

    @pytest.mark.parametrize("sent", ["", "x" * 65, "a b", "<script>", "é", "a;b"])
    def test_is_ours_where_it_does_not(self, client, sent):
        answer = client.get(GAME, headers={"Request-Id": sent})
        assert answer.headers["Request-Id"] != sent
        assert len(answer.headers["Request-Id"]) == 16


class TestAPreflight:
    def test_is_answered_at_once_even_where_there_is_nothing(self, client):
        for path in (GAME, "/nowhere"):
            answer = client.options(path, headers={"Access-Control-Request-Method": "PUT"})
            assert answer.status_code == 204
            assert answer.data == b""
            assert answer.headers["Access-Control-Allow-Methods"] == "GET, POST, PUT, DELETE"
            assert answer.headers["Access-Control-Allow-Headers"].split(", ") == [
                "Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key",
                "Last-Event-ID", "Request-Id",
            ]  # fmt: skip
            assert answer.headers["Access-Control-Max-Age"] == "7200"

    def test_is_not_what_a_plain_options_is(self, client):
        answer = client.options(GAME)
        assert answer.status_code == 204
        assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}
        assert client.options("/nowhere").status_code == 404


class TestAnAddress:
    @pytest.mark.parametrize(
        "path",
        [
            "/nowhere",
            "/v1/games/1234",
            "/v1/games/g_tooshort",
            GAME + "x",
            GAME + "%0a",
            GAME[:-1] + "%00",
            GAME[:-1] + "%ff%fe",
            "/v1/games/" + "g" * 9000,
            "/v1//games/" + GAME[10:],
            GAME[:-1] + "é",
        ],
    )
    def test_that_is_none_is_not_found(self, client, path):
        assert code_of(client.get(path)) == (404, "not_found")

    def test_with_a_slash_too_many_is_the_same(self, client):
        assert client.get(GAME + "/").status_code == 200

    def test_says_which_methods_it_takes(self, client):
        answer = client.delete(GAME)
        assert code_of(answer) == (405, "method_not_allowed")
        assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}


class TestAccept:
    @pytest.mark.parametrize(
        "accept",
        [
            "*/*",
            "application/json",
            "application/*",
            "text/html,*/*;q=0.1",
            "",
            "application/json;q=0.5",
        ],
    )
    def test_that_allows_json(self, client, accept):
        assert client.get(GAME, headers={"Accept": accept}).status_code == 200

    @pytest.mark.parametrize("accept", ["text/html", "application/json;q=0", "image/*", "nonsense"])
    def test_that_does_not(self, client, accept):
        answer = client.get(GAME, headers={"Accept": accept})
        assert code_of(answer) == (406, "not_acceptable")


class TestABodysMediaType:
    @pytest.mark.parametrize(
        "media_type",
        ["application/json", "application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'],
    )
    def test_is_json(self, client, media_type):
        answer = client.post(f"{GAME}/joins", data=JOIN, content_type=media_type)
        assert answer.status_code == 201

    @pytest.mark.parametrize(
        "media_type",
        [
            None,
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
            "application/json; charset=bogus",
            "application/json; charset=utf-16",
            "application/jsonx",
            "nonsense",
        ],
    )
    def test_is_nothing_else(self, client, media_type):
        answer = client.post(f"{GAME}/joins", data=JOIN, content_type=media_type)
        assert code_of(answer) == (415, "unsupported_media_type")

    @pytest.mark.parametrize("encoding", ["gzip", "identity", "br"])
    def test_comes_without_an_encoding(self, client, encoding):
        headers = {**JSON, "Content-Encoding": encoding}
        answer = client.post(f"{GAME}/joins", data=JOIN, headers=headers)
        assert code_of(answer) == (415, "unsupported_media_type")


class TestABodysSize:
    def body(self, size: int) -> bytes:
        return JOIN[:-1] + b" " * (size - len(JOIN)) + b"}"

    def test_may_be_the_limit(self, client):
        answer = client.post(f"{GAME}/joins", data=self.body(MAX_BODY_BYTES), headers=JSON)
        assert answer.status_code == 201

    def test_is_refused_beyond_it_and_says_so(self, client):
        answer = client.post(f"{GAME}/joins", data=self.body(MAX_BODY_BYTES + 1), headers=JSON)
        assert code_of(answer) == (413, "too_large")
        assert answer.json["params"] == {"max": MAX_BODY_BYTES}

    def chunked(self, client, body: bytes) -> tuple[str, bytes, int]:
        """Send ``body`` in chunks; return status, answer, and how much of it was read."""
        environ = EnvironBuilder(f"{GAME}/joins", method="POST", headers=JSON).get_environ()
        environ.pop("CONTENT_LENGTH", None)
        stream = io.BytesIO(body)
        environ |= {
            "HTTP_TRANSFER_ENCODING": "chunked",
            "wsgi.input": stream,
            "wsgi.input_terminated": True,
        }
        chunks, status, _ = run_wsgi_app(client.application, environ)
        return status[:3], b"".join(chunks), stream.tell()

    def test_may_be_the_limit_in_chunks(self, client):
        status, _, read = self.chunked(client, self.body(MAX_BODY_BYTES))
        assert (status, read) == ("201", MAX_BODY_BYTES)

    def test_is_refused_beyond_it_in_chunks_and_not_cut_off(self, client):
        for beyond in (b" ", b"x" * 1_000_000):
            status, answer, read = self.chunked(client, self.body(MAX_BODY_BYTES) + beyond)
            assert status == "413"
            assert b'"too_large"' in answer
            assert read == MAX_BODY_BYTES + 1

    def test_counts_where_no_body_belongs_as_well(self, client):
        answer = client.get(GAME, data=self.body(MAX_BODY_BYTES + 1))
        assert code_of(answer) == (413, "too_large")

    def test_is_looked_at_before_the_type(self, client):
        answer = client.post(f"{GAME}/joins", data=self.body(MAX_BODY_BYTES + 1))
        assert code_of(answer) == (413, "too_large")
