"""Everything is killed while somebody plays, and started again: the game goes on where it was."""

import contextlib
import fcntl
import http.client
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from random import Random

import pytest

from tests.bot import Bot, Wish
from tests.server import ROOT, Caller, Served, free_port
from tests.service.processes import gone

AS_NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
SECOND_START_SECONDS = 5
COMPUTER = {"kind": "ai", "ai": {"level": "easy"}}
SEATS = [{"kind": "human", "name": "Ada"}, COMPUTER]
ANSWERS_BEFORE_THE_KILL = 12
ATTEMPTS = 3


class Player:
    """Plays a game against the computer until the service is gone; knows what was not answered."""

    def __init__(self, port: int) -> None:
        self.port = port
        with self.caller(None) as call:
            status, made = call("POST", "/v1/games", {"seats": SEATS})
        assert status == 201, made
        self.token = made["tokens"][0]["token"]
        self.path = f"/v1/games/{made['game']['id']}"
        self.game = made["game"]
        self.moves = made["moves"]
        self.bot = Bot(self.path, Random(7))
        self.unanswered: Wish | None = None

    def caller(self, token: str | None):
        return contextlib.closing(Caller(self.port, token))

    def play(self, enough: threading.Event) -> None:
        """Play until the service goes away, or the game is over."""
        answered = 0
        away = (OSError, http.client.HTTPException)
        with self.caller(self.token) as call, contextlib.suppress(*away):
            while wish := self.bot.wish(self.game):
                self.unanswered = wish
                status, told = call(*wish)
                if status == 503:  # the database died first: whether it was done is not known
                    assert enough.is_set(), told
                    return
                assert status == 201, told
                self._learn(told)
                answered += 1
                if answered == ANSWERS_BEFORE_THE_KILL:
                    enough.set()

    def _learn(self, told: dict) -> None:
        self.moves += told["moves"]
        self.game = told["game"]
        self.unanswered = None

    def go_on(self) -> int | None:
        """Send what was not answered once more; return its status, then make some more moves."""
        with self.caller(self.token) as call:
            status = None
            if self.unanswered:
                status, told = call(*self.unanswered)
                assert (status, told["replayed"]) in {(201, False), (200, True)}
                self._learn(told)
            for _ in range(6):
                wish = self.bot.wish(self.game)
                if wish is None:
                    break
                code, told = call(*wish)
                assert code == 201, told
                self._learn(told)
            numbers = [move["number"] for move in self.moves]
            assert numbers == list(range(1, self.game["next_move"]))
            now = call("GET", self.path)[1]
            assert now["version"] >= self.game["version"]
            assert but_who_is_there(now) == but_who_is_there(self.game)
            since = call("GET", f"{self.path}/updates?after=1")[1]
            assert since["moves"] == self.moves
        return status


def but_who_is_there(game: dict) -> dict:
    """A view without the times, and what changes when somebody comes or goes: a version, too."""
    seats = [seat | {"online": True} for seat in game["seats"]]
    return game | {"server_time": "", "version": 0, "etag": "", "seats": seats}


def locks_are_free(data_dir: Path) -> bool:
    """Whether no launcher and no database server uses the folder."""
    for name in ("launcher.lock", "server.lock"):
        with (data_dir / name).open() as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
    return True


def in_the_session_of(leaders: set[int]) -> list[int]:
    """Every process that belongs to a session or a group of one of ``leaders``."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            after_name = (folder / "stat").read_text().rpartition(")")[2].split()
            group, session = int(after_name[2]), int(after_name[3])
            if {group, session} & leaders and not gone(int(folder.name)):
                found.append(int(folder.name))
    return found


def leaders_of(pids: list[int]) -> set[int]:
    """The sessions and groups that were made for ``pids``: not the one of the tests."""
    own = {os.getpgid(0), os.getsid(0)}
    return {each for pid in pids for each in (os.getpgid(pid), os.getsid(pid))} - own


def can_run(account: tuple[str, ...]) -> bool:
    """Whether ``account`` may read this folder and run its interpreter."""
    command = [*account, sys.executable, "-c", "import service.cli"]
    return subprocess.run(command, cwd=ROOT, capture_output=True).returncode == 0


def accounts() -> list:
    """As whom it is run: the user of the tests, and nobody where that user may become nobody."""
    own = pytest.param((), id="root" if os.geteuid() == 0 else "user")
    if os.geteuid() != 0:
        return [own]
    return [own, pytest.param(AS_NOBODY, id="nobody", marks=pytest.mark.system("setpriv"))]


@pytest.fixture(params=accounts())
def run(request):
    """Starts the service on one data folder, again and again, as one user."""
    if not can_run(request.param):
        pytest.skip(f"left out: nobody may not read {ROOT}, or run {sys.executable}")
    home, port = Path(tempfile.mkdtemp(prefix="gin-restart-")), free_port()
    data_dir = home / "data"
    if request.param:
        home.chmod(0o755)
        data_dir.mkdir()
        os.chown(data_dir, 65534, 65534)
    with contextlib.ExitStack() as runs:
        runs.callback(shutil.rmtree, home)
        yield lambda: runs.enter_context(Served(data_dir, account=request.param, port=port))


def killed_while(player: Player, service: Served) -> None:
    """Kill every process of ``service`` while ``player`` plays on it."""
    enough = threading.Event()
    playing = threading.Thread(target=player.play, args=(enough,))
    playing.start()
    assert enough.wait(60)
    assert len(service.everything()) > 6
    service.kill()
    playing.join(60)
    assert not playing.is_alive()
    assert player.unanswered is not None


def stopped(service: Served) -> None:
    """Press Ctrl-C, and look whether anything is left of ``service``."""
    everything = service.everything()
    leaders = leaders_of(everything)
    code, said = service.interrupt()
    assert code == 0, said
    assert all(map(gone, everything))
    assert in_the_session_of(leaders) == []
    assert locks_are_free(service.data_dir)
    assert not (service.data_dir / "socket-folder").exists()


def started_soon(run) -> Served:
    """Start it within its deadline; what else the machine has to do may spoil an attempt or two."""
    took = []
    for _ in range(ATTEMPTS):
        begun = time.monotonic()
        service = run()
        took.append(time.monotonic() - begun)
        if took[-1] < SECOND_START_SECONDS:
            return service
        stopped(service)
    raise AssertionError(f"starts took {took} seconds, and may take {SECOND_START_SECONDS}")


@pytest.mark.http
class TestAGame:
    def test_goes_on_where_it_was_after_everything_was_killed_and_after_ctrl_c(self, run):
        service = run()
        player = Player(service.port)
        killed_while(player, service)

        service = run()
        assert player.go_on() in {200, 201}
        verified = service.operate("verify")
        assert (verified.returncode, verified.stdout) == (0, "1 games, 0 findings\n")

        stopped(service)
        started_soon(run)
        assert player.go_on() is None
