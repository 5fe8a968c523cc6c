"""Everything that ``make run`` starts: a database if none is given, the migrations, gunicorn.

Stops all of it, in the reverse order, at Ctrl-C, SIGTERM or SIGHUP; what it started dies with it
even when it is killed. Knows processes; what they do is theirs.
"""

import contextlib
import http.client
import os
import secrets
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

from service.leash import leashed
from service.local import LocalServer, own_folder, poll, running_url
from service.postgres_programs import find_binaries
from service.settings import Settings, parse_secrets
from service.storage.setup import prepare

ROOT: Final = Path(__file__).resolve().parents[1]
READY_SECONDS: Final = 60.0
STOP_SECONDS: Final = 15.0
"""A little more than gunicorn gives its workers to finish."""

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class LaunchError(RuntimeError):
    """The service cannot start, or stopped by itself; the message says why."""


class StopRequested(BaseException):
    """Somebody asked us to stop; passes through every ``except Exception``."""


def run(settings: Settings, application: str = "service.wsgi:app") -> None:
    """Serve ``application`` until somebody asks to stop.

    :raises LaunchError: if it cannot start, or a part of it stops by itself.
    :raises LocalServerError: if a database is to be started and cannot be.
    """
    with contextlib.ExitStack() as parts, contextlib.suppress(StopRequested):
        parts.enter_context(_listening_to_signals())
        _check_port(settings)
        own_folder(settings.data_dir)
        server = None
        if settings.database_url is None:
            server = LocalServer(settings.data_dir, find_binaries(settings.pg_bindir))
            parts.enter_context(server)
            settings = replace(settings, database_url=server.url)
        prepare(settings)
        gunicorn = parts.enter_context(_gunicorn(settings, application))
        _wait_ready(settings, gunicorn)
        print(f"Ready on http://{settings.address}", flush=True)
        _wait_for_the_first_to_stop(gunicorn)


@contextlib.contextmanager
def database(settings: Settings) -> Iterator[Settings]:
    """Find a database for a command: the one that is set, the one that runs, or a new one.

    Yields ``settings`` with its address.
    """
    if settings.database_url is not None:
        yield settings
        return
    running = running_url(settings.data_dir)
    if running is not None:
        yield replace(settings, database_url=running)
        return
    with LocalServer(settings.data_dir, find_binaries(settings.pg_bindir)) as server:
        yield replace(settings, database_url=server.url)


def own_secrets(settings: Settings) -> Settings:
    """Return ``settings`` with secrets: those that are set, or those of the data folder's file.

    The file is made, with a random secret and for its owner only, if it is not there.

    :raises LaunchError: if others may read the file, or it holds no proper secret.
    """
    if settings.secrets:
        return settings
    own_folder(settings.data_dir)
    path = settings.data_dir / "secret"
    with contextlib.suppress(FileExistsError):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(32) + "\n")
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise LaunchError(f"{path} can be read by others: chmod 600 it, or set GIN_SECRET")
    try:
        found = parse_secrets(path.read_text("utf-8").strip())
    except ValueError as error:
        raise LaunchError(f"{path}: {error}") from None
    if not found:
        raise LaunchError(f"{path} is empty: remove it, or set GIN_SECRET")
    return replace(settings, secrets=found)


@contextlib.contextmanager
def _listening_to_signals() -> Iterator[None]:
    def stop(_number: int, _frame: FrameType | None) -> NoReturn:
        for each in SIGNALS:  # once is enough, and stopping must not be cut short
            signal.signal(each, signal.SIG_IGN)
        raise StopRequested

    before = {each: signal.signal(each, stop) for each in SIGNALS}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _check_port(settings: Settings) -> None:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            raise LaunchError(
                f"PORT: cannot listen on {settings.address}: {error.strerror}"
            ) from None


@contextlib.contextmanager
def _gunicorn(settings: Settings, application: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "gunicorn", "--config", str(ROOT / "deploy/gunicorn.conf.py")]
    process = subprocess.Popen(  # noqa: S603
        leashed([*command, application], signal.SIGTERM),
        cwd=ROOT,
        env={
            **os.environ,
            "DATABASE_URL": settings.database_url or "",
            "GIN_SECRET": ",".join(secret.decode() for secret in settings.secrets),
        },
        start_new_session=True,  # Ctrl-C is for us, who stop things in their order
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_ready(settings: Settings, gunicorn: subprocess.Popen[bytes]) -> None:
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
    host = everywhere.get(settings.host, settings.host)

    def answers() -> bool:
        connection = http.client.HTTPConnection(host, settings.port, timeout=5)
        with (
            contextlib.closing(connection),
            contextlib.suppress(OSError, http.client.HTTPException),
        ):
            connection.request("GET", "/health/ready")
            return connection.getresponse().status == 200
        return False

    if not poll(lambda: gunicorn.poll() is not None or answers(), READY_SECONDS, 0.02):
        raise LaunchError(f"the service was not ready within {READY_SECONDS:.0f} seconds")
    if gunicorn.poll() is not None:
        raise LaunchError("gunicorn stopped at its start; its messages stand above")


def _wait_for_the_first_to_stop(gunicorn: subprocess.Popen[bytes]) -> NoReturn:
    """Sleep until one of our children is gone, which none should be; a signal ends the sleep."""
    os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
    raise LaunchError(f"{'gunicorn' if gunicorn.poll() is not None else 'PostgreSQL'} stopped")
