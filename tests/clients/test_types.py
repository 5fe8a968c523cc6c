"""The sample programs pass the strictest of type checkers, with what they use of their clients."""

import subprocess
import sys

import pytest

from tests.clients.programs import CLIENTS, NODE, document, made_from, needs_clients

SOURCES = [path.name for path in (CLIENTS / "python").glob("*.py")]
CHECKS = {
    "python": [sys.executable, "-m", "mypy", "--strict", "--config-file=", *SOURCES],
    "typescript": [NODE, "node_modules/typescript/bin/tsc"],
}


@pytest.mark.clients
@needs_clients
@pytest.mark.parametrize("language", CHECKS)
class TestAProgram:
    def test_stands_on_a_client_of_this_document(self, language):
        assert made_from(language) == document(), "`make clients` makes it anew"

    def test_has_no_error_of_types(self, language):
        checked = subprocess.run(
            CHECKS[language],
            cwd=CLIENTS / language,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert checked.returncode == 0, checked.stdout + checked.stderr
