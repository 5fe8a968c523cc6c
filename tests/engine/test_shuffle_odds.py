"""The orders of the fair deal are as good as chance; the sweep is as long as GIN_SWEEP_DECKS says.

Seeds are fixed, so that each run says the same of the same number of decks.
"""

import os
from random import Random

import numpy as np
import pytest

from engine.shuffle import Deal, deck_order, draw_for_dealer, draw_order, recycled_order
from tests.odds import CARDS, Tally, batches, bound, eulerian, matches

DECKS = int(os.environ.get("GIN_SWEEP_DECKS", "20000"))
FEW = 20_000
"""Decks in which a shuffle that is no good is found out."""


def tallied(decks):
    tally = Tally()
    for batch in batches(decks):
        tally.add(batch)
    return tally


def wrong(tally):
    found = tally.deviations()
    return {name for name, deviation in found.items() if abs(deviation) > bound(len(found))}


def deals(count, seed):
    """So many deals, a third each with two nonces, one, or none."""
    rng = Random(seed)
    for number in range(count):
        nonces = [rng.randbytes(32) if number % 3 > index else None for index in (0, 1)]
        yield Deal(f"g_{number % 97}", 1 + number % 7, rng.randbytes(32), *nonces)


class TestTheOrders:
    def test_of_decks_are_as_chance_would_have_them(self):
        tally = tallied(map(deck_order, deals(DECKS, 7)))
        assert tally.decks == DECKS
        assert wrong(tally) == set()

    def test_of_draws_and_recycled_cards_are_so_as_well(self):
        count = FEW // 2
        assert wrong(tallied(map(draw_order, deals(count, 8)))) == set()
        recycled = (recycled_order(deal, 1, range(CARDS)) for deal in deals(count, 9))
        assert wrong(tallied(recycled)) == set()

    def test_of_one_seed_with_other_nonces_are_so_as_well(self):
        seed, rng = bytes(32), Random(10)
        decks = (deck_order(Deal("g", 1, seed, rng.randbytes(32), None)) for _ in range(FEW // 2))
        assert wrong(tallied(decks)) == set()

    def test_of_the_hands_of_one_game_are_so_as_well(self):
        decks = (deck_order(Deal("g", hand, bytes(32))) for hand in range(1, FEW // 2 + 1))
        assert wrong(tallied(decks)) == set()

    @pytest.mark.parametrize("seats", [2, 3])
    def test_let_every_seat_deal_first_equally_often(self, seats):
        count = FEW // 2
        dealt = np.zeros(seats)
        for deal in deals(count, 11):
            dealt[draw_for_dealer(draw_order(deal), seats)[1]] += 1
        spread = (count / seats * (1 - 1 / seats)) ** 0.5
        assert abs(dealt - count / seats).max() < bound(2 * seats) * spread


def cut_bytes(rng):
    """Fisher and Yates with a byte for each choice, and no byte refused."""
    deck = list(range(CARDS))
    for last in range(CARDS - 1, 0, -1):
        other = rng.randbytes(1)[0] % (last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def any_swap(rng):
    """Every card changes places with any card: not every order is equally likely."""
    deck = list(range(CARDS))
    for place in range(CARDS):
        other = rng.randrange(CARDS)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def never_itself(rng):
    """Sattolo's mistake: no card may stay where it is."""
    deck = list(range(CARDS))
    for last in range(CARDS - 1, 0, -1):
        other = rng.randrange(last)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def short_tags(rng):
    """A sort by tags of one byte: many are equal, and those cards stay in their order."""
    tags = rng.randbytes(CARDS)
    return sorted(range(CARDS), key=tags.__getitem__)


def cut_only(rng):
    """A deck that is cut, not shuffled: each card is anywhere equally often."""
    place = rng.randrange(CARDS)
    return [(place + card) % CARDS for card in range(CARDS)]


def seven_riffles(rng):
    """Seven times two halves fall into each other, as with cards of paper."""
    deck = list(range(CARDS))
    for _ in range(7):
        left = [rng.random() < 0.5 for _ in range(CARDS)]
        halves = iter(deck[: sum(left)]), iter(deck[sum(left) :])
        deck = [next(halves[not one]) for one in left]
    return deck


BIASED = {
    cut_bytes: {"positions"},
    any_swap: {"positions"},
    never_itself: {"positions", "fixed points"},
    short_tags: {"ascents", "runs", "permutations"},
    cut_only: {"neighbours", "first pairs", "ascents", "permutations"},
    seven_riffles: {"neighbours"},
}


class TestTheTests:
    @pytest.mark.parametrize("shuffle", BIASED, ids=lambda shuffle: shuffle.__name__)
    def test_find_out_a_shuffle_that_is_no_good(self, shuffle):
        rng = Random(1)
        assert wrong(tallied(shuffle(rng) for _ in range(FEW))) >= BIASED[shuffle]

    def test_let_chance_pass(self):
        rng = Random(2)
        assert wrong(tallied(rng.sample(range(CARDS), CARDS) for _ in range(FEW))) == set()

    def test_deviate_as_a_normal_number_does(self):
        rng, found = np.random.default_rng(3), []
        for _ in range(60):
            tally = Tally()
            tally.add(rng.permuted(np.tile(np.arange(CARDS), (5000, 1)), axis=1))
            found.append(list(tally.deviations().values()))
        each = np.array(found)
        assert abs(each.mean(axis=0)).max() < 0.6
        assert each.std(axis=0).min() > 0.7
        assert each.std(axis=0).max() < 1.3

    def test_know_the_shares_of_runs_and_of_matches(self):
        assert eulerian().sum() == pytest.approx(1)
        assert (eulerian() * np.arange(CARDS)).sum() == pytest.approx(25.5)
        assert matches().sum() == pytest.approx(1)
        assert (matches() * np.arange(CARDS + 1)).sum() == pytest.approx(1)
        assert matches()[CARDS - 1] == 0
