import numpy as np
import pytest

from engine.players.nets import PARTS, Net, averaged

WIDTH, HIDDEN = 5, 7


def any_net(seed, hidden=HIDDEN):
    chance = np.random.default_rng(seed)

    def numbers(*shape):
        return chance.standard_normal(shape).astype(np.float32)

    scale = np.abs(numbers(WIDTH)) + np.float32(0.5)
    into = numbers(WIDTH, hidden)
    return Net(numbers(WIDTH), scale, into, numbers(hidden), numbers(hidden), numbers(1))


def any_features(rows, seed=9):
    return (5 * np.random.default_rng(seed).standard_normal((rows, WIDTH))).astype(np.float32)


def plainly(net, row):
    """The value of one row, number by number."""
    total = float(net.last[0])
    for unit in range(len(net.bias)):
        into = float(net.bias[unit])
        for place, number in enumerate(row):
            scaled = (number - net.mean[place]) / net.scale[place]
            into += float(scaled) * float(net.into[place, unit])
        total += max(into, 0.0) * float(net.out[unit])
    return total


class TestANet:
    def test_is_a_sum_of_units_that_are_never_below_nothing(self):
        net, features = any_net(1), any_features(20)
        expected = [plainly(net, row) for row in features]
        assert net(features).tolist() == pytest.approx(expected, rel=1e-4, abs=1e-4)

    def test_has_a_value_for_each_row_and_none_for_no_rows(self):
        assert any_net(1)(any_features(3)).shape == (3,)
        assert any_net(1)(any_features(0)).shape == (0,)
        assert any_net(1)(any_features(3)).dtype == np.float64

    def test_is_the_same_put_together_of_its_parts(self):
        net = any_net(2)
        parts = net.parts("knock")
        assert parts.keys() == {f"knock_{part}" for part in PARTS}
        again = Net.of_parts("knock", parts)
        assert all(np.array_equal(getattr(again, part), getattr(net, part)) for part in PARTS)

    def test_is_told_from_others_among_their_parts_by_its_name(self):
        one, other = any_net(3), any_net(4)
        parts = one.parts("keep") | other.parts("draw")
        features = any_features(4)
        assert np.array_equal(Net.of_parts("draw", parts)(features), other(features))
        assert not np.array_equal(one(features), other(features))


class TestAnAverage:
    @pytest.mark.parametrize("sizes", [(7,), (7, 7), (3, 7, 5, 4)])
    def test_has_the_mean_of_the_values(self, sizes):
        nets = [any_net(place, hidden) for place, hidden in enumerate(sizes)]
        features = any_features(50)
        mean = np.mean([net(features) for net in nets], axis=0)
        assert averaged(nets)(features).tolist() == pytest.approx(mean.tolist(), rel=1e-3, abs=1e-3)

    def test_has_all_their_units(self):
        assert averaged([any_net(1, 3), any_net(2, 4)]).bias.shape == (7,)

    def test_is_of_small_numbers_still(self):
        net = averaged([any_net(1), any_net(2)])
        assert {getattr(net, part).dtype for part in PARTS} == {np.dtype(np.float32)}
