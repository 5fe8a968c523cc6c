"""The fold of a log: the game that its moves and changes lead to."""

from collections.abc import Iterable

from engine.agreements import evolve_change
from engine.events import Change
from engine.game import Game, Move, Setup, new_game
from engine.progress import after_move, evolve_game


def replay(setup: Setup, log: Iterable[Move | Change]) -> Game:
    """Return the game that ``log`` leads to, in its order and from the facts alone."""
    game = new_game(setup)
    for entry in log:
        if isinstance(entry, Change):
            game = evolve_change(game, entry)
        else:
            game = after_move(evolve_game(game, entry.event), entry)
    return game
