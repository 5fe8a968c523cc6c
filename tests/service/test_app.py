"""The application as a whole: what it is made of, and how it answers when its database does not."""

from dataclasses import replace

import pytest

from service.app import CAPABILITIES, REFUSALS, VERSION, create_app, create_house
from service.settings import SettingsError
from service.storage.errors import Busy, OutcomeUnknown, Unavailable
from tests.service.answering import Answering
from tests.service.statements import listening
from tests.service.table import FixedRandomness


@pytest.fixture
def app_of(settings):
    """Makes applications with changed settings, and closes their pools."""
    made = []

    def make(**changes):
        made.append(create_app(replace(settings, **changes), FixedRandomness()))
        return Answering(made[-1])

    yield make
    for app in made:
        app.extensions["gin-rummy"].store.close()


class TestTheService:
    def test_says_what_it_is_and_can(self, answering, settings):
        info = answering.get("/").json
        assert (info["version"], info["capabilities"]) == (VERSION, [*CAPABILITIES, "sandbox"])
        assert info["limits"]["max_body_bytes"] == settings.max_body_bytes
        assert info["limits"]["ai_max_ms"] == settings.ai_max_ms
        assert info["documentation_url"].endswith("/docs")

    def test_lives_and_is_ready(self, answering):
        assert answering.get("/health/live").json == {"status": "ok"}
        assert answering.get("/health/ready").json == {"status": "ok"}

    def test_serves_the_address_of_its_documents(self, answering):
        assert answering.client.get("/openapi.json").status_code == 200

    def test_has_a_limit_of_bodies_that_it_keeps(self, answering, settings):
        data = b" " * (settings.max_body_bytes + 1)
        answer = answering.post("/v1/games", data=data, content_type="application/json")
        assert answer.json["params"] == {"max": settings.max_body_bytes}


class TestWithoutADatabase:
    def test_lives_and_is_not_ready(self, app_of):
        away = app_of(database_url="postgresql:///none?host=/nowhere", pool_timeout_seconds=0.05)
        assert away.get("/health/live").status_code == 200
        answer = away.get("/health/ready")
        assert (answer.status_code, answer.json["code"]) == (503, "busy")
        assert answer.headers["Retry-After"] == "1"
        answer = away.post("/v1/games", {})
        assert (answer.status_code, answer.json["code"]) == (503, "busy")

    def test_without_its_migrations_is_in_maintenance(self, app_of, empty_database_url):
        answer = app_of(database_url=empty_database_url).get("/health/ready")
        assert (answer.status_code, answer.json["code"]) == (503, "maintenance")


class TestEachFailureOfTheStorage:
    @pytest.mark.parametrize("error", [Busy, Unavailable, OutcomeUnknown], ids=lambda e: e.__name__)
    def test_has_its_problem(self, tables, monkeypatch, error):
        table = tables.at("discard")

        def fail(*_arguments):
            raise error("secret words of the driver")

        monkeypatch.setattr("service.storage.games.save", fail)
        answer = table.send("0 discard KS")
        code = answer.json["code"]
        assert (answer.status_code, code) == (503, REFUSALS[error])
        assert answer.json["retryable"]
        assert "driver" not in answer.text


class TestABug:
    def test_is_answered_with_nothing_but_the_id_of_its_request(self, tables, monkeypatch, caplog):
        table = tables.at("discard")

        def fail(*_arguments):
            raise RuntimeError("secret words")

        monkeypatch.setattr("service.blueprints.calls.open_game", fail)
        answer = table.get(headers={"Request-Id": "mine"})
        assert (answer.status_code, answer.json["code"]) == (500, "internal")
        assert answer.headers["Request-Id"] == "mine"
        assert "secret words" not in answer.text
        assert "mine" in caplog.text


class TestAPreflight:
    def test_of_every_path_of_the_document_is_answered_without_a_token(self, answering):
        asked = {"Origin": "https://other.example", "Access-Control-Request-Method": "POST"}
        asked |= {"Access-Control-Request-Headers": "authorization,content-type,if-match"}
        paths = answering.client.get("/openapi.json").json["paths"]
        assert len(paths) > 20
        for path in paths:
            answer = answering.client.options(path, headers=asked)
            assert answer.status_code == 204
            assert answer.headers["Access-Control-Allow-Origin"] == "*"
            assert "RateLimit" not in answer.headers

    def test_costs_no_statement(self, answering):
        with listening() as said:
            answering.client.options("/v1/games", headers={"Access-Control-Request-Method": "POST"})
        assert said.statements == []


class TestTheParts:
    def test_need_settings_for_serving(self, settings):
        with pytest.raises(SettingsError):
            create_app(replace(settings, secrets=()))
        with pytest.raises(SettingsError):
            create_app(replace(settings, database_url=None))

    def test_share_one_house(self, answering):
        assert answering.app.extensions["gin-rummy"] is answering.house

    def test_draw_from_the_system_unless_told_otherwise(self, settings):
        house = create_house(settings)
        assert len({house.randomness.game_id() for _ in range(10)}) == 10
        house.store.close()

    def test_open_no_connection_before_the_first_request(self, settings):
        app = create_app(replace(settings, database_url="postgresql:///none?host=/nowhere"))
        assert not app.extensions["gin-rummy"].store._is_open
