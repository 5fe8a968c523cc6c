"""List the games of a portal, and those that anybody may join."""

from service.storage import game_lists
from service.storage.game_lists import Place, Wanted
from service.storage.games import StoredGame
from service.storage.portals import PortalGame
from service.use_cases.house import House


def games_of_portal(
    house: House, wanted: Wanted, after: Place | None, limit: int
) -> list[PortalGame]:
    """Return at most ``limit`` games of a portal behind the place ``after``, last change first."""
    with house.store.reading() as conn:
        return game_lists.of_portal(conn, house.codec, wanted, after, limit)


def open_games(house: House, after: Place | None, limit: int) -> list[StoredGame]:
    """Return at most ``limit`` listed games with an open seat behind ``after``, newest first."""
    with house.store.reading() as conn:
        return game_lists.open_games(conn, house.codec, after, limit)
