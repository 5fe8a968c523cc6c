import os
import random

import numpy as np
import pytest

from engine import bulk, melds
from engine.cards import DECK, POINTS, card_names, cards_of, each_card
from tests import brute_force, random_hands

SWEEP = int(os.environ.get("GIN_SWEEP_HANDS", "1000"))


def hands(seed, count, size):
    rng = random.Random(seed)
    makers = (random_hands.dealt, random_hands.rich)
    return [rng.choice(makers)(rng, size) for _ in range(count)]


def all_that_may_be_left(hand):
    """What each way to lay out ``hand`` leaves, as names."""
    names = card_names(hand)
    return (brute_force.left_by(layout, names) for layout in brute_force.layouts(names))


class TestDeadwoodInBulk:
    @pytest.mark.parametrize("size", range(12))
    def test_is_that_of_each_hand(self, size):
        some = hands(size, SWEEP, size)
        expected = [melds.deadwood(hand) for hand in some]
        assert bulk.deadwood(np.array(some, np.uint64)).tolist() == expected

    @pytest.mark.parametrize("size", [15, 20, 26])
    def test_is_that_of_each_larger_hand(self, size):
        rng = random.Random(size)
        some = [random_hands.rich(rng, size) for _ in range(SWEEP // 20)] + [DECK]
        expected = [melds.deadwood(hand) for hand in some]
        assert bulk.deadwood(np.array(some, np.uint64)).tolist() == expected

    def test_is_the_same_in_several_blocks(self):
        some = hands(1, 500, 10)
        many = np.array(some * 40, np.uint64)
        assert np.array_equal(bulk.deadwood(many), np.tile(bulk.deadwood(many[:500]), 40))

    def test_has_the_shape_of_the_hands(self):
        some = np.array(hands(2, 12, 10), np.uint64).reshape(3, 4)
        assert bulk.deadwood(some).shape == (3, 4)
        assert np.array_equal(bulk.deadwood(some.T), bulk.deadwood(some).T)
        assert bulk.deadwood(some[0, 0]) == melds.deadwood(int(some[0, 0]))

    def test_of_no_hands_is_nothing(self):
        assert bulk.deadwood(np.array([], np.uint64)).tolist() == []

    def test_leaves_the_hands_as_they_are(self):
        some = np.array(hands(3, 100, 10), np.uint64)
        before = some.copy()
        bulk.deadwood(some)
        assert np.array_equal(some, before)


class TestDeadwoodAfterTheBestDiscardInBulk:
    def test_is_the_least_of_the_eleven(self):
        some = hands(4, SWEEP, 11)
        expected = [min(melds.deadwood_after_each_discard(hand).values()) for hand in some]
        found = bulk.deadwood_after_best_discard(np.array(some, np.uint64))
        assert found.tolist() == expected

    def test_is_zero_where_all_eleven_cards_are_melded(self):
        run = cards_of(range(11))
        assert bulk.deadwood_after_best_discard(np.array([run], np.uint64)).tolist() == [0]

    @pytest.mark.parametrize("size", [10, 12])
    def test_is_known_for_eleven_cards_only(self, size):
        with pytest.raises(ValueError, match="eleven"):
            bulk.deadwood_after_best_discard(np.array(hands(5, 3, size), np.uint64))


class TestArrangementsInBulk:
    def test_are_those_of_each_hand(self):
        some = hands(3, SWEEP, 10)
        found = bulk.arranged(np.array(some, np.int64))
        assert 0.5 < sum(found.clear.tolist()) / len(some) < 1
        rows = zip(
            some, found.rest.tolist(), found.unmatched.tolist(), found.deadwood.tolist(),
            strict=True,
        )  # fmt: skip
        for hand, rest, unmatched, left in rows:
            best = melds.best_arrangement(hand)
            assert (best.unmatched, best.deadwood) == (unmatched, left)
            assert melds.melds_of(hand ^ rest, rest ^ unmatched) == best.melds
            assert melds.arrangement_leaving(hand, rest) == best

    def test_know_what_may_be_melded(self):
        some = hands(4, SWEEP, 10)
        found = bulk.in_possible_melds(np.array(some, np.int64)).tolist()
        assert found == [melds.in_possible_melds(hand) for hand in some]

    def test_know_what_fits_on_them(self):
        some = hands(5, SWEEP, 10)
        others = [DECK & ~hand & random.Random(hand).getrandbits(52) for hand in some]
        best = [melds.best_arrangement(hand) for hand in some]
        sets = [
            sum(meld.cards for meld in each.melds if meld.kind is melds.MeldKind.SET)
            for each in best
        ]
        melded = [hand ^ each.unmatched for hand, each in zip(some, best, strict=True)]
        found = bulk.fitting(*(np.array(cards, np.int64) for cards in (melded, sets, others)))
        assert found.tolist() == [
            melds.can_be_laid_off(each.melds, held) for each, held in zip(best, others, strict=True)
        ]


class TestDeadwoodLessTheDearestInBulk:
    def test_is_what_the_best_discard_of_eleven_cards_leaves(self):
        some = hands(6, SWEEP, 11)
        expected = [min(melds.deadwood_after_each_discard(hand).values()) for hand in some]
        assert bulk.deadwood_less_dearest(np.array(some, np.uint64)).tolist() == expected

    @pytest.mark.parametrize("size", [1, 4, 9, 10])
    def test_is_the_least_of_all_lay_outs_without_their_dearest_loose_card(self, size):
        some = hands(size + 60, SWEEP // 20, size)
        lefts = [[*all_that_may_be_left(hand)] for hand in some]
        expected = [
            min(
                brute_force.total(left) - max(map(brute_force.value, left), default=0)
                for left in rests
            )
            for rests in lefts
        ]
        assert bulk.deadwood_less_dearest(np.array(some, np.uint64)).tolist() == expected

    def test_has_the_shape_of_the_hands(self):
        some = np.array(hands(7, 12, 11), np.uint64).reshape(3, 4)
        flat = bulk.deadwood_less_dearest(some.ravel())
        assert bulk.deadwood_less_dearest(some).tolist() == flat.reshape(3, 4).tolist()


class TestTheFewestLooseCardsInBulk:
    @pytest.mark.parametrize("size", [0, 3, 7, 10])
    def test_are_those_of_the_lay_out_that_leaves_the_fewest(self, size):
        some = hands(size + 70, SWEEP // 20, size)
        expected = [min(map(len, all_that_may_be_left(hand))) for hand in some]
        assert bulk.fewest_loose(np.array(some, np.uint64)).tolist() == expected


class TestPointsInBulk:
    @pytest.mark.parametrize("size", [0, 1, 10, 52])
    def test_are_those_of_all_cards_of_each_hand(self, size):
        some = [random_hands.dealt(random.Random(f"{size} {turn}"), size) for turn in range(50)]
        expected = [sum(POINTS[card] for card in each_card(hand)) for hand in some]
        assert bulk.points(np.array(some, np.int64)).tolist() == expected

    def test_have_the_shape_of_the_hands(self):
        some = np.array(hands(8, 12, 10), np.int64).reshape(3, 4)
        assert bulk.points(some).shape == (3, 4)
        assert bulk.points(some)[2, 1] == bulk.points(some[2, 1])
