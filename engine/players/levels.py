"""The levels of computer players, and who gives hints, by name."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from math import ceil
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


_MEASURED: Final = json.loads((files(__package__) / "measured.json").read_text("utf-8"))

_LONGEST_MS: Final = 150
"""A move takes no longer. The longest seen was 72 ms, by rules that let hands grow to 25 cards; of
eleven cards it was 5 ms.
"""


def _level(name: str, choose: Player, *, deterministic: bool = False) -> Level:
    typical = ceil(_MEASURED["milliseconds"][name]["mean"])
    return Level(name, choose, deterministic, typical, max_ms=_LONGEST_MS)


LEVELS: Final[Mapping[str, Level]] = {
    "easy": _level("easy", easy.choose),
    "medium": _level("medium", SeatPlay(MEDIUM)),
    "hard": _level("hard", SeatPlay(HARD)),
    "expert": _level("expert", SeatPlay(EXPERT, chancy=False), deterministic=True),
    "master": _level("master", master.choose, deterministic=True),
}
"""The levels that can be played, weakest first; their typical times are measured ones."""

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
