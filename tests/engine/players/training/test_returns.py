"""What decisions led to, traced by hand on two hands; what is collected is what was done."""

import numpy as np
import pytest

from engine.players.features import HOLDING, KNOCKED, of_knock
from engine.players.nets import Net
from engine.players.policies import choices_of
from engine.players.sight import with_top
from engine.players.training.returns import (
    BEST,
    FLIPS,
    Learner,
    Played,
    _Step,
    collect,
    led_to,
)
from engine.players.training.tables import Terms
from engine.players.valued import Nets, Valued
from engine.players.weighing import EXPERT
from tests.positions import CHANCE, KEPT, any_sights, linear, made_nets, sight

NEAR = "AC 2C 3C 4D 5D 6D 7H 8H 9H 9S KS"
NAN = float("nan")


def step(kind, rows, seat, which, seen=None, strayed=None):
    """A decision of ``seat`` in ``rows``; of those places ``which`` the value is learned.

    The one feature of each is its number among all.
    """
    features = np.array([[float(place)] for place in which], np.float32).reshape(-1, 1)
    return _Step(
        np.array(rows),
        seat,
        kind,
        np.array(which, np.intp),
        features,
        None if seen is None else np.array(seen, float),
        None if strayed is None else np.array(strayed),
    )


STEPS = [
    step("draw", [0, 1], 0, [0, 1], [2, 3], [False, False]),
    step("keep", [0, 1], 0, [0, 1], [4, 5], [False, True]),
    step("keep", [0, 1], 1, [0], [-6, -7], [False, False]),
    step("keep", [1], 0, [0], [8], [False]),
]
"""Two hands, seat 0 and seat 1 in turn; in the second one seat 1 knocked, and seat 0 strayed."""

ENDS = np.array([20, -10])
"""The points of seat 0."""


def points(pairs):
    return [numbers.tolist() for _, numbers in pairs]


def traced(trust, steps=STEPS, nets=None):
    rows = led_to(Played(steps, ENDS, []), trust, nets)
    return points(rows.keep), points(rows.draw)


class TestWhatADecisionLedTo:
    def test_is_how_the_hand_ended_where_no_values_are_trusted(self):
        """Last decisions come first. What seat 0 strayed from is known by its value, 5."""
        keep, draw = traced(0.0)
        assert keep == [[-10], [-20], [20, -10]]
        assert draw == [[20, 5]]

    def test_is_half_the_value_of_the_next_decision_where_half_is_trusted(self):
        """Seat 0 in the first hand: 20, then (20 + 4) / 2; in the second -10, (-10 + 8) / 2, 5."""
        keep, draw = traced(0.5)
        assert keep == [[-10], [-20], [20, -1]]
        assert draw == [[12, 5]]

    def test_is_the_value_of_the_next_decision_where_that_is_all_that_is_trusted(self):
        keep, draw = traced(1.0)
        assert keep == [[-10], [-20], [20, 8]]
        assert draw == [[4, 5]]

    def test_of_the_other_seat_is_counted_from_its_own_side(self):
        steps = [step("draw", [0, 1], 1, [0, 1], [0, 0], [False, False]), *STEPS[2:]]
        keep, draw = traced(0.5, steps)
        assert draw == [[(-20 - 6) / 2, (10 - 7) / 2]]
        assert keep[-1] == [-20]

    def test_is_noted_with_its_features_for_those_places_that_are_learned(self):
        rows = led_to(Played(STEPS, ENDS, []), 0.0)
        assert [features.ravel().tolist() for features, _ in rows.keep] == [[0], [0], [0, 1]]
        assert rows.keep[0][1].dtype == np.float32

    def test_leaves_knocks_as_they_were_scored(self):
        knock = (np.zeros((1, 2), np.float32), np.array([13], np.float32))
        assert led_to(Played([], ENDS, [knock]), 0.5).knock == [knock]


class TestAPlayerThatSawNoValues:
    def nets(self):
        """Values to stand in: 100 and 200, and one more for each place."""
        one = np.ones(1, np.float32)

        def net(last):
            zero = np.zeros(1, np.float32)
            return Net(zero, one, one[:, None], zero, one, np.array([last], np.float32))

        return Nets(keep=net(100), draw=net(200), knock=net(NAN))

    def blind(self):
        return [
            step("draw", [0, 1], 0, [0, 1]),
            step("draw", [0, 1], 0, [1]),
            step("keep", [0, 1], 0, [0]),
        ]

    def test_is_valued_as_it_ended_without_nets(self):
        keep, draw = traced(0.5, self.blind())
        assert (keep, draw) == ([[20]], [[-10], [20, -10]])

    def test_is_valued_by_nets_for_what_it_did(self):
        """Only the places that are learned have a value; the others go on as they ended."""
        keep, draw = traced(0.5, self.blind(), self.nets())
        assert keep == [[20]]
        assert draw == [[-10], [(20 + 100) / 2, (-10 + 201) / 2]]

    def test_that_learned_nothing_of_a_step_is_passed_over(self):
        steps = [self.blind()[0], step("keep", [0, 1], 0, [])]
        assert traced(0.5, steps, self.nets()) == ([[]], [[20, -10]])


POOR_KNOCK = made_nets(linear(KEPT, {}, 50))
TEN, ELEVEN = any_sights("learning ten", 60), any_sights("learning eleven", 60, held=11)


class TestALearner:
    def test_that_never_strays_plays_by_its_values(self):
        plain, learner = Valued(made_nets()), Learner(Valued(made_nets()), 0.0)
        assert learner.takes(TEN, CHANCE).tolist() == plain.takes(TEN, CHANCE).tolist()
        assert not learner.strayed.any()
        done, expected = learner.throws(ELEVEN, CHANCE), plain.throws(ELEVEN, CHANCE)
        assert done.card.tolist() == expected.card.tolist()
        assert done.knocks.tolist() == expected.knocks.tolist()
        assert not learner.strayed.any()

    def test_notes_what_its_last_decision_was_worth(self):
        policy = Valued(made_nets())
        learner = Learner(policy, 1.0)
        learner.takes(TEN, np.random.default_rng(1))
        taking, drawing = policy.think(with_top(TEN)).value, policy.draw_value(TEN)
        assert learner.seen.tolist() == np.maximum(taking, drawing).tolist()
        learner.throws(ELEVEN, np.random.default_rng(1))
        assert learner.seen.tolist() == policy.think(ELEVEN).value.tolist()

    def test_strays_to_one_of_the_best_by_value_and_does_not_knock(self):
        policy = Valued(made_nets())
        learner = Learner(policy, 1.0)
        seen = sight(NEAR).rows(np.zeros(400, np.intp))
        done = learner.throws(seen, np.random.default_rng(1))
        assert learner.strayed.all()
        assert not done.knocks.any()
        thought = policy.think(sight(NEAR))
        best = thought.choices.thrown[np.argsort(-thought.values, kind="stable")[:BEST]]
        assert set(done.card.tolist()) == set(best.tolist())

    def test_never_strays_from_gin(self):
        learner = Learner(Valued(POOR_KNOCK), 1.0)
        done = learner.throws(sight(NEAR.replace("9S", "TH")), np.random.default_rng(1))
        assert done.knocks.tolist() == [True]
        assert learner.strayed.tolist() == [False]

    def test_takes_what_it_would_not_in_a_share_of_its_strays(self):
        learner, seen = Learner(Valued(made_nets()), 1.0), TEN.rows(np.arange(60).repeat(40))
        flags = learner.takes(seen, np.random.default_rng(1))
        plain = Valued(made_nets()).takes(seen, CHANCE)
        assert (flags != plain).tolist() == learner.strayed.tolist()
        assert abs(learner.strayed.mean() - FLIPS) < 0.02


HANDS = 20


@pytest.fixture(scope="module")
def played():
    """Hands of a learner against a level."""
    learner = Learner(Valued(made_nets()), 0.2)
    return collect((learner, EXPERT), (0,), Terms.standard(HANDS), np.random.default_rng(3))


class TestWhatIsCollected:
    def test_are_the_decisions_of_the_learners_alone(self, played):
        assert {each.seat for each in played.steps} == {0}
        both = collect((EXPERT, EXPERT), (0, 1), Terms.standard(5), np.random.default_rng(3))
        assert {each.seat for each in both.steps} == {0, 1}
        assert all(each.seen is None for each in both.steps)

    def test_is_a_row_of_features_for_each_choice_to_play_on(self, played):
        widths = {"keep": len(KEPT), "draw": len(HOLDING)}
        assert {each.kind for each in played.steps} == widths.keys()
        for each in played.steps:
            assert each.features.shape == (len(each.which), widths[each.kind])
            assert len(each.seen) == len(each.strayed) == len(each.rows)

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
        learner = Learner(Valued(nets), 0.0)
        done = collect((learner, EXPERT), (0,), Terms.standard(12), np.random.default_rng(4))
        noted = sorted(float(number) for _, pair in done.knocks for number in pair)
        won_or_undercut = sorted(done.points.tolist())
        assert noted
        assert all(number in won_or_undercut for number in noted)

    def test_is_the_same_with_the_same_dice(self, played):
        learner = Learner(Valued(made_nets()), 0.2)
        again = collect((learner, EXPERT), (0,), Terms.standard(HANDS), np.random.default_rng(3))
        assert again.points.tolist() == played.points.tolist()
        assert all(
            np.array_equal(one.features, other.features)
            for one, other in zip(again.steps, played.steps, strict=True)
        )

    def test_of_knocks_is_looked_at_with_the_least_deadwood(self):
        seen = sight(NEAR)
        choices = choices_of(seen, 1)
        assert of_knock(choices.kept, seen)[0, KNOCKED.index("deadwood")] == 9
