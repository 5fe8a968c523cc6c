from dataclasses import replace

import numpy as np
import pytest

from engine.cards import card_name
from engine.players.features import HOLDING, KNOCKED, of_holding, of_knock
from engine.players.policies import choices_of
from engine.players.sight import with_top
from engine.players.valued import Nets, Valued, features_kept
from tests.positions import CHANCE, KEPT, any_sights, linear, made_nets, sight, stacked

NEAR = "AC 2C 3C 4D 5D 6D 7H 8H 9H 9S KS"
"""A knock with the nine left, thrown the king."""


def throws(nets, seen):
    """What each row throws, by name, and whether it knocks."""
    done = Valued(nets).throws(seen, CHANCE)
    return [*zip(map(card_name, done.card.tolist()), done.knocks.tolist(), strict=True)]


def takes(nets, seen):
    return Valued(nets).takes(seen, CHANCE).tolist()


class TestADiscard:
    def test_is_the_one_whose_rest_is_worth_most(self):
        seen = any_sights("valued", 40, held=11)
        nets = made_nets(knock=linear(KNOCKED, {}, -1000))
        seen = replace(seen, left=np.full(40, 9))
        thought = Valued(nets).think(seen)
        choices = thought.choices
        for row in range(40):
            assert thought.values[thought.best[row]] == max(thought.values[choices.owner == row])
        done = Valued(nets).throws(seen, CHANCE)
        assert (
            done.card[~done.knocks].tolist() == choices.thrown[thought.best][~done.knocks].tolist()
        )

    def test_is_valued_by_what_is_kept_and_what_is_thrown(self):
        seen = any_sights("kept", 12, held=11)
        nets = made_nets(keep=linear(KEPT, {"deadwood": -1, "thrown_points": 3}))
        thought = Valued(nets).think(replace(seen, left=np.full(12, 9)), most=None)
        choices = thought.choices
        theirs = seen.rows(choices.owner)
        features = features_kept(choices.kept, choices.thrown, theirs)
        points = features[:, KEPT.index("thrown_points")]
        assert thought.values.tolist() == (3.0 * points - choices.deadwood).tolist()

    def test_of_many_is_looked_for_among_those_that_leave_least(self):
        seen = any_sights("few", 10, held=11)
        thought = Valued(made_nets()).think(seen)
        assert max(np.bincount(thought.choices.owner)) == 7
        assert len(Valued(made_nets()).think(seen, most=None).values) > 100

    def test_is_worth_nothing_where_the_hand_ends_with_it(self):
        last = replace(any_sights("last", 10, held=11), left=np.zeros(10, np.int64))
        nets = made_nets(keep=linear(KEPT, {}, 12.5))
        assert set(Valued(nets).think(last).values.tolist()) == {0.0}
        earlier = replace(last, left=np.ones(10, np.int64))
        assert set(Valued(nets).think(earlier).values.tolist()) == {12.5}


class TestAKnock:
    def test_is_made_where_it_is_worth_as_much_as_to_play_on(self):
        seen = sight(NEAR, top="2S")
        for worth, knocks in ((18, False), (19, True), (20, True)):
            keep = linear(KEPT, {}, 10)
            nets = made_nets(keep, knock=linear(KNOCKED, {"deadwood": -1}, worth))
            assert throws(nets, seen)[0][1] is knocks

    def test_throws_what_leaves_the_least(self):
        assert throws(made_nets(), sight(NEAR)) == [("KS", True)]

    def test_is_not_open_above_the_limit(self):
        nets = made_nets(knock=linear(KNOCKED, {}, 1000))
        some = stacked([sight(NEAR, limit=9), sight(NEAR, limit=8)])
        assert [knocks for _, knocks in throws(nets, some)] == [True, False]
        assert Valued(nets).think(some).knock_value.tolist() == [1000, -np.inf]

    def test_is_valued_by_its_own_features(self):
        seen = any_sights("knocks", 60, held=11)
        nets = made_nets(knock=linear(KNOCKED, {"deadwood": -2, "runs_to_lay_off": 1}, 5))
        thought = Valued(nets).think(seen)
        can = np.flatnonzero(np.isfinite(thought.knock_value))
        assert 0 < len(can) < 60
        kept = thought.choices.kept[thought.knock[can]]
        expected = nets.knock(of_knock(kept, seen.rows(can)))
        assert thought.knock_value[can].tolist() == expected.tolist()

    def test_makes_the_hand_worth_what_it_is_worth(self):
        low = made_nets(linear(KEPT, {}, 3), knock=linear(KNOCKED, {}, 2))
        high = made_nets(linear(KEPT, {}, 3), knock=linear(KNOCKED, {}, 4))
        assert Valued(low).think(sight(NEAR)).value.tolist() == [3]
        assert Valued(high).think(sight(NEAR)).value.tolist() == [4]


class TestGin:
    GIN = NEAR.replace("9S", "TH")

    def test_is_always_taken_however_little_it_seems_worth(self):
        nets = made_nets(linear(KEPT, {}, 1000), knock=linear(KNOCKED, {}, -1000))
        assert throws(nets, sight(self.GIN)) == [("KS", True)]
        assert throws(nets, sight(NEAR))[0][1] is False

    def test_is_taken_in_all_rows_that_have_it(self):
        seen = any_sights("gin", 200, held=11)
        nets = made_nets(linear(KEPT, {}, 1000), knock=linear(KNOCKED, {}, -1000))
        choices = choices_of(seen)
        least = [min(choices.deadwood[choices.owner == row]) for row in range(200)]
        assert least.count(0) > 3
        done = Valued(nets).throws(seen, CHANCE)
        assert done.knocks.tolist() == [left == 0 for left in least]

    def test_with_the_face_up_card_is_worth_what_it_is_worth(self):
        nets = made_nets(draw=linear(HOLDING, {}, 50), knock=linear(KNOCKED, {}, 60))
        assert takes(nets, sight(NEAR.replace(" KS", ""), top="TH")) == [True]


class TestTheFaceUpCard:
    def test_is_taken_where_that_is_worth_more_than_a_blind_draw(self):
        seen = any_sights("takes", 60)
        nets = made_nets(draw=linear(HOLDING, {"mean_draw": -1}))
        taken = Valued(nets).think(with_top(seen)).value
        blind = -of_holding(seen.cards, seen)[:, HOLDING.index("mean_draw")]
        flags = takes(nets, seen)
        assert flags == (taken > blind).tolist()
        assert set(flags) == {True, False}

    def test_is_left_where_it_is_worth_no_more(self):
        seen = sight("AC 2C 4D 5D 9H 9S JC QC KD 7S", top="8H")
        even = made_nets(linear(KEPT, {}, 7), linear(HOLDING, {}, 7))
        assert takes(even, seen) == [False]

    def test_may_not_be_thrown_again(self):
        """Its own rest would be worth most; it has to stay."""
        seen = sight("AC 2C 3C 4D 5D 6D 7H 8H 2S 2H", top="KS")
        keep = linear(KEPT, {"thrown_points": 1})
        thought = Valued(made_nets(keep)).think(with_top(seen))
        assert "KS" not in map(card_name, thought.choices.thrown.tolist())


class TestRowsTogether:
    @pytest.mark.parametrize("held", [10, 11])
    def test_do_what_each_does_alone(self, held):
        seen = any_sights("together", 30, held=held)
        each = [seen.rows(np.array([row])) for row in range(30)]
        if held == 10:
            assert takes(made_nets(), seen) == [takes(made_nets(), row)[0] for row in each]
        else:
            assert throws(made_nets(), seen) == [throws(made_nets(), row)[0] for row in each]


class TestNets:
    def test_are_the_same_put_together_of_their_parts(self):
        nets = made_nets()
        again = Nets.of_parts(nets.parts())
        assert len(nets.parts()) == 3 * 6
        seen = any_sights("parts", 5, held=11)
        assert throws(again, seen) == throws(nets, seen)
        assert [again.keep.last, again.draw.last, again.knock.last] == [0, 0, 30]
