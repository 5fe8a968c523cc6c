"""Erase who played: names, references, notes and labels. What was played stays and can be replayed.

For the operator, when somebody asks to be forgotten. The names on a score sheet are what people
called each other there, and no references: the same name on two sheets may be of two people. So a
sheet is erased by its id, and as a whole.
"""

from typing import Final

from service.storage import game_ends, sheet_ends
from service.storage.errors import NoSuchGame, NoSuchSheet
from service.storage.pool import Store

BATCH: Final = 200


def forget_game(store: Store, game_id: str) -> None:
    """Erase who played in a game.

    :raises NoSuchGame: if there is none of this id, or it was deleted, which erases as much.
    """
    with store.writing() as conn:
        if not game_ends.forget(conn, game_id):
            raise NoSuchGame(f"there is no game {game_id}")


def forget_player(store: Store, player_ref: str, portal: str | None) -> int:
    """Erase a player from every game of a portal, or of all; return how many games it was."""
    count, last = 0, ""
    while True:
        with store.reading() as conn:
            found = game_ends.with_player(conn, player_ref, portal, last, BATCH)
        for game_id, seats in found:
            with store.writing() as conn:
                count += game_ends.forget(conn, game_id, seats=seats)
        if len(found) < BATCH:
            return count
        last = found[-1][0]


def forget_score_sheet(store: Store, sheet_id: str) -> None:
    """Erase who kept a score sheet: names, reasons, metadata. Hands and scores stay.

    :raises NoSuchSheet: if there is none of this id, or it was deleted, which erases as much.
    """
    with store.writing() as conn:
        if not sheet_ends.erase(conn, sheet_id):
            raise NoSuchSheet(f"there is no score sheet {sheet_id}")
