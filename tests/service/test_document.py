"""The document is written from the code, and says of each operation what a client has to know."""

import json

import orjson
import pytest

from engine.cards import CARD_NAMES
from service.blueprints import rule_sets, service
from service.document import FILES, api_of
from service.operations import HEADERS, SECURITY
from service.problems import CATALOGUE
from service.schemas.moves import TURN_ACTIONS
from tests.service.framed import GAME, echoing, framed_app


@pytest.fixture(scope="module")
def framed():
    return framed_app(echoing(), rule_sets.blueprint(), service.blueprint({}, lambda: None))


@pytest.fixture(scope="module")
def document(framed):
    return framed[1].document()


def schema(document: dict, name: str) -> dict:
    return document["components"]["schemas"][name]


class TestADocument:
    def test_is_served_as_it_is_written(self, framed, tmp_path):
        app, api = framed
        api.write(tmp_path)
        for version, name in FILES.items():
            answer = app.test_client().get(f"/{name}")
            assert answer.content_type == "application/json"
            assert answer.data == (tmp_path / name).read_bytes() == api.text(version)
            assert answer.data.endswith(b"}\n")

    def test_is_the_same_each_time(self, framed):
        again = framed_app(echoing(), rule_sets.blueprint(), service.blueprint({}, lambda: None))
        assert again[1].text() == framed[1].text()

    def test_is_found_from_the_application(self, framed):
        app, api = framed
        assert api_of(app) is api

    def test_has_a_twin_that_differs_in_its_version_alone(self, framed):
        new, old = (framed[1].document(version) for version in FILES)
        assert (new.pop("openapi"), old.pop("openapi")) == tuple(FILES)
        assert new == old

    def test_has_one_sentence_for_each_tag(self, document):
        assert [tag["name"] for tag in document["tags"]] == ["games", "rules", "service"]
        assert all(tag["description"].endswith(".") for tag in document["tags"])

    def test_names_headers_and_tokens(self, document):
        assert document["components"]["headers"].keys() == HEADERS.keys()
        assert document["components"]["securitySchemes"].keys() == SECURITY.keys()

    def test_shows_recorded_examples(self, tmp_path, framed):
        (tmp_path / "joinGame.request.json").write_text('{"join_code": "x"}')
        (tmp_path / "joinGame.answer_late.json").write_text("{}")
        (tmp_path / "problem.game_full.json").write_text('{"code": "game_full"}')
        api = api_of(framed[0])
        kept, api._examples = api._examples, tmp_path
        try:
            shown = api.document()
        finally:
            api._examples = kept
        join = shown["paths"]["/v1/games/{game_id}/joins"]["post"]
        assert join["requestBody"]["content"]["application/json"]["examples"] == {
            "joinGame.request": {"$ref": "#/components/examples/joinGame.request"}
        }
        answer = join["responses"]["201"]["content"]["application/json"]
        assert list(answer["examples"]) == ["joinGame.answer_late"]
        problem = shown["components"]["responses"]["Problem"]["content"]["application/problem+json"]
        assert list(problem["examples"]) == ["problem.game_full"]
        assert shown["components"]["examples"]["problem.game_full"] == {
            "value": {"code": "game_full"}
        }
        assert b"x-examples-of" not in orjson.dumps(shown)


class TestASchema:
    def test_of_a_card_names_all_of_them_for_programs(self, document):
        card = schema(document, "Card")
        assert card["enum"] == list(CARD_NAMES)
        assert card["x-enum-varnames"][:3] == ["CA", "C2", "C3"]
        assert card["x-enum-varnames"][-1] == "SK"

    def test_is_called_what_it_is(self, document):
        assert not [name for name in document["components"]["schemas"] if "Schema" in name]

    def test_of_a_request_is_closed_and_of_an_answer_open(self, document):
        assert schema(document, "JoinRequest")["additionalProperties"] is False
        assert "additionalProperties" not in schema(document, "Game")
        # Melds are sent and answered: the document leaves them open, the reader does not.
        assert "additionalProperties" not in schema(document, "Meld")

    def test_of_an_answer_requires_what_is_always_sent(self, document):
        update = schema(document, "Update")
        assert update["required"] == sorted(update["properties"])
        assert "hand" not in schema(document, "Game")["required"]

    def test_says_of_closed_sets_that_they_are_the_same(self, document):
        for name in ("Move", "DrawOption"):
            source = schema(document, name)["properties"]["source"]
            assert source == {"$ref": "#/components/schemas/DrawSource"}

    def test_leaves_open_sets_open(self, document):
        action = schema(document, "Move")["properties"]["action"]
        assert "enum" not in action
        assert all(action_name in action["description"] for action_name in TURN_ACTIONS)

    def test_has_no_default_that_clients_would_have_to_send(self, document):
        assert '"default":' not in json.dumps(document["components"]["schemas"])


class TestAnOperation:
    def operation(self, document: dict, method: str, path: str) -> dict:
        return document["paths"][path][method]

    def test_says_which_problems_it_can_raise(self, document):
        join = self.operation(document, "post", "/v1/games/{game_id}/joins")
        codes = [code.strip("`. ") for code in join["description"].split("Problems:")[1].split(",")]
        assert set(codes) <= set(CATALOGUE)
        for code in ("not_found", "malformed_json", "too_large", "validation_failed", "internal"):
            assert code in codes
        read = self.operation(document, "get", "/v1/games/{game_id}")
        assert "malformed_json" not in read["description"]

    def test_has_success_and_one_answer_for_the_rest(self, document):
        join = self.operation(document, "post", "/v1/games/{game_id}/joins")
        assert set(join["responses"]) == {"201", "default"}
        assert "Location" in join["responses"]["201"]["headers"]
        problem = document["components"]["responses"]["Problem"]
        assert list(problem["content"]) == ["application/problem+json"]

    def test_with_an_etag_takes_if_none_match_and_may_be_not_modified(self, document):
        read = self.operation(document, "get", "/v1/games/{game_id}")
        assert [each["name"] for each in read["parameters"]] == ["If-None-Match"]
        assert "ETag" in read["responses"]["200"]["headers"]
        assert "content" not in read["responses"]["304"]

    def test_names_what_stands_in_its_path_and_query(self, document):
        path = document["paths"]["/v1/games/{game_id}/moves"]
        assert path["parameters"] == [
            {"in": "path", "name": "game_id", "required": True, "schema": {"type": "string"}}
        ]
        parameters = {each["name"]: each for each in path["get"]["parameters"]}
        assert parameters.keys() == {"cursor", "limit", "hand"}
        assert parameters["limit"]["schema"] == {"type": "integer", "minimum": 1, "maximum": 100}

    def test_is_routed_where_it_is_documented(self, framed):
        answer = framed[0].test_client().get(GAME)
        assert answer.status_code == 200
