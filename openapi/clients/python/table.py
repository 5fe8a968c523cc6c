"""What a client knows of its game."""

from collections.abc import Callable, Sequence

from gin_rummy_client.models import Game, Move, Update

Show = Callable[[Move, Game], None]
"""What to do with a move, and with the view that came with it."""


class Table:
    """The newest view, and which moves have been shown: each is shown once."""

    def __init__(self, game: Game, moves: Sequence[Move], show: Show) -> None:
        self.game = game
        self._show = show
        self._shown = 0
        self.take(Update(moves=list(moves), game=game, replayed=False, reset=False))

    def take(self, update: Update) -> None:
        """Take what an action or a poll answered, in any order."""
        if update.game.version < self.game.version:
            return  # its moves have been shown
        if update.reset:
            self._shown = update.game.next_move - 1  # too many to show: the view has it all
        for move in update.moves:
            if move.number > self._shown:
                self._shown = move.number
                self._show(move, update.game)
        self.game = update.game
