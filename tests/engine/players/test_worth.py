from dataclasses import replace

import numpy as np
import pytest

from engine.actions import KnockKind
from engine.cards import each_card, parse_card
from engine.players.digging import kept_after
from engine.players.features import of_holding, of_knock
from engine.players.outlook import unseen
from engine.players.sight import sight_of, with_card
from engine.players.valued import features_kept
from engine.players.worth import (
    POLICY,
    danger_of,
    worth_of_draws,
    worth_of_knocks,
    worth_of_pile,
    worth_of_stock,
    worth_of_throws,
)
from engine.rules import STANDARD
from engine.views import view
from tests.tables import (
    AGAINST_MELDED,
    ALL_MELDED,
    OTHER,
    cards,
    discarding,
    play,
    stock_runs_down,
    table,
)

HELD = "AC 2C 3C 4D 5D 6D 7H 8H 9H 9S KS"
SPADES = replace(STANDARD, spade_doubles="all")
NEAR = pytest.approx


def due(game):
    return view(game, game.hand.to_act)


def before_a_draw(rules=STANDARD):
    return play(table(rules), "0 pass", "1 pass")


def value_of(game):
    """What the nets make of the position after a draw."""
    return POLICY.think(sight_of(due(game))).value[0]


class TestACardDrawn:
    def test_is_worth_what_the_best_is_worth_that_can_be_done_with_it(self):
        game = before_a_draw()
        drawn = [parse_card(name) for name in ("KS", "TH", "7C")]
        worths = worth_of_draws(due(game), drawn)
        for card, worth in zip(drawn, worths, strict=True):
            rest = tuple(each for each in game.hand.stock if each != card)
            lies_on_top = replace(game, hand=replace(game.hand, stock=(card, *rest)))
            assert worth == NEAR(value_of(play(lies_on_top, "0 draw stock")), abs=1e-3)
        assert worths[1] == max(worths)

    def test_that_may_not_be_thrown_is_worth_less_where_it_would_be(self):
        seen = [
            due(play(table(rules), "0 draw pile", "0 discard TS"))
            for rules in (STANDARD, replace(STANDARD, discard_drawn="any_drawn"))
        ]
        free, kept = (worth_of_draws(each, list(each_card(unseen(each)))) for each in seen)
        assert any(less < more - 0.1 for less, more in zip(kept, free, strict=True))

    def test_that_may_not_be_thrown_is_worth_no_more_where_all_discards_are_looked_at(self):
        """Of those that leave the least deadwood another one is looked at in its place."""
        drawn = np.array(list(each_card(unseen(due(before_a_draw())))))
        sight = sight_of(due(before_a_draw())).rows(np.zeros(len(drawn), np.intp))
        free, kept = (
            POLICY.think(with_card(sight, drawn, keeps=keeps), most=None).value
            for keeps in (False, True)
        )
        assert (kept <= free + 1e-3).all()
        assert (kept < free - 0.1).any()

    def test_of_no_cards_is_worth_nothing(self):
        assert worth_of_draws(due(before_a_draw()), []) == []

    def test_counts_twice_where_a_spade_doubles(self):
        """The upcard of both is the jack of spades."""
        cards_drawn = [parse_card("KS"), parse_card("TH")]
        once = worth_of_draws(due(before_a_draw()), cards_drawn)
        twice = worth_of_draws(due(before_a_draw(SPADES)), cards_drawn)
        assert twice == NEAR([2 * worth for worth in once])


class TestTheStock:
    def test_is_worth_what_the_draw_net_says(self):
        shown = due(before_a_draw())
        seen = sight_of(shown)
        expected = POLICY.nets.draw(of_holding(seen.cards, seen))[0]
        assert worth_of_stock(shown) == NEAR(expected)
        assert worth_of_stock(due(before_a_draw(SPADES))) == NEAR(2 * expected)


class TestThePile:
    def test_is_worth_what_the_best_is_worth_that_can_be_done_with_its_top(self):
        game = table()
        shown = due(game)
        (top,) = shown.you.legal.draws
        worth = worth_of_pile(shown, top, at_wall=False)
        assert worth == NEAR(value_of(play(game, "0 draw pile")), abs=1e-3)

    def test_of_several_cards_is_worth_what_they_leave_once_those_owed_are_thrown(self):
        rules = replace(STANDARD, multi_pickup=True, spade_doubles="all")
        game = play(table(rules, second="4C 5C 8D 9D JD JH QC KH 2S 3S"), "0 pass", "1 pass")
        shown = due(play(game, "0 draw stock", "0 discard KS"))
        (dig,) = [draw for draw in shown.you.legal.draws if draw.cards]
        kept, last = kept_after(shown, dig)
        features = features_kept(np.array([kept]), np.array([last]), sight_of(shown))
        expected = 2 * POLICY.nets.keep(features)[0]
        assert worth_of_pile(shown, dig, at_wall=False) == NEAR(expected)

    @pytest.mark.parametrize(
        ("second", "knocks"),
        [("4C 5C 6C 8D 9D TD 6S 7S KH 2S", True), ("4C 5C 8D 9D JD JH QH KH 2S 3S", False)],
    )
    def test_is_worth_a_knock_at_the_wall_or_nothing(self, second, knocks):
        rules = replace(STANDARD, last_discard="knock_only")
        game = stock_runs_down(play(table(rules, second=second), "0 pass", "1 pass"), 2)
        shown = due(game)
        (top,) = shown.you.legal.draws
        worth = worth_of_pile(shown, top, at_wall=True)
        if not knocks:
            assert worth == 0
            return
        knock = max(worth_of_knocks(due(play(game, "1 draw pile"))))
        assert worth == NEAR(knock, abs=1e-3)


class TestAThrow:
    def test_has_a_value_for_every_card_that_may_be_thrown(self):
        assert worth_of_throws(due(discarding(HELD))).keys() == set(each_card(cards(HELD)))
        taken = worth_of_throws(due(discarding(HELD, taken="KS")))
        assert taken.keys() == set(each_card(cards(HELD))) - {parse_card("KS")}

    def test_is_worth_nothing_where_the_hand_ends_with_it(self):
        game = stock_runs_down(play(table(), "0 pass", "1 pass"), 3)
        game = play(game, f"{game.hand.to_act} draw stock")
        assert set(worth_of_throws(due(game)).values()) == {0.0}

    def test_is_worth_something_while_a_draw_is_left(self):
        game = stock_runs_down(play(table(), "0 pass", "1 pass"), 4)
        game = play(game, f"{game.hand.to_act} draw stock")
        assert 0.0 not in worth_of_throws(due(game)).values()

    def test_is_worth_no_more_than_the_position(self):
        game = discarding(HELD)
        worths = worth_of_throws(due(game))
        assert max(worths.values()) <= value_of(game) + 1e-3


class TestAKnock:
    def test_is_worth_what_the_knock_net_says(self):
        shown = due(discarding(HELD))
        worths = worth_of_knocks(shown)
        assert len(worths) == len(shown.you.legal.knocks) > 0
        seen = sight_of(shown)
        for knock, worth in zip(shown.you.legal.knocks, worths, strict=True):
            kept = seen.cards ^ (1 << knock.discard)
            assert worth == NEAR(POLICY.nets.knock(of_knock(kept, seen))[0], abs=1e-3)

    def test_of_none_is_nothing(self):
        straight = replace(STANDARD, knock_mode="straight")
        assert worth_of_knocks(due(discarding(HELD, rules=straight))) == []

    def test_that_is_big_gin_is_worth_more_by_the_difference_of_the_bonuses(self):
        rules = replace(STANDARD, big_gin=True, gin_bonus=20, big_gin_bonus=50)
        shown = due(discarding(ALL_MELDED, AGAINST_MELDED, rules))
        by_kind = dict(
            zip([each.kind for each in shown.you.legal.knocks], worth_of_knocks(shown), strict=True)
        )
        seen = sight_of(shown)
        gin = POLICY.nets.knock(of_knock(seen.cards, seen))[0]
        assert by_kind[KnockKind.BIG_GIN] == NEAR(gin + 30, abs=1e-3)
        assert by_kind.keys() >= {KnockKind.GIN, KnockKind.BIG_GIN}


class TestTheDanger:
    """Seat 0 is about to throw; seat 1 holds ten cards."""

    def shown(self, held, theirs=OTHER, known=""):
        game = discarding(held, theirs)
        return view(replace(game, hand=replace(game.hand, taken=(0, cards(known)))), 0)

    def test_is_certain_where_both_others_of_a_meld_are_known_to_be_theirs(self):
        held = "AC 2C 3C 4D 5D 6D 7H 8H 9H QD KS"
        assert danger_of(self.shown(held, known="JD QH KH JH"), parse_card("QD")) < 1
        theirs = OTHER.replace("JD", "QC")
        sure = self.shown(held, theirs, "QH QC")
        assert danger_of(sure, parse_card("QD")) == 1
        assert danger_of(sure, parse_card("KS")) < 1

    def test_is_none_where_no_meld_can_be_made(self):
        held = "KC KD KH KS QC JC QD JD QH JH AS"
        shown = self.shown(held, "4C 5C 8D 9D TD TH 2D 2H 2S 3S")
        assert danger_of(shown, parse_card("KC")) == 0
        assert danger_of(shown, parse_card("KS")) > 0

    def test_is_how_likely_both_others_are_among_the_cards_that_they_hold(self):
        """Of the king of spades only Q J can make a meld; ten of the 31 live cards are theirs."""
        shown = self.shown("KC KD KH KS QC JC QD JD QH JH AS", "4C 5C 8D 9D TD TH 2D 2H 2S 3S")
        live = shown.hand.stock_count + 10
        assert danger_of(shown, parse_card("KS")) == NEAR(10 * 9 / (live * (live - 1)))

    def test_is_how_likely_the_other_one_is_theirs_where_one_is_known(self):
        held, theirs = "KC KD KH KS QC JC QD JD QH JH AS", "4C 5C 8D 9D TD TH 2D 2H QS 3S"
        shown = self.shown(held, theirs, "QS")
        live = shown.hand.stock_count + 9
        assert danger_of(shown, parse_card("KS")) == NEAR(9 / live)

    def test_is_between_for_other_cards_and_the_greater_the_more_is_known(self):
        held = "AC 2C 3C 4D 5D 6D 7H 8H 9H QD KS"
        unknown = danger_of(self.shown(held), parse_card("QD"))
        known = danger_of(self.shown(held, known="QH"), parse_card("QD"))
        assert 0 < unknown < known < 1
