"""Looking at processes from outside."""

import contextlib
import os
from pathlib import Path


def gone(pid: int) -> bool:
    """Whether there is no such process, or only its exit code is left."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return True
    return state == "Z"


def children(pid: int, depth: int = 9) -> list[int]:
    """Return the processes that ``pid`` started, and those that they started, ``depth`` deep.

    One that ends meanwhile is left out, or has none.
    """
    if depth == 0:
        return []
    found: list[int] = []
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in _of_task(task):
                found += [child, *children(child, depth - 1)]
    return found


def _of_task(task: Path) -> list[int]:
    try:
        return [int(child) for child in (task / "children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []
