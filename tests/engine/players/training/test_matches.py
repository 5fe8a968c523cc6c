import numpy as np
import pytest

from engine.players.policies import Throws
from engine.players.sparring import Camper
from engine.players.training import matches
from engine.players.training.matches import Won, match
from engine.players.weighing import EXPERT
from engine.rules import STANDARD


def dice(seed=1):
    return np.random.default_rng(seed)


class Hopeless:
    """Never takes, never knocks, and throws its lowest card."""

    def takes(self, sight, chance):
        return np.zeros(len(sight), bool)

    def throws(self, sight, chance):
        lowest = np.bitwise_count((sight.cards & -sight.cards) - 1).astype(np.int64)
        return Throws(lowest, np.zeros(len(sight), bool))


class TestAMatch:
    def test_is_won_by_the_better_side_whichever_is_named_first(self):
        assert match(EXPERT, Hopeless(), 14, dice()).rate == 1
        won = match(Hopeless(), EXPERT, 14, dice())
        assert (won.wins, won.rate) == (0, 0)
        assert won.points < -10

    def test_of_a_policy_with_itself_is_even_to_the_point(self):
        """Each deal is played from both sides."""
        assert match(EXPERT, EXPERT, 10, dice()).points == 0

    def test_is_the_same_with_the_same_dice(self):
        assert match(EXPERT, Camper(), 8, dice()) == match(EXPERT, Camper(), 8, dice())

    def test_from_the_other_side_is_the_contrary(self):
        one = match(EXPERT, Camper(), 8, dice())
        other = match(Camper(), EXPERT, 8, dice())
        assert one.points == -other.points


class TestTheGames:
    def games(self, *points):
        return list(matches._games(points))

    def test_are_strung_together_until_one_side_is_there(self):
        assert STANDARD.target == 100
        assert self.games(60, -30, 39, 1) == [True]
        assert self.games(60, -30, -70) == [False]
        assert self.games(100, -99, -1, 50, 50) == [True, False, True]

    def test_that_were_cut_short_are_none(self):
        assert self.games(60, -99, 39) == []
        assert self.games() == []

    def test_are_not_changed_by_drawn_hands(self):
        assert self.games(0, 60, 0, 0, 40, 0) == [True]


class TestWhatWasWon:
    def test_is_told_as_a_share_with_its_interval(self):
        won = Won(60, 100, 3.5)
        assert won.rate == 0.6
        assert won.within == pytest.approx(1.96 * (0.6 * 0.4 / 100) ** 0.5)

    def test_of_no_games_is_nothing(self):
        assert (Won(0, 0, 0.0).rate, Won(0, 0, 0.0).within) == (0, 0)
