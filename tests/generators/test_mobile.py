"""The models that openapi-generator makes for Kotlin, Swift and Dart, read one by one."""

import json
import re
from pathlib import Path

import pytest

from tests.contract.documents import kept
from tests.generators import making, reading

MISSING = making.missing_for_java()
pytestmark = [
    pytest.mark.clients,
    pytest.mark.system,
    pytest.mark.skipif(MISSING is not None, reason=str(MISSING)),
]
# A word of the language gets an underscore before it or marks around it: that is readable.
INVENTED = re.compile(r"inline|(One|Any|All)Of|_\d|\d_|Null", re.IGNORECASE)
LISTS = {"kotlin": "kotlin.collections.List<{}>", "swift": "[{}]", "dart": "List<{}>"}
PLAIN = {
    "kotlin": {"integer": "kotlin.Int", "string": "kotlin.String", "boolean": "kotlin.Boolean"},
    "swift": {"integer": "Int", "string": "String", "boolean": "Bool"},
    "dart": {"integer": "int", "string": "String", "boolean": "bool"},
}
"""How each language spells what has no schema of its own."""


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    return made_from(kept(), tmp_path_factory.mktemp("mobile"))


@pytest.fixture(scope="module")
def harmed(tmp_path_factory) -> Path:
    """Models of a document that generators make ugly names of."""
    document = kept()
    fields = document["components"]["schemas"]["Game"]["properties"]
    fields["mood"] = {"type": "string", "enum": ["2_glad", "3_sad"]}
    fields["weather"] = {"type": "object", "properties": {"degrees": {"type": "integer"}}}
    fields["version"]["type"] = "string"
    return made_from(document, tmp_path_factory.mktemp("harmed"))


def made_from(document: dict, folder: Path) -> Path:
    path = folder / "openapi.json"
    path.write_text(json.dumps(document))
    making.mobile(path, folder)
    return folder


def kind_of(field: dict, language: str) -> str | None:
    """Return the type that a field should have, or None where no one type is the right one."""
    if "$ref" in field:
        return field["$ref"].rsplit("/", 1)[1]
    if field.get("type") == "array":
        inner = kind_of(field["items"], language)
        return inner and LISTS[language].format(inner)
    return None if "format" in field else PLAIN[language].get(field.get("type"))


def faults(document: dict, models: list[reading.Model], language: str) -> list[str]:
    """Return how models differ from the schemas that they were made from."""
    schemas = document["components"]["schemas"]
    found = {model.name: model for model in models}
    wrong = [f"{name} has no model" for name in schemas.keys() - found.keys()]
    wrong += [f"{name} was made up" for name in found.keys() - schemas.keys()]
    wrong += [f"{name} is no name" for name in found if INVENTED.search(name)]
    for name in found.keys() & schemas.keys():
        wrong += _of_model(found[name], schemas[name], language)
    return wrong


def _of_model(model: reading.Model, schema: dict, language: str) -> list[str]:
    if "enum" in schema:
        odd = [name for name in model.values.values() if not re.match(r"_?[A-Za-z]\w*$", name)]
        lost = set(schema["enum"]) ^ model.values.keys()
        return [f"{model.name}: {each}" for each in (*lost, *odd)]
    required = schema.get("required", [])
    wanted = {
        name: (kind_of(field, language), name not in required)
        for name, field in schema.get("properties", {}).items()
    }
    fields = {
        each.name: (each.kind.replace("@Contextual ", ""), each.optional) for each in model.fields
    }
    wrong = [f"{model.name}.{name}" for name in wanted.keys() ^ fields.keys()]
    return wrong + [
        f"{model.name}.{name}: {fields[name]} instead of {wanted[name]}"
        for name in wanted.keys() & fields.keys()
        if fields[name][1] != wanted[name][1] or wanted[name][0] not in {None, fields[name][0]}
    ]


@pytest.mark.parametrize("language", LISTS)
class TestTheModels:
    def test_are_the_schemas_with_all_their_fields(self, made, language):
        assert faults(kept(), getattr(reading, language)(made / language), language) == []

    def test_call_cards_by_suit_and_rank(self, made, language):
        models = {each.name: each for each in getattr(reading, language)(made / language)}
        names = models["Card"].values
        assert len(names) == 52
        assert (names["AS"], names["TD"], names["2C"]) == ("SA", "DT", "C2")


class TestTheCheck:
    @pytest.mark.parametrize("language", LISTS)
    def test_sees_a_model_that_was_made_up_and_a_field_of_another_type(self, harmed, language):
        found = faults(kept(), getattr(reading, language)(harmed / language), language)
        assert [each for each in found if "was made up" in each]
        assert [each for each in found if each.startswith("Game.version: ")]
        assert "Game.mood" in found
