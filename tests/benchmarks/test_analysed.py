"""The better a level is, the less it loses by its decisions; ``GIN_SWEEP_ANALYSED`` games each."""

import os

import pytest

from engine.players.levels import LEVELS
from tests.benchmarks.analysed import Judged, judged, mean_loss, of_level, played

GAMES = int(os.environ.get("GIN_SWEEP_ANALYSED", "1"))
ENOUGH = 50
"""So many games tell each level from its neighbours; fewer tell those apart that lie far apart."""

SEED = 7


class TestTheMeanLossOfADecision:
    def test_falls_from_each_level_to_the_next(self):
        told_apart = list(LEVELS) if GAMES >= ENOUGH else ["easy", "hard", "master"]
        losses = [mean_loss(of_level(level, SEED, GAMES, 2))[0] for level in told_apart]
        assert losses == sorted(set(losses), reverse=True)

    def test_is_that_of_all_games_and_surer_with_more_of_them(self):
        few = [Judged(10, 5, 90), Judged(30, 3, 95)]
        assert mean_loss(few)[0] == pytest.approx(8 / 40)
        assert mean_loss(few * 10)[0] == pytest.approx(8 / 40)
        assert 0 < mean_loss(few * 10)[1] < mean_loss(few)[1]


class TestAJudgedGame:
    def test_is_the_same_again(self):
        assert played("easy", SEED, 0) == played("easy", SEED, 0)
        assert played("easy", SEED, 0) != played("easy", SEED, 1)

    def test_counts_decisions_of_both_seats(self):
        game = judged("easy", SEED, 0)
        assert game.decisions > 20
        assert game.loss > 0
        assert 0 < game.accuracy < 100
