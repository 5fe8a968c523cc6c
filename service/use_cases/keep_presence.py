"""Let games say who is there: tell what this process has seen, and set right what is no longer so.

That somebody came or went is a version of the game without a move. It changes nothing that anybody
decides upon, and is in nobody's way.
"""

from collections.abc import Collection, Iterator
from typing import Final, TypeVar

from service.storage import presence
from service.storage.presence import Sighting
from service.use_cases.house import House

T = TypeVar("T")

NOTED_AT_ONCE: Final = 5_000
AT_ONCE: Final = 100
"""So many games are set right in one transaction: it keeps none of them for long."""

FOUND: Final = 2_000
"""So many games are looked for at once, and so many notes removed."""


def tell_presence(house: House) -> None:
    """Tell the database whom this process has seen since the last time, and who follows games.

    :raises StorageError: if it cannot be told; nothing is lost by trying again.
    """
    left, come = house.presence.take(house.notifier.seats())
    try:
        for some in _parts(left, NOTED_AT_ONCE):
            with house.store.writing() as conn:
                presence.note(conn, [Sighting(*place, left[place]) for place in some])
    except BaseException:
        house.presence.not_told(left)
        raise
    house.presence.told(left)
    set_right(house, come)


def sweep_presence(house: House) -> bool:
    """Let every game say who is there; return whether there may be more to do.

    :raises StorageError: if it cannot be done now.
    """
    with house.store.writing() as conn:
        found = presence.differing(conn, FOUND)
        forgotten = presence.forget(conn, FOUND)
    set_right(house, found)
    return FOUND in (len(found), forgotten)


def set_right(house: House, game_ids: Collection[str]) -> None:
    """Let games say who is there, and tell those who follow them."""
    for some in _parts(game_ids, AT_ONCE):
        with house.store.writing() as conn:
            changed = presence.set_right(conn, some)
        for game_id in changed:
            house.notifier.wake(game_id)


def _parts(all_of_them: Collection[T], size: int) -> Iterator[list[T]]:
    listed = list(all_of_them)
    for first in range(0, len(listed), size):
        yield listed[first : first + size]
