from collections import Counter

import numpy as np
import pytest

from engine.cards import card_name
from engine.players.policies import choices_of
from engine.players.training.straying import BEST, Straying
from engine.players.weighing import EXPERT, MEDIUM
from tests.positions import CHANCE, any_sights, sight

TEN, ELEVEN = any_sights("straying ten", 80), any_sights("straying eleven", 80, held=11)
NEAR = "AC 2C 3C 4D 5D 6D 7H 8H 9H 9S KS"
MANY = 600


def dice():
    return np.random.default_rng(1)


def many(held):
    return sight(held).rows(np.zeros(MANY, np.intp))


class TestAPolicyThatNeverStrays:
    def test_plays_as_it_would(self):
        straying, plain = Straying(EXPERT, 0.0), EXPERT.throws(ELEVEN, CHANCE)
        assert straying.takes(TEN, dice()).tolist() == EXPERT.takes(TEN, CHANCE).tolist()
        done = straying.throws(ELEVEN, dice())
        assert done.card.tolist() == plain.card.tolist()
        assert done.knocks.tolist() == plain.knocks.tolist()


class TestAPolicyThatStrays:
    def test_throws_any_of_the_best_cards_and_does_not_knock(self):
        done = Straying(MEDIUM, 1.0).throws(many(NEAR), dice())
        assert not done.knocks.any()
        thrown = Counter(map(card_name, done.card.tolist()))
        best = choices_of(sight(NEAR), BEST)
        assert thrown.keys() == set(map(card_name, best.thrown.tolist()))
        assert len(thrown) == BEST
        assert all(abs(often - MANY / BEST) < 50 for often in thrown.values())

    def test_knocks_with_gin_all_the_same(self):
        done = Straying(EXPERT, 1.0).throws(many(NEAR.replace("9S", "TH")), dice())
        assert done.knocks.all()

    def test_does_so_as_often_as_it_is_told(self):
        done = Straying(MEDIUM, 0.3).throws(many(NEAR), dice())
        assert abs(1 - done.knocks.mean() - 0.3) < 0.06

    @pytest.mark.parametrize("strays", [1.0, 0.5])
    def test_takes_the_other_way_a_tenth_as_often(self, strays):
        seen = TEN.rows(np.arange(80).repeat(50))
        flips = Straying(EXPERT, strays).takes(seen, dice()) ^ EXPERT.takes(seen, CHANCE)
        assert abs(flips.mean() - strays / 10) < 0.02
