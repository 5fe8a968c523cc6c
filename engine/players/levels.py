"""The levels of computer players, by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from engine.actions import Action
from engine.players import easy
from engine.views import GameView

Player: TypeAlias = Callable[[GameView, Random], Action]
"""Chooses an action for the seat whose view it gets. Same view and same chance, same action."""


@dataclass(frozen=True, slots=True)
class Level:
    """A level: its name, how it plays, whether it leaves anything to chance, and its time in ms."""

    id: str
    choose: Player
    deterministic: bool
    typical_ms: int
    max_ms: int


LEVELS: Final[Mapping[str, Level]] = {
    "easy": Level("easy", easy.choose, deterministic=False, typical_ms=1, max_ms=50),
}
"""The levels that can be played."""
