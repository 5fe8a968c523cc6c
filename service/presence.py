"""Which seats this process has seen, until the database is told.

A request only leaves a note here; what follows from all notes is written now and then, for all
seats at once (:mod:`service.use_cases.keep_presence`). Knows no HTTP, no SQL and no threads of its
own.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Final

Place = tuple[str, int]
"""A game and a seat."""

SHARE: Final = 3
"""What is noted is told within one part in so many of the time that it counts, or at once if it
would be late by then."""


class Presence:
    """The seats that were seen by one process.

    Many threads note, one tells. Nobody takes a lock, since a request can well do without: each
    step on a dictionary is one that no other thread sees half of.

    ``seconds`` is how long a seat counts as there after each time that it is seen; with 0 nobody
    does. A process that is not opened tells nobody, and therefore notes nothing.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self.interval = seconds / SHARE
        """How often what was seen is told, in seconds."""
        self._clock = clock
        self._seen: dict[Place, float] = {}
        self._told_until: dict[Place, float] = {}
        self._hurry_from: dict[Place, float] = {}
        self._told_at = clock()
        self._call: Callable[[], None] | None = None

    def open(self, call: Callable[[], None]) -> None:
        """Note what is seen from now on; ``call`` is called when it cannot wait to be told."""
        self._seen, self._told_until, self._hurry_from = {}, {}, {}
        if self.seconds:
            self._call = call

    def close(self) -> None:
        """Note nothing more."""
        self._call = None

    def see(self, game_id: str, seat: int) -> None:
        """Note that somebody who holds the token of a seat has asked for something."""
        call = self._call
        if call is None:
            return
        place = (game_id, seat)
        now = self._seen[place] = self._clock()
        if now >= self._hurry_from.get(place, 0.0):
            call()

    # --- for who tells

    def is_due(self) -> bool:
        """Whether it is time to tell again what was seen, though nobody hurries."""
        return bool(self.seconds) and self._clock() - self._told_at >= self.interval

    def take(self, following: Iterable[Place] = ()) -> tuple[dict[Place, float], set[str]]:
        """Return how long each seat that was seen still counts, in seconds, to be told now.

        ``following`` are those who are there as long as they follow a game; seats of computers
        may be among them, and do not count. And the games to which somebody has come.
        """
        now = self._told_at = self._clock()
        # One by one, so that whoever is seen meanwhile is either taken or stays.
        seen = {place: self._seen.pop(place) for place in list(self._seen)}
        for place in following:
            if place in seen or place in self._told_until:
                seen[place] = now
        come = {place[0] for place in seen if self._told_until.get(place, 0.0) <= now}
        left = {place: at + self.seconds - now for place, at in seen.items()}
        return {place: seconds for place, seconds in left.items() if seconds > 0}, come

    def told(self, left: Mapping[Place, float]) -> None:
        """Note that the database knows what was taken; whoever was not seen again is forgotten."""
        now = self._clock()
        keep = {place: until for place, until in self._told_until.items() if until > now}
        self._told_until = keep | {place: now + seconds for place, seconds in left.items()}
        self._hurry_from = {
            place: until - self.interval for place, until in self._told_until.items()
        }

    def not_told(self, left: Mapping[Place, float]) -> None:
        """Note that the database could not be told, so that it is tried again."""
        now = self._clock()
        for place, seconds in left.items():
            self._seen.setdefault(place, now + seconds - self.seconds)
