"""End what nobody goes on with: games that wait or rest for too long, and old score sheets.

Safe to run from several machines at once: a game that somebody plays on, or another sweeper ends,
is left alone. Times are those of the database's clock.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Final

from service.settings import Settings
from service.storage import game_ends, sheet_ends
from service.storage.game_lists import Place
from service.storage.games import WAITING
from service.use_cases.abandon_game import try_to_abandon
from service.use_cases.expire_overdue import brought_up_to_time
from service.use_cases.house import House
from service.use_cases.open_game import load

BATCH: Final = 200
"""So many games are looked for at once, and archived in one statement."""

logger = logging.getLogger(__name__)


SHEETS: Final = 20
"""So many score sheets are deleted in one transaction at most; each may have 2,000 changes."""


@dataclass(frozen=True, slots=True)
class Expiry:
    """How long a game waits for players, rests between moves, and is kept once it is over.

    ``sheet`` is how long a score sheet is kept since its last change.
    """

    waiting: timedelta
    idle: timedelta
    archive: timedelta
    sheet: timedelta


def expiry_of(settings: Settings) -> Expiry:
    """Return what the settings say."""
    return Expiry(
        timedelta(days=settings.expire_waiting_days),
        timedelta(days=settings.expire_idle_days),
        timedelta(days=settings.archive_days),
        timedelta(days=settings.expire_sheet_days),
    )


@dataclass(frozen=True, slots=True)
class Swept:
    """How many games were abandoned, how many archived, and how many score sheets deleted."""

    abandoned: int
    archived: int
    sheets: int = 0


def sweep_games(house: House, expiry: Expiry, batch: int = BATCH, most: int | None = None) -> Swept:
    """Abandon games that waited or rested for too long, archive those long over, and delete score
    sheets that nobody changed for too long.

    With ``most`` so many games are looked at, and so many batches archived and deleted.
    """  # noqa: D205 - it is one sentence
    found = islice(_expired(house, expiry, batch), most)
    abandoned = sum(_abandon(house, expiry, game_id) for game_id in found)
    archived = sum(islice(_archive(house, expiry, batch), most))
    sheets = sum(islice(_delete_sheets(house, expiry, min(batch, SHEETS)), most))
    return Swept(abandoned, archived, sheets)


def _expired(house: House, expiry: Expiry, batch: int) -> Iterator[str]:
    last: Place | None = None
    while True:
        with house.store.reading() as conn:
            found = game_ends.expired(conn, last, expiry.waiting, expiry.idle, batch)
        yield from (game_id for _, game_id in found)
        if len(found) < batch:
            return
        last = found[-1]


def _abandon(house: House, expiry: Expiry, game_id: str) -> bool:
    """Abandon a game, unless somebody goes on with it; what goes wrong keeps no other from it."""
    try:
        return _try_to_abandon(house, expiry, game_id)
    except Exception:
        logger.exception("%s could not be abandoned", game_id)
        return False


def _try_to_abandon(house: House, expiry: Expiry, game_id: str) -> bool:
    stored = load(house, game_id)
    if stored is None:
        return False
    stored = brought_up_to_time(house, stored)  # before it counts as one that nobody goes on with
    if stored.game.over:
        return False
    waits = stored.status == WAITING
    if stored.read_at - stored.updated_at < (expiry.waiting if waits else expiry.idle):
        return False  # somebody went on with it after it was found
    reason = "waiting_expired" if waits else "idle_expired"
    return try_to_abandon(house, stored, reason) is not None


def _archive(house: House, expiry: Expiry, batch: int) -> Iterator[int]:
    count = batch
    while count == batch:
        with house.store.writing() as conn:
            count = game_ends.archive(conn, expiry.archive, batch)
        yield count


def _delete_sheets(house: House, expiry: Expiry, batch: int) -> Iterator[int]:
    count = batch
    while count == batch:
        with house.store.writing() as conn:
            count = sheet_ends.expire(conn, expiry.sheet, batch)
        yield count
