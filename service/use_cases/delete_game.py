"""Delete a game for its portal: nobody can open it any more, and who played is forgotten.

Its moves stay, so that what was dealt can still be shown to have been fair.
"""

from collections.abc import Callable

from service.portal_keys import GAMES_WRITE, PortalKey
from service.storage import game_ends
from service.storage.errors import Busy
from service.storage.games import StoredGame
from service.tokens import Token
from service.use_cases.house import House
from service.use_cases.know_portal import portal_of
from service.use_cases.make_move import TRIES
from service.use_cases.open_game import check_scope, open_game
from service.use_cases.refusals import Refused


def delete_game(
    house: House,
    caller: Token | PortalKey,
    game_id: str,
    is_expected: Callable[[StoredGame], bool],
) -> None:
    """Delete the game; one that this portal deleted before is deleted already.

    ``is_expected`` tells whether the game is at the version that the caller wants to delete.

    :raises Refused: as opening a game does; ``scope_missing``; ``version_mismatch``.
    :raises Busy: if others kept changing the game.
    """
    for _ in range(TRIES):
        try:
            opened = open_game(house, caller, game_id)
        except Refused as refused:
            if refused.code == "not_found" and _deleted_before(house, caller, game_id):
                return
            raise
        check_scope(opened.portal, GAMES_WRITE)
        version = opened.stored.version
        if not is_expected(opened.stored):
            raise Refused("version_mismatch", {"expected_version": version})
        with house.store.writing() as conn:
            if game_ends.forget(conn, game_id, delete=True, version=version):
                return
    raise Busy("the game keeps changing")


def _deleted_before(house: House, caller: Token | PortalKey, game_id: str) -> bool:
    if not isinstance(caller, PortalKey):
        return False
    portal = portal_of(house, caller)
    with house.store.reading() as conn:
        deleted = game_ends.was_deleted(conn, game_id, portal.id)
    if deleted:
        check_scope(portal, GAMES_WRITE)
    return deleted
