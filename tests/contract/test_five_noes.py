"""The documents keep the five noes, and the checks that say so can fail."""

import copy

import pytest

from tests.contract import noes
from tests.contract.documents import FILES, kept, operations

BREAKS = {
    "nulls": [
        lambda game: game["name"].update(nullable=True),
        lambda game: game["name"].update(type=["string", "null"]),
        lambda game: game["name"].update(type="null"),
        lambda game: game["name"].update(default=None),
    ],
    "unions": [
        lambda game: game["name"].update(oneOf=[{"type": "string"}]),
        lambda game: game["name"].update(items={"anyOf": []}),
        lambda game: game["name"].update(allOf=[]),
    ],
    "constants": [lambda game: game["name"].update(const="x")],
    "inline_enums": [lambda game: game["name"].update(enum=["x"])],
    "odd_formats": [
        lambda game: game["name"].update(format="uuid"),
        lambda game: game["name"].update(pattern="x"),
        lambda game: game["name"].update(default="x"),
    ],
}


def first_operation(document: dict) -> dict:
    return next(operations(document))[2]


class TestTheDocuments:
    @pytest.mark.parametrize("name", FILES)
    @pytest.mark.parametrize("check", noes.ALL)
    def test_keep(self, check, name):
        assert noes.ALL[check](kept(name)) == []

    @pytest.mark.parametrize("name", FILES)
    def test_show_an_example_of_each_body_and_success(self, name):
        assert noes.missing_examples(kept(name)) == []

    def test_are_one_but_for_the_version(self):
        new, old = (kept(name) for name in FILES)
        assert (new.pop("openapi"), old.pop("openapi")) == ("3.1.1", "3.0.3")
        assert new == old


class TestTheChecks:
    @pytest.mark.parametrize(
        ("check", "harm"), [(check, harm) for check, harms in BREAKS.items() for harm in harms]
    )
    def test_see_a_broken_property(self, check, harm):
        document = copy.deepcopy(kept())
        harm(document["components"]["schemas"]["ServiceInfo"]["properties"])
        assert noes.ALL[check](document)

    def test_see_a_closed_answer_and_an_open_request(self):
        document = kept()
        document["components"]["schemas"]["Health"]["additionalProperties"] = False
        assert noes.closed_answers(document) == ["Health"]
        document["components"]["schemas"]["Rules"]["properties"]["notes"] = {
            "type": "object",
            "additionalProperties": False,
        }
        assert "Rules" in noes.closed_answers(document)
        del document["components"]["schemas"]["RulesRequest"]["additionalProperties"]
        assert noes.open_requests(document) == ["RulesRequest"]

    @pytest.mark.parametrize("missing", ["operationId", "tags", "summary", "description"])
    def test_see_an_operation_without(self, missing):
        document = kept()
        del first_operation(document)[missing]
        assert noes.unnamed_operations(document)

    def test_see_two_operations_of_one_name_and_a_second_tag(self):
        document = kept()
        for _, _, operation in operations(document):
            operation["operationId"] = "same"
        assert len(noes.unnamed_operations(document)) == len(list(operations(document)))
        document = kept()
        first_operation(document)["tags"].append("games")
        assert noes.unnamed_operations(document)

    def test_see_an_answer_of_another_shape(self):
        document = kept()
        responses = first_operation(document)["responses"]
        responses["404"] = copy.deepcopy(responses["200"])
        assert noes.odd_responses(document)
        document = kept()
        del first_operation(document)["responses"]["default"]
        assert noes.odd_responses(document)
        document = kept()
        responses = document["paths"]["/v1/games/{game_id}"]["delete"]["responses"]
        assert noes.odd_responses(document) == []
        responses["204"]["content"] = {"application/json": {"schema": {}}}
        assert noes.odd_responses(document)

    def test_see_a_missing_example(self):
        document = kept()
        content = first_operation(document)["responses"]["200"]["content"]["application/json"]
        content.pop("examples", None)
        assert noes.missing_examples(document)
