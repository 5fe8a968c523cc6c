from dataclasses import fields, replace

import numpy as np
import pytest

from engine.cards import card_name, card_names, parse_card
from engine.players.sight import (
    ENDLESS,
    NO_CARD,
    Sight,
    draws_left,
    sight_of,
    with_card,
    with_top,
)
from engine.rules import STANDARD
from engine.views import view
from tests.positions import any_sights, rows_of
from tests.tables import cards, play, table


def row(game, seat=0):
    (only,) = rows_of(sight_of(view(game, seat)))
    return only


def same(one, other):
    return all(
        np.array_equal(getattr(one, field.name), getattr(other, field.name))
        for field in fields(Sight)
    )


def names(lately):
    return [None if card == NO_CARD else card_name(card) for card in lately]


class TestWhatASeatSees:
    def test_is_what_its_view_tells(self):
        rules = replace(STANDARD, knock_limit=7, gin_bonus=20, undercut_bonus=10)
        game = play(table(rules), "0 draw pile", "0 discard TS", "1 draw pile", "1 discard 2S")
        seen = row(game)
        assert seen["cards"] == cards("AC 2C 3C 4D 5D 6D 7H 8H 9H JS")
        assert card_names(seen["theirs"]) == ["TS"]
        assert card_names(seen["unseen"])[:3] == ["4C", "5C", "6C"]
        assert seen["unseen"].bit_count() == 52 - 10 - 1 - 1
        assert card_name(seen["top"]) == "2S"
        assert seen["barred"] == NO_CARD
        assert (seen["left"], seen["turn"]) == (29, 2)
        assert (seen["limit"], seen["gin_bonus"], seen["undercut_bonus"]) == (7, 20, 10)

    def test_tells_which_card_may_not_be_thrown_again(self):
        assert card_name(row(play(table(), "0 draw pile"))["barred"]) == "JS"
        drawn = play(table(), "0 pass", "1 pass", "0 draw stock")
        assert row(drawn)["barred"] == NO_CARD
        either = replace(STANDARD, discard_drawn="any_drawn")
        assert (
            card_name(row(play(table(either), "0 pass", "1 pass", "0 draw stock"))["barred"])
            == "KS"
        )

    def test_has_no_top_where_the_pile_is_empty(self):
        assert row(play(table(), "0 draw pile"))["top"] == NO_CARD

    def test_has_the_limit_of_the_upcard_where_that_sets_it(self):
        oklahoma = replace(STANDARD, knock_mode="oklahoma")
        game = table(oklahoma, upcard="3H", stock="")
        assert row(game)["limit"] == 3

    def test_has_what_the_other_side_threw_lately(self):
        """The last card first; the pile tells no more than the order of its cards."""
        game = play(table(), "0 pass", "1 pass", "0 draw stock", "0 discard KS")
        assert names(row(game, 1)["lately"]) == ["KS", None, None]
        game = play(game, "1 draw stock", "1 discard QS", "0 draw stock", "0 discard TS")
        before = row(game, 1)["lately"]
        assert names(before) == ["TS", "KS", None]
        assert row(play(game, "1 draw stock"), 1)["lately"] == before
        assert row(play(game, "1 draw pile"), 1)["lately"] == before

    def test_has_no_throw_for_the_upcard_that_nobody_threw(self):
        assert names(row(table())["lately"]) == [None] * 3
        assert names(row(play(table(), "0 draw pile"))["lately"]) == [None] * 3
        game = play(table(), "0 draw pile", "0 discard TS")
        assert names(row(game, 1)["lately"]) == ["TS", None, None]

    def test_is_one_row_of_a_view(self):
        assert len(sight_of(view(table(), 0))) == 1


class TestTheDrawsLeft:
    @pytest.mark.parametrize(("stock_end", "left"), [(1, 5), (2, 4)])
    def test_are_those_cards_of_the_stock_that_do_not_stay_there(self, stock_end, left):
        assert draws_left(replace(STANDARD, stock_end=stock_end), 6) == left

    def test_are_never_fewer_than_none(self):
        assert draws_left(STANDARD, 0) == draws_left(STANDARD, 2) == 0

    @pytest.mark.parametrize("recycle", ["unshuffled", "shuffled"])
    def test_have_no_end_where_discards_come_back(self, recycle):
        assert draws_left(replace(STANDARD, recycle=recycle), 3) == ENDLESS
        assert draws_left(STANDARD, 31) < ENDLESS

    @pytest.mark.parametrize(("more", "left"), [(0, 0), (1, 1), (100, 29)])
    def test_are_no_more_than_the_turns_that_the_rules_leave(self, more, left):
        """A position of turn 2, by rules that end the hand so many turns later."""
        game = play(table(), "0 draw pile", "0 discard TS", "1 draw pile", "1 discard 2S")
        rules = replace(STANDARD, max_turns=2 + more)
        shown = replace(view(game, 0), rules=rules)
        assert sight_of(shown).left.tolist() == [left]


class TestACardInHand:
    def test_from_the_stock_is_what_the_view_tells_after_the_draw(self):
        game = play(table(), "0 pass", "1 pass")
        before = sight_of(view(game, 0))
        after = sight_of(view(play(game, "0 draw stock"), 0))
        assert same(with_card(before, np.array([parse_card("KS")])), after)

    def test_from_the_pile_is_what_the_view_tells_after_the_draw_but_for_the_top(self):
        game = play(table(), "0 draw pile", "0 discard TS")
        before = sight_of(view(game, 1))
        after = sight_of(view(play(game, "1 draw pile"), 1))
        assert same(replace(with_top(before), top=after.top), after)

    def test_from_the_stock_may_be_thrown_unless_the_rules_keep_it(self):
        seen, drawn = any_sights(3, 2), np.array([5, 6])
        assert with_card(seen, drawn).barred.tolist() == [NO_CARD, NO_CARD]
        assert with_card(seen, drawn, keeps=True).barred.tolist() == [5, 6]

    def test_from_the_stock_leaves_no_fewer_than_no_draws(self):
        seen = any_sights(1, 1)
        seen = replace(seen, left=np.zeros(1, np.int64))
        assert with_card(seen, np.array([5])).left.tolist() == [0]


class TestRows:
    def test_are_picked_by_number_in_that_order(self):
        many = any_sights(2, 4)
        assert rows_of(many.rows(np.array([2, 0, 2]))) == [
            rows_of(many)[place] for place in (2, 0, 2)
        ]

    def test_are_picked_by_flag(self):
        many = any_sights(2, 4)
        flags = np.array([False, True, False, True])
        assert rows_of(many.rows(flags)) == [rows_of(many)[place] for place in (1, 3)]
        assert len(many.rows(flags)) == 2
