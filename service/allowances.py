"""What each process holds of the rate limits: a few tokens at a time, taken out of the database.

The buckets are in the database, the same for all processes and machines. So that not every request
has to ask it, a process takes a small share of a bucket at once, and spends that by itself. A share
is at most half a percent of the quota: whatever four processes do, they let through what one would,
give or take two percent, and with a quota below 400 exactly as much. Nothing here is needed after
a restart; what a process held is then lost, and comes back as every token does.

Knows no HTTP and no SQL.
"""

import math
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from service.settings import Limit
from service.storage.buckets import Claim, Grant

SHARES: Final = 200
"""A process takes at most one part in so many of a quota at once,"""
LARGEST_SHARE: Final = 50
"""and no more than this."""
FRESH_SECONDS: Final = 10.0
"""How long a process believes what the database said, before it asks again even with tokens left:
what a client is told about its quota is not older.
"""
ASKING_SECONDS: Final = 1.0
"""While one thread asks for a share, others ask for their one token, but not after so long."""
AWAY_SECONDS: Final = 5.0
"""How long nothing is counted after the database did not answer."""
SWEEP_SECONDS: Final = 10.0
REMEMBERED: Final = 20_000
"""Of how many allowances a process remembers what it holds."""


class Allowance(NamedTuple):
    """Whose requests are counted together: a bucket of the database, and its limit by name."""

    owner: str
    bucket: str
    name: str
    limit: Limit


class Standing(NamedTuple):
    """What came of a request.

    Whether it is let through, how many more would be at this moment, and in how many seconds there
    is one more.
    """

    allowed: bool
    left: int
    wait: int


@dataclass(slots=True)
class Charge:
    """One request and the allowance it counts against; ``standing`` is None until it is counted."""

    allowance: Allowance
    standing: Standing | None = None


@dataclass(slots=True)
class _Purse:
    """Tokens in hand; how many the bucket had left, and ``at`` what time.

    It had none at all if ``shut_until`` is yet to come: then it has one again. Somebody asks the
    database since ``asked_at``.
    """

    tokens: int = 0
    left: float = 0.0
    at: float = -math.inf
    shut_until: float = -math.inf
    asked_at: float = -math.inf


class Allowances:
    """What this process holds of every allowance. For many threads; waits for nothing."""

    def __init__(
        self, limits: Mapping[str, Limit | None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits = limits
        self.operations: dict[str, str] = {}
        """Which limit each operation counts against; one that is not there is free."""
        self._clock = clock
        self._lock = threading.Lock()
        self._purses: dict[Allowance, _Purse] = {}
        self._away_until = self._swept = -math.inf

    @property
    def longest(self) -> int:
        """The seconds after which every bucket is full again."""
        return max((limit.seconds for limit in self.limits.values() if limit), default=0)

    def charge(self, name: str, owner: str, whose: str = "") -> Charge | None:
        """Return the charge of a request that counts against the limit ``name``.

        ``owner`` is a game or a client, ``whose`` tells apart who shares an owner. None if the
        limit is off.
        """
        limit = self.limits[name]
        if limit is None:
            return None
        return Charge(Allowance(owner, f"{name} {whose}" if whose else name, name, limit))

    def spend(self, charge: Charge) -> Claim | None:
        """Count a request by what is in hand; else return what has to be claimed for it first."""
        allowance = charge.allowance
        with self._lock:
            now = self._clock()
            purse = self._purses.get(allowance)
            if purse is None:
                purse = self._new_purse(allowance, now)
            if now < purse.shut_until:
                charge.standing = Standing(False, 0, math.ceil(purse.shut_until - now))
                return None
            if purse.tokens and now - purse.at < FRESH_SECONDS:
                purse.tokens -= 1
                charge.standing = _standing(purse, allowance.limit, now)
                return None
            quota, seconds = allowance.limit
            asking = now - purse.asked_at < ASKING_SECONDS
            wanted = 1 if asking else max(1, share_of(quota) - purse.tokens)
            purse.asked_at = now
            return Claim(allowance.owner, allowance.bucket, quota, seconds, wanted)

    def settle(self, charge: Charge, grant: Grant) -> None:
        """Count a request with what was granted for it."""
        allowance = charge.allowance
        quota, seconds = allowance.limit
        with self._lock:
            now = self._clock()
            purse = self._purses.get(allowance) or self._new_purse(allowance, now)
            purse.asked_at = -math.inf
            purse.tokens += grant.tokens
            purse.left, purse.at = grant.left, now
            if purse.tokens:
                purse.tokens -= 1
                charge.standing = _standing(purse, allowance.limit, now)
                return
            wait = (1 - grant.left) * seconds / quota
            purse.shut_until = now + wait
            charge.standing = Standing(False, 0, max(1, math.ceil(wait)))

    def _new_purse(self, allowance: Allowance, now: float) -> _Purse:
        if len(self._purses) >= REMEMBERED:
            recent = {
                each: purse
                for each, purse in self._purses.items()
                if now - purse.at < FRESH_SECONDS or now < purse.shut_until
            }
            self._purses = recent if len(recent) < REMEMBERED else {}
        purse = self._purses[allowance] = _Purse()
        return purse

    @property
    def away(self) -> bool:
        """Whether the database did not answer a moment ago, so that nothing can be counted."""
        return self._clock() < self._away_until

    def lost(self) -> None:
        """Note that the database did not answer."""
        self._away_until = self._clock() + AWAY_SECONDS

    def sweep_is_due(self) -> bool:
        """Tell, once in a while and one thread only, that it is time to remove old buckets."""
        with self._lock:
            now = self._clock()
            due = now - self._swept >= SWEEP_SECONDS
            if due:
                self._swept = now
            return due


def share_of(quota: int) -> int:
    """Return how many tokens a process takes at once out of a bucket with ``quota``."""
    return min(max(1, quota // SHARES), LARGEST_SHARE)


def _standing(purse: _Purse, limit: Limit, now: float) -> Standing:
    """Return where a request that was let through stands; what came back since is counted in."""
    pace = limit.quota / limit.seconds
    left = purse.left + purse.tokens + (now - purse.at) * pace
    missing = 1 - (left + 1e-6) % 1
    return Standing(
        True, min(limit.quota - 1, int(left + 1e-6)), max(1, math.ceil(missing / pace - 1e-6))
    )
