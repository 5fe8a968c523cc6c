import numpy as np
import pytest

from engine.players.nets import PARTS
from engine.players.training.branching import Tried
from engine.players.training.fitting import LEAST_SHARE, LEAST_SPREAD, fit, refined

ROWS = 3000


def learned(features, points, seed=1, steps=400, hidden=24):
    return fit(features, points, np.random.default_rng(seed), steps=steps, hidden=hidden)


def any_features(width=3, rows=ROWS):
    chance = np.random.default_rng(5)
    return (30 + 8 * chance.standard_normal((rows, width))).astype(np.float32)


def known(features):
    """A function that bends: what is above 30 of the first, less half of the second."""
    return (2 * np.maximum(features[:, 0] - 30, 0) - features[:, 1] / 2).astype(np.float32)


class TestAFittedNet:
    def test_has_learned_a_function_that_it_was_shown(self):
        features = any_features()
        net = learned(features, known(features))
        assert np.abs(net(features) - known(features)).mean() < 1.5
        assert known(features).std() > 8

    def test_knows_it_for_rows_that_it_has_not_seen(self):
        features = any_features()
        new = features[:500] + np.float32(0.37)
        net = learned(features, known(features))
        assert np.abs(net(new) - known(new)).mean() < 1.5

    def test_finds_the_mean_under_noise(self):
        """Each row is worth ten or thirty, as luck has it: twenty is the best that can be said."""
        features = any_features(rows=6000)
        points = np.random.default_rng(2).choice([10, 30], 6000).astype(np.float32)
        values = learned(features, points, steps=150, hidden=4)(features)
        assert values.mean() == pytest.approx(points.mean(), abs=0.5)
        assert values.std() < 2

    def test_is_nearer_after_more_steps(self):
        features = any_features()
        errors = [
            np.abs(
                learned(features, known(features), steps=steps)(features) - known(features)
            ).mean()
            for steps in (5, 100, 400)
        ]
        assert errors == sorted(errors, reverse=True)

    def test_is_the_same_with_the_same_dice(self):
        features = any_features()
        one, other = (learned(features, known(features), steps=20) for _ in range(2))
        assert all(np.array_equal(getattr(one, part), getattr(other, part)) for part in PARTS)
        another = learned(features, known(features), seed=2, steps=20)
        assert not np.array_equal(one.into, another.into)

    def test_has_as_many_units_as_it_was_told(self):
        features = any_features()
        net = learned(features, known(features), steps=2, hidden=9)
        assert (net.into.shape, net.bias.shape) == ((3, 9), (9,))
        assert {getattr(net, part).dtype for part in PARTS} == {np.dtype(np.float32)}


class TestAFeatureThatHardlyChanges:
    @pytest.mark.parametrize("value", [25.0, 0.0])
    def test_counts_nothing_where_it_never_changed_and_is_another_one_day(self, value):
        """Nothing was learned of it."""
        features = any_features()
        features[:, 2] = value
        net = learned(features, known(features))
        assert net.scale[2] >= (LEAST_SPREAD if value > 1 else LEAST_SHARE)
        other = features.copy()
        other[:, 2] += 5 if value > 1 else 0.2
        assert np.array_equal(net(other), net(features))

    def test_is_scaled_by_its_spread_where_that_is_more(self):
        features = any_features()
        net = learned(features, known(features), steps=2)
        assert net.scale.tolist() == pytest.approx(features.std(axis=0).tolist())
        assert net.mean.tolist() == pytest.approx(features.mean(axis=0).tolist())

    def test_between_nothing_and_one_may_spread_less(self):
        features = any_features()
        features[:, 2] = np.random.default_rng(3).uniform(0.4, 0.45, ROWS)
        features[:, 1] = 7
        scale = learned(features, known(features), steps=2).scale
        assert scale[2] == np.float32(LEAST_SHARE)
        assert scale[1] == LEAST_SPREAD


class TestARefinedNet:
    """Decisions of three discards; each is worth its second feature, seen through much luck."""

    DECISIONS = 4000

    def trials(self):
        chance = np.random.default_rng(6)
        decision = np.repeat(np.arange(self.DECISIONS), 3)
        decision = decision[:-1]  # the last has two
        luck = 20 * chance.standard_normal(self.DECISIONS)[decision]
        features = chance.standard_normal((len(decision), 2)).astype(np.float32)
        points = (luck + 5 * features[:, 1]).astype(np.float32)
        return Tried(features, points, decision)

    def before(self):
        """A net that knows of the first feature only, and how things stand on the whole."""
        features = self.trials().features
        return learned(features, 30 + 3 * features[:, 0], steps=150)

    def refine(self, steps=600, seed=1):
        return refined(self.before(), self.trials(), np.random.default_rng(seed), steps=steps)

    def test_tells_the_discards_of_a_decision_apart(self):
        trials = self.trials()
        values = self.refine()(trials.features)
        # The mean of three is held where it is: that takes off a third of their differences.
        slope = np.polyfit(trials.features[:, 1], values, 1)[0]
        assert slope == pytest.approx(5 * 2 / 3, abs=0.5)
        assert np.polyfit(trials.features[:, 0], values, 1)[0] == pytest.approx(0, abs=1)

    def test_says_the_same_on_the_whole(self):
        """What came of it, 0 in the mean, does not move it: only differences count."""
        values = self.refine()(self.trials().features)
        assert values.mean() == pytest.approx(30, abs=1)

    def test_leaves_the_net_that_it_came_of_as_it_was(self):
        net = self.before()
        into = net.into.copy()
        refined(net, self.trials(), np.random.default_rng(1), steps=5)
        assert np.array_equal(net.into, into)

    def test_is_the_same_with_the_same_dice(self):
        one, other, another = self.refine(5), self.refine(5), self.refine(5, seed=2)
        assert np.array_equal(one.into, other.into)
        assert not np.array_equal(one.into, another.into)
