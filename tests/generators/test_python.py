"""The Python client of openapi-python-client reads every recorded example, and sends it again.

It reads them as well with what it does not know: a field, and other values of open strings.
"""

import importlib
import json
import re
import sys
from pathlib import Path

import pytest

from tests.contract.documents import kept, operations, schemas_below
from tests.generators import making
from tests.generators.recorded import EXAMPLES, strange, value_of

MISSING = "left out: no openapi-python-client here (`make clients` installs it)"
pytestmark = [
    pytest.mark.clients,
    pytest.mark.skipif(making.package("openapi_python_client") is None, reason=MISSING),
]


def again(model, value):
    """Read ``value`` as ``model`` and write it again; the client spells UTC another way."""
    return json.loads(json.dumps(model.from_dict(value).to_dict()).replace('+00:00"', 'Z"'))


@pytest.fixture(scope="module")
def client(document, tmp_path_factory):
    """The generated package, imported; it goes when the next one comes."""
    folder = tmp_path_factory.mktemp("python")
    making.python(document, folder, "gin_client")
    sys.path.insert(0, str(folder))
    yield importlib.import_module("gin_client.models")
    sys.path.remove(str(folder))
    for name in [each for each in sys.modules if each.split(".")[0] == "gin_client"]:
        del sys.modules[name]


class TestTheClient:
    def test_has_a_class_for_each_schema_and_no_other_name(self, client):
        schemas = set(kept()["components"]["schemas"])
        made = {name for name in vars(client) if name[0].isupper()}
        maps = {name for name in made - schemas if re.search(r"(Metadata|Limits)$", name)}
        assert made == schemas | maps

    def test_has_a_module_for_each_operation(self, client):
        folder = Path(client.__file__).parents[1] / "api"
        made = {path.stem for path in folder.glob("*/*.py")} - {"__init__"}
        names = {operation["operationId"] for *_, operation in operations(kept())}
        assert made == {re.sub(r"([A-Z])", r"_\1", name).lower() for name in names}
        for path in folder.glob("*/*.py"):
            importlib.import_module(".".join(("gin_client", *path.parts[-3:-1], path.stem)))

    def test_reads_every_example_and_writes_it_as_it_was(self, client):
        for name, schema in EXAMPLES.items():
            value = value_of(name)
            assert again(getattr(client, schema), value) == value, name

    def test_reads_what_it_does_not_know(self, client):
        schemas = kept()["components"]["schemas"]
        answers = {name: of for name, of in EXAMPLES.items() if ".request" not in name}
        seen = ""
        for name, schema in answers.items():
            value = value_of(name)
            odd = strange(value, schemas[schema], schemas)
            assert again(getattr(client, schema), odd) == odd, name
            seen += json.dumps(odd)
        for field in ("type", "phase", "action", "status", "code"):
            assert f'"{field}": "unheard_of"' in seen, field


class TestTheDocument:
    def test_says_of_every_string_with_known_values_that_it_is_open(self):
        schemas = kept()["components"]["schemas"]
        for schema, field in (("PortalEvent", "type"), ("Game", "phase"), ("Move", "action")):
            assert schemas[schema]["properties"][field]["description"].startswith("open:")

    def test_lets_answers_hold_closed_sets_only(self):
        closed = {"Card", "DrawSource", "KnockKind", "MeldKind", "MoveRequestAction", "SeatKind"}
        document = kept()
        schemas = document["components"]["schemas"]
        answered = set().union(
            *(schemas_below(document, each["responses"]) for *_, each in operations(document))
        )
        assert {name for name in answered if "enum" in schemas[name]} == closed
