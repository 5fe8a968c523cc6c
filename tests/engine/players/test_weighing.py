"""Each weight does what its sentence says: against plain recounts, row by row."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from engine.cards import POINTS, card_name, card_names, each_card
from engine.melds import deadwood, deadwood_after_each_discard
from engine.players.outlook import OTHERS
from engine.players.weighing import (
    DANGER,
    EXPERT,
    HARD,
    MEDIUM,
    MOST_CHOICES,
    SAVES,
    Weighing,
    Weights,
)
from tests.positions import CHANCE, any_sights, rows_of, sight

NEAR = "AC 2C 3C 4D 5D 6D 7H 8H 9H 9S KS"
FAR = "AC 3D 5H 7C 9S 8D KH 2S 4C 6D 9C"
ELEVEN = any_sights("weighing eleven", 25, held=11)
TEN = any_sights("weighing ten", 60)


def thrown(seen, chance=CHANCE, **weights):
    done = Weighing(Weights(**weights)).throws(seen, chance)
    return [*zip(map(card_name, done.card.tolist()), done.knocks.tolist(), strict=True)]


def takes(seen, **weights):
    return Weighing(Weights(**weights)).takes(seen, CHANCE).tolist()


def choices(row):
    """The discards that are looked at: card and what it leaves, the dearest of equals first."""
    after = deadwood_after_each_discard(row["cards"])
    after.pop(row["barred"], None)
    ranked = sorted(after.items(), key=lambda each: (each[1], -POINTS[each[0]]))
    return ranked[:MOST_CHOICES]


def mean_of_best(cards, live, number=52):
    """The mean of the least deadwood after the best draws and a discard."""
    grown = [cards | 1 << card for card in each_card(live)]
    least = sorted(min(deadwood_after_each_discard(each).values()) for each in grown)[:number]
    return sum(least) / len(least)


def uses(card, row):
    """How many melds they could make with a card of which they hold none, one and two others."""
    reach = row["theirs"] | row["unseen"]
    melds = [others for others in OTHERS[card] if not others & ~reach]
    found = Counter((others & row["theirs"]).bit_count() for others in melds)
    return [found[number] for number in range(3)]


def throws_what_costs_least(weights, cost):
    """Whether each row that does not knock throws what costs least by ``cost(row, card, left)``."""
    seen = 0
    done = Weighing(weights).throws(ELEVEN, CHANCE)
    for row, card, knocks in zip(rows_of(ELEVEN), done.card.tolist(), done.knocks, strict=True):
        costs = {each: cost(row, each, left) for each, left in choices(row)}
        if not knocks:
            seen += 1
            least = min(costs.values())
            assert costs.get(card, least) == pytest.approx(least), card_names(row["cards"])
            assert deadwood(row["cards"] ^ 1 << card) <= choices(row)[-1][1]
    assert seen > 5


class TestADiscard:
    def test_leaves_the_least_where_nothing_else_is_weighed(self):
        throws_what_costs_least(Weights(), lambda row, card, left: left)
        assert thrown(sight(FAR)) == [("KH", False)]

    def test_is_the_dearest_of_those_that_leave_as_little(self):
        assert thrown(sight("AC 2C 3C 4C 5D 5H 5S 9D 9H 9S 9C", limit=-1)) == [("9C", False)]

    def test_looks_ahead_by_as_much_as_the_weight_says(self):
        def cost(row, card, left):
            ahead = mean_of_best(row["cards"] ^ 1 << card, row["unseen"], 7)
            return left + 10 * 0.92 ** row["turn"] * ahead

        throws_what_costs_least(Weights(ahead=10, fading=0.92), cost)

    def test_looks_ahead_as_much_at_any_turn_where_nothing_fades(self):
        def cost(row, card, left):
            return left + 2 * mean_of_best(row["cards"] ^ 1 << card, row["unseen"], 7)

        throws_what_costs_least(Weights(ahead=2), cost)

    def test_weighs_what_they_could_do_with_it(self):
        def cost(row, card, left):
            return left + 0.7 * sum(
                many * points for many, points in zip(uses(card, row), DANGER, strict=True)
            )

        throws_what_costs_least(Weights(danger=0.7), cost)

    def test_is_not_what_makes_them_a_meld_where_that_counts(self):
        seen = sight("AC 2C 3C 4D 5D 6D 7H 8S 2H AH KS", "KC KD", limit=5)
        assert thrown(seen) == [("KS", False)]
        assert thrown(seen, danger=1.0) == [("8S", False)]

    def test_is_none_that_may_not_be_thrown(self):
        barred = sight(NEAR, barred="KS", limit=-1)
        assert thrown(barred) == [("9S", False)]


class TestSlips:
    MANY = 600

    def many(self, held=FAR):
        return sight(held).rows(np.zeros(self.MANY, np.intp))

    def test_of_nothing_never_happen(self):
        done = thrown(self.many(), np.random.default_rng(1), slips=0.0)
        assert set(done) == {("KH", False)}

    def test_of_one_throw_any_of_the_cards_looked_at(self):
        done = Counter(thrown(self.many(), np.random.default_rng(1), slips=1.0))
        looked_at = {card_name(card) for card, _ in choices(rows_of(sight(FAR))[0])}
        assert {card for card, _ in done} == looked_at
        assert all(abs(many - self.MANY / 7) < 40 for many in done.values())

    def test_happen_as_often_as_they_say(self):
        done = thrown(self.many(), np.random.default_rng(1), slips=0.35)
        others = sum(card != "KH" for card, _ in done) / self.MANY
        assert abs(others - 0.35 * 6 / 7) < 0.06

    def test_do_not_touch_a_knock(self):
        done = thrown(self.many(NEAR), np.random.default_rng(1), slips=1.0)
        assert set(done) == {("KS", True)}


class TestPatience:
    PATIENCE = ((4, 6), (8, 3), (10, 0))

    def knocks(self, left, turn, limit=10):
        held = NEAR.replace("9S", left)
        return thrown(sight(held, turn=turn, limit=limit), patience=self.PATIENCE)[0][1]

    def test_of_nothing_knocks_with_as_much_as_is_allowed(self):
        for turn in (1, 9, 40):
            assert thrown(sight(NEAR, turn=turn)) == [("KS", True)]
            assert thrown(sight(NEAR, turn=turn, limit=8)) == [("KS", False)]

    @pytest.mark.parametrize(
        ("turn", "most"), [(1, 10), (3, 10), (4, 6), (7, 6), (8, 3), (9, 3), (10, 0), (30, 0)]
    )
    def test_knocks_from_each_turn_on_with_so_much(self, turn, most):
        cards = {"TS": 10, "7S": 7, "6S": 6, "4S": 4, "3S": 3, "AS": 1, "TH": 0}
        assert {left: self.knocks(left, turn) for left in cards} == {
            left: deadwood <= most for left, deadwood in cards.items()
        }

    def test_allows_no_more_than_the_rules(self):
        assert not self.knocks("6S", turn=5, limit=5)
        assert self.knocks("5S", turn=5, limit=5)
        assert self.knocks("TH", turn=5, limit=0)


class TestTheFaceUpCard:
    def expected(self, row, *, compares=False):
        with_it = dict(row, cards=row["cards"] | 1 << row["top"], barred=row["top"])
        left, now = choices(with_it)[0][1], deadwood(row["cards"])
        melds = deadwood(with_it["cards"]) <= now and left < now
        helps = melds or left <= now - SAVES
        if compares:
            helps = helps and left < mean_of_best(row["cards"], row["unseen"])
        return bool(helps or left <= row["limit"])

    def test_is_taken_for_a_meld_or_to_save_real_points_or_to_knock(self):
        expected = [self.expected(row) for row in rows_of(TEN)]
        assert takes(TEN) == expected
        assert set(expected) == {True, False}

    def test_is_taken_by_who_compares_only_if_a_blind_draw_leaves_more_in_the_mean(self):
        expected = [self.expected(row, compares=True) for row in rows_of(TEN)]
        assert takes(TEN, compares=True) == expected
        assert expected != takes(TEN)

    def test_is_taken_to_knock_only_while_one_would_knock(self):
        """The nine saves one point of ten, the two eight."""
        held = NEAR.replace("9S KS", "TS")
        seen = sight(held, top="9S", turn=20)
        assert takes(seen) == [True]
        assert takes(seen, patience=((4, 3),)) == [False]
        assert takes(sight(held, top="2S", turn=20), patience=((4, 1),)) == [True]

    def test_of_the_next_turn_is_what_counts_for_patience(self):
        """The card is taken in the turn that is to come."""
        held = NEAR.replace("9S KS", "TS")
        assert takes(sight(held, top="9S", turn=3), patience=((5, 3),)) == [True]
        assert takes(sight(held, top="9S", turn=4), patience=((5, 3),)) == [False]


class TestTheLevels:
    def test_slip_less_the_stronger_they_are(self):
        slips = [level.weights.slips for level in (MEDIUM, HARD, EXPERT)]
        assert slips == sorted(slips, reverse=True)
        assert slips[-1] == 0

    def test_look_ahead_and_at_danger_more_the_stronger_they_are(self):
        ahead = [(level.weights.ahead, level.weights.danger) for level in (MEDIUM, HARD, EXPERT)]
        assert ahead == sorted(ahead)
        assert ahead[0] == (0, 0)

    @pytest.mark.parametrize("level", [MEDIUM, HARD, EXPERT], ids=["medium", "hard", "expert"])
    def test_knock_with_gin_at_any_turn_and_limit(self, level):
        gin = NEAR.replace("9S", "TH")
        for turn, limit in ((1, 10), (30, 10), (9, 0)):
            done = level.throws(sight(gin, turn=turn, limit=limit), CHANCE)
            assert done.knocks.tolist() == [True]

    @pytest.mark.parametrize("level", [MEDIUM, HARD, EXPERT], ids=["medium", "hard", "expert"])
    def test_never_knock_above_the_limit(self, level):
        many = any_sights("limits", 150, held=11)
        done = level.throws(many, np.random.default_rng(4))
        kept = many.cards ^ np.left_shift(1, done.card)
        left = np.array([deadwood(cards) for cards in kept.tolist()])
        assert (left[done.knocks] <= many.limit[done.knocks]).all()
        assert 0 < done.knocks.sum() < 150

    def test_throw_the_same_in_rows_together_and_alone(self):
        many = replace(ELEVEN, limit=np.full(len(ELEVEN), -1))
        together = EXPERT.throws(many, CHANCE).card.tolist()
        alone = [
            int(EXPERT.throws(many.rows(np.array([row])), CHANCE).card[0])
            for row in range(len(many))
        ]
        assert together == alone
