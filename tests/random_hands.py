"""Hands for tests and benchmarks: as dealt, rich in melds, mid-game, and knocks."""

import random

from engine.cards import Cards, card_names, cards_of
from engine.melds import deadwood_after_each_discard
from tests import brute_force


def dealt(rng: random.Random, count: int) -> Cards:
    """``count`` cards of a shuffled deck."""
    return cards_of(rng.sample(range(52), count))


def rich(rng: random.Random, count: int) -> Cards:
    """``count`` cards from few neighbouring ranks, where sets and runs get in each other's way."""
    width = rng.randint(-(-count // 4), 7)
    low = rng.randint(0, 13 - width)
    near = [13 * suit + rank for suit in range(4) for rank in range(low, low + width)]
    return cards_of(rng.sample(near, count))


def mid_game(rng: random.Random) -> Cards:
    """Ten cards after four to twelve draws, each kept if it lowers the deadwood.

    Each turn throws the card that leaves the least, the dearest of equals.
    """
    deck = rng.sample(range(52), 22)
    cards = cards_of(deck[:10])
    for card in deck[10 : 10 + rng.randint(4, 12)]:
        cards |= 1 << card
        after = deadwood_after_each_discard(cards)
        cards ^= 1 << min(after, key=lambda thrown: (after[thrown], -(thrown % 13)))
    return cards


def knock(rng: random.Random) -> tuple[list[frozenset[str]], frozenset[str]]:
    """A knocker's melds, and ten cards of the defender, many of which fit or nearly fit them."""
    pool = set(brute_force.DECK) if rng.random() < 0.3 else set(card_names(rich(rng, 20)))
    offered = brute_force.melds_within(pool)
    melds: list[frozenset[str]] = []
    while offered and len(melds) < 3 and rng.random() < 0.9:
        meld = rng.choice(offered)
        if sum(map(len, [*melds, meld])) <= 10:
            melds.append(meld)
            pool -= meld
        offered = [other for other in offered if other <= pool and other != meld]
    others = sorted(set(brute_force.DECK).difference(*melds))
    near = sorted(pool.difference(*melds))
    chosen = set(rng.sample(near, min(len(near), rng.randint(4, 10))))
    chosen |= set(rng.sample([card for card in others if card not in chosen], 10 - len(chosen)))
    return melds, frozenset(chosen)
