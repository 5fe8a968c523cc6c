"""What a worker does without being asked: one thread that wakes from time to time.

It tells the database whom this process has seen. And it does the duties that are to be done by one
process, whichever it is: what follows from clocks, who went, games that nobody goes on with, rows
whose time is over. Whatever goes wrong is logged, and tried again; nothing ends the thread but the
worker. All that is done here may as well be done twice, or by hand.
"""

import contextlib
import logging
import select
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Final

from service.settings import Settings
from service.storage import duties
from service.storage.errors import StorageError
from service.updates import Bell
from service.use_cases.expire_overdue import expire_all
from service.use_cases.house import House
from service.use_cases.keep_presence import sweep_presence, tell_presence
from service.use_cases.read_feed import sweep_events
from service.use_cases.sweep_games import Expiry, expiry_of, sweep_games
from service.use_cases.tidy import tidy

CLOCKS_SECONDS: Final = 1.0
"""How often clocks are looked at: so late may be what follows from one, and a little more."""

LONGEST_GONE_SECONDS: Final = 5.0
"""How much longer than it should somebody may count as there, at most."""

SWEEP_SECONDS: Final = 600.0
TIDY_SECONDS: Final = 60.0

TURN_SECONDS: Final = 1.0
"""So long the duty of the clocks goes on before others have their turn,"""
SWEPT_AT_ONCE: Final = 100
"""and so many games are abandoned before."""

LEASE_SECONDS: Final = 10.0
"""So long nobody else does a duty whose process has died while it did it."""

PAUSE_SECONDS: Final = 0.1
"""Between two times that the database is told who was seen; the requests that made it urgent are
mostly answered by then, and their games free."""

JOIN_SECONDS: Final = 5.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Duty:
    """What is to be done every so many seconds. ``do`` returns whether there is more to do now."""

    name: str
    every: float
    do: Callable[[], bool]


def duties_of(house: House, settings: Settings) -> tuple[Duty, ...]:
    """Return the duties of a worker with these settings."""
    found = []
    if settings.duties:
        expiry = expiry_of(settings)
        found += [
            Duty("clocks", CLOCKS_SECONDS, lambda: expire_all(house, TURN_SECONDS)),
            Duty("sweep", SWEEP_SECONDS, lambda: _sweep(house, expiry)),
            Duty("tidy", TIDY_SECONDS, lambda: tidy(house)),
        ]
    if settings.duties or settings.presence_seconds:
        every = min(LONGEST_GONE_SECONDS, settings.presence_seconds / 6 or LONGEST_GONE_SECONDS)
        found.append(Duty("presence", every, lambda: sweep_presence(house)))
    return tuple(found)


def _sweep(house: House, expiry: Expiry) -> bool:
    swept = sweep_games(house, expiry, most=SWEPT_AT_ONCE)
    sweep_events(house.store)
    return swept.abandoned == SWEPT_AT_ONCE


class Duties:
    """The thread. It starts with :meth:`open`, in the worker: threads do not cross a fork."""

    def __init__(self, house: House, settings: Settings) -> None:
        self._house = house
        self._duties = duties_of(house, settings)
        self._due = dict.fromkeys(self._duties, 0.0)
        self._bell = Bell()
        self._hurry = False
        self._stopped = threading.Event()
        self._failing = False
        self._thread: threading.Thread | None = None

    def open(self) -> None:
        """Begin."""
        self._house.presence.open(self._call)
        self._thread = threading.Thread(target=self._run, name="duties", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop, after what is being done."""
        self._house.presence.close()
        self._stopped.set()
        self._bell.ring()
        if self._thread is not None:
            self._thread.join(JOIN_SECONDS)

    def _call(self) -> None:
        if not self._hurry:
            self._hurry = True
            self._bell.ring()

    # --- the thread

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._tell()
            for duty in self._duties:
                if self._due[duty] <= monotonic() and not self._stopped.is_set():
                    self._do(duty)
            self._sleep()

    def _sleep(self) -> None:
        """Sleep until something is due, or somebody calls."""
        presence = self._house.presence
        ends = [*self._due.values(), monotonic() + (presence.interval or LONGEST_GONE_SECONDS)]
        waiting = select.poll()
        waiting.register(self._bell.fileno(), select.POLLIN)
        waiting.poll(max(0.0, min(ends) - monotonic()) * 1000)
        self._bell.hush()
        if self._hurry:
            self._stopped.wait(PAUSE_SECONDS)

    def _tell(self) -> None:
        if not self._hurry and not self._house.presence.is_due():
            return
        self._hurry = False  # before the taking: who is seen after it calls again
        with self._logged("telling who is there"):
            tell_presence(self._house)

    def _do(self, duty: Duty) -> None:
        self._due[duty] = monotonic() + duty.every
        with self._logged(duty.name):
            with self._house.store.writing() as conn:
                taken = duties.take(conn, duty.name, max(LEASE_SECONDS, duty.every))
            if taken and self._done(duty):
                self._due[duty] = monotonic()

    def _done(self, duty: Duty) -> bool:
        """Do a duty that was taken, and leave it to whoever comes next, however it ends."""
        more = False
        try:
            more = duty.do()
        finally:
            with contextlib.suppress(StorageError), self._house.store.writing() as conn:
                duties.leave(conn, duty.name, 0 if more else duty.every)
        return more

    @contextlib.contextmanager
    def _logged(self, what: str) -> Iterator[None]:
        """Log what goes wrong, of a database that is away only the first time."""
        try:
            yield
            self._failing = False
        except StorageError as error:
            if not self._failing:
                logger.warning("%s has to wait for the database: %s", what, error)
            self._failing = True
        except Exception:
            logger.exception("%s failed", what)
