"""One PostgreSQL for all tests of a run, one database for each worker, empty tables for each test.

The process that the user started runs the server; workers of pytest-xdist get its address.
``TEST_DATABASE_URL`` names another server instead (its user must be a superuser). The embedded
one does not wait for its disk, which makes it quick and is nothing that a test could notice.
"""

import contextlib
import os
import re
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

# Sums of many numbers come out a little different with another number of threads, and what computer
# players prefer may hang on that. It has to be said before numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import hypothesis
import psycopg
import pytest
from psycopg import sql

from service.local import LocalServer
from service.postgres_programs import find_binaries
from service.settings import Settings, load
from service.storage.migrate import migrate
from service.storage.pool import Store
from tests.server import BOUNDLESS, QUIET, Served, on_database

hypothesis.settings.register_profile("gin", deadline=None, print_blob=True)
hypothesis.settings.load_profile("gin")

HASTE = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "max_connections": "300",
}

SERVER = pytest.StashKey[str]()
CLEANUP = pytest.StashKey[contextlib.ExitStack]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[CLEANUP] = contextlib.ExitStack()


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[CLEANUP].close()


PACKAGES = {
    "chromium": "chromium",
    "nginx": "nginx-light",
    "setpriv": "util-linux",
    "valgrind": "valgrind",
    "wrk": "wrk",
}


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out, and say so, what needs a program that this machine does not have."""
    for mark in item.iter_markers("system"):
        for program in mark.args:
            if shutil.which(program) is None:
                pytest.skip(f"left out: no {program} here (apt-get install {PACKAGES[program]})")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node) -> None:
    """Tell a worker of pytest-xdist where the server is."""
    node.workerinput["server_url"] = _server(node.config)


def _server(config: pytest.Config) -> str:
    """Return the address of the server of this run; the first call starts it."""
    if SERVER not in config.stash:
        given = os.environ.get("TEST_DATABASE_URL")
        told = getattr(config, "workerinput", {}).get("server_url")
        config.stash[SERVER] = given or told or _started(config.stash[CLEANUP])
    return config.stash[SERVER]


def _started(cleanup: contextlib.ExitStack) -> str:
    folder = Path(tempfile.mkdtemp(prefix="gin-tests-"))
    cleanup.callback(shutil.rmtree, folder)
    bindir = os.environ.get("PG_BINDIR")
    binaries = find_binaries(Path(bindir) if bindir else None)
    return cleanup.enter_context(LocalServer(folder, binaries, HASTE)).url


@contextlib.contextmanager
def _database(server_url: str) -> Iterator[str]:
    """Make a database of its own for the length of a ``with``; yield its address."""
    name = f"gin_test_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server_url, autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield re.sub(r"^([a-z]+://[^/?]*)/?[^?]*", rf"\1/{name}", server_url)
        finally:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture(scope="session")
def server_url(request: pytest.FixtureRequest) -> str:
    """The address of the server's own database, as its superuser."""
    return _server(request.config)


@pytest.fixture
def empty_database_url(server_url: str) -> Iterator[str]:
    """A new database with nothing in it."""
    with _database(server_url) as url:
        yield url


@pytest.fixture(scope="session")
def database_url(server_url: str) -> Iterator[str]:
    """The database of this worker, migrated."""
    with _database(server_url) as url:
        with psycopg.connect(url, autocommit=True) as conn:
            migrate(conn)
        yield url


@pytest.fixture(scope="session")
def session_settings(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The settings of this worker: its database, a secret, no insistence on a durable server.

    Whoever waits for news in the process of the tests waits in the thread of the test: not long.
    """
    return load(
        {
            "DATABASE_URL": database_url,
            "GIN_SECRET": "a-secret-that-only-the-tests-know-0123456789",
            "GIN_DATA_DIR": str(tmp_path_factory.mktemp("data")),
            "GIN_REQUIRE_DURABLE": "false",
            **BOUNDLESS,
            "GIN_LONGEST_WAIT_SECONDS": "0.05",
            "GIN_STREAM_SECONDS": "0.05",
        }
    )


@pytest.fixture
def settings(session_settings: Settings) -> Settings:
    """The settings of this worker, for one test."""
    return session_settings


@pytest.fixture(scope="session")
def _session_store(session_settings: Settings) -> Iterator[Store]:
    store = Store(session_settings)
    store.open()
    yield store
    store.close()


@pytest.fixture(scope="session")
def _sweeper(database_url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(database_url, autocommit=True) as conn:
        conn.execute("SET session_replication_role = replica")  # in any order, whatever refers
        yield conn


@pytest.fixture(scope="session")
def emptying(_sweeper: psycopg.Connection) -> Callable[[], None]:
    """What empties every table. DELETE: on small tables far quicker than TRUNCATE."""

    def empty() -> None:
        tables = _sweeper.execute(
            "SELECT tablename FROM pg_tables"
            " WHERE schemaname = 'public' AND tablename <> 'schema_migrations'"
        ).fetchall()
        with _sweeper.transaction():
            for (table,) in tables:
                _sweeper.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))

    return empty


@pytest.fixture
def empty_tables(emptying: Callable[[], None]) -> Iterator[None]:
    """Empty every table after the test."""
    yield
    emptying()


@pytest.fixture
def store(_session_store: Store, empty_tables: None) -> Store:
    """The open pool of this worker, on tables that are empty before and after the test."""
    return _session_store


@pytest.fixture(scope="session")
def _session_served(
    database_url: str, session_settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    environ = on_database(database_url, session_settings.secrets[0].decode()) | QUIET
    with Served(tmp_path_factory.mktemp("served") / "data", environ) as served:
        yield served


@pytest.fixture
def served(_session_served: Served, empty_tables: None) -> Served:
    """The whole service over HTTP, in processes of its own, on the database of this worker."""
    return _session_served
