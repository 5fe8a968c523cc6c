"""Playing by learned values: of what is kept, of a blind draw, and of a knock."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.players.features import Floats, of_holding, of_knock, of_thrown
from engine.players.nets import Net
from engine.players.policies import Chance, Choices, Throws, choices_of
from engine.players.sight import Column, Flags, Sight, with_top

MOST_CHOICES: Final = 7
"""So many discards are valued, those that leave the least deadwood."""

Values: TypeAlias = NDArray[np.float64]
"""Expected points of the hand from here on, one each row."""


@dataclass(frozen=True, slots=True)
class Nets:
    """The three values that are learned.

    ``keep`` is that after a discard, ``draw`` that before a blind draw, ``knock`` that of knocking.
    """

    keep: Net
    draw: Net
    knock: Net

    @classmethod
    def of_parts(cls, parts: Mapping[str, Floats]) -> Self:
        """Return the nets out of what :meth:`parts` gave."""
        return cls(*(Net.of_parts(name, parts) for name in ("keep", "draw", "knock")))

    def parts(self) -> dict[str, Floats]:
        """Return what the nets are made of, by name."""
        return {
            name: part
            for net in ("keep", "draw", "knock")
            for name, part in getattr(self, net).parts(net).items()
        }


def features_kept(kept: NDArray[np.int64], thrown: Column, sight: Sight) -> Floats:
    """Return the features of what each row of ``sight`` keeps after throwing ``thrown``."""
    return np.concatenate([of_holding(kept, sight), of_thrown(thrown, sight)], axis=1)


@dataclass(frozen=True, slots=True)
class Thought:
    """What the discards of many rows are worth: ``values`` goes by choice.

    ``best`` is the choice of each row to throw and play on, ``knock`` that to knock with, and
    ``knock_value`` what that is worth: nothing is where the row cannot knock.
    """

    choices: Choices
    values: Values
    best: Column
    knock: Column
    knock_value: Values

    @property
    def knocks(self) -> Flags:
        """Which rows had better knock; with gin all do."""
        gin = (self.choices.deadwood[self.knock] == 0) & np.isfinite(self.knock_value)
        knocks: Flags = gin | (self.knock_value >= self.values[self.best])
        return knocks

    @property
    def value(self) -> Values:
        """What the best of each row is worth."""
        best: Values = np.where(self.knocks, self.knock_value, self.values[self.best])
        return best


@dataclass(frozen=True, slots=True)
class Valued:
    """A policy that does what its nets value most."""

    nets: Nets

    def think(self, sight: Sight, most: int | None = MOST_CHOICES) -> Thought:
        """Return what each discard of each row is worth, of at most ``most`` a row."""
        choices = choices_of(sight, most)
        owner = choices.owner
        theirs = sight.rows(owner)
        values = self.nets.keep(features_kept(choices.kept, choices.thrown, theirs))
        values[theirs.left <= 0] = 0.0
        knock = choices.best(choices.deadwood, len(sight))
        return Thought(
            choices,
            values,
            choices.best(-values, len(sight)),
            knock,
            self._knock_values(choices, knock, sight),
        )

    def _knock_values(self, choices: Choices, knock: Column, sight: Sight) -> Values:
        values = np.full(len(sight), -np.inf)
        can = np.flatnonzero(choices.deadwood[knock] <= sight.limit)
        if len(can):
            kept = choices.kept[knock[can]]
            values[can] = self.nets.knock(of_knock(kept, sight.rows(can)))
        return values

    def draw_value(self, sight: Sight) -> Values:
        """Return what a blind draw is worth to each row."""
        return self.nets.draw(of_holding(sight.cards, sight))

    def takes(self, sight: Sight, _chance: Chance, /) -> Flags:
        """Take what is worth more than a blind draw."""
        taken: Flags = self.think(with_top(sight)).value > self.draw_value(sight)
        return taken

    def throws(self, sight: Sight, _chance: Chance, /) -> Throws:
        """Knock where that is worth more than to play on; else throw what is worth most."""
        thought = self.think(sight)
        knocks = thought.knocks
        chosen = np.where(knocks, thought.knock, thought.best)
        return Throws(thought.choices.thrown[chosen], knocks)
