"""Run a program that does not outlive whoever started it.

The kernel sends the program a signal when its parent dies, whatever it died of (Linux only; other
systems have no such promise). The parent runs this file with a bare interpreter, which gives up
root's rights if it is told to, asks the kernel for the signal, and then becomes the program. A
function called between fork and exec could do the same, but not safely in a process with threads.

Knows nothing of the rest of the service; the bare interpreter could not import it.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass

PR_SET_PDEATHSIG = 1
"""The number of Linux' prctl(2) request for a signal at the parent's death."""


@dataclass(frozen=True, slots=True)
class Account:
    """A user of this machine, as the kernel knows one."""

    user: int
    group: int


def leashed(
    command: Sequence[str], farewell: signal.Signals, account: Account | None = None
) -> list[str]:
    """Return the command line that runs ``command`` on a leash held by this process.

    ``farewell`` is the signal it gets when this process dies. With an ``account``, which takes
    root to do, it runs with that account's rights alone.
    """
    holder = str(os.getpid())
    who = f"{account.user}:{account.group}" if account else "-"
    return [sys.executable, "-I", "-S", __file__, holder, str(int(farewell)), who, *command]


def follow_parent(farewell: signal.Signals) -> None:
    """Have the kernel send this process ``farewell`` when its parent dies."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, int(farewell), 0, 0, 0)


def _main(holder: str, farewell: str, who: str, *command: str) -> None:
    if who != "-":
        user, group = map(int, who.split(":"))
        os.setgroups([])
        os.setgid(group)
        os.setuid(user)
    follow_parent(signal.Signals(int(farewell)))  # after setuid, which takes the wish back
    if os.getppid() != int(holder):
        sys.exit("the process that started this one is gone")
    os.execv(command[0], command)


if __name__ == "__main__":
    _main(*sys.argv[1:])
