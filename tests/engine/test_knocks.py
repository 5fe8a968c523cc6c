"""A knock's lay-out, its name, and the defence, apart from any game."""

from dataclasses import replace

import pytest

from engine.actions import KnockKind
from engine.cards import parse_card
from engine.errors import (
    BigGinNotEnabled,
    CardNotInHand,
    DeadwoodTooHigh,
    LayoutNotMinimal,
    MeldNotInHand,
    NotBigGin,
    NotGin,
)
from engine.knocks import defend, knock_kind, lay_out, lay_out_big_gin, may_lay_off
from engine.layoffs import LayOff
from engine.melds import parse_meld
from engine.rules import STANDARD
from tests.tables import ALL_MELDED, NEAR_GIN, cards

KNOCK, GIN, BIG_GIN = KnockKind
BIG = replace(STANDARD, big_gin=True)
STRICT = replace(STANDARD, knocker_layout="minimal_only")
TARGETS = (parse_meld(cards("4D 5D 6D")), parse_meld(cards("7C 7D 7H")))


class TestALayOut:
    def test_is_the_best_unless_one_is_named(self):
        assert lay_out(STANDARD, cards(NEAR_GIN), None).deadwood == 10
        assert lay_out(STANDARD, cards(NEAR_GIN), (cards("AC 2C 3C"),)).deadwood == 49

    def test_has_to_be_the_least_where_that_was_agreed(self):
        with pytest.raises(LayoutNotMinimal) as caught:
            lay_out(STRICT, cards(NEAR_GIN), (cards("AC 2C 3C"),))
        assert caught.value.params == {"deadwood": 49}

    def test_holds_only_cards_that_are_kept(self):
        with pytest.raises(MeldNotInHand):
            lay_out(STANDARD, cards(NEAR_GIN), (cards("4C 5C 6C"),))


class TestBigGin:
    def test_melds_all_cards(self):
        assert lay_out_big_gin(BIG, cards(ALL_MELDED), None).deadwood == 0

    def test_is_refused_where_it_was_not_agreed_on_or_is_none(self):
        with pytest.raises(BigGinNotEnabled):
            lay_out_big_gin(STANDARD, cards(ALL_MELDED), None)
        with pytest.raises(NotBigGin):
            lay_out_big_gin(BIG, cards(ALL_MELDED), (cards("AC 2C 3C"),))


class TestAKnock:
    def test_without_deadwood_is_gin_whatever_it_was_called(self):
        assert knock_kind(KNOCK, 0, 10) is knock_kind(GIN, 0, 0) is GIN

    def test_is_one_up_to_the_limit(self):
        assert knock_kind(KNOCK, 10, 10) is KNOCK
        with pytest.raises(DeadwoodTooHigh) as caught:
            knock_kind(KNOCK, 11, 10)
        assert caught.value.params == {"deadwood": 11, "knock_limit": 10}

    def test_is_never_made_of_gin_with_deadwood(self):
        with pytest.raises(NotGin):
            knock_kind(GIN, 1, 10)


class TestTheDefence:
    def test_may_lay_off_on_a_knock_and_on_gin_where_that_was_agreed(self):
        agreed = replace(STANDARD, layoff_on_gin=True)
        assert [may_lay_off(STANDARD, kind) for kind in KnockKind] == [True, False, False]
        assert all(may_lay_off(agreed, kind) for kind in KnockKind)

    def test_does_its_best_unless_told_otherwise(self):
        held = cards("3D 2D 7S KC KD")
        assert defend(TARGETS, held).deadwood == 20
        assert defend(TARGETS, held, ()).deadwood == 32

    def test_lays_off_what_fits_beside_melds_that_it_names(self):
        held, own = cards("3D 7S 8S 9S"), (cards("7S 8S 9S"),)
        choice = defend(TARGETS, held, None, own)
        assert choice.lay_offs == (LayOff(parse_card("3D"), 0),)
        assert (choice.unmatched, choice.deadwood) == (0, 0)

    def test_cannot_lay_off_what_it_does_not_hold(self):
        with pytest.raises(CardNotInHand):
            defend(TARGETS, cards("KC"), (LayOff(parse_card("3D"), 0),))
