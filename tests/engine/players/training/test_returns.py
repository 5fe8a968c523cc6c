"""What decisions led to, traced by hand on two hands; what is collected is what was done."""

import numpy as np
import pytest

from engine.players.features import HOLDING, KNOCKED
from engine.players.nets import Net
from engine.players.training.returns import Played, _Step, collect, led_to
from engine.players.training.straying import Straying
from engine.players.training.tables import Terms
from engine.players.valued import Nets, Valued
from engine.players.weighing import EXPERT
from tests.positions import KEPT, linear, made_nets


def step(kind, rows, seat, which, *values):
    """A decision of ``seat`` in ``rows``; what it did at the places ``which`` has those values.

    The one feature of each is the value that the nets of these tests give it.
    """
    features = np.array(values, np.float32).reshape(len(which), 1)
    return _Step(np.array(rows), seat, kind, np.array(which, np.intp), features)


STEPS = [
    step("draw", [0, 1], 0, [0, 1], 2, 3),
    step("keep", [0, 1], 0, [0, 1], 4, 5),
    step("draw", [0, 1], 1, [1], -6),
    step("keep", [0, 1], 1, [0], -7),
    step("keep", [1], 0, [0], 8),
]
"""Two hands, decided by both seats in turn. Seat 1 took the card in the first, knocked in none:
what it threw in the second was seen by nobody."""

ENDS = np.array([20, -10])
"""The points of seat 0."""


def as_it_is(last=0.0):
    """A net whose value is its one feature, and ``last`` more; also where that is negative."""
    ways = np.array([[1, -1]], np.float32)
    zero, one = np.zeros(1, np.float32), np.ones(1, np.float32)
    return Net(zero, one, ways, np.zeros(2, np.float32), ways[0], np.array([last], np.float32))


NETS = Nets(keep=as_it_is(), draw=as_it_is(100), knock=as_it_is(10_000))


def traced(trust, steps=STEPS, nets=NETS):
    """The points of all steps that keep, and of all that draw, last ones first."""
    rows = led_to(Played(steps, ENDS, []), trust, nets)
    return [[numbers.tolist() for _, numbers in pairs] for pairs in (rows.keep, rows.draw)]


class TestWhatADecisionLedTo:
    def test_is_how_the_hand_ended_where_no_values_are_trusted(self):
        keep, draw = traced(0.0)
        assert keep == [[-10], [-20], [20, -10]]
        assert draw == [[10], [20, -10]]

    def test_is_how_the_hand_ended_where_there_are_no_values(self):
        assert traced(0.5, nets=None) == traced(0.0)

    def test_is_half_the_value_of_the_next_decision_where_half_is_trusted(self):
        """Seat 0, first hand: 20, then (20 + 4) / 2. Second: -10, (-10 + 8) / 2, (-1 + 5) / 2."""
        keep, draw = traced(0.5)
        assert keep == [[-10], [-20], [20, -1]]
        assert draw == [[10], [12, 2]]

    def test_is_the_value_of_the_next_decision_where_that_is_all_that_is_trusted(self):
        keep, draw = traced(1.0)
        assert keep == [[-10], [-20], [20, 8]]
        assert draw == [[10], [4, 5]]

    def test_goes_by_the_net_of_what_was_decided(self):
        steps = [step("draw", [0, 1], 0, [0, 1], 1, 1), *STEPS[:1]]
        assert traced(1.0, steps)[1] == [[20, -10], [102, 103]]

    def test_of_the_other_seat_is_counted_from_its_own_side(self):
        steps = [step("draw", [0, 1], 1, [0, 1], 0, 0), *STEPS[2:]]
        keep, draw = traced(0.5, steps)
        assert keep == [[-10], [-20]]
        assert draw == [[10], [(-20 - 7) / 2, (10 - 6 + 100) / 2]]

    def test_goes_past_what_is_not_learned(self):
        """Of a card that is taken what counts is what is kept then."""
        steps = [STEPS[0], step("draw", [0, 1], 0, [])]
        assert traced(0.5, steps) == [[], [[], [20, -10]]]

    def test_is_noted_with_its_features(self):
        rows = led_to(Played(STEPS, ENDS, []), 0.0)
        assert [features.ravel().tolist() for features, _ in rows.keep] == [[8], [-7], [4, 5]]
        assert {numbers.dtype for _, numbers in rows.keep} == {np.dtype(np.float32)}

    def test_leaves_knocks_as_they_were_scored(self):
        knock = (np.zeros((1, 2), np.float32), np.array([13], np.float32))
        assert led_to(Played([], ENDS, [knock]), 0.5).knock == [knock]


HANDS = 20
STRAYING = Straying(Valued(made_nets()), 0.2)


@pytest.fixture(scope="module")
def played():
    """Hands of who strays against a level."""
    return collect((STRAYING, EXPERT), (0,), Terms.standard(HANDS), np.random.default_rng(3))


class Stubborn(Valued):
    """Takes always or never; plays by values otherwise."""

    def __init__(self, takes):
        super().__init__(made_nets())
        object.__setattr__(self, "taking", takes)

    def takes(self, sight, chance):
        return np.full(len(sight), self.taking)


class TestWhatIsCollected:
    def test_are_the_decisions_of_the_learners_alone(self, played):
        assert {each.seat for each in played.steps} == {0}
        both = collect((EXPERT, EXPERT), (0, 1), Terms.standard(5), np.random.default_rng(3))
        assert {each.seat for each in both.steps} == {0, 1}

    def test_is_a_row_of_features_for_each_choice_to_play_on(self, played):
        widths = {"keep": len(KEPT), "draw": len(HOLDING)}
        assert {each.kind for each in played.steps} == widths.keys()
        for each in played.steps:
            assert each.features.shape == (len(each.which), widths[each.kind])
            assert set(each.which.tolist()) <= set(range(len(each.rows)))

    @pytest.mark.parametrize("takes", [True, False])
    def test_of_a_draw_is_what_was_left_lying(self, takes):
        """What is taken is valued by what is kept then."""
        done = collect((Stubborn(takes), EXPERT), (0,), Terms.standard(6), np.random.default_rng(3))
        for each in done.steps:
            if each.kind == "draw":
                assert len(each.which) == (0 if takes else len(each.rows))

    def test_is_how_each_hand_ended(self, played):
        assert played.points.shape == (HANDS,)
        assert len(set(played.points.tolist())) > 8

    def test_of_a_knock_that_was_open_is_what_it_would_have_scored(self, played):
        features = np.concatenate([pair[0] for pair in played.knocks])
        scored = np.concatenate([pair[1] for pair in played.knocks])
        assert features.shape == (len(scored), len(KNOCKED))
        assert (features[:, KNOCKED.index("deadwood")] <= 10).all()
        gin = features[:, KNOCKED.index("is_gin")] == 1
        assert (scored[gin] >= 25).all()
        assert (scored[~gin] < 98).all()
        assert min(scored) < 0

    def test_of_a_knock_that_was_made_is_what_the_hand_scored(self):
        """A hand that seat 0 ends by the knock that it could make scores what is noted for it."""
        nets = made_nets(linear(KEPT, {}, -500))
        done = collect((Valued(nets), EXPERT), (0,), Terms.standard(12), np.random.default_rng(4))
        noted = sorted(float(number) for _, pair in done.knocks for number in pair)
        won_or_undercut = sorted(done.points.tolist())
        assert noted
        assert all(number in won_or_undercut for number in noted)

    def test_is_the_same_with_the_same_dice(self, played):
        again = collect((STRAYING, EXPERT), (0,), Terms.standard(HANDS), np.random.default_rng(3))
        assert again.points.tolist() == played.points.tolist()
        assert all(
            np.array_equal(one.features, other.features)
            for one, other in zip(again.steps, played.steps, strict=True)
        )
