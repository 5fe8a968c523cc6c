"""The embedded PostgreSQL of a machine that has none.

One launcher, one server: it is a direct child, listens on a socket in a private folder only, and
is gone when the launcher is, even after SIGKILL. A kernel lock keeps a second launcher, and a
server that is still shutting down, off the data. Nothing outside the data folder is changed but a
socket folder under /tmp, which goes away again. As root, the server runs as another user.

Knows processes and files; does not speak SQL.
"""

import contextlib
import fcntl
import os
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from urllib.parse import quote

from service.leash import Account, leashed
from service.postgres_programs import (
    LocalServerError,
    major_version,
    private_copy,
    reachable,
    server_account,
)

SUPERUSER: Final = "postgres"
PORT: Final = 5432
"""Only part of the socket's name: nothing listens on the network."""

START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 30.0
LOG_BYTES: Final = 1 << 20
"""The server's log is emptied at a start that finds it longer than this."""

QUIET: Final[Mapping[str, str]] = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "log_min_messages": "warning",
    "log_min_error_statement": "panic",  # statements stay out of the log, with what they carry
    "log_error_verbosity": "terse",
    "jit": "off",
}


class LocalServer:
    """A PostgreSQL server for this process alone; a context manager.

    :param data_dir: the folder of everything it keeps; made if it is not there.
    :param binaries: the folder of PostgreSQL's programs.
    :param options: server settings over the usual ones, by name.
    """

    def __init__(
        self, data_dir: Path, binaries: Path, options: Mapping[str, str] | None = None
    ) -> None:
        self.data_dir = data_dir
        self._binaries = binaries
        self._options = {**QUIET, **(options or {})}
        self._account = server_account(data_dir / "postgres")
        self._cleanup = contextlib.ExitStack()
        self._process: subprocess.Popen[bytes] | None = None
        self._log_file = data_dir / "postgres.log"
        self._told = 0  # bytes of the log that are not about this start
        self.url = ""

    def __enter__(self) -> Self:
        """Start the server and wait until it takes connections.

        :raises LocalServerError: if it does not, or the data folder is in use.
        """
        try:
            self._start()
        except BaseException:
            self._cleanup.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the server and remove its socket folder."""
        self._cleanup.close()

    @property
    def pid(self) -> int | None:
        """The process id of the server, if there is one."""
        return self._process.pid if self._process else None

    def _start(self) -> None:
        own_folder(self.data_dir)
        self._cleanup.enter_context(_launcher_lock(self.data_dir))
        lock = self._cleanup.enter_context(_server_lock(self.data_dir))
        sockets = self._cleanup.enter_context(_socket_folder(self.data_dir, self._account))
        binaries = self._usable_binaries(sockets)
        cluster = self.data_dir / "postgres"
        if not cluster.is_dir():
            self._initialise(binaries, cluster)
        self._check_version(binaries, cluster)
        (cluster / "postmaster.pid").unlink(missing_ok=True)  # stale: we hold the server's lock
        self._spawn(binaries, cluster, lock, sockets)
        self._wait_ready(cluster / "postmaster.pid")
        self.url = _url(sockets)

    def _usable_binaries(self, scratch: Path) -> Path:
        """Return a folder of programs that the server's account can run."""
        install = self._binaries.parent
        if self._account is None or all(
            reachable(self._binaries / name, self._account) for name in ("postgres", "initdb")
        ):
            return self._binaries
        kept = self.data_dir / "programs"
        if not reachable(self.data_dir, self._account):
            kept = scratch / "programs"
        return private_copy(install, kept) / "bin"

    def _initialise(self, binaries: Path, cluster: Path) -> None:
        """Make ``cluster``, all or nothing: it has its name only when it is complete."""
        making = self.data_dir / "postgres.making"
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(mode=0o700)
        if self._account:
            os.chown(making, self._account.user, self._account.group)
        handle = self._open_folder(making)
        command = [str(binaries / "initdb"), "-D", self._path_for_server(making, handle)]
        command += ["-U", SUPERUSER]
        command += ["-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--data-checksums"]
        if self._options.get("fsync") == "off":
            command.append("--no-sync")
        made = subprocess.run(  # noqa: S603
            leashed(command, signal.SIGKILL, self._account),
            cwd="/",
            pass_fds=(handle,),
            env=_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode:
            raise LocalServerError(f"initdb failed:\n{made.stderr.strip() or made.stdout.strip()}")
        making.rename(cluster)

    def _check_version(self, binaries: Path, cluster: Path) -> None:
        made_by = (cluster / "PG_VERSION").read_text().strip()
        version = major_version(binaries)
        if version != made_by:
            raise LocalServerError(
                f"{cluster} was made by PostgreSQL {made_by}, and {self._binaries} is version"
                f" {version}: set GIN_PG_BINDIR to the older one, or move the data with pg_dump"
            )

    def _path_for_server(self, cluster: Path, handle: int) -> str:
        """Return the name under which the server's account can open ``cluster``.

        Where it may not pass a folder above, as under root's home, its only way in is the open
        ``handle`` that it inherits.
        """
        if self._account is None or reachable(cluster, self._account):
            return str(cluster)
        return f"/proc/self/fd/{handle}"

    def _open_folder(self, folder: Path) -> int:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._cleanup.callback(os.close, handle)
        return handle

    def _spawn(self, binaries: Path, cluster: Path, lock: int, sockets: Path) -> None:
        handle = self._open_folder(cluster)
        command = [str(binaries / "postgres"), "-D", self._path_for_server(cluster, handle)]
        command += ["-p", str(PORT)]
        for name, value in {**self._options, "unix_socket_directories": str(sockets)}.items():
            command += ["-c", f"{name}={value}"]
        log = self._cleanup.enter_context(_opened(self._log_file))
        if os.fstat(log).st_size > LOG_BYTES:
            os.truncate(log, 0)
        self._told = os.lseek(log, 0, os.SEEK_END)
        self._process = subprocess.Popen(  # noqa: S603
            leashed(command, signal.SIGINT, self._account),
            cwd="/",
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=(lock, handle),
            start_new_session=True,  # Ctrl-C is for the launcher, which stops things in their order
        )
        self._cleanup.callback(self._stop, self._process)

    def _wait_ready(self, pid_file: Path) -> None:
        """Wait for the word "ready" on the eighth line of the server's own pid file."""
        process = self._process

        def ready() -> bool:
            with contextlib.suppress(FileNotFoundError):
                return pid_file.read_text().splitlines()[7:8] == ["ready   "]
            return False

        def gone() -> bool:
            return process is None or process.poll() is not None

        poll(lambda: ready() or gone(), START_SECONDS)
        if gone() or not ready():
            said = self._log_file.read_bytes()[self._told :].decode(errors="replace").strip()
            raise LocalServerError(
                f"PostgreSQL did not start; {self._log_file} says:\n{said[-4000:]}"
            )

    def _stop(self, process: subprocess.Popen[bytes]) -> None:
        """Ask for a fast shutdown; insist, then use force, if nothing comes of it."""
        self._process = None
        for farewell in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
            process.send_signal(farewell)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(STOP_SECONDS)
                return


def running_url(data_dir: Path) -> str | None:
    """Return the address of the server that another launcher runs on ``data_dir``, if one does."""
    if not (data_dir / "launcher.lock").exists():
        return None
    with _opened(data_dir / "launcher.lock") as handle:
        if _take(handle):
            return None
        with contextlib.suppress(FileNotFoundError):
            return _url(Path((data_dir / "socket-folder").read_text()))
    return None


def _url(sockets: Path) -> str:
    return f"postgresql://{SUPERUSER}@/postgres?host={quote(str(sockets), safe='')}&port={PORT}"


def poll(ready: Callable[[], bool], seconds: float, pause: float = 0.01) -> bool:
    """Ask ``ready`` again and again, for at most ``seconds``; return its last answer."""
    deadline = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > deadline:
            return ready()
        time.sleep(pause)
    return True


def own_folder(data_dir: Path) -> None:
    """Make ``data_dir`` if it is not there.

    :raises LocalServerError: if it cannot be used.
    """
    try:
        data_dir.mkdir(mode=0o755, parents=True, exist_ok=True)
        if not os.access(data_dir, os.W_OK | os.X_OK):
            raise PermissionError(13, "not writable")
    except OSError as error:
        reason = error.strerror or str(error)
        raise LocalServerError(f"GIN_DATA_DIR: cannot use {data_dir}: {reason}") from None


@contextlib.contextmanager
def _launcher_lock(data_dir: Path) -> Iterator[None]:
    """Hold the lock that one launcher at a time can have; its children do not inherit it."""
    with _opened(data_dir / "launcher.lock") as handle:
        if not _take(handle):
            other = os.read(handle, 20).decode(errors="replace") or "unknown"
            raise LocalServerError(f"GIN_DATA_DIR: {data_dir} is in use by process {other}")
        os.truncate(handle, 0)
        os.write(handle, str(os.getpid()).encode())
        yield


@contextlib.contextmanager
def _server_lock(data_dir: Path) -> Iterator[int]:
    """Hold the lock that the server and all its processes inherit.

    While one of them lives the lock is taken, so whoever gets it knows that no server runs here,
    whatever its pid file says.
    """
    with _opened(data_dir / "server.lock") as handle:
        if not poll(lambda: _take(handle), START_SECONDS):
            raise LocalServerError(f"an earlier server is still busy in {data_dir / 'postgres'}")
        yield handle


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[int]:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield handle
    finally:
        os.close(handle)


def _take(handle: int) -> bool:
    with contextlib.suppress(BlockingIOError):
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


@contextlib.contextmanager
def _socket_folder(data_dir: Path, account: Account | None) -> Iterator[Path]:
    """Make a private folder with a short name: a socket's path may have 107 bytes at most.

    Its name is written down, so that the next start can remove what a killed one left.
    """
    note = data_dir / "socket-folder"
    if note.is_file():
        _remove_leftover(Path(note.read_text()), account)
    folder = Path(tempfile.mkdtemp(prefix="gin-", dir="/tmp"))
    note.write_text(str(folder))
    if account:
        os.chown(folder, account.user, account.group)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        note.unlink(missing_ok=True)


def _remove_leftover(folder: Path, account: Account | None) -> None:
    owner = account.user if account else os.geteuid()
    if folder.parent == Path("/tmp") and folder.name.startswith("gin-"):  # noqa: S108
        with contextlib.suppress(FileNotFoundError):
            status = folder.lstat()
            if stat.S_ISDIR(status.st_mode) and status.st_uid in {owner, os.geteuid()}:
                shutil.rmtree(folder, ignore_errors=True)


def _environment() -> dict[str, str]:
    """Return the server's environment: none of our secrets, no PG variable that would bend it."""
    kept = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8"}
    if "TZ" in os.environ:
        kept["TZ"] = os.environ["TZ"]
    return kept
