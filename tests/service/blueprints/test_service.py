"""The service tells what it is, how it is, and what its problems mean."""

import pytest

from service.blueprints import service
from service.problems import CATALOGUE
from tests.service.framed import framed_app

INFO = {"name": "gin", "version": "1", "api_version": "1.0.0", "capabilities": [], "limits": {}}


@pytest.fixture
def health():
    return {"code": None}


@pytest.fixture
def client(health):
    app, _ = framed_app(service.blueprint(INFO, lambda: health["code"]))
    return app.test_client()


class TestTheService:
    def test_says_what_it_is(self, client):
        assert client.get("/").json == INFO

    def test_is_alive_whatever_else_is_not(self, client, health):
        health["code"] = "busy"
        assert client.get("/health/live").json == {"status": "ok"}

    def test_is_ready(self, client):
        answer = client.get("/health/ready")
        assert (answer.status_code, answer.json) == (200, {"status": "ok"})

    @pytest.mark.parametrize("code", ["busy", "maintenance"])
    def test_is_not_ready_and_says_when_to_ask_again(self, client, health, code):
        health["code"] = code
        answer = client.get("/health/ready")
        assert (answer.status_code, answer.json["code"]) == (503, code)
        assert answer.headers["Retry-After"]


class TestTheProblems:
    def test_are_all_listed(self, client):
        items = client.get("/v1/problems").json["items"]
        assert [item["code"] for item in items] == list(CATALOGUE)

    def test_are_where_their_type_leads(self, client):
        answer = client.get("/v1/problems/nonsense")
        assert answer.status_code == 404
        path = answer.json["type"].removeprefix("https://api.example.org")
        entry = client.get(path).json
        assert entry == {
            "code": "not_found",
            "status": 404,
            "title": CATALOGUE["not_found"].title,
            "description": CATALOGUE["not_found"].description,
            "retryable": False,
            "params": [],
        }
