"""Let happen what follows when the time of who is due has run out, by the database's clock alone.

Nothing waits for a deadline. Whoever opens an overdue game lets this happen first, and a duty does
the same for games that nobody opens.
"""

import logging
from collections.abc import Iterator
from dataclasses import replace
from time import monotonic
from typing import Final

from engine.clock import Expired, expire
from service.storage import clocks, games
from service.storage.clocks import Place
from service.storage.errors import Busy, OutcomeUnknown, StorageError
from service.storage.games import StoredGame
from service.use_cases.computer_seats import Thinking, play_for_absent, with_replies
from service.use_cases.house import House
from service.use_cases.refusals import Refused

TRIES = 3
"""How often it is decided anew when others changed the game, among them who expired it first."""

BATCH: Final = 100
"""So many games are looked for at once."""

logger = logging.getLogger(__name__)


def expire_all(house: House, seconds: float = float("inf")) -> bool:
    """Let happen what follows in every overdue game; return whether it took longer than that.

    What goes wrong with one game is logged, and keeps nobody from the others.

    :raises StorageError: if the games cannot be looked for.
    """
    end = monotonic() + seconds
    for game_id in _overdue(house):
        if monotonic() >= end:
            return True
        _try_to_expire(house, game_id)
    return False


def _overdue(house: House) -> Iterator[str]:
    last: Place | None = None
    while True:
        with house.store.reading() as conn:
            found = clocks.overdue(conn, last, BATCH)
        yield from (game_id for _, game_id in found)
        if len(found) < BATCH:
            return
        last = found[-1]


def _try_to_expire(house: House, game_id: str) -> None:
    try:
        stored = expire_overdue(house, game_id)
        if stored.overdue:  # who is late stays late
            with house.store.writing() as conn:
                clocks.settle(conn, stored)
    except (StorageError, Refused) as error:
        logger.info("the clock of %s acts later: %r", game_id, error)
    except Exception:
        logger.exception("the clock of %s could not act", game_id)


def expire_overdue(house: House, game_id: str) -> StoredGame:
    """Return the game ``game_id`` once nothing is left to follow from a time that has run out.

    :raises Refused: ``not_found`` if there is no such game.
    :raises Busy: if others kept changing the game.
    """
    return brought_up_to_time(house, _loaded(house, game_id))


def brought_up_to_time(house: House, stored: StoredGame) -> StoredGame:
    """Return the game after what follows if it was overdue when ``stored`` was read.

    Of two who do this at once one writes, and the other finds it done: see :func:`expire_overdue`.
    """
    for _ in range(TRIES):
        expired = expire(stored.game) if stored.overdue else None
        if expired is None:
            return stored
        saved = _saved(house, stored, _played(house, stored, expired))
        if saved is not None:
            return saved
        stored = _loaded(house, stored.game.setup.id)
    raise Busy("the game keeps changing")


def _played(house: House, stored: StoredGame, expired: Expired) -> Expired:
    """Return ``expired`` with the turn that a computer has to play, and what others reply."""
    if expired.plays_for is None:
        return expired
    thinking = Thinking.within(house.ai_max_ms)
    turn = play_for_absent(expired.game, expired.plays_for, thinking)
    made = with_replies(turn, stored.seats, thinking)
    return replace(expired, game=made.game, moves=made.moves)


def _saved(house: House, stored: StoredGame, now: Expired) -> StoredGame | None:
    """Write it in one go; None if somebody else was quicker, or nobody knows."""
    try:
        with house.store.writing() as conn:
            return games.change(conn, house.codec, stored, now.changes, now.game, *now.moves)
    except OutcomeUnknown:
        return None  # the caller asked for something else: look again


def _loaded(house: House, game_id: str) -> StoredGame:
    with house.store.reading() as conn:
        stored = games.load(conn, house.codec, game_id)
    if stored is None:
        raise Refused("not_found")
    return stored
