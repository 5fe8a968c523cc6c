"""Melding and laying off by trying everything, on card names, knowing nothing of the engine.

Slow and plain on purpose: each function follows the words of the rules, one after another.
"""

from functools import cache
from itertools import combinations

RANKS = "A23456789TJQK"
SUITS = "CDHS"
DECK = [rank + suit for suit in SUITS for rank in RANKS]


def value(card):
    return {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(card[0]) or int(card[0])


def total(cards):
    return sum(map(value, cards))


def is_set(cards):
    return len(set(cards)) == len(cards) in {3, 4} and len({card[0] for card in cards}) == 1


def is_run(cards):
    ranks = "".join(sorted((card[0] for card in cards), key=RANKS.index))
    return len(cards) >= 3 and len({card[1] for card in cards}) == 1 and ranks in RANKS


def is_meld(cards):
    return is_set(cards) or is_run(cards)


def melds_within(cards):
    """Every meld that can be made of some of ``cards``."""
    found = []
    for rank in RANKS:
        same = [card for card in cards if card[0] == rank]
        found += [frozenset(some) for size in (3, 4) for some in combinations(same, size)]
    for suit in SUITS:
        for low in range(13):
            for end in range(low + 3, 14):
                run = {rank + suit for rank in RANKS[low:end]}
                if run <= set(cards):
                    found.append(frozenset(run))
    return found


def layouts(cards):
    """Every way to choose melds of ``cards`` that have no card in common, the empty one too."""

    def extend(chosen, offered):
        yield chosen
        for index, meld in enumerate(offered):
            later = [other for other in offered[index + 1 :] if not other & meld]
            yield from extend([*chosen, meld], later)

    return extend([], melds_within(cards))


def left_by(layout, cards):
    return set(cards).difference(*layout)


@cache
def least_deadwood(cards):
    """The least deadwood of ``cards``, a frozenset."""
    return min(total(left_by(layout, cards)) for layout in layouts(cards))


def joined(layout):
    """``layout`` with runs of one suit that touch made one, as a frozenset of melds."""
    melds = list(layout)
    for one, other in combinations(melds, 2):
        if is_run(one) and is_run(other) and is_run(one | other):
            return joined([m for m in melds if m not in {one, other}] + [one | other])
    return frozenset(melds)


def best_layouts(cards):
    """Every lay-out of ``cards`` that leaves the least, touching runs joined."""
    least = least_deadwood(frozenset(cards))
    return {joined(layout) for layout in layouts(cards) if total(left_by(layout, cards)) == least}


def could_be_added(melds, cards):
    """Those of ``cards`` that can get onto one of ``melds`` in some order."""
    found = set()
    for meld in melds:
        grown = [meld]
        for current in grown:
            for card in set(cards) - current:
                if is_meld(current | {card}):
                    found.add(card)
                    if current | {card} not in grown:
                        grown.append(current | {card})
    return found


def in_deck_order(cards):
    return sorted(DECK.index(card) for card in cards)


def layout_to_show(cards, seen=()):
    """The lay-out by the rule for equal ones: lay-offs it is open to, sets, order of cards."""
    unseen = set(DECK) - set(cards) - set(seen)

    def preference(layout):
        return (
            len(could_be_added(layout, unseen)),
            -sum(map(is_set, layout)),
            sorted(map(in_deck_order, layout)),
        )

    return min(best_layouts(cards), key=preference)


def best_defence(melds, cards):
    """The least deadwood after any lay-offs on ``melds``, and the fewest lay-offs that reach it."""
    known = {}

    def best(melds, cards):
        if (melds, cards) not in known:
            ways = [(least_deadwood(cards), 0)]
            for card in cards:
                for meld in melds:
                    if is_meld(meld | {card}):
                        deadwood, more = best(melds - {meld} | {meld | {card}}, cards - {card})
                        ways.append((deadwood, more + 1))
            known[melds, cards] = min(ways)
        return known[melds, cards]

    return best(frozenset(map(frozenset, melds)), frozenset(cards))
