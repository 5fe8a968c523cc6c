"""gunicorn's entry: it serves with proper settings, and refuses to with others."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SECRET = "0123456789abcdef0123456789abcdef"
SERVING = {"GIN_SECRET": SECRET, "DATABASE_URL": "postgresql:///none?host=/nowhere"}


def imported(environ: dict[str, str]) -> subprocess.CompletedProcess:
    code = "from service.wsgi import app; print(app.test_client().get('/health/live').status_code)"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIN_")}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[2],
        env=kept | environ,
        capture_output=True,
        text=True,
    )


class TestTheApplication:
    def test_serves_with_a_secret_and_a_database_that_may_be_away(self):
        assert imported(SERVING).stdout == "200\n"

    @pytest.mark.parametrize("missing", SERVING)
    def test_is_not_there_without_one_of_them(self, missing):
        told = imported(SERVING | {missing: ""})
        assert told.returncode == 1
        assert f"SettingsError: {missing}: " in told.stderr
