"""Analyses written all at once are those that each hand has by itself."""

import random
from dataclasses import replace

import pytest

from engine.analyses import analyse
from engine.cards import cards_of
from engine.hand_scores import Mistold
from engine.rules import STANDARD
from service.plain_analyses import FEWEST, plain_analyses
from service.schemas.dump_scoring import analysis
from tests.random_hands import dealt, mid_game, rich

RULES = (
    STANDARD,
    replace(STANDARD, knock_limit=3, advice="off"),
    replace(STANDARD, knock_mode="oklahoma", spade_doubles="all"),
    replace(STANDARD, big_gin=True),
    replace(STANDARD, multi_pickup=True),
)


def asked_of(rng):
    cards = rng.choice([lambda rng: dealt(rng, 11), lambda rng: rich(rng, 11), drawn])(rng)
    if rng.random() < 0.1:
        cards = dealt(rng, rng.choice([9, 10, 12]))
    asked = {"cards": cards, "rules": rng.choice(RULES)}
    if rng.random() < 0.5:
        asked["upcard"] = rng.randrange(52)
    if rng.random() < 0.3:
        asked["taken_from_discard"] = rng.randrange(52)
    if rng.random() < 0.1:
        asked["max_arrangements"] = rng.randint(1, 3)
    return asked


def drawn(rng):
    kept = mid_game(rng)
    return kept | cards_of([rng.choice([card for card in range(52) if not kept >> card & 1])])


def alone(asked):
    try:
        return analysis(analyse(**asked))
    except Mistold:
        return None


class TestManyHands:
    @pytest.mark.parametrize("part", range(3))
    def test_are_analysed_as_each_by_itself(self, part):
        rng = random.Random(part)
        asked = [asked_of(rng) for _ in range(300)]
        written = plain_analyses(asked)
        assert len(written) > 80
        for place, wire in written.items():
            assert wire == alone(asked[place])
            assert list(wire) == list(alone(asked[place]))

    def test_are_all_written_at_once_if_they_are_plain(self):
        rng = random.Random(7)
        asked = [{"cards": drawn(rng), "rules": STANDARD} for _ in range(50)]
        assert plain_analyses([None, *asked]).keys() == set(range(1, 51))
        assert plain_analyses(asked[: FEWEST - 1]) == {}
