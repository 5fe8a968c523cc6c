"""The embedded server: one for each data folder, gone with its launcher, and it keeps its data."""

import os
import pwd
import signal
import subprocess
import sys
import textwrap
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from service import local as module
from service.local import LocalServer, own_folder, poll, running_url
from service.postgres_programs import LocalServerError, find_binaries
from tests.service.processes import gone

HASTE = {"fsync": "off"}


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "data"


@pytest.fixture
def server():
    """Makes servers, and stops them."""
    with ExitStack() as cleanup:

        def start(folder: Path) -> LocalServer:
            return cleanup.enter_context(LocalServer(folder, find_binaries(None), HASTE))

        yield start


@pytest.fixture
def launcher():
    """Starts servers in processes of their own, which can be killed."""
    code = """
        import sys
        from pathlib import Path
        from service.local import LocalServer
        from service.postgres_programs import find_binaries
        with LocalServer(Path(sys.argv[1]), find_binaries(None), {"fsync": "off"}) as server:
            print(server.pid, server.url, flush=True)
            sys.stdin.read()
    """
    started = []

    def start(folder: Path) -> tuple[subprocess.Popen, int, str]:
        command = [sys.executable, "-c", textwrap.dedent(code), str(folder)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        process = subprocess.Popen(command, text=True, **pipes)
        started.append(process)
        pid, url = process.stdout.readline().split()
        return process, int(pid), url

    yield start
    for process in started:
        process.communicate()


def run(url: str, statement: str) -> list[tuple]:
    with psycopg.connect(url, autocommit=True) as conn:
        found = conn.execute(statement)
        return found.fetchall() if found.description else []


class TestAStart:
    def test_makes_a_server_that_keeps_its_data(self, folder):
        with LocalServer(folder, find_binaries(None), HASTE) as first:
            run(first.url, "CREATE TABLE kept AS SELECT 42 AS answer")
            pid = first.pid
        assert gone(pid)
        with LocalServer(folder, find_binaries(None), HASTE) as second:
            assert run(second.url, "SELECT answer FROM kept") == [(42,)]

    def test_listens_on_a_private_socket_only(self, folder, server):
        url = server(folder).url
        assert run(url, "SHOW listen_addresses") == [("",)]
        socket = Path(run(url, "SHOW unix_socket_directories")[0][0])
        assert socket.stat().st_mode & 0o777 == 0o700
        assert len(str(socket / ".s.PGSQL.5432")) <= 107

    def test_checks_its_pages_and_speaks_unicode(self, folder, server):
        url = server(folder).url
        assert run(url, "SHOW data_checksums") == [("on",)]
        assert run(url, "SHOW server_encoding") == [("UTF8",)]

    def test_is_durable_unless_told_otherwise(self, folder):
        with LocalServer(folder, find_binaries(None)) as server:
            for name in ("fsync", "full_page_writes", "synchronous_commit"):
                assert run(server.url, f"SHOW {name}") == [("on",)]

    def test_keeps_statements_out_of_its_log(self, folder, server):
        with pytest.raises(psycopg.errors.DivisionByZero):
            run(server(folder).url, "SELECT 1/0 AS canary")
        assert "canary" not in (folder / "postgres.log").read_text()

    def test_gives_the_server_none_of_our_secrets(self, folder, server, monkeypatch):
        monkeypatch.setenv("GIN_SECRET", "canary")
        pid = server(folder).pid
        assert b"canary" not in Path(f"/proc/{pid}/environ").read_bytes()

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root must become somebody else")
    def test_by_root_runs_as_another_user_and_opens_no_folder(self, folder, server):
        folder.parent.chmod(0o700)
        status = Path(f"/proc/{server(folder).pid}/status").read_text()
        user = int(status.split("Uid:")[1].split()[0])
        assert pwd.getpwuid(user).pw_name in {"postgres", "nobody"}
        assert folder.parent.stat().st_mode & 0o777 == 0o700


class TestAStop:
    def test_leaves_nothing_but_the_data_folder(self, folder):
        with LocalServer(folder, find_binaries(None), HASTE) as server:
            pid = server.pid
            sockets = Path((folder / "socket-folder").read_text())
            assert sockets.is_dir()
        assert gone(pid)
        assert not sockets.exists()
        assert {path.name for path in folder.iterdir()} == {
            "launcher.lock", "server.lock", "postgres", "postgres.log",
        }  # fmt: skip


class TestAKilledLauncher:
    def test_takes_the_server_with_it_and_loses_nothing(self, folder, launcher, server):
        process, pid, url = launcher(folder)
        run(url, "CREATE TABLE kept AS SELECT 42 AS answer")
        process.kill()
        process.wait()
        assert poll(lambda: gone(pid), 30)
        assert "database system is shut down" in (folder / "postgres.log").read_text()
        again = server(folder)
        assert run(again.url, "SELECT answer FROM kept") == [(42,)]

    def test_leaves_a_socket_folder_that_the_next_start_removes(self, folder, launcher, server):
        process, _, _ = launcher(folder)
        left = Path((folder / "socket-folder").read_text())
        process.kill()
        process.wait()
        server(folder)
        assert not left.exists()


class TestAKilledServer:
    def test_recovers_at_the_next_start(self, folder, launcher, server):
        process, pid, url = launcher(folder)
        run(url, "CREATE TABLE kept AS SELECT 42 AS answer")
        os.kill(pid, signal.SIGKILL)
        process.kill()
        process.wait()
        assert run(server(folder).url, "SELECT answer FROM kept") == [(42,)]

    def test_leaves_a_pid_file_that_may_name_a_living_stranger(self, folder, server):
        with LocalServer(folder, find_binaries(None), HASTE):
            lines = (folder / "postgres" / "postmaster.pid").read_text().splitlines()
        lines[0] = str(os.getpid())
        (folder / "postgres" / "postmaster.pid").write_text("\n".join(lines) + "\n")
        assert run(server(folder).url, "SELECT 1") == [(1,)]


class TestASecondLauncher:
    def test_is_told_who_has_the_folder(self, folder, server):
        server(folder)
        with pytest.raises(LocalServerError, match=f"in use by process {os.getpid()}"):
            server(folder)

    def test_waits_for_a_server_that_is_still_stopping(self, folder, server, monkeypatch):
        own_folder(folder)
        monkeypatch.setattr(module, "START_SECONDS", 0.05)
        with (
            module._server_lock(folder),
            pytest.raises(LocalServerError, match="still busy"),
        ):
            server(folder)

    def test_may_not_have_the_data_while_a_server_of_a_killed_one_lives(
        self, folder, launcher, server, monkeypatch
    ):
        process, pid, _ = launcher(folder)
        os.kill(pid, signal.SIGSTOP)
        process.kill()
        process.wait()
        with monkeypatch.context() as hurried:
            hurried.setattr(module, "START_SECONDS", 0.05)
            with pytest.raises(LocalServerError, match="still busy"):
                server(folder)
        os.kill(pid, signal.SIGCONT)
        assert run(server(folder).url, "SELECT 1") == [(1,)]

    def test_of_another_command_finds_the_running_server(self, folder, server):
        assert running_url(folder) is None
        url = server(folder).url
        assert running_url(folder) == url

    def test_finds_none_that_has_stopped(self, folder):
        with LocalServer(folder, find_binaries(None), HASTE):
            pass
        assert running_url(folder) is None


class TestAFailedStart:
    def test_tells_what_the_server_says(self, folder):
        wrong = LocalServer(folder, find_binaries(None), {**HASTE, "no_such_setting": "1"})
        with pytest.raises(LocalServerError, match="no_such_setting"), wrong:
            pass

    def test_gives_the_folder_back(self, folder, server):
        self.test_tells_what_the_server_says(folder)
        server(folder)

    def test_of_initdb_leaves_nothing_half_made(self, folder, server, tmp_path):
        broken = tmp_path / "bin"
        broken.mkdir(0o755)
        for name in ("initdb", "postgres"):
            (broken / name).write_text("#!/bin/sh\necho no luck >&2; exit 1\n")
            (broken / name).chmod(0o755)
        with pytest.raises(LocalServerError, match="no luck"), LocalServer(folder, broken):
            pass
        assert not (folder / "postgres").exists()
        server(folder)

    def test_names_the_version_that_made_the_data(self, folder):
        with LocalServer(folder, find_binaries(None), HASTE):
            pass
        (folder / "postgres" / "PG_VERSION").write_text("9\n")
        with (
            pytest.raises(LocalServerError, match="made by PostgreSQL 9,"),
            LocalServer(folder, find_binaries(None)),
        ):
            pass

    def test_names_a_folder_that_cannot_be_used(self, tmp_path):
        (tmp_path / "file").touch()
        with pytest.raises(LocalServerError, match="GIN_DATA_DIR: cannot use"):
            own_folder(tmp_path / "file" / "data")


class TestTheLog:
    def test_is_emptied_when_it_is_long(self, folder, server, monkeypatch):
        folder.mkdir()
        (folder / "postgres.log").write_text("x" * 100)
        monkeypatch.setattr(module, "LOG_BYTES", 99)
        server(folder)
        assert "xxx" not in (folder / "postgres.log").read_text()


class TestPolling:
    def test_ends_with_the_last_answer(self):
        answers = iter([False, False, True])
        assert poll(lambda: next(answers), 60, 0)
        assert not poll(lambda: False, 0.01)
