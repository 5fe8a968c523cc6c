"""How many instructions a request costs in the application, whatever else the machine does.

``python -m tests.benchmarks.instructions`` runs the application in this way: one process under
valgrind's callgrind, with a fixed hash seed, on a PostgreSQL outside it. Requests are WSGI calls;
of each kind 120 are made and the last 100 counted (a dump of the counters before and after them).
``--check`` fails if a kind costs over 3 % more than the last accepted count, ``--accept`` keeps the
new counts.
"""

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import psycopg

from service.app import create_app
from service.settings import Settings, load
from tests.benchmarks import accepted, bare, stack
from tests.benchmarks.stack import Request, Table

WARM = 20
COUNTED = 100
ALLOWED = 1.03
MARK = "getsid"
"""A function of the C library that nobody else calls: callgrind dumps its counters at each call."""

BARE = "bare Flask"
MOVE = "move"
Kinds = dict[str, list[Request]]


def prepared(settings: Settings) -> Kinds:
    """Return the requests of each kind, on fresh tables: the same ones every time."""
    stack.empty(settings)
    table = Table(settings)
    try:
        many = WARM + COUNTED
        moves = [each for _ in range(many // 40) for each in table.game()]
        rows = [table.bare_row() for _ in range(many)]
        return {
            BARE: [Request("GET", "/flask")] * many,
            "bare SELECT": [Request("GET", f"/select/{row}") for row in rows],
            "bare SELECT + UPDATE/INSERT": [Request("POST", f"/turn/{row}") for row in rows],
            MOVE: moves,
            "view": (table.views() * many)[:many],
            "304": (table.unchanged() * many)[:many],
            "draw, discard + AI turn": _with_computer(table, many),
        }
    finally:
        table.close()


def _with_computer(table: Table, many: int) -> list[Request]:
    """Return draws and discards of games with a computer, the discards answered by its turn."""
    found: list[Request] = []
    while len(found) < many:
        found += table.game_with_computer()
    return found[:many]


def counted(settings: Settings, kinds: Kinds, folder: Path) -> dict[str, float]:
    """Run ``kinds`` under callgrind; return the instructions of one request of each."""
    plan = folder / "plan.json"
    plan.write_text(json.dumps({name: [asdict(one) for one in of] for name, of in kinds.items()}))
    command = [
        "valgrind",
        "--quiet",
        "--tool=callgrind",
        f"--dump-before={MARK}",
        f"--callgrind-out-file={folder / 'counted'}",
        sys.executable,
        "-m",
        "tests.benchmarks.instructions",
        "--inside",
        str(plan),
    ]
    environ = {
        **os.environ,
        "PYTHONHASHSEED": "0",
        "DATABASE_URL": settings.database_url or "",
        "GIN_SECRET": stack.SECRET,
    }
    subprocess.run(command, cwd=stack.ROOT, env=environ, check=True)
    # Dump 1 is the start; then each kind has one for its warm-up and one that counts.
    return {
        name: _sum(folder / f"counted.{3 + 2 * index}") / COUNTED
        for index, name in enumerate(kinds)
    }


def _sum(dump: Path) -> int:
    for line in dump.read_text().splitlines():
        if line.startswith("totals:"):
            return int(line.split()[1])
    raise AssertionError(f"{dump} has no total")


@contextlib.contextmanager
def applications(settings: Settings) -> Iterator[Callable[[Request], str]]:
    """Yield what hands a request to the service, or to the bare routes, and returns the status."""
    service, plain = create_app(settings), bare.create_app(settings)
    # As in a worker, where a thread is called that tells the database; it is not counted here.
    service.extensions["gin-rummy"].presence.open(lambda: None)
    seen: list[str] = []

    def start(status: str, _headers: object, *_rest: object) -> None:
        seen.append(status)

    def call(request: Request) -> str:
        app = service if request.path.startswith("/v1/") else plain
        answer: Any = app.wsgi_app(request.environ(), start)
        b"".join(answer)
        return seen.pop()

    yield call
    service.extensions["gin-rummy"].store.close()


def run_inside(plan: Path) -> None:
    """Make the requests of ``plan``; runs under callgrind."""
    kinds = {
        name: [Request(**one) for one in of] for name, of in json.loads(plan.read_text()).items()
    }
    with applications(load(os.environ)) as call:
        os.getsid(0)
        for name, requests in kinds.items():
            for each in requests[:WARM]:
                _expect(name, call(each))
            os.getsid(0)
            for each in requests[WARM:]:
                _expect(name, call(each))
            os.getsid(0)
    os._exit(0)  # the pools' threads have nothing to tell


def _expect(name: str, status: str) -> None:
    wanted = "3" if name == "304" else "2"
    if not status.startswith(wanted):
        raise AssertionError(f"{name} was answered {status}")


def statements(settings: Settings, kinds: Kinds) -> dict[str, float]:
    """Return how many SQL statements a request of each kind sends."""
    sent = [0]
    execute = psycopg.Cursor.execute

    def counting(self: Any, *args: Any, **kwargs: Any) -> Any:
        sent[0] += 1
        return execute(self, *args, **kwargs)

    found = {}
    with applications(settings) as call, _replaced(counting):
        for name, requests in kinds.items():
            for each in requests[:WARM]:  # a connection's first statements set its limits
                _expect(name, call(each))
            sent[0] = 0
            for each in requests[WARM:]:
                _expect(name, call(each))
            found[name] = sent[0] / (len(requests) - WARM)
    return found


@contextlib.contextmanager
def _replaced(execute: Any) -> Iterator[None]:
    before = psycopg.Cursor.execute
    psycopg.Cursor.execute = execute
    try:
        yield
    finally:
        psycopg.Cursor.execute = before


def measure(settings: Settings) -> dict[str, dict[str, float]]:
    """Return instructions and statements of one request of each kind."""
    kinds = prepared(settings)
    sql = statements(settings, kinds)
    kinds = prepared(settings)
    with tempfile.TemporaryDirectory(prefix="gin-callgrind-") as folder:
        found = counted(settings, kinds, Path(folder))
    return {
        name: {"instructions": round(found[name]), "statements": round(sql[name], 2)}
        for name in kinds
    }


def show(found: dict[str, dict[str, float]], before: dict[str, dict[str, float]]) -> None:
    """Print the table, beside what was accepted ``before``."""
    plain = found[BARE]["instructions"]
    print(
        f"\n{'instructions a request':<30}{'':>12}{'x bare':>8}{'statements':>12}{'accepted':>12}"
    )
    for name, one in found.items():
        count = one["instructions"]
        was = before.get(name, {}).get("instructions")
        change = f"{count / was - 1:>+12.1%}" if was else f"{'-':>12}"
        print(f"{name:<30}{count:>12,.0f}{count / plain:>8.2f}{one['statements']:>12.2f}{change}")


def too_many(found: dict[str, dict[str, float]], before: dict[str, Any]) -> list[str]:
    """Return the kinds that cost over 3 % or a statement more than what was accepted.

    Counts are those of one interpreter and processor: on others it is the shares of bare Flask's
    that are compared.
    """
    was: dict[str, dict[str, float]] = before["instructions"]
    same = before["machine"] == accepted.machine()
    ours, theirs = (1.0, 1.0) if same else (found[BARE]["instructions"], was[BARE]["instructions"])
    return [
        name
        for name, one in found.items()
        if name in was
        and (
            one["instructions"] / ours > ALLOWED * was[name]["instructions"] / theirs
            or one["statements"] > was[name]["statements"] + 0.01
        )
    ]


def run(*, check: bool = False, accept: bool = False) -> dict[str, dict[str, float]]:
    """Measure and print; with ``check`` leave with an exit code if it became too many.

    :raises SystemExit: if ``check`` finds something.
    """
    with stack.database() as settings:
        found = measure(settings)
    before = accepted.read()
    show(found, before.get("instructions", {}))
    if accept:
        accepted.write(instructions=found)
    if check:
        worse = too_many(found, before) if before else ["nothing accepted yet"]
        sys.exit(f"over the accepted count: {', '.join(worse)}" if worse else 0)
    return found


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="fail if it became over 3 %% more")
    parser.add_argument(
        "--accept", action="store_true", help="keep the counts as the accepted ones"
    )
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.inside:
        run_inside(asked.inside)
    if shutil.which("valgrind") is None:
        sys.exit("valgrind is missing (Debian: apt-get install valgrind)")
    run(check=asked.check, accept=asked.accept)


if __name__ == "__main__":
    main()
