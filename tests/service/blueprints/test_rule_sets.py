"""Presets, and what they come to with overrides."""

from dataclasses import asdict

import pytest

from engine.rules import PRESETS, STANDARD
from service.blueprints import rule_sets
from tests.service.framed import framed_app

RESOLUTIONS = "/v1/rule-sets/resolutions"


@pytest.fixture(scope="module")
def client():
    app, _ = framed_app(rule_sets.blueprint())
    return app.test_client()


class TestThePresets:
    def test_are_all_listed_with_all_their_options(self, client):
        items = client.get("/v1/rule-sets").json["items"]
        assert {item["id"]: item["rules"] for item in items} == {
            name: asdict(rules) for name, rules in PRESETS.items()
        }

    def test_can_be_read_one_by_one(self, client):
        for item in client.get("/v1/rule-sets").json["items"]:
            assert client.get(f"/v1/rule-sets/{item['id']}").json == item

    def test_that_do_not_exist_are_not_found(self, client):
        answer = client.get("/v1/rule-sets/canasta")
        assert (answer.status_code, answer.json["code"]) == (404, "not_found")

    def test_may_be_kept_for_an_hour_by_everybody(self, client):
        for path in ("/v1/rule-sets", "/v1/rule-sets/short"):
            answer = client.get(path)
            assert answer.headers["Cache-Control"] == "public, max-age=3600"
            again = client.get(path, headers={"If-None-Match": answer.headers["ETag"]})
            assert again.status_code == 304

    def test_have_tags_of_their_own(self, client):
        paths = ["/v1/rule-sets", *(f"/v1/rule-sets/{name}" for name in PRESETS)]
        assert len({client.get(path).headers["ETag"] for path in paths}) == len(paths)


class TestAResolution:
    def test_of_nothing_is_the_standard_game(self, client):
        assert client.post(RESOLUTIONS, json={}).json == asdict(STANDARD)

    def test_lays_overrides_over_the_preset(self, client):
        answer = client.post(RESOLUTIONS, json={"base": "short", "gin_bonus": 20})
        assert answer.json == {**asdict(PRESETS["short"]), "gin_bonus": 20}

    @pytest.mark.parametrize(
        ("body", "errors"),
        [
            ({"base": "canasta"}, [("/base", "unknown_rule_set")]),
            ({"knock_limit": 11}, [("/knock_limit", "out_of_range")]),
            ({"turn_seconds": 3}, [("/turn_seconds", "out_of_range")]),
            ({"big_gin": "yes"}, [("/big_gin", "wrong_type")]),
            ({"layoff": "never"}, [("/layoff", "unknown_value")]),
            ({"ace_runs": "high"}, [("/ace_runs", "unknown_field")]),
            (
                {"max_recycles": 2},
                [("/max_recycles", "contradictory_rules"), ("/recycle", "contradictory_rules")],
            ),
        ],
        ids=repr,
    )
    def test_names_what_does_not_fit(self, client, body, errors):
        answer = client.post(RESOLUTIONS, json=body)
        assert answer.status_code == 422
        assert [(e["pointer"], e["code"]) for e in answer.json["errors"]] == errors
