"""The whole service in processes of its own, as ``make run`` starts it.

:class:`Served` is one start of it on a free port, on a database that is there or on one of its own.
"""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path
from typing import Self

from service.local import poll
from service.settings import VARIABLES
from tests.service.processes import children, gone

ROOT = Path(__file__).parents[1]
READY_SECONDS = 60
GONE_SECONDS = 30
BOUNDLESS = {variable: "1000000/1" for variable in VARIABLES if variable.startswith("GIN_LIMIT_")}
"""Rate limits that no test can reach, and of which every request finds all there."""

QUIET = {"GIN_DUTIES": "false", "GIN_PRESENCE_SECONDS": "0", "GIN_SEND_WEBHOOKS": "false"}
"""A server that does nothing unasked, for a database on which other tests run meanwhile."""

KEPT_SECONDS = 3
"""A connection that was idle for longer is made anew; the server keeps one for five."""

ATTEMPTS = 5
"""A port that was free a moment ago may be taken: then another one is tried."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def plain_environ() -> dict[str, str]:
    """The environment without any setting of the service."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIN_") and name not in {"DATABASE_URL", "PORT", "PG_BINDIR"}
    }


class Served:
    """One run of the service; a context manager that leaves no process behind.

    :param data_dir: its ``GIN_DATA_DIR``, with its own database unless ``environ`` gives one.
    :param environ: settings over the defaults.
    :param account: words put before the command, to run it as somebody else.
    :param root: the folder that it is run from.
    :param application: what gunicorn imports, unless it is the service as it is.
    """

    def __init__(
        self,
        data_dir: Path,
        environ: dict[str, str] | None = None,
        *,
        account: Sequence[str] = (),
        root: Path = ROOT,
        port: int | None = None,
        application: str | None = None,
    ) -> None:
        self.data_dir = data_dir
        self._environ = {**plain_environ(), **(environ or {}), "GIN_DATA_DIR": str(data_dir)}
        self._account = list(account)
        self._root = root
        self._wanted = port
        self._run = ["run", *(["--application", application] if application else [])]
        self.port = 0
        self.process: subprocess.Popen[str]

    def __enter__(self) -> Self:
        self._errors = tempfile.TemporaryFile("a+")  # a pipe that nobody reads would fill
        for attempt in range(ATTEMPTS):
            self.port = self._wanted or free_port()
            self.process = self._spawn()
            said = self.process.stdout.readline()
            if said == f"Ready on http://127.0.0.1:{self.port}\n":
                return self
            self.process.communicate(timeout=READY_SECONDS)
            problem = self.errors()
            if self._wanted or "cannot listen" not in problem or attempt == ATTEMPTS - 1:
                break
        self._errors.close()
        raise AssertionError(f"it did not start: {said}{problem}")

    def _spawn(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*self._account, *self.command(*self._run)],
            cwd=self._root,
            env={**self._environ, "PORT": str(self.port)},
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )

    def errors(self) -> str:
        """What it said about errors so far."""
        self._errors.seek(0)
        return self._errors.read()

    def said_bytes(self) -> int:
        """How many bytes it said about errors so far."""
        return os.fstat(self._errors.fileno()).st_size

    def command(self, *words: str) -> list[str]:
        """The command line of an operator's command."""
        return [sys.executable, "-m", "service.cli", *words]

    def operate(
        self, *words: str, seconds: float = READY_SECONDS
    ) -> subprocess.CompletedProcess[str]:
        """Run an operator's command with the settings of this run, within so many ``seconds``."""
        return subprocess.run(
            [*self._account, *self.command(*words)],
            cwd=self._root,
            env=self._environ,
            capture_output=True,
            text=True,
            timeout=seconds,
        )

    def __exit__(self, *_: object) -> None:
        try:
            self.kill()
        finally:
            self._forget()
            self._errors.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def everything(self) -> list[int]:
        """Every process of this run, the launcher first."""
        return [self.process.pid, *children(self.process.pid)]

    def interrupt(self) -> tuple[int, str]:
        """Press Ctrl-C; return the exit code and what it said about errors."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.communicate(timeout=READY_SECONDS)
        return self.process.returncode, self.errors()

    def kill(self) -> None:
        """Kill everything at once with SIGKILL, and wait until it is gone."""
        if self.process.poll() is not None:
            return
        everything = self.everything()
        for pid in everything:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.communicate()
        assert poll(lambda: all(map(gone, everything)), GONE_SECONDS), "a process is left"

    def _forget(self) -> None:
        """Remove the socket folder of a run that was killed; the next start would do this."""
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree((self.data_dir / "socket-folder").read_text())


def on_database(database_url: str, secret: str) -> dict[str, str]:
    """Settings that use a database of the tests, which does not wait for its disk."""
    own = {"DATABASE_URL": database_url, "GIN_SECRET": secret, "GIN_REQUIRE_DURABLE": "false"}
    return {**own, **BOUNDLESS}


class Caller:
    """One connection that is kept alive, with the token of one viewer."""

    def __init__(self, port: int, token: str | None = None) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=READY_SECONDS)
        self._sent = {"Content-Type": "application/json"}
        if token:
            self._sent["Authorization"] = f"Bearer {token}"
        self.headers: HTTPMessage
        self._used = 0.0

    def __call__(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, dict]:
        """Send a request; return status and the body as a value.

        ``headers`` go with it; those of the answer are kept as ``headers`` of the caller.
        """
        data = None if body is None else json.dumps(body).encode()
        if time.monotonic() - self._used > KEPT_SECONDS:
            self._connection.close()  # the server might close it while we send
        self._connection.request(method, path, data, {**self._sent, **(headers or {})})
        answer = self._connection.getresponse()
        self.headers = answer.headers
        self._used = time.monotonic()
        return answer.status, json.loads(answer.read())

    def close(self) -> None:
        self._connection.close()
