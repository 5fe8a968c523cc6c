"""`make run`: everything starts, and everything stops with it, however it ends."""

import contextlib
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from urllib.request import urlopen

import pytest

from service import launcher
from service.launcher import LaunchError, own_secrets
from service.local import poll
from tests.service.processes import children, gone

ROOT = Path(__file__).parents[2]
READY_SECONDS = 60
COMMAND = [sys.executable, "-m", "service.cli", "run"]
STAND_IN = "tests.service.stand_in:app"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Run:
    """One ``python -m service.cli run`` with the stand-in application."""

    def __init__(self, folder: Path, application: str, **environ: str) -> None:
        self.folder = folder
        self.port = free_port()
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("GIN_") and name not in {"DATABASE_URL", "PG_BINDIR"}
        }
        self.process = subprocess.Popen(
            [*COMMAND, "--application", application],
            cwd=ROOT,
            env=kept | {"PORT": str(self.port), "GIN_DATA_DIR": str(folder)} | environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_ready(self) -> "Run":
        said = self.process.stdout.readline()
        assert said == f"Ready on http://127.0.0.1:{self.port}\n", self.process.stderr.read()
        return self

    def get(self) -> bytes:
        with urlopen(f"http://127.0.0.1:{self.port}/", timeout=10) as answer:
            return answer.read()

    def everything(self) -> list[int]:
        return children(self.process.pid)

    def end(self) -> tuple[int, str]:
        _, said = self.process.communicate(timeout=READY_SECONDS)
        return self.process.returncode, said


@pytest.fixture
def run(tmp_path):
    started = []

    def start(application: str = STAND_IN, **environ: str) -> Run:
        started.append(Run(tmp_path / "data", application, **environ))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
        one.process.communicate()
        with contextlib.suppress(FileNotFoundError):  # the next start would do this
            shutil.rmtree((one.folder / "socket-folder").read_text())


@pytest.mark.http
class TestARun:
    @pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
    def test_stops_all_of_it_when_told(self, run, name):
        one = run().wait_ready()
        assert one.get() == b"stand-in"
        everything = one.everything()
        assert len(everything) > 6
        one.process.send_signal(signal.Signals[name])
        code, _ = one.end()
        assert code == 0
        assert all(gone(pid) for pid in everything)

    def test_takes_all_of_it_with_it_when_it_is_killed(self, run):
        one = run().wait_ready()
        everything = one.everything()
        one.process.kill()
        assert poll(lambda: all(gone(pid) for pid in everything), 30)

    def test_starts_again_after_everything_was_killed(self, run, tmp_path):
        first = run().wait_ready()
        secret = (tmp_path / "data" / "secret").read_text()
        for pid in [first.process.pid, *first.everything()]:
            os.kill(pid, signal.SIGKILL)
        assert run().wait_ready().get() == b"stand-in"
        assert (tmp_path / "data" / "secret").read_text() == secret

    def test_stops_with_an_error_when_gunicorn_dies(self, run):
        one = run().wait_ready()
        master = next(pid for pid in children(one.process.pid, 1) if "gunicorn" in words(pid))
        os.kill(master, signal.SIGKILL)
        code, said = one.end()
        assert code == 1
        assert "gunicorn stopped" in said

    def test_stops_with_an_error_when_its_database_dies(self, run):
        one = run().wait_ready()
        master = next(pid for pid in children(one.process.pid, 1) if "postgres" in words(pid))
        everything = one.everything()
        os.kill(master, signal.SIGKILL)
        code, said = one.end()
        assert code == 1
        assert "PostgreSQL stopped" in said
        assert poll(lambda: all(gone(pid) for pid in everything), 30)

    def test_uses_the_database_it_is_given(self, run, database_url, tmp_path):
        run(DATABASE_URL=database_url, GIN_REQUIRE_DURABLE="false").wait_ready()
        assert not (tmp_path / "data" / "postgres").exists()

    def test_refuses_a_database_that_would_lose_moves(self, run, database_url):
        code, said = run(DATABASE_URL=database_url).end()
        assert code == 1
        assert "fsync = off" in said

    def test_refuses_a_port_in_use_before_it_starts_anything(self, run, tmp_path):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            code, said = run(PORT=str(taken.getsockname()[1])).end()
        assert code == 1
        assert said.startswith("PORT: cannot listen on 127.0.0.1")
        assert not (tmp_path / "data" / "postgres").exists()

    def test_refuses_nonsense_by_name(self, run):
        assert run(GIN_WORKERS="many").end() == (
            2,
            "GIN_WORKERS: must be a whole number from 1 to 256, not 'many'\n",
        )

    def test_says_so_when_the_application_cannot_be_loaded(self, run):
        code, said = run("no.such:app").end()
        assert code == 1
        assert "gunicorn stopped at its start" in said


@pytest.mark.http
class TestARunOnALeash:
    def test_stops_when_its_parent_is_killed(self, tmp_path):
        inner = [*COMMAND, "--with-parent", "--application", STAND_IN]
        code = f"import subprocess; subprocess.run({inner!r})"
        environ = os.environ | {"PORT": str(free_port()), "GIN_DATA_DIR": str(tmp_path / "data")}
        with subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as parent:
            assert parent.stdout.readline().startswith("Ready")
            everything = children(parent.pid)
            parent.kill()
        assert poll(lambda: all(gone(pid) for pid in everything), 30)


def words(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text()


class TestSecrets:
    @pytest.fixture
    def unset(self, settings, tmp_path):
        return replace(settings, secrets=(), data_dir=tmp_path / "data")

    def test_that_are_set_are_used(self, settings):
        assert own_secrets(settings) is settings

    def test_are_made_once_for_their_owner_only(self, unset):
        made = own_secrets(unset).secrets
        assert len(made[0]) >= 32
        assert stat.S_IMODE((unset.data_dir / "secret").stat().st_mode) == 0o600
        assert own_secrets(unset).secrets == made

    def test_of_another_folder_are_others(self, unset, tmp_path):
        other = replace(unset, data_dir=tmp_path / "other")
        assert own_secrets(unset).secrets != own_secrets(other).secrets

    @pytest.mark.parametrize(
        ("mode", "text", "problem"),
        [
            (0o640, "x" * 32, "can be read by others"),
            (0o600, "short", "at least 32 bytes"),
            (0o600, "", "is empty"),
        ],
    )
    def test_that_are_no_secrets_are_refused(self, unset, mode, text, problem):
        unset.data_dir.mkdir()
        (unset.data_dir / "secret").write_text(text)
        (unset.data_dir / "secret").chmod(mode)
        with pytest.raises(LaunchError, match=problem):
            own_secrets(unset)


class TestADatabaseForACommand:
    def test_is_the_one_that_is_set(self, settings):
        with launcher.database(settings) as found:
            assert found is settings

    def test_is_started_if_none_runs_and_shared_if_one_does(self, settings, tmp_path):
        unset = replace(settings, database_url=None, data_dir=tmp_path / "data")
        with launcher.database(unset) as first, launcher.database(unset) as second:
            assert first.database_url is not None
            assert second.database_url == first.database_url
