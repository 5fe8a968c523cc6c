from dataclasses import replace

import numpy as np
import pytest

from engine.cards import card_name
from engine.melds import deadwood
from engine.players.features import draws_of
from engine.players.policies import choices_of
from engine.players.sparring import GIN_ONLY_AFTER, PARTNERS, POLICIES, Camper, Simple
from tests.positions import CHANCE, any_sights, rows_of, sight

NEAR = "AC 2C 3C 4D 5D 6D 7H 8H 9H 9S KS"


def thrown(policy, seen, chance=CHANCE):
    done = policy.throws(seen, chance)
    return [*zip(map(card_name, done.card.tolist()), done.knocks.tolist(), strict=True)]


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
class TestTheFaceUpCard:
    def test_is_taken_only_if_it_melds(self, policy):
        some = any_sights("sparring", 60)
        expected = [
            deadwood(row["cards"] | 1 << row["top"]) <= deadwood(row["cards"])
            for row in rows_of(some)
        ]
        assert set(expected) == {True, False}
        assert policy.takes(some, CHANCE).tolist() == expected


class TestTheSimplePlayer:
    def test_throws_the_highest_unmatched_card(self):
        held = "AC 2C 3C 9D 9H 9S 4H 6D 8C 7H KS"
        assert thrown(Simple(), sight(held)) == [("KS", False)]
        assert thrown(Simple(), sight(held.replace("KS", "2S"))) == [("8C", False)]

    def test_throws_any_of_those_that_are_as_high(self):
        seen = sight("AC 2C 3C 9D 9H 9S 4H 6D JC QH KS")
        chance = np.random.default_rng(1)
        cards = [thrown(Simple(), seen, chance)[0][0] for _ in range(300)]
        assert {name: 60 < cards.count(name) < 140 for name in cards} == {
            "JC": True,
            "QH": True,
            "KS": True,
        }

    def test_breaks_no_meld_for_a_high_card(self):
        assert thrown(Simple(), sight("KC KD KS 9D 9H 9S 4H 6D AC 2H 3S")) == [("6D", True)]

    def test_leaves_the_least_deadwood_whatever_it_holds(self):
        some = any_sights("simple", 60, held=11)
        choices = choices_of(some)
        done = Simple().throws(some, np.random.default_rng(2))
        for row, (plain, card) in enumerate(zip(rows_of(some), done.card.tolist(), strict=True)):
            left = deadwood(plain["cards"] ^ 1 << card)
            assert left == min(choices.deadwood[choices.owner == row])

    @pytest.mark.parametrize("turn", [1, 9, 30])
    def test_knocks_as_soon_as_it_can(self, turn):
        assert thrown(Simple(), sight(NEAR, turn=turn)) == [("KS", True)]
        assert thrown(Simple(), sight(NEAR, turn=turn, limit=8)) == [("KS", False)]


class TestTheCamper:
    def test_knocks_with_more_than_nothing_only_in_its_first_turns(self):
        assert thrown(Camper(), sight(NEAR, turn=GIN_ONLY_AFTER)) == [("KS", True)]
        assert thrown(Camper(), sight(NEAR, turn=GIN_ONLY_AFTER + 1))[0][1] is False
        assert thrown(Camper(), sight(NEAR, turn=GIN_ONLY_AFTER, limit=8))[0][1] is False

    @pytest.mark.parametrize("turn", [1, 30])
    def test_knocks_with_gin_whenever_it_can(self, turn):
        assert thrown(Camper(), sight(NEAR.replace("9S", "TH"), turn=turn)) == [("KS", True)]

    def test_throws_what_leaves_the_most_hope(self):
        some = replace(any_sights("camper", 25, held=11), turn=np.full(25, 9))
        done = Camper().throws(some, CHANCE)
        choices = choices_of(some)
        for row, card in enumerate(done.card.tolist()):
            costs = self.costs(choices, row, some)
            if not done.knocks[row]:
                assert costs[card] == pytest.approx(min(costs.values()))

    def test_gives_some_deadwood_for_a_better_chance_of_gin(self):
        """The jack would leave less after the next draw in the mean, the eight more ways to gin."""
        seen = sight("7C 9C TC JC TD JD 7H 8H TH 7S TS", turn=9)
        choices = choices_of(seen, most=6)
        draws = draws_of(choices.kept, seen.unseen[choices.owner])
        without_gin = choices.deadwood + 2 * draws.mean_of_best(7)
        assert card_name(int(choices.thrown[np.argmin(without_gin)])) == "JD"
        assert thrown(Camper(), seen) == [("8H", False)]

    def costs(self, choices, row, some):
        """The cost of the six discards that leave least: now, at the next draw, less for gin."""
        places = np.flatnonzero(choices.owner == row)
        places = places[np.argsort(choices.deadwood[places], kind="stable")][:6]
        draws = draws_of(choices.kept[places], some.unseen[np.full(len(places), row)])
        hope = 2 * draws.mean_of_best(7) - 40 * draws.chance(0)
        return dict(
            zip(
                choices.thrown[places].tolist(),
                (choices.deadwood[places] + hope).tolist(),
                strict=True,
            )
        )

    def test_looks_at_no_dice(self):
        chance = np.random.default_rng(3)
        before = chance.bit_generator.state
        some = any_sights("dice", 5, held=11)
        Camper().throws(some, chance)
        assert chance.bit_generator.state == before


class TestThePartners:
    def test_play_a_seat_by_the_policy_of_their_name(self):
        assert {name: each.policy for name, each in PARTNERS.items()} == POLICIES

    def test_leave_something_to_chance_where_their_policy_does(self):
        assert {name: each.chancy for name, each in PARTNERS.items()} == {
            "simple": True,
            "camper": False,
        }
