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
        assert again(values) == list(values.values())

    def test_read_what_they_do_not_know(self, again):
        schemas = kept()["components"]["schemas"]
        answers = {name: of for name, of in EXAMPLES.items() if ".request" not in name}
        odd = {name: strange(value_of(name), schemas[of], schemas) for name, of in answers.items()}
        known = [strange(value_of(name), schemas[of], schemas, {}) for name, of in answers.items()]
        assert again(odd) == known
