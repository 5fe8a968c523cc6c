import os
import random

from engine.cards import DECK, card_names, each_card, points
from engine.melds import arrangements, deadwood
from engine.rank_by_rank import RankByRank
from tests import brute_force, random_hands

SWEEP = int(os.environ.get("GIN_SWEEP_HANDS", "1000"))


class TestMeldingRankByRank:
    def test_agrees_with_trying_every_set(self):
        rng = random.Random(1)
        for number in range(SWEEP // 4):
            hand = random_hands.rich(rng, number % 12)
            assert RankByRank(hand).deadwood() == deadwood(hand)
            assert len(list(RankByRank(hand).rests())) == len(arrangements(hand))

    def test_agrees_with_brute_force(self):
        rng = random.Random(2)
        for number in range(SWEEP // 20):
            hand = random_hands.rich(rng, 12 + number % 4)
            names = card_names(hand)
            assert RankByRank(hand).deadwood() == brute_force.least_deadwood(frozenset(names))

    def test_finds_each_rest_once(self):
        rng = random.Random(3)
        for number in range(SWEEP // 20):
            hand = random_hands.rich(rng, 12 + number % 9)
            rests = list(RankByRank(hand).rests())
            assert len(set(rests)) == len(rests)
            for rest in rests:
                assert rest & ~hand == 0
                sets = [(hand ^ rest) & 0x8004002001 << rank for rank in range(13)]
                assert {each.bit_count() for each in sets} <= {0, 3, 4}

    def test_never_gains_more_than_a_card_is_worth(self):
        rng = random.Random(4)
        for _ in range(SWEEP // 100):
            hand = random_hands.dealt(rng, 26)
            least = RankByRank(hand).deadwood()
            for card in each_card(hand):
                assert least <= RankByRank(hand ^ 1 << card).deadwood() + points(1 << card)

    def test_melds_the_whole_deck(self):
        assert RankByRank(DECK).deadwood() == 0
        assert next(RankByRank(DECK).rests()) == DECK
