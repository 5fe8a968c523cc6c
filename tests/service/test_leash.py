"""The leash: a program does not outlive whoever started it, and has no more rights than told."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest

from service.leash import Account, leashed
from service.local import poll
from tests.service.processes import gone

SAY_AND_SLEEP = "import os, time; print(os.getpid(), flush=True); time.sleep(60)"


@pytest.fixture
def holder():
    """A process that runs some code, which prints the pid of what it started; killed at the end."""
    started = []

    def run(code: str) -> tuple[subprocess.Popen, int]:
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True
        )
        started.append(process)
        return process, int(process.stdout.readline())

    yield run
    for process in started:
        process.kill()
        process.communicate()


class TestAKilledHolder:
    def test_takes_its_program_with_it(self, holder):
        process, child = holder(
            f"""
            import signal, subprocess, sys
            from service.leash import leashed
            code = {SAY_AND_SLEEP!r}
            command = leashed([sys.executable, "-c", code], signal.SIGTERM)
            subprocess.run(command)
            """
        )
        assert not gone(child)
        process.kill()
        process.wait()
        assert poll(lambda: gone(child), 10)

    def test_takes_with_it_who_follows(self, holder):
        process, child = holder(
            f"""
            import subprocess, sys
            follow = "import signal; from service.leash import follow_parent;"
            follow += "follow_parent(signal.SIGTERM);"
            subprocess.run([sys.executable, "-c", follow + {SAY_AND_SLEEP!r}])
            """
        )
        process.kill()
        process.wait()
        assert poll(lambda: gone(child), 10)


class TestAProgram:
    def test_gets_its_words_and_gives_its_exit_code(self):
        code = "import sys; sys.exit(int(sys.argv[1]))"
        command = leashed([sys.executable, "-c", code, "7"], signal.SIGTERM)
        assert subprocess.run(command).returncode == 7

    def test_does_not_start_when_its_holder_is_gone(self):
        command = leashed([sys.executable, "-c", "print('alive')"], signal.SIGTERM)
        command[command.index(str(os.getpid()))] = "1"
        told = subprocess.run(command, capture_output=True, text=True)
        assert told.stdout == ""
        assert "is gone" in told.stderr

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
    def test_has_the_rights_of_its_account_alone(self):
        code = "import os; print(os.getresuid(), os.getresgid(), os.getgroups())"
        command = leashed(["/usr/bin/env", "python3", "-c", code], signal.SIGTERM, Account(12, 34))
        environ = {"PATH": "/usr/bin:/bin"}
        told = subprocess.run(
            command, capture_output=True, text=True, env=environ, cwd="/", extra_groups=[99]
        )
        assert told.stdout.split("\n")[0] == "(12, 12, 12) (34, 34, 34) []"


class TestFollowing:
    def test_asks_for_one_signal(self):
        code = (
            "import ctypes, signal; from service.leash import follow_parent;"
            "follow_parent(signal.SIGUSR1); asked = ctypes.c_int();"
            "ctypes.CDLL(None).prctl(2, ctypes.byref(asked)); print(asked.value)"
        )
        told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert int(told.stdout) == signal.SIGUSR1
