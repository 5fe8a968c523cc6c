from dataclasses import replace

import numpy as np
import pytest

from engine.players.features import HOLDING, KNOCKED
from engine.players.sparring import POLICIES
from engine.players.training import rounds
from engine.players.training.returns import Played, led_to
from engine.players.training.rounds import (
    PARTNERS,
    STANDARD_SHARE,
    Plan,
    against_simple,
    blended,
    drawn_terms,
    learned,
    played,
    refine,
    train,
)
from engine.players.training.straying import Straying
from engine.players.valued import Valued
from engine.players.weighing import EXPERT
from engine.rules import RANGES, STANDARD
from tests.positions import KEPT, made_nets

TINY = Plan(rounds=1, hands=40, nets=2, steps=40, hidden=4, partners=(("simple", 1.0),))

NOTHING_PLAYED = Played([], np.zeros(0, np.int64), [])


def dice(seed=1):
    return np.random.default_rng(seed)


def same(one, other):
    return all(np.array_equal(part, other.parts()[name]) for name, part in one.parts().items())


def trained(plan, seed, start=None):
    told = []
    nets = train(plan, seed, lambda number, nets: told.append((number, nets)), start)
    return nets, told


@pytest.fixture(scope="module")
def two_rounds():
    """What a tiny training of two rounds learned, and what it told."""
    return trained(replace(TINY, rounds=2), 7)


@pytest.fixture(scope="module")
def first_round():
    """The hands of a first round, against all partners."""
    return played(replace(TINY, hands=20, partners=PARTNERS), None, dice())


class TestATraining:
    def test_learns_the_same_with_the_same_seed(self, two_rounds):
        """The first of two rounds is the only one of a training of one."""
        _, told = two_rounds
        again, _ = trained(TINY, 7)
        assert same(told[0][1], again)

    def test_learns_the_same_from_the_same_start(self):
        """Whoever plays by values is the same again, too."""
        start = made_nets()
        assert same(trained(TINY, 9, start)[0], trained(TINY, 9, start)[0])

    def test_learns_something_else_with_another(self, two_rounds):
        assert not same(two_rounds[1][0][1], trained(TINY, 8)[0])

    def test_tells_of_each_round_and_ends_with_the_last(self, two_rounds):
        nets, told = two_rounds
        assert [number for number, _ in told] == [0, 1]
        assert told[-1][1] is nets
        assert not same(told[0][1], nets)

    def test_averages_the_last_rounds_where_it_is_asked_to(self, two_rounds):
        _, told = two_rounds
        nets, _ = trained(replace(TINY, rounds=2, blend=2), 7)
        features = dice().random((5, len(KEPT)), np.float32)
        means = np.mean([each.keep(features) for _, each in told], axis=0)
        assert nets.keep(features) == pytest.approx(means, rel=1e-3, abs=1e-3)

    def test_goes_on_from_what_was_known(self, two_rounds):
        start = made_nets()
        nets, told = trained(TINY, 7, start)
        assert len(told) == 1
        assert not same(nets, start)
        assert not same(nets, two_rounds[1][0][1])

    def test_values_a_round_by_how_it_ended_and_reviews_it_by_these_values(self, monkeypatch):
        trusts = []

        def noted(each, trust, nets=None):
            trusts.append((trust, nets is not None))
            return led_to(each, trust, nets)

        monkeypatch.setattr(rounds, "led_to", noted)
        trained(replace(TINY, reviews=2, trust=0.25, steps=1), 7, made_nets())
        assert trusts == [(0.0, False), (0.25, True), (0.25, True)]

    def test_averages_so_many_nets(self, two_rounds):
        nets, _ = two_rounds
        for net, width in ((nets.keep, KEPT), (nets.draw, HOLDING), (nets.knock, KNOCKED)):
            assert net.into.shape == (len(width), TINY.nets * TINY.hidden)


class TestRoundsAgainstSimpleAlone:
    PLAN = replace(TINY, simple_rounds=2, partners=(("camper", 1.0),))

    def test_come_last_with_one_net_each_and_count_as_much_as_those_before(self, monkeypatch):
        asked = []
        play = rounds.played
        monkeypatch.setattr(
            rounds, "played", lambda plan, *more: asked.append(plan) or play(plan, *more)
        )
        nets, told = trained(self.PLAN, 7)
        assert [number for number, _ in told] == [0, 1, 2]
        assert [plan.partners for plan in asked] == [
            self.PLAN.partners, (("simple", 1.0),), (("simple", 1.0),)
        ]  # fmt: skip
        first, *later = [learned for _, learned in told]
        assert [each.keep.bias.shape for each in later] == [(4,), (4,)]
        assert same(nets, blended([first, blended(later)]))

    def test_can_be_gone_through_again_without_those_before(self):
        nets, told = trained(self.PLAN, 7)
        again = against_simple(self.PLAN, 7, lambda *_: None, told[0][1])
        assert same(again, nets)
        other = against_simple(self.PLAN, 8, lambda *_: None, told[0][1])
        assert not same(other, nets)


class TestComparingDiscards:
    def test_refines_the_values_of_what_is_kept_and_no_others(self):
        plan = replace(TINY, compared=30)
        before, _ = trained(TINY, 7)
        nets, _ = trained(plan, 7)
        assert not np.array_equal(nets.keep.into, before.keep.into)
        assert same(replace(nets, keep=before.keep), before)
        assert same(refine(plan, 7, before), nets)

    def test_is_done_against_all_partners(self, monkeypatch):
        asked = []
        monkeypatch.setattr(
            rounds, "tried", lambda _, partner, terms, __: asked.append((partner, len(terms.limit)))
        )
        monkeypatch.setattr(rounds, "joined", lambda parts: parts)
        monkeypatch.setattr(rounds, "refined", lambda net, *_, **__: net)
        monkeypatch.setattr(rounds, "AT_A_TIME", 20)
        refine(replace(TINY, compared=60, partners=PARTNERS), 7, made_nets())
        simple, camper = POLICIES["simple"], POLICIES["camper"]
        assert asked == [(simple, 20), (simple, 10), (camper, 9), (EXPERT, 9), (None, 12)]


class TestTheHandsOfARound:
    def test_are_shared_among_the_partners(self, first_round):
        assert [len(each.points) for each in first_round] == [10, 3, 3, 4]
        assert sum(share for _, share in PARTNERS) == pytest.approx(1)

    def test_are_learned_from_on_both_sides_against_itself_alone(self, first_round):
        seats = [{step.seat for step in each.steps} for each in first_round]
        assert seats == [{0}, {0}, {0}, {0, 1}]

    def test_are_played_by_the_level_expert_and_then_by_the_nets_so_far(self, monkeypatch):
        """Either strays, or what it would not have done is never seen."""
        learners = []
        monkeypatch.setattr(
            rounds, "collect", lambda policies, *_: learners.append(policies[0]) or NOTHING_PLAYED
        )
        played(TINY, None, dice())
        nets = made_nets()
        played(TINY, nets, dice())
        assert learners == [Straying(EXPERT, TINY.strays), Straying(Valued(nets), TINY.strays)]

    def test_are_in_memory_a_part_at_a_time(self, monkeypatch):
        monkeypatch.setattr(rounds, "AT_ONCE", 7)
        plan = replace(TINY, hands=20, partners=(("simple", 0.8), ("expert", 0.2)))
        # The few that are left over of a share are a part of their own.
        assert [len(each.points) for each in played(plan, None, dice())] == [7, 7, 2, 4]


class TestWhatIsLearned:
    def test_is_of_each_kind_of_value(self, first_round):
        done = [led_to(each, 0.0) for each in first_round]
        nets = learned(replace(TINY, steps=1, nets=1), done, dice())
        assert nets.keep.into.shape == (len(KEPT), TINY.hidden)
        assert nets.draw.into.shape == (len(HOLDING), TINY.hidden)
        assert nets.knock.into.shape == (len(KNOCKED), TINY.hidden)

    def test_is_of_the_rows_of_all_hands(self, first_round):
        """The mean of each feature is that over everything that was seen."""
        done = [led_to(each, 0.0) for each in first_round]
        seen = np.concatenate([features for rows in done for features, _ in rows.draw])
        asked = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                rounds, "fit", lambda *given, **_: asked.append(given) or made_nets().keep
            )
            learned(replace(TINY, nets=1), done, dice())
        assert np.array_equal(asked[1][0], seen)
        assert [len(features) == len(points) for features, points, _ in asked] == [True] * 3


class TestTheTermsOfTheHands:
    HANDS = 4000

    def columns(self):
        terms = drawn_terms(self.HANDS, dice())
        return {
            "knock_limit": terms.limit,
            "gin_bonus": terms.gin_bonus,
            "undercut_bonus": terms.undercut_bonus,
        }

    @pytest.mark.parametrize("name", ["knock_limit", "gin_bonus", "undercut_bonus"])
    def test_lie_within_what_the_rules_allow(self, name):
        least, greatest = RANGES[name]
        column = self.columns()[name]
        assert column.shape == (self.HANDS,)
        assert least <= column.min() < column.max() <= greatest

    def test_are_standard_for_most_hands(self):
        standard = np.ones(self.HANDS, bool)
        for name, column in self.columns().items():
            standard &= column == getattr(STANDARD, name)
        assert STANDARD_SHARE - 0.03 < standard.mean() < STANDARD_SHARE + 0.05

    def test_have_every_knock_limit_among_them(self):
        assert set(self.columns()["knock_limit"].tolist()) == set(range(11))

    def test_are_the_same_with_the_same_dice(self):
        one, other = drawn_terms(50, dice()), drawn_terms(50, dice())
        assert one.limit.tolist() == other.limit.tolist()
