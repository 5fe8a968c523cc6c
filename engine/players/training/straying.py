"""A policy that strays now and then, so that what it would not have done is seen too."""

from dataclasses import dataclass

import numpy as np

from engine.players.policies import Chance, Policy, Throws, choices_of
from engine.players.sight import Flags, Sight

BEST = 4
"""It strays to one of so many discards, those that leave the least deadwood."""


@dataclass(frozen=True, slots=True)
class Straying:
    """Plays as ``policy`` does, but for the share ``strays`` of its discards and knocks."""

    policy: Policy
    strays: float

    def takes(self, sight: Sight, chance: Chance, /) -> Flags:
        """Take as the policy does; now and then the other way."""
        flips = chance.random(len(sight)) < self.strays / 10
        flags: Flags = self.policy.takes(sight, chance) ^ flips
        return flags

    def throws(self, sight: Sight, chance: Chance, /) -> Throws:
        """Throw as the policy does; now and then another card, without a knock but for gin."""
        rows = len(sight)
        throws = self.policy.throws(sight, chance)
        choices = choices_of(sight, BEST)
        other = choices.best(chance.random(len(choices.owner)), rows)
        gin = choices.deadwood[choices.best(choices.deadwood, rows)] == 0
        strays = ~(throws.knocks & gin) & (chance.random(rows) < self.strays)
        card = np.where(strays, choices.thrown[other], throws.card)
        return Throws(card, throws.knocks & ~strays)
