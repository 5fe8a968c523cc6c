"""The last accepted table, ``accepted.json``: what a new measurement is compared with."""

import json
import os
import platform
import re
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("accepted.json")


def machine() -> dict[str, object]:
    """Return what of this machine the figures depend on."""
    found = re.search(r"^model name\s*:\s*(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return {
        "python": platform.python_version(),
        "processor": found[1] if found else platform.machine(),
        "cores": os.cpu_count(),
        "system": platform.system(),
    }


def read() -> dict[str, Any]:
    """Return the accepted table; empty if there is none."""
    return json.loads(FILE.read_text()) if FILE.exists() else {}


def write(**tables: object) -> None:
    """Keep ``tables`` as the accepted ones; others stay as they are."""
    FILE.write_text(json.dumps({**read(), "machine": machine(), **tables}, indent=2) + "\n")
