"""What must hold of melding and laying off for all cards there are."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from engine.cards import POINTS, card_names, cards_of, each_card, parse_cards, points
from engine.layoffs import apply_lay_offs, best_lay_offs
from engine.melds import (
    arrangements,
    arrangements_after_each_discard,
    best_arrangement,
    can_be_laid_off,
    deadwood,
    deadwood_after_each_discard,
    parse_meld,
)


@st.composite
def card_lists(draw, least=0, most=11):
    """Cards of few neighbouring ranks, or of the whole deck, in any order."""
    width = draw(st.sampled_from([width for width in (4, 5, 6, 13) if 4 * width >= most]))
    low = draw(st.integers(0, 13 - width))
    near = [13 * suit + rank for suit in range(4) for rank in range(low, low + width)]
    return draw(st.lists(st.sampled_from(near), unique=True, min_size=least, max_size=most))


def hands(least=0, most=11):
    return card_lists(least, most).map(cards_of)


def renamed(cards, suits):
    return cards_of(13 * suits[card // 13] + card % 13 for card in each_card(cards))


class TestTheLeastDeadwood:
    @given(card_lists(), st.randoms(use_true_random=False))
    def test_does_not_depend_on_the_order_of_the_cards(self, cards, rng):
        names = card_names(cards_of(cards))
        rng.shuffle(names)
        assert deadwood(parse_cards(names)) == deadwood(cards_of(cards))

    @given(hands(most=14), st.sampled_from(list(permutations(range(4)))))
    def test_does_not_depend_on_the_names_of_the_suits(self, cards, suits):
        assert deadwood(renamed(cards, suits)) == deadwood(cards)
        assert len(arrangements(renamed(cards, suits))) == len(arrangements(cards))

    @given(hands(least=1))
    def test_rises_by_no_more_than_the_points_of_a_card(self, cards):
        for card, left in deadwood_after_each_discard(cards).items():
            assert left == deadwood(cards ^ 1 << card)
            assert deadwood(cards) <= left + POINTS[card]

    @given(hands(most=20))
    def test_is_that_of_every_best_arrangement(self, cards):
        least = deadwood(cards)
        assert 0 <= least <= points(cards)
        assert {each.deadwood for each in arrangements(cards)} == {least}
        assert best_arrangement(cards) in arrangements(cards)


class TestTheArrangementToLayOut:
    @given(hands(least=11))
    def test_is_as_closed_to_lay_offs_as_any(self, cards):
        for discard in each_card(cards):
            kept = cards ^ 1 << discard
            unseen = ((1 << 52) - 1) ^ cards
            shown = best_arrangement(kept, 1 << discard)
            assert can_be_laid_off(shown.melds, unseen).bit_count() == min(
                can_be_laid_off(each.melds, unseen).bit_count() for each in arrangements(kept)
            )


class TestTheArrangementsAfterEachDiscard:
    @given(hands(least=2, most=16))
    def test_are_those_of_the_cards_kept_with_the_discard_seen(self, cards):
        assert arrangements_after_each_discard(cards) == {
            card: best_arrangement(cards ^ 1 << card, 1 << card) for card in each_card(cards)
        }


class TestTheBestLayOffs:
    @given(card_lists(least=20, most=20))
    def test_never_leave_more_than_no_lay_offs(self, cards):
        knocker = best_arrangement(cards_of(cards[:10]))
        defender = cards_of(cards[10:])
        best = best_lay_offs(knocker.melds, defender)
        assert best.deadwood <= deadwood(defender)
        assert best == apply_lay_offs(knocker.melds, defender, best.lay_offs)

    @given(card_lists(least=20, most=20), st.sampled_from(list(permutations(range(4)))))
    def test_do_not_depend_on_the_names_of_the_suits(self, cards, suits):
        knocker, defender = best_arrangement(cards_of(cards[:10])), cards_of(cards[10:])
        again = [parse_meld(renamed(meld.cards, suits)) for meld in knocker.melds]
        best = best_lay_offs(knocker.melds, defender)
        best_again = best_lay_offs(again, renamed(defender, suits))
        assert best.deadwood == best_again.deadwood
        assert len(best.lay_offs) == len(best_again.lay_offs)
