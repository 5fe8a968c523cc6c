"""What the option ``discard_view: top`` leaves to be seen of the discard pile."""

from dataclasses import replace

import pytest

from engine.cards import card_name, parse_card
from engine.errors import CardNotInDiscards, OnlyTopDiscard
from engine.move_views import SPECTATOR, seen
from engine.rules import STANDARD
from engine.views import view
from tests.tables import cards, play, refusal, stock_runs_down, table, transition

TOP = replace(STANDARD, discard_view="top")
EVERYBODY = (0, 1, SPECTATOR)

LINES = (
    "0 pass",
    "1 pass",
    "0 draw stock",
    "0 discard KS",
    "1 draw pile",
    "1 discard 9D",
    "0 draw stock",
    "0 discard QS",
    "1 draw stock",
    "1 discard 4S",
)
"""In turn 2 seat 1 takes the king that was thrown; four turns are played."""


def moves(rules=TOP, lines=LINES):
    game, made = table(rules), []
    for line in lines:
        done = transition(game, line)
        game = done.game
        made += done.moves
    return game, made


def log(count, rules=TOP, viewer=SPECTATOR, **options):
    """The cards that the log of the first ``count`` lines names, and the tops after them."""
    game, made = moves(rules, LINES[:count])
    shown = [seen(move, viewer, game, **options) for move in made]
    return [
        [None if card is None else card_name(card) for card in row]
        for row in ([move.card for move in shown], [move.after.top_discard for move in shown])
    ]


class TestThePile:
    @pytest.mark.parametrize("viewer", EVERYBODY)
    def test_shows_only_its_top(self, viewer):
        game, _ = moves()
        assert view(game, viewer).hand.discard_pile == (parse_card("4S"),)

    def test_shows_all_where_it_is_spread(self):
        game, _ = moves(STANDARD)
        pile = view(game, 0).hand.discard_pile
        assert list(map(card_name, pile)) == ["JS", "9D", "QS", "4S"]

    def test_shows_what_was_under_a_card_that_was_taken(self):
        game, _ = moves(lines=LINES[:5])
        assert view(game, 0).hand.discard_pile == (parse_card("JS"),)

    def test_shows_all_once_the_hand_is_over(self):
        game = play(stock_runs_down(play(table(TOP), "0 pass", "1 pass"), 2))
        assert game.hand.over
        assert len(view(game, SPECTATOR).hand.discard_pile) == 30

    def test_is_still_covered_in_the_lay_off(self):
        game = play(table(TOP), "0 pass", "1 pass", "0 draw stock", "0 discard KS")
        game = play(game, "1 draw stock", "1 discard QS", "0 draw stock", "0 knock 4S")
        assert game.phase == "lay_off"
        assert view(game, SPECTATOR).hand.discard_pile == (parse_card("QS"),)

    @pytest.mark.parametrize("viewer", EVERYBODY)
    def test_hides_neither_upcard_nor_limit_nor_multiplier(self, viewer):
        rules = replace(TOP, knock_mode="oklahoma", spade_doubles="all")
        hand = view(moves(rules)[0], viewer).hand
        assert (card_name(hand.upcard), hand.knock_limit, hand.multiplier) == ("JS", 10, 2)

    @pytest.mark.parametrize("name", ["JS", "9D", "QS", "AC", "KC"])
    def test_is_not_told_by_a_refusal(self, name):
        game, _ = moves()
        assert isinstance(refusal(game, f"0 draw pile {name}"), OnlyTopDiscard)

    def test_is_told_by_a_refusal_where_it_is_spread(self):
        game, _ = moves(STANDARD)
        assert isinstance(refusal(game, "0 draw pile QS"), OnlyTopDiscard)
        assert isinstance(refusal(game, "0 draw pile AC"), CardNotInDiscards)


class TestTheLog:
    def test_names_a_discard_while_it_lies_on_top(self):
        assert log(4) == [[None, None, None, "KS"], [None, None, None, "KS"]]

    def test_names_a_card_that_was_taken_with_its_discard_in_the_turn_of_the_taking(self):
        named, _ = log(5)
        assert named == [None, None, None, "KS", "KS"]

    def test_names_it_in_the_turn_after_the_taking_too(self):
        named, tops = log(7)
        assert named == [None, None, None, "KS", "KS", "9D", None]
        assert tops == [None, None, None, "KS", None, "9D", "9D"]

    def test_names_it_no_more_when_its_seat_draws_again(self):
        assert log(9)[0] == [None] * 7 + ["QS", None]

    @pytest.mark.parametrize("viewer", EVERYBODY)
    def test_names_of_the_pile_only_its_top_whoever_threw_the_others(self, viewer):
        named, tops = log(10, viewer=viewer)
        assert [card for card in named if card in {"JS", "9D", "QS"}] == ["QS"] * (viewer == 0)
        assert tops == [None] * 9 + ["4S"]

    def test_keeps_a_seats_own_draws_from_the_stock(self):
        assert log(10, viewer=0)[0] == [None, None, "KS", None, None, None, "QS", None, None, "4S"]
        assert log(10, viewer=1)[0] == [None] * 8 + ["4S", "4S"]

    def test_names_everything_where_the_pile_is_spread(self):
        named, tops = log(10, STANDARD)
        assert named == [None, None, None, "KS", "KS", "9D", None, "QS", None, "4S"]
        assert tops == ["JS", "JS", "JS", "KS", "JS", "9D", "9D", "QS", "QS", "4S"]

    def test_names_everything_once_the_hand_is_over(self):
        game, made = moves()
        game = play(game, "0 resign")
        shown = [seen(move, SPECTATOR, game) for move in made]
        assert [move.card and card_name(move.card) for move in shown] == log(10, STANDARD)[0]

    def test_names_everything_of_an_earlier_hand(self):
        rules = replace(TOP, target=1000)
        game = stock_runs_down(play(table(rules), "0 pass", "1 pass"), 3)
        made = transition(play(game, "0 draw stock"), "0 discard TS")
        game = play(made.game, "0 deal")
        assert game.hand.number == 2
        assert seen(made.moves[0], SPECTATOR, game).card == parse_card("TS")

    @pytest.mark.parametrize("count", range(1, len(LINES) + 1))
    def test_hides_nothing_of_the_move_just_made(self, count):
        game, made = moves(lines=LINES[:count])
        spread, _ = moves(STANDARD, LINES[:count])
        for viewer in EVERYBODY:
            last = view(game, viewer).last_move
            assert last.card == seen(made[-1], viewer, spread).card
            assert last.after == made[-1].after


class TestWhatASeatIsKnownToHold:
    def known(self, count, rules=TOP):
        return view(moves(rules, LINES[:count])[0], 0).seats[1].known_cards

    def test_is_what_it_took_in_this_turn_or_its_last(self):
        assert [self.known(count) for count in (5, 6, 7, 8)] == [cards("KS")] * 4

    def test_is_not_what_it_took_before_that(self):
        assert (self.known(9), self.known(10)) == (0, 0)
        assert self.known(10, STANDARD) == cards("KS")

    def test_is_still_its_own_to_know(self):
        assert view(moves()[0], 1).you.cards >> parse_card("KS") & 1
