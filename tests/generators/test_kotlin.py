"""The Kotlin models compile, and read every recorded example, also with what they do not know."""

import json
from pathlib import Path

import pytest

from tests.contract.documents import OPENAPI, kept
from tests.generators import making
from tests.generators.recorded import EXAMPLES, strange, value_of

MISSING = making.missing_for_kotlin()
pytestmark = [
    pytest.mark.clients,
    pytest.mark.system,
    pytest.mark.skipif(MISSING is not None, reason=str(MISSING)),
]
SAMPLE = Path(__file__).with_name("samples") / "Examples.kt"


def in_kotlin(value):
    """Return ``value`` with decimals as this client writes them: it reads numbers, exactly."""
    if isinstance(value, dict):
        return {name: in_kotlin(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [in_kotlin(inner) for inner in value]
    return str(value) if isinstance(value, float) else value


@pytest.fixture(scope="module")
def again(tmp_path_factory):
    """Reads values as models, in a program of Kotlin, and gives them as they were written."""
    folder = tmp_path_factory.mktemp("kotlin")
    making.mobile(OPENAPI / "openapi.json", folder, ["kotlin"])
    program = making.kotlin(folder, SAMPLE)

    def write_again(values: dict[str, object]) -> list:
        lines = []
        for name, value in values.items():
            (folder / name).write_text(json.dumps(value))
            lines.append(f"{EXAMPLES[name]}\t{folder / name}\n")
        (folder / "list").write_text("".join(lines))
        said = making.java(program, "ExamplesKt", folder / "list", cwd=folder)
        return [json.loads(line) for line in said.replace('T12:00Z"', 'T12:00:00Z"').splitlines()]

    return write_again


class TestTheModels:
    def test_read_every_example_and_write_it_as_it_was(self, again):
        values = {name: value_of(name) for name in EXAMPLES}
        assert again(values) == in_kotlin(list(values.values()))

    def test_never_have_a_decimal_to_send(self):
        requests = [value_of(name) for name in EXAMPLES if ".request" in name]
        assert in_kotlin(requests) == requests

    def test_read_what_they_do_not_know(self, again):
        schemas = kept()["components"]["schemas"]
        answers = {name: of for name, of in EXAMPLES.items() if ".request" not in name}
        odd = {name: strange(value_of(name), schemas[of], schemas) for name, of in answers.items()}
        known = [strange(value_of(name), schemas[of], schemas, {}) for name, of in answers.items()]
        assert again(odd) == in_kotlin(known)
