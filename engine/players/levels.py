"""The levels of computer players, and who gives hints, by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from engine.actions import Action
from engine.players import advisor, easy, master
from engine.players.seat_play import SeatPlay
from engine.players.suggestions import Suggestion
from engine.players.weighing import EXPERT, HARD, MEDIUM
from engine.views import GameView

Player: TypeAlias = Callable[[GameView, Random], Action]
"""Chooses an action for the seat whose view it gets. Same view and same chance, same action."""

Advisor: TypeAlias = Callable[[GameView], tuple[Suggestion, ...]]
"""Says what the seat whose view it gets had best do, best first. Same view, same advice."""


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
    "medium": Level("medium", SeatPlay(MEDIUM), deterministic=False, typical_ms=1, max_ms=50),
    "hard": Level("hard", SeatPlay(HARD), deterministic=False, typical_ms=1, max_ms=50),
    "expert": Level(
        "expert", SeatPlay(EXPERT, chancy=False), deterministic=True, typical_ms=1, max_ms=50
    ),
    "master": Level("master", master.choose, deterministic=True, typical_ms=2, max_ms=50),
}
"""The levels that can be played."""

ADVISORS: Final[Mapping[str, Advisor]] = {
    "plain": advisor.advise,
    "master": master.advise,
}
"""Who gives hints and plays for a person, by the name that a hint carries; the strongest last."""

BEST_ADVISOR: Final = list(ADVISORS)[-1]
"""Who is asked where no name is given."""


def player_of(name: str) -> Player | None:
    """Return how the level or advisor ``name`` plays, or None if there is neither.

    An advisor does what it would advise first.
    """
    if name in LEVELS:
        return LEVELS[name].choose
    advise = ADVISORS.get(name)
    return None if advise is None else lambda view, _rng: advise(view)[0].action
