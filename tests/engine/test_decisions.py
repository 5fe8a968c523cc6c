from dataclasses import replace

import pytest

from engine import decisions
from engine.actions import Pass
from engine.cards import card_names, parse_card
from engine.errors import (
    BigGinNotEnabled,
    CardJustDrawn,
    CardJustTaken,
    CardNotInDiscards,
    CardNotInHand,
    MustDrawStock,
    NotARun,
    NotYourTurn,
    OnlyTopDiscard,
    StockEmpty,
    WrongPhase,
)
from engine.events import Discarded, Drew, HandDrawn, Passed
from engine.rules import STANDARD
from tests.tables import (
    AGAINST_MELDED,
    ALL_MELDED,
    NEAR_GIN,
    cards,
    discarding,
    facts,
    pile_goes_round,
    play,
    refusal,
    stock_runs_down,
    table,
    transition,
)


class TestTheOpeningOffer:
    """Full s3: the non-dealer may take the upcard; if it declines, the dealer may."""

    def test_is_the_nondealers_first(self):
        assert isinstance(refusal(table(), "1 pass"), NotYourTurn)
        assert refusal(table(), "1 draw pile").params == {"to_act_seats": (0,)}

    def test_may_be_taken_which_is_a_turn_like_any_other(self):
        game = play(table(), "0 draw pile")
        assert (game.phase, game.to_act_seats, game.hand.turn) == ("discard", (0,), 1)
        assert game.hand.holdings[0] >> parse_card("JS") & 1
        assert game.hand.discard_pile == ()

    def test_declined_goes_to_the_dealer(self):
        game = play(table(), "0 pass")
        assert (game.phase, game.to_act_seats) == ("first_upcard", (1,))
        assert isinstance(refusal(game, "0 draw stock"), NotYourTurn)

    def test_taken_by_the_dealer_leaves_the_nondealer_an_ordinary_turn(self):
        game = play(table(), "0 pass", "1 draw pile", "1 discard KH")
        assert (game.phase, game.to_act_seats) == ("draw", (0,))
        assert play(game, "0 draw pile").hand.holdings[0] >> parse_card("KH") & 1
        assert play(game, "0 draw stock").phase == "discard"

    def test_is_no_time_to_draw_from_the_stock(self):
        assert refusal(table(), "0 draw stock").params == {"phase": "first_upcard"}
        assert isinstance(refusal(play(table(), "0 pass"), "1 draw stock"), WrongPhase)

    def test_taken_may_be_knocked_upon_at_once(self):
        assert play(table(), "0 draw pile", "0 knock TS").phase == "lay_off"

    def test_may_be_gone_gin_upon_at_once(self):
        game = play(table(upcard="TH"), "0 draw pile", "0 gin TS")
        assert game.last_result.outcome == "gin"

    def test_counts_no_turn_for_a_pass(self):
        assert play(table(), "0 pass", "1 pass").hand.turn == 0

    def test_is_over_once_a_card_was_drawn(self):
        game = play(table(), "0 draw pile", "0 discard TS")
        assert refusal(game, "1 pass").params == {"phase": "draw"}

    def test_is_not_made_where_the_opening_is_free(self):
        free = table(replace(STANDARD, opening="free"))
        assert (free.phase, free.to_act_seats) == ("draw", (0,))
        assert isinstance(refusal(free, "0 pass"), WrongPhase)
        assert play(free, "0 draw stock").phase == "discard"
        assert play(free, "0 draw pile").phase == "discard"


class TestTwoPasses:
    """Full s3: the non-dealer begins by drawing the top card of the stock."""

    def test_make_the_nondealer_draw_from_the_stock(self):
        game = play(table(), "0 pass", "1 pass")
        assert (game.phase, game.to_act_seats) == ("draw", (0,))
        assert isinstance(refusal(game, "0 draw pile"), MustDrawStock)
        assert isinstance(refusal(game, "0 draw pile JS"), MustDrawStock)
        assert play(game, "0 draw stock").hand.drawn_card == parse_card("KS")

    def test_bury_the_upcard_under_the_first_discard(self):
        game = play(table(), "0 pass", "1 pass", "0 draw stock", "0 discard KS")
        assert game.hand.discard_pile == (parse_card("JS"), parse_card("KS"))

    def test_bind_only_the_first_draw(self):
        game = play(table(), "0 pass", "1 pass", "0 draw stock", "0 discard KS")
        assert play(game, "1 draw pile").hand.drawn_card == parse_card("KS")

    def test_leave_both_piles_open_where_that_was_agreed(self):
        rules = replace(STANDARD, after_double_pass="either")
        game = play(table(rules), "0 pass", "1 pass")
        assert play(game, "0 draw pile").hand.drawn_card == parse_card("JS")
        assert play(game, "0 draw stock").hand.drawn_card == parse_card("KS")

    def test_are_two_a_third_is_refused(self):
        assert isinstance(refusal(play(table(), "0 pass", "1 pass"), "0 pass"), WrongPhase)


class TestDrawing:
    """Full s4: one card, from the stock or the top of the discard pile."""

    def passed(self):
        return play(table(), "0 pass", "1 pass", "0 draw stock", "0 discard KS")

    def test_from_the_stock_gives_its_top_card_and_the_next_lies_ready(self):
        game = play(self.passed(), "1 draw stock")
        assert game.hand.holdings[1] >> parse_card("QS") & 1
        assert game.hand.stock[0] == parse_card("4S")

    def test_from_the_pile_gives_its_top_card(self):
        game = play(self.passed(), "1 draw pile KS")
        assert game.hand.holdings[1] >> parse_card("KS") & 1
        assert game.hand.discard_pile == (parse_card("JS"),)

    def test_of_a_buried_card_is_refused(self):
        error = refusal(self.passed(), "1 draw pile JS")
        assert isinstance(error, OnlyTopDiscard)
        assert error.params == {"card": parse_card("JS")}

    def test_of_a_card_that_does_not_lie_there_is_refused(self):
        for elsewhere in ("TS", "4C", "4S"):  # in either hand, or in the stock: all one answer
            error = refusal(self.passed(), f"1 draw pile {elsewhere}")
            assert isinstance(error, CardNotInDiscards)
            assert error.params == {"card": parse_card(elsewhere)}

    def test_twice_is_refused(self):
        game = play(self.passed(), "1 draw stock")
        assert refusal(game, "1 draw stock").params == {"phase": "discard"}
        assert refusal(game, "1 draw pile").params == {"phase": "discard"}

    def test_begins_a_turn(self):
        assert play(self.passed(), "1 draw stock").hand.turn == 2

    def test_makes_one_fact(self):
        assert facts(self.passed(), "1 draw stock") == [Drew]
        assert facts(table(), "0 pass") == [Passed]

    def test_from_an_empty_stock_is_refused(self):
        game = self.passed()
        bare = replace(game, hand=replace(game.hand, stock=()))
        assert isinstance(refusal(bare, "1 draw stock"), StockEmpty)


class TestDiscarding:
    def test_ends_the_turn(self):
        game = play(table(), "0 draw pile", "0 discard TS")
        assert (game.phase, game.to_act_seats) == ("draw", (1,))
        assert game.hand.discard_pile == (parse_card("TS"),)
        assert game.hand.holdings[0].bit_count() == 10

    def test_before_drawing_is_refused(self):
        game = play(table(), "0 pass", "1 pass")
        assert refusal(game, "0 discard TS").params == {"phase": "draw"}

    def test_of_a_card_held_by_another_or_by_nobody_is_refused_alike(self):
        game = play(table(), "0 draw pile")
        for elsewhere in ("4C", "KS"):
            error = refusal(game, f"0 discard {elsewhere}")
            assert isinstance(error, CardNotInHand)
            assert error.params == {"card": parse_card(elsewhere)}

    def test_from_a_gin_hand_is_allowed_gin_never_happens_by_itself(self):
        game = play(discarding(ALL_MELDED, AGAINST_MELDED), "0 discard AC")
        assert game.phase == "draw"
        assert game.last_result is None


class TestACardJustTaken:
    """Full s4: it may not be thrown in the same turn."""

    def test_from_the_pile_may_not_be_discarded(self):
        error = refusal(play(table(), "0 draw pile"), "0 discard JS")
        assert isinstance(error, CardJustTaken)
        assert error.params == {"card": parse_card("JS")}

    def test_from_the_pile_may_not_be_the_discard_of_a_knock_or_of_gin(self):
        for word in ("knock", "gin"):
            assert isinstance(refusal(play(table(), "0 draw pile"), f"0 {word} JS"), CardJustTaken)

    def test_from_the_pile_may_be_thrown_in_a_later_turn(self):
        taken = play(table(), "0 draw pile", "0 discard TS", "1 draw stock", "1 discard KS")
        assert play(taken, "0 draw stock", "0 discard JS").phase == "draw"

    def test_from_the_stock_may_be_thrown_at_once(self):
        game = play(table(), "0 pass", "1 pass", "0 draw stock")
        assert play(game, "0 discard KS").phase == "draw"

    def test_from_the_stock_may_not_be_thrown_where_that_was_agreed(self):
        rules = replace(STANDARD, discard_drawn="any_drawn")
        game = play(table(rules), "0 pass", "1 pass", "0 draw stock")
        for line in ("0 discard KS", "0 knock KS"):
            error = refusal(game, line)
            assert isinstance(error, CardJustDrawn)
            assert error.params == {"card": parse_card("KS")}
        assert play(game, "0 discard TS").phase == "draw"
        assert isinstance(refusal(play(table(rules), "0 draw pile"), "0 discard JS"), CardJustTaken)


class TestTheEndOfTheStock:
    """Full s4: two cards left after a discard, and the hand is drawn; s6: or one."""

    def begun(self, rules=STANDARD):
        return play(table(rules), "0 pass", "1 pass")

    def test_is_not_reached_with_three_cards_left(self):
        game = stock_runs_down(self.begun(), 3)
        assert (game.phase, len(game.hand.stock)) == ("draw", 3)

    def test_comes_with_the_discard_that_leaves_two(self):
        game = stock_runs_down(self.begun(), 2)
        assert game.last_result.outcome == "drawn"
        assert (game.phase, len(game.hand.stock)) == ("hand_over", 2)

    def test_may_come_with_one_card_where_that_was_agreed(self):
        game = stock_runs_down(self.begun(replace(STANDARD, stock_end=1)), 2)
        assert game.phase == "draw"
        assert stock_runs_down(game, 1).last_result.outcome == "drawn"

    def test_gives_nobody_points_and_shows_both_sides(self):
        result = stock_runs_down(self.begun(), 2).last_result
        assert (result.winner, result.knocker, result.points, result.lines) == (None, None, 0, ())
        assert [side.deadwood for side in result.sides] == [10, 41]
        assert [side.cards for side in result.sides] == [cards(NEAR_GIN), result.sides[1].cards]

    def test_lets_the_seat_that_drew_the_third_last_card_knock(self):
        game = play(stock_runs_down(self.begun(), 3), "0 draw stock")
        assert len(game.hand.stock) == 2
        drawn = card_names(1 << game.hand.drawn_card)[0]
        assert play(game, f"0 knock {drawn}").phase == "lay_off"

    def test_comes_after_a_card_from_the_pile_too(self):
        # No card leaves the stock, so the same two remain, and the discard ends the hand again.
        low = play(stock_runs_down(self.begun(), 3), "0 draw stock")
        bare = replace(low, hand=replace(low.hand, stock=low.hand.stock[:2]))
        assert facts(bare, "0 discard TS") == [Discarded, HandDrawn]

    def test_is_a_fact_of_the_server(self):
        game = play(stock_runs_down(self.begun(), 3), "0 draw stock")
        made = transition(game, "0 discard TS")
        assert [(move.by, move.seat) for move in made.moves] == [("player", 0), ("server", None)]
        assert [type(move.event) for move in made.moves] == [Discarded, HandDrawn]


class TestTheCapOnTurns:
    """The rules give no end to two players who take each other's discards; ``max_turns`` does."""

    rules = replace(STANDARD, max_turns=51)

    def test_is_not_reached_a_turn_before(self):
        game = pile_goes_round(table(self.rules), 50)
        assert (game.phase, game.hand.turn) == ("draw", 50)

    def test_draws_the_hand_after_the_discard(self):
        game = pile_goes_round(table(self.rules), 51)
        assert game.last_result.outcome == "drawn"
        assert (game.hand.turn, len(game.hand.stock)) == (51, 31)

    def test_lets_the_last_turn_knock(self):
        game = play(pile_goes_round(table(self.rules), 50), "0 draw pile")
        assert game.hand.turn == 51
        (thrown,) = card_names(
            game.hand.holdings[0] & ~(cards(NEAR_GIN) | 1 << game.hand.drawn_card)
        )
        assert play(game, f"0 knock {thrown}").phase == "lay_off"

    def test_counts_no_passes(self):
        game = play(table(self.rules), "0 pass", "1 pass", "0 draw stock")
        assert game.hand.turn == 1


class TestTheOrderOfRefusals:
    """Not your turn, wrong phase, then what is wrong with the cards."""

    def test_the_turn_comes_before_the_phase(self):
        assert isinstance(refusal(table(), "1 discard 2C"), NotYourTurn)

    def test_the_phase_comes_before_the_cards(self):
        assert isinstance(refusal(table(), "0 discard 4C"), WrongPhase)
        assert isinstance(refusal(table(), "0 lay_off 4C>9"), WrongPhase)

    def test_the_discard_comes_before_the_lay_out(self):
        game = play(table(), "0 draw pile")
        assert isinstance(refusal(game, "0 knock 4C 2C2D"), CardNotInHand)
        assert isinstance(refusal(game, "0 gin JS 2C2D"), CardJustTaken)

    def test_the_lay_out_comes_before_its_deadwood(self):
        game = play(table(), "0 draw pile")
        assert isinstance(refusal(game, "0 gin TS AC2C3C 3C4D"), NotARun)

    def test_whether_big_gin_is_played_comes_before_its_cards(self):
        game = play(table(), "0 draw pile")
        assert isinstance(refusal(game, "0 big_gin 2C2D"), BigGinNotEnabled)

    def test_the_due_seat_is_named(self):
        with pytest.raises(NotYourTurn) as refused:
            decisions.decide(table().hand, STANDARD, 1, Pass())
        assert refused.value.params == {"to_act_seats": (0,)}
