from dataclasses import replace

import pytest

from engine.actions import DrawSource
from engine.cards import card_name, card_names, parse_card
from engine.game import SeatKind, new_game
from engine.legal import NOTHING, BarredCard, DrawOption, Legal, legal
from engine.rules import PRESETS, STANDARD
from tests.tables import (
    AGAINST_MELDED,
    ALL_MELDED,
    cards,
    discarding,
    play,
    setup,
    stock_runs_down,
    table,
)

QUIET = replace(STANDARD, advice="off")


class TestNothingToDo:
    def test_before_anything_is_dealt(self):
        assert legal(new_game(setup()), 0) == NOTHING

    def test_for_a_seat_that_is_not_due(self):
        assert legal(table(), 1) == NOTHING
        assert legal(play(table(), "0 draw pile", "0 knock TS"), 0) == NOTHING

    def test_when_the_game_is_over(self):
        game = play(table(), "0 resign")
        assert legal(game, 0) == legal(game, 1) == NOTHING


class TestTheOffer:
    def test_is_to_draw_the_upcard_or_to_pass(self):
        jack = DrawOption(DrawSource.DISCARD_PILE, parse_card("JS"))
        assert legal(table(), 0) == Legal(("draw", "pass"), draws=(jack,))
        assert legal(play(table(), "0 pass"), 1) == Legal(("draw", "pass"), draws=(jack,))


class TestDraws:
    def test_are_from_the_stock_unseen_or_the_top_of_the_pile(self):
        game = play(table(), "0 draw pile", "0 discard TS")
        assert legal(game, 1).actions == ("draw",)
        assert legal(game, 1).draws == (
            DrawOption(DrawSource.STOCK),
            DrawOption(DrawSource.DISCARD_PILE, parse_card("TS")),
        )

    def test_are_only_from_the_stock_after_two_passes(self):
        game = play(table(), "0 pass", "1 pass")
        assert legal(game, 0).draws == (DrawOption(DrawSource.STOCK),)

    def test_are_from_either_after_two_passes_where_that_was_agreed(self):
        game = play(table(replace(STANDARD, after_double_pass="either")), "0 pass", "1 pass")
        assert len(legal(game, 0).draws) == 2


class TestDiscards:
    def options(self, rules=STANDARD, taken=None):
        held = "2C 3C 4C 8D 8H 8S 4D 2H AS AD KD"
        return legal(discarding(held, "9C TC JC QC KC 5D 6D 7D 9D TD", rules, taken=taken), 0)

    def test_are_all_cards_held_least_deadwood_first(self):
        options = self.options()
        assert options.actions == ("discard", "knock")
        assert len(options.discards) == 11
        left = [each.deadwood for each in options.discards]
        assert left == sorted(left)
        assert card_name(options.discards[0].card) == "KD"
        assert options.discard_count == 1

    def test_tell_the_melds_and_what_is_left_over(self):
        best = self.options().discards[0]
        assert [card_names(meld.cards) for meld in best.melds] == [
            ["2C", "3C", "4C"],
            ["8D", "8H", "8S"],
        ]
        assert (best.unmatched, best.deadwood) == (cards("4D 2H AS AD"), 8)

    def test_leave_out_a_card_just_taken_and_say_why(self):
        options = self.options(taken="KD")
        assert options.barred == (BarredCard(parse_card("KD"), "card_just_taken"),)
        assert parse_card("KD") not in {each.card for each in options.discards}
        assert options.knocks == ()
        assert options.actions == ("discard",)

    def test_leave_out_a_card_just_drawn_where_that_was_agreed(self):
        options = self.options(replace(STANDARD, discard_drawn="any_drawn"))
        assert options.barred == (BarredCard(parse_card("KD"), "card_just_drawn"),)

    def test_bar_nothing_by_default_when_the_card_came_from_the_stock(self):
        assert self.options().barred == ()

    def test_tell_the_deadwood_but_not_the_melds_where_no_advice_is_given(self):
        options = self.options(QUIET)
        assert {each.melds for each in options.discards} == {None}
        assert {each.unmatched for each in (*options.discards, *options.knocks)} == {None}
        assert {knock.melds for knock in options.knocks} == {None}
        assert [each.deadwood for each in options.discards] == [
            each.deadwood for each in self.options().discards
        ]


class TestKnocks:
    def test_are_those_within_the_limit_best_first(self):
        game = discarding("4C 5C 6C 9D 9H 9S JD JH JS 5S 7D", "2C 3C 8D TD QD KD QH KH 2S 3S")
        knocks = legal(game, 0).knocks
        assert [(card_name(each.discard), each.kind, each.deadwood) for each in knocks] == [
            ("7D", "knock", 5),
            ("5S", "knock", 7),
        ]

    def test_are_part_of_the_discards_that_allow_them(self):
        options = legal(discarding(ALL_MELDED, AGAINST_MELDED), 0)
        assert options.knocks == tuple(each.knock for each in options.discards if each.knock)

    def test_without_deadwood_are_gin_and_come_first(self):
        knocks = legal(discarding(ALL_MELDED, AGAINST_MELDED), 0).knocks
        assert [(card_name(each.discard), each.kind) for each in knocks][:4] == [
            ("AC", "gin"),
            ("4C", "gin"),
            ("9H", "gin"),
            ("QH", "gin"),
        ]

    def test_are_only_gin_in_straight_gin(self):
        knocks = legal(discarding(ALL_MELDED, AGAINST_MELDED, PRESETS["straight"]), 0).knocks
        assert {each.kind for each in knocks} == {"gin"}

    def test_begin_with_big_gin_where_it_is_played(self):
        game = discarding(ALL_MELDED, AGAINST_MELDED, PRESETS["big_gin"])
        big = legal(game, 0).knocks[0]
        assert (big.kind, big.discard, big.deadwood, big.unmatched) == ("big_gin", None, 0, 0)
        assert legal(game, 0).actions == ("discard", "knock")

    def test_have_no_big_gin_with_a_card_left_over(self):
        game = play(table(PRESETS["big_gin"]), "0 draw pile")
        assert "big_gin" not in {each.kind for each in legal(game, 0).knocks}

    def test_stay_within_the_limit_of_the_upcard(self):
        for upcard, limit in (("9S", 9), ("8S", 8)):
            game = play(table(PRESETS["oklahoma"], upcard=upcard), "0 draw pile")
            assert [each.deadwood for each in legal(game, 0).knocks] == [limit]

    @pytest.mark.parametrize("left", [3])
    def test_remain_with_the_third_last_card_of_the_stock(self, left):
        game = play(stock_runs_down(play(table(), "0 pass", "1 pass"), left), "0 draw stock")
        assert legal(game, 0).knocks


class TestLayOffs:
    def knocked(self, rules=STANDARD):
        return play(table(rules), "0 draw pile", "0 knock TS")

    def test_are_those_that_fit_each_after_the_one_it_needs(self):
        possible = legal(self.knocked(), 1).lay_offs.possible
        assert [
            (card_name(fit.card), fit.meld, None if fit.after is None else card_name(fit.after))
            for fit in possible
        ] == [("4C", 0, None), ("5C", 0, "4C")]

    def test_tell_the_best(self):
        best = legal(self.knocked(), 1).lay_offs.best
        assert ([card_name(laid.card) for laid in best.lay_offs], best.deadwood) == (
            ["4C", "5C"],
            32,
        )

    def test_do_not_tell_the_best_where_no_advice_is_given(self):
        options = legal(self.knocked(QUIET), 1).lay_offs
        assert options.best is None
        assert len(options.possible) == 2

    def test_are_the_one_thing_to_do(self):
        assert legal(self.knocked(), 1).actions == ("lay_off",)


class TestTheDeal:
    def over(self, kinds):
        game = stock_runs_down(play(table(), "0 pass", "1 pass"), 2)
        return replace(game, setup=replace(game.setup, seats=kinds))

    def test_is_for_any_person_to_ask_for(self):
        game = self.over((SeatKind.HUMAN, SeatKind.HUMAN))
        assert legal(game, 0) == legal(game, 1) == Legal(("deal",))

    def test_is_not_for_a_computer_where_a_person_sits(self):
        game = self.over((SeatKind.HUMAN, SeatKind.AI))
        assert legal(game, 0) == Legal(("deal",))
        assert legal(game, 1) == NOTHING

    def test_is_for_a_computer_where_only_computers_sit(self):
        assert legal(self.over((SeatKind.AI, SeatKind.AI)), 1) == Legal(("deal",))
