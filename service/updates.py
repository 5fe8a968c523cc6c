"""Who waits for news of which game, and who tells them: the wake-up calls of one process.

After its commit a change is called out, to those who wait in this process and, with one NOTIFY for
all games of a moment, to the other processes. A call is a hint and never the record:
whoever hears one looks at the log. Calls may be lost, with a connection or with a process between
its commit and its call; so the versions of all games that somebody waits for are looked at every
second, too, in one statement. So is whether tokens and keys that somebody waits with were ended,
which is no version. Whoever writes only leaves a note, and waits for nobody.
"""

import logging
import os
import select
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterable
from time import monotonic, sleep
from typing import Final

from service.storage.errors import StorageError
from service.storage.wakeups import Line, Standing

LOOK_SECONDS: Final = 1.0
"""How often versions are looked at, as the safety net under the calls."""

PAUSE_SECONDS: Final = 0.02
"""After a call the next one waits so long, so that it can be for several games: a call costs a
fraction of what a move does, and nobody sees a fiftieth of a second."""

RETRY_SECONDS: Final = 0.5
MOST_ALIKE: Final = 8
"""So many may wait for a game as the same seat: more than four windows, and no flood."""

REMEMBERED_SECONDS: Final = 10.0
"""A request that asks for news is certainly no older when it begins to wait."""

logger = logging.getLogger(__name__)


class Full(Exception):
    """Nobody more can wait here."""


class Bell:
    """Wakes one thread that sleeps in ``select``; may be rung from anywhere."""

    def __init__(self) -> None:
        self._handle = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)

    def fileno(self) -> int:
        """Return what becomes readable when it is rung."""
        return self._handle

    def ring(self) -> None:
        """Wake the thread, or keep it from falling asleep."""
        os.eventfd_write(self._handle, 1)

    def hush(self) -> None:
        """Forget that it was rung."""
        try:
            os.eventfd_read(self._handle)
        except BlockingIOError:
            return

    def __del__(self) -> None:
        os.close(self._handle)


class Watch:
    """One who waits for news of a game, until it is closed.

    ``version`` is the last one that it knows of; None while it has none to compare with. ``ended``
    is how many seat tokens of the game had been ended by then, ``key`` the hash of the portal key
    that it waits with, if it is one.
    """

    def __init__(
        self, notifier: "Notifier", game_id: str, seat: int | None, key: bytes | None = None
    ) -> None:
        self.game_id = game_id
        self.seat = seat
        self.key = key
        self.version: int | None = None
        self.ended = 0
        self.rung = False
        self._notifier = notifier
        self._then: Callable[[], None] | None = None

    def then(self, call: Callable[[], None]) -> None:
        """Call ``call`` whenever there may be news, from any thread; at once if there was some."""
        self._then = call
        if self.rung:
            call()

    def is_behind(self, now: Standing | None, good_keys: Collection[bytes]) -> bool:
        """Return whether there is news, or the right to hear of any may have ended."""
        if self.version is None:
            return False
        if now is None or now.version != self.version:
            return True
        if self.key is not None:
            return self.key not in good_keys
        return self.seat is not None and now.ended != self.ended

    def ring(self) -> None:
        """Say that there may be news."""
        self.rung = True
        if self._then is not None:
            self._then()

    def close(self) -> None:
        """Wait no longer, and leave the place to another."""
        self._notifier.forget(self)


class Notifier:
    """The calls of one process.

    ``connect`` gives a line to the others; ``most`` is how many may wait at a time. A process that
    is not opened calls nobody, and hears calls only while somebody waits.
    """

    def __init__(self, connect: Callable[[], Line], most: int) -> None:
        self._connect = connect
        self._most = most
        self._lock = threading.Lock()
        self._watches: dict[str, set[Watch]] = {}
        self._count = 0
        self._lately: dict[str, float] = {}
        self._before: dict[str, float] = {}
        self._turned = monotonic()
        self._said: deque[str] = deque()
        self._bell = Bell()
        self._thread: threading.Thread | None = None
        self._kept = False
        self.draining = False

    def __len__(self) -> int:
        return self._count

    def open(self) -> None:
        """Hear the calls of others, and call out to them, from now on."""
        with self._lock:
            self._kept = True
            self._start()

    def close(self) -> None:
        """Let everybody who waits go, and hear and call no more."""
        self.drain()
        with self._lock:
            thread, self._kept = self._thread, False
            self._watches.clear()
            self._count = 0
        self._bell.ring()
        if thread is not None:
            thread.join()

    def drain(self) -> None:
        """Take nobody more, and let those who wait look up: the process is about to stop.

        May be called where a signal was caught: takes no lock.
        """
        self.draining = True
        self._said.append("")
        self._bell.ring()

    def wake(self, game_id: str) -> None:
        """Say that a game has changed, after the commit. Returns at once."""
        if self._kept:
            self._said.append(game_id)
            self._bell.ring()
        else:
            self._ring((game_id,))

    def watch(
        self, game_id: str, seat: int | None, since: float, key: bytes | None = None
    ) -> Watch:
        """Return one who waits for news of a game, as ``seat`` or as somebody who looks on.

        ``since`` is a reading of ``time.monotonic`` before the game was read: calls that came
        after it count. ``key`` is the hash of the portal key of who looks on, if it has one.

        :raises Full: if too many wait, in all or as this seat.
        """
        watch = Watch(self, game_id, seat, key)
        with self._lock:
            others = self._watches.get(game_id, set())
            alike = sum(other.seat == seat for other in others) if seat is not None else 0
            if self.draining or self._count >= self._most or alike >= MOST_ALIKE:
                raise Full
            self._watches.setdefault(game_id, set()).add(watch)
            self._count += 1
            self._start()
            watch.rung = max(self._lately.get(game_id, 0), self._before.get(game_id, 0)) >= since
        return watch

    def seats(self) -> list[tuple[str, int]]:
        """Return the seats that follow their games here, by game."""
        with self._lock:
            every = [watch for watches in self._watches.values() for watch in watches]
        return [(watch.game_id, watch.seat) for watch in every if watch.seat is not None]

    def forget(self, watch: Watch) -> None:
        """Let one who waited go; once is enough."""
        with self._lock:
            watches = self._watches.get(watch.game_id, set())
            if watch in watches:
                watches.remove(watch)
                self._count -= 1
            if not watches:
                self._watches.pop(watch.game_id, None)

    # --- the thread

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="updates", daemon=True)
            self._thread.start()

    def _needed(self) -> bool:
        return self._kept or bool(self._watches)

    def _ends(self) -> bool:
        with self._lock:
            if self._needed():
                return False
            self._thread = None
            return True

    def _run(self) -> None:
        told = False
        while not self._ends():
            try:
                with self._connect() as line:
                    told = False
                    self._serve(line)
            except StorageError as error:
                if not told:
                    logger.warning("no calls between processes for now: %s", error)
                told = True
                self._ring(self._taken())
                self._sleep(RETRY_SECONDS)
            except Exception:
                logger.exception("the calls between processes failed")
                self._sleep(RETRY_SECONDS)

    def _serve(self, line: Line) -> None:
        """Hear and call until nobody needs it any more.

        :raises StorageError: if the line breaks.
        """
        looked = -LOOK_SECONDS  # whatever was missed while there was no line
        while self._needed():
            if monotonic() - looked >= LOOK_SECONDS:
                self._look(line)
                looked = monotonic()
            self._sleep(LOOK_SECONDS - (monotonic() - looked), line)
            said = self._taken()
            self._ring(said)
            said.discard("")
            if said and self._kept:
                line.call(said)
            self._ring(line.heard())
            if said:
                sleep(PAUSE_SECONDS)

    def _sleep(self, seconds: float, line: Line | None = None) -> None:
        waiting = select.poll()
        waiting.register(self._bell.fileno(), select.POLLIN)
        if line is not None:
            waiting.register(line.fileno(), select.POLLIN)
        waiting.poll(max(0, seconds) * 1000)
        self._bell.hush()

    def _taken(self) -> set[str]:
        said = set()
        while self._said:
            said.add(self._said.popleft())
        return said

    def _look(self, line: Line) -> None:
        """Ring for everybody whose game has another version, or whose token may have ended."""
        with self._lock:
            known = {game_id: tuple(watches) for game_id, watches in self._watches.items()}
        now = line.standings(known) if known else {}
        keys = {watch.key for watches in known.values() for watch in watches} - {None}
        good_keys = line.good_keys({key for key in keys if key is not None}) if keys else set()
        for game_id, watches in known.items():
            for watch in watches:
                if watch.is_behind(now.get(game_id), good_keys):
                    watch.ring()

    def _ring(self, game_ids: Iterable[str]) -> None:
        now, found = monotonic(), list[Watch]()
        with self._lock:
            if now - self._turned > REMEMBERED_SECONDS:
                self._before, self._lately, self._turned = self._lately, {}, now
            for game_id in game_ids:
                self._lately[game_id] = now
                found += self._watches.get(game_id, ())
            if self.draining:
                found = [watch for watches in self._watches.values() for watch in watches]
        for watch in found:
            watch.ring()
