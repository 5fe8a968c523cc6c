"""Every lay-out, in order of the deadwood it leaves."""

import random
from itertools import islice, pairwise

import pytest

from engine.cards import card_names, parse_cards
from engine.lay_outs import first_lay_outs, lay_outs
from engine.melds import arrangements, best_arrangement, check_arrangement
from tests import brute_force
from tests.random_hands import dealt, rich
from tests.tables import cards


def named(arrangement):
    return frozenset(frozenset(card_names(meld.cards)) for meld in arrangement.melds)


def joined(layout):
    """The melds of a layout; two runs of one suit that touch are one."""
    melds = [meld for meld in layout if not brute_force.is_run(meld)]
    for suit in brute_force.SUITS:
        laid = {card for meld in layout if brute_force.is_run(meld) for card in meld}
        row = "".join(rank if rank + suit in laid else " " for rank in brute_force.RANKS)
        melds += [frozenset(rank + suit for rank in run) for run in row.split()]
    return frozenset(melds)


def hands():
    rng = random.Random(7)
    return [rich(rng, 10) for _ in range(15)] + [dealt(rng, 11) for _ in range(15)]


class TestAllLayOuts:
    @pytest.mark.parametrize("held", hands())
    def test_are_those_that_trying_everything_finds(self, held):
        found = list(lay_outs(held))
        tried = {joined(layout) for layout in brute_force.layouts(card_names(held))}
        assert {named(each) for each in found} == tried
        assert len(found) == len(tried)

    @pytest.mark.parametrize("held", hands()[:8])
    def test_come_in_order_and_add_up(self, held):
        found = list(lay_outs(held))
        assert all(one.deadwood <= other.deadwood for one, other in pairwise(found))
        for each in found:
            melds = [meld.cards for meld in each.melds]
            assert check_arrangement(melds, held) == each

    def test_of_a_whole_deck_begin_with_the_best(self):
        deck = (1 << 52) - 1
        first = list(islice(lay_outs(deck), 5))
        assert [each.deadwood for each in first] == [0] * 5


class TestTheFirstLayOuts:
    @pytest.mark.parametrize("held", hands()[:10])
    def test_are_the_best_then_others_as_good_then_the_next(self, held):
        (first, *others), _ = first_lay_outs(held, 50)
        assert first == best_arrangement(held)
        minimal = arrangements(held)
        assert {named(each) for each in (first, *others)[: len(minimal)]} == {
            named(each) for each in minimal
        }
        assert all(each.deadwood > first.deadwood for each in others[len(minimal) - 1 :])

    def test_say_whether_there_are_more(self):
        run = cards("4C 5C 6C KD")
        best, nothing = first_lay_outs(run, 2)[0]
        assert (best.deadwood, nothing.deadwood, nothing.melds) == (10, 25, ())
        assert first_lay_outs(run, 1) == ((best,), True)
        assert first_lay_outs(run, 2)[1] is False
        loose = parse_cards(["4C", "KD"])
        assert first_lay_outs(loose, 1) == ((best_arrangement(loose),), False)

    def test_show_a_card_kept_out_of_a_run(self):
        found, more = first_lay_outs(cards("4C 5C 6C 7C"), 50)
        assert [each.deadwood for each in found] == [0, 4, 7, 22]
        assert not more
