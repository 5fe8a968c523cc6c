"""What is written as text at once is what the encoder writes of the objects."""

import random

import orjson
import pytest

from engine.cards import DECK
from engine.layoffs import LayOff
from engine.melds import ALL_MELDS, best_arrangement
from service.schemas import dump, texts
from tests.random_hands import rich


def written(value) -> str:
    return orjson.dumps(value).decode()


class TestCards:
    @pytest.mark.parametrize("cards", [0, 1, 1 << 51, DECK, 0x8000000004003])
    def test_are_the_list_of_their_names(self, cards):
        assert texts.cards(cards) == written(dump.card_names(cards))

    def test_of_any_set_are_too(self):
        rng = random.Random(1)
        for cards in (rng.getrandbits(52) for _ in range(2000)):
            assert texts.cards(cards) == written(dump.card_names(cards))


class TestMelds:
    def test_each_are_written_as_objects_are(self):
        assert texts.melds_in_order(ALL_MELDS) == written(dump.melds(ALL_MELDS))

    def test_of_a_hand_stand_in_their_order(self):
        rng = random.Random(2)
        for hand in (rich(rng, 10) for _ in range(500)):
            best = best_arrangement(hand)
            sets = sum(meld.cards for meld in best.melds if meld.kind == "set")
            runs = sum(meld.cards for meld in best.melds if meld.kind == "run")
            assert texts.melds(sets, runs) == written(dump.melds(best.melds))

    def test_that_are_none_are_an_empty_list(self):
        assert texts.melds(0, 0) == "[]"


class TestLayOffs:
    @pytest.mark.parametrize("made", [(), (LayOff(0, 1),), (LayOff(51, 0), LayOff(9, 2))])
    def test_are_written_as_objects_are(self, made):
        assert texts.lay_offs(made) == written(dump.lay_offs(made))
