"""Sparring partners: what the levels are measured against. They are no levels.

Both are made after the descriptions of the 2021 research challenge on gin rummy (T. W. Neller,
"Gin Rummy EAAI Undergraduate Research Challenge").
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.players.features import draws_of
from engine.players.policies import Chance, Policy, Throws, choices_of, melds_top
from engine.players.seat_play import SeatPlay
from engine.players.sight import Flags, Sight

GIN_ONLY_AFTER: Final = 4
"""After so many turns of both seats the camper waits for gin."""


@dataclass(frozen=True, slots=True)
class Simple:
    """The challenge's own baseline.

    It takes the face-up card only if it melds, throws the highest unmatched card, any of those
    that are as high, and knocks as soon as it can.
    """

    def takes(self, sight: Sight, _chance: Chance, /) -> Flags:
        """Take what melds."""
        return melds_top(sight)

    def throws(self, sight: Sight, chance: Chance, /) -> Throws:
        """Throw what leaves the least deadwood, and knock with as little as is asked."""
        choices = choices_of(sight)
        tie = chance.random(len(choices.owner))
        best = choices.best(choices.deadwood + 0.5 * tie, len(sight))
        return Throws(choices.thrown[best], choices.deadwood[best] <= sight.limit)


@dataclass(frozen=True, slots=True)
class Camper:
    """A player that waits for gin, as the winner of the challenge does.

    It takes what melds, throws what leaves the least deadwood now and after the next draw, and
    knocks with more than nothing only in its first turns.
    """

    def takes(self, sight: Sight, _chance: Chance, /) -> Flags:
        """Take what melds."""
        return melds_top(sight)

    def throws(self, sight: Sight, _chance: Chance, /) -> Throws:
        """Throw what leaves the most hope, and knock early or with gin."""
        choices = choices_of(sight, most=6)
        draws = draws_of(choices.kept, sight.unseen[choices.owner])
        cost = choices.deadwood + 2 * draws.mean_of_best(7) - 40 * draws.chance(0)
        ready = np.where(sight.turn <= GIN_ONLY_AFTER, sight.limit, 0)
        can = choices.deadwood <= ready[choices.owner]
        best = choices.best(np.where(can, choices.deadwood - 1000, cost), len(sight))
        return Throws(choices.thrown[best], can[best])


POLICIES: Final[Mapping[str, Policy]] = {"simple": Simple(), "camper": Camper()}
"""The sparring partners as policies, by name."""

PARTNERS: Final[Mapping[str, SeatPlay]] = {
    name: SeatPlay(policy, chancy=name == "simple") for name, policy in POLICIES.items()
}
"""The sparring partners as players of a seat, by name."""
