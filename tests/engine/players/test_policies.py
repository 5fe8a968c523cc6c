import numpy as np
import pytest

from engine.cards import POINTS, card_names, each_card
from engine.melds import deadwood, deadwood_after_each_discard
from engine.players.policies import choices_of, melds_top
from tests.positions import any_sights, rows_of, sight, stacked

SIGHTS = any_sights("policies", 30, held=11)
ROWS = rows_of(SIGHTS)


def listed(choices):
    """The choices of each row: card, what is kept, deadwood."""
    found = [[] for _ in ROWS]
    columns = (choices.owner, choices.thrown, choices.kept, choices.deadwood)
    for owner, *choice in zip(*map(np.ndarray.tolist, columns), strict=True):
        found[owner].append(tuple(choice))
    return found


def all_choices(row):
    after = deadwood_after_each_discard(row["cards"])
    open_ones = [card for card in each_card(row["cards"]) if card != row["barred"]]
    return [(card, row["cards"] ^ 1 << card, after[card]) for card in open_ones]


class TestTheChoices:
    def test_are_all_cards_that_may_be_thrown_with_what_they_leave(self):
        assert any(row["barred"] >= 0 for row in ROWS)
        for found, row in zip(listed(choices_of(SIGHTS)), ROWS, strict=True):
            assert sorted(found) == all_choices(row)

    def test_begin_with_the_dearest_cards(self):
        for found in listed(choices_of(SIGHTS)):
            dear = [POINTS[card] for card, _, _ in found]
            assert dear == sorted(dear, reverse=True)

    @pytest.mark.parametrize("most", [1, 4, 7])
    def test_of_which_only_some_are_looked_at_are_those_that_leave_least(self, most):
        """Of those with the same deadwood left they are the dearest."""
        for found, row in zip(listed(choices_of(SIGHTS, most)), ROWS, strict=True):
            ranked = sorted(all_choices(row), key=lambda each: (each[2], -POINTS[each[0]]))
            kept = [(left, POINTS[card]) for card, _, left in found]
            assert sorted(kept) == sorted((left, POINTS[card]) for card, _, left in ranked[:most])

    def test_of_rows_with_more_and_fewer_cards_are_those_of_each(self):
        some = stacked([sight("KC QC 2D"), sight("AS 5H"), sight("9C 9D 9H 9S TD")])
        choices = choices_of(some)
        assert np.bincount(choices.owner).tolist() == [3, 2, 5]
        assert choices.deadwood[choices.owner == 2].tolist() == [0, 10, 10, 10, 10]

    def test_of_no_rows_are_none(self):
        assert len(choices_of(SIGHTS.rows(np.arange(0))).owner) == 0


class TestTheBestChoice:
    def test_costs_least_in_its_row(self):
        choices = choices_of(SIGHTS)
        cost = np.random.default_rng(1).random(len(choices.owner))
        best = choices.best(cost, len(ROWS))
        assert choices.owner[best].tolist() == list(range(len(ROWS)))
        for row, chosen in enumerate(best.tolist()):
            assert cost[chosen] == min(cost[choices.owner == row])

    def test_throws_the_dearest_card_of_equals(self):
        choices = choices_of(SIGHTS)
        best = choices.best(np.zeros(len(choices.owner)), len(ROWS))
        for row, card in zip(ROWS, choices.thrown[best].tolist(), strict=True):
            assert POINTS[card] == max(POINTS[each] for each, _, _ in all_choices(row))


class TestTheTopOfThePile:
    def test_melds_where_no_more_deadwood_is_left_with_it(self):
        some = any_sights("tops", 60)
        expected = [
            deadwood(row["cards"] | 1 << row["top"]) <= deadwood(row["cards"])
            for row in rows_of(some)
        ]
        assert melds_top(some).tolist() == expected
        assert set(expected) == {True, False}

    def test_melds_nothing_where_there_is_none(self):
        """The place of no card must not be read as that of the ace of clubs."""
        assert card_names(1) == ["AC"]
        assert melds_top(sight("2C 3C 4C KD")).tolist() == [False]
        assert melds_top(sight("2C 3C 4C KD", top="AC")).tolist() == [True]
