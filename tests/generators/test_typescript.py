"""TypeScript clients of openapi-typescript and hey-api: they and programs on them type-check.

So do they when the document has grown. A program that a type should refuse is refused.
"""

import shutil
from pathlib import Path

import pytest

from tests.generators import making

SAMPLES = Path(__file__).with_name("samples")
MISSING = making.missing_for_javascript()
pytestmark = [
    pytest.mark.clients,
    pytest.mark.system,
    pytest.mark.skipif(MISSING is not None, reason=str(MISSING)),
]


@pytest.fixture(scope="module")
def made(document, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("typescript")
    making.typescript(document, folder)
    for path in SAMPLES.glob("*.ts"):
        shutil.copy(path, folder)
    return folder


class TestTheClients:
    def test_type_check_and_refuse_what_is_wrong(self, made):
        assert making.type_check(made) == ""
        harm = {
            "bot.ts": ("data.game", "data.gaem"),
            "turn.ts": ('action: "draw"', 'action: "drew"'),
        }
        for name, (right, wrong) in harm.items():
            text = (made / name).read_text()
            assert right in text
            (made / f"wrong-{name}").write_text(text.replace(right, wrong, 1))
        complaints = making.type_check(made).splitlines()
        assert {line.split("(")[0] for line in complaints if line.startswith("wrong-")} == {
            f"wrong-{name}" for name in harm
        }
        assert not [line for line in complaints if line.startswith(("bot", "turn", "types"))]
