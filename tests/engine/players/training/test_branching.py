import numpy as np
import pytest

from engine.players.features import THROWN
from engine.players.sparring import POLICIES
from engine.players.training import branching
from engine.players.training.branching import TRIED, Tried, joined, tried
from engine.players.training.tables import Terms
from tests.positions import KEPT, linear, made_nets

HANDS = 60
POINTS_THROWN = len(KEPT) - len(THROWN) + THROWN.index("thrown_points")


def dice(seed=1):
    return np.random.default_rng(seed)


@pytest.fixture(scope="module")
def found():
    return tried(made_nets(), POLICIES["simple"], Terms.standard(HANDS), dice())


class TestTheDiscardsOfADecision:
    def test_are_a_few_rows_that_stand_together(self, found):
        counts = np.bincount(found.decision)
        assert found.decision.tolist() == sorted(found.decision.tolist())
        assert counts.min() >= 1
        assert counts.max() == TRIED
        assert len(counts) > HANDS / 2
        assert found.features.shape == (len(found.points), len(KEPT))

    def test_differ_in_nothing_that_was_there_before(self, found):
        """The turn, the stock, the cards known: all but what is kept and thrown."""
        places = [KEPT.index(name) for name in ("left", "turn", "their_cards", "live", "limit")]
        before = found.features[:, places]
        first = np.searchsorted(found.decision, found.decision)
        assert np.array_equal(before, before[first])

    def test_lead_to_different_ends(self, found):
        ends = {}
        for decision, points in zip(found.decision.tolist(), found.points.tolist(), strict=True):
            ends.setdefault(decision, set()).add(points)
        assert max(map(len, ends.values())) > 1
        assert np.abs(found.points).max() > 10

    def test_are_the_same_with_the_same_dice(self, found):
        again = tried(made_nets(), POLICIES["simple"], Terms.standard(HANDS), dice())
        assert np.array_equal(again.points, found.points)
        assert np.array_equal(again.features, found.features)

    def test_begin_with_those_that_are_valued_most(self, monkeypatch):
        """Nothing but the best is tried where no more are asked for."""
        dear = made_nets(keep=linear(KEPT, {"thrown_points": 1}))
        monkeypatch.setattr(branching, "TRIED", 1)
        best = tried(dear, POLICIES["simple"], Terms.standard(HANDS), dice())
        assert np.bincount(best.decision).max() == 1
        monkeypatch.setattr(branching, "TRIED", 4)
        more = tried(dear, POLICIES["simple"], Terms.standard(HANDS), dice())
        assert best.features[:, POINTS_THROWN].mean() > more.features[:, POINTS_THROWN].mean() + 2

    def test_are_tried_against_the_learner_itself_where_no_partner_is_given(self):
        alone = tried(made_nets(), None, Terms.standard(20), dice())
        assert len(alone.points)

    def test_are_none_of_no_hands(self):
        none = tried(made_nets(), None, Terms.standard(0), dice())
        assert none.features.shape == (0, len(KEPT))
        assert len(none.points) == len(none.decision) == 0


class TestManyTrials:
    def test_are_joined_with_numbers_that_go_on(self):
        def part(*decisions):
            rows = len(decisions)
            return Tried(np.zeros((rows, 1)), np.arange(rows), np.array(decisions, int))

        both = joined([part(0, 0, 1), part(), part(0, 1, 1)])
        assert both.decision.tolist() == [0, 0, 1, 2, 3, 3]
        assert both.points.tolist() == [0, 1, 2, 0, 1, 2]
