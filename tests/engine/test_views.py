from dataclasses import replace

import pytest

from engine.actions import DrawSource
from engine.cards import parse_card
from engine.game import SeatKind, new_game
from engine.legal import NOTHING
from engine.melds import best_arrangement
from engine.move_views import SPECTATOR
from engine.progress import begin
from engine.rules import PRESETS, STANDARD
from engine.views import view, view_beside_computer
from tests.tables import (
    NEAR_GIN,
    OTHER,
    cards,
    discarding,
    play,
    setup,
    stock_runs_down,
    table,
)

EVERYBODY = (0, 1, SPECTATOR)
ALL_MELDED = "AC 2C 3C 4C 5D 6D 7D 9H TH JH KS"
AGAINST_MELDED = "7C 8C 8D 9D JD QH KH 2S 3S 5S"


def dealt():
    return begin(setup()).moves[-1]


class TestWhatASeatSees:
    def test_is_its_own_cards_and_no_others(self):
        assert view(table(), 0).you.cards == cards(NEAR_GIN)
        assert view(table(), 1).you.cards == cards(OTHER)
        assert view(table(), SPECTATOR).you.cards == 0

    def test_is_the_best_arrangement_of_its_cards(self):
        assert view(table(), 0).you.best == best_arrangement(cards(NEAR_GIN))
        assert view(table(replace(STANDARD, advice="off")), 0).you.best is None

    def test_is_the_card_it_drew_and_from_where(self):
        you = view(play(table(), "0 draw pile"), 0).you
        assert (you.drawn_card, you.drawn_from) == (parse_card("JS"), DrawSource.DISCARD_PILE)

    def test_is_not_the_card_another_drew(self):
        game = play(table(), "0 pass", "1 pass", "0 draw stock")
        for viewer in (1, SPECTATOR):
            you = view(game, viewer).you
            assert (you.drawn_card, you.drawn_from) == (None, None)
            assert view(game, viewer).last_move.card is None

    def test_is_the_deadwood_of_its_best_discard_while_it_may_discard(self):
        assert view(play(table(), "0 draw pile"), 0).you.deadwood_after_best_discard == 10
        assert view(table(), 0).you.deadwood_after_best_discard is None

    def test_of_eleven_cards_leaves_out_a_discard_that_is_barred(self):
        held = "2C 3C 4C 8D 8H 8S 4D 2H AS AD KD"
        game = discarding(held, "9C TC JC QC KC 5D 6D 7D 9D TD", taken="KD")
        assert view(game, 0).you.deadwood_after_best_discard == 14

    def test_is_what_it_may_do(self):
        assert view(table(), 0).you.legal.actions == ("draw", "pass")
        assert view(table(), 1).you.legal == NOTHING
        assert view(table(), SPECTATOR).you.legal == NOTHING


class TestWhatEverybodySees:
    @pytest.mark.parametrize("viewer", EVERYBODY)
    def test_is_the_upcard_the_limit_and_the_multiplier_throughout(self, viewer):
        game = table(PRESETS["oklahoma"], upcard="4S", stock="KS")
        for lines in ([], ["0 draw pile"], ["0 draw pile", "0 discard TS"]):
            hand = view(play(game, *lines), viewer).hand
            assert (hand.upcard, hand.knock_limit, hand.multiplier) == (parse_card("4S"), 4, 2)

    @pytest.mark.parametrize("viewer", EVERYBODY)
    def test_is_the_pile_and_the_number_of_cards_elsewhere(self, viewer):
        shown = view(play(table(), "0 pass", "1 pass", "0 draw stock"), viewer)
        assert shown.hand.discard_pile == (parse_card("JS"),)
        assert shown.hand.stock_count == 30
        assert [seat.card_count for seat in shown.seats] == [11, 10]

    @pytest.mark.parametrize("viewer", EVERYBODY)
    def test_is_what_a_seat_took_from_the_pile_and_still_holds(self, viewer):
        game = play(table(), "0 draw pile", "0 discard TS")
        assert view(game, viewer).seats[0].known_cards == cards("JS")
        thrown = play(game, "1 draw stock", "1 discard KS", "0 draw stock", "0 discard JS")
        assert view(thrown, viewer).seats[0].known_cards == 0

    @pytest.mark.parametrize("viewer", EVERYBODY)
    def test_is_who_deals_and_who_is_due(self, viewer):
        shown = view(table(), viewer)
        assert [seat.dealer for seat in shown.seats] == [False, True]
        assert [seat.sits_out for seat in shown.seats] == [False, False]
        assert shown.to_act_seats == (0,)

    @pytest.mark.parametrize("viewer", EVERYBODY)
    def test_is_both_seats_cards_once_a_lay_out_is_fixed(self, viewer):
        knock = view(play(table(), "0 draw pile", "0 knock TS"), viewer).hand.knock
        assert (knock.seat, knock.discard, knock.deadwood) == (0, parse_card("TS"), 10)
        assert (knock.defender, knock.defender_cards) == (1, cards(OTHER))
        assert (knock.lay_offs, knock.result) == ((), None)

    @pytest.mark.parametrize("viewer", EVERYBODY)
    def test_is_the_lay_offs_and_the_result_once_there_are_any(self, viewer):
        shown = view(play(table(), "0 draw pile", "0 knock TS", "1 lay_off"), viewer)
        assert [laid.card for laid in shown.hand.knock.lay_offs] == [
            parse_card("4C"),
            parse_card("5C"),
        ]
        assert shown.hand.knock.result == shown.last_hand == shown.last_move.result
        assert shown.last_hand.points == 22

    def test_of_a_knock_in_a_later_hand_is_not_the_result_of_an_earlier_one(self):
        game = play(table(), "0 draw pile", "0 knock TS")
        earlier = play(game, "1 lay_off").last_result
        shown = view(replace(game, last_result=earlier), SPECTATOR)
        assert shown.last_hand == earlier
        assert (shown.hand.knock.result, shown.hand.knock.lay_offs) == (None, ())

    @pytest.mark.parametrize("viewer", EVERYBODY)
    def test_is_both_sides_after_a_drawn_hand(self, viewer):
        shown = view(stock_runs_down(play(table(), "0 pass", "1 pass"), 2), viewer)
        assert [side.cards for side in shown.last_hand.sides] == [cards(NEAR_GIN), cards(OTHER)]

    def test_is_the_result_of_the_last_hand_not_in_the_knock_of_the_next(self):
        game = play(discarding(ALL_MELDED, AGAINST_MELDED), "0 gin KS", "0 deal")
        shown = view(game, SPECTATOR)
        assert shown.last_hand.outcome == "gin"
        assert shown.hand.knock is None
        assert shown.hand.number == 2

    def test_is_the_commitment_to_the_coming_hand_once_it_is_due(self):
        game = play(discarding(ALL_MELDED, AGAINST_MELDED), "0 gin KS")
        promised = view(game, SPECTATOR).next_hand
        assert promised.number == 2
        assert promised.server_commit == play(game, "0 deal").hand.server_commit
        assert view(table(), SPECTATOR).next_hand is None

    def test_is_the_score_and_the_winner(self):
        rules = replace(STANDARD, target=50)
        shown = view(play(discarding(ALL_MELDED, AGAINST_MELDED, rules), "0 gin KS"), SPECTATOR)
        assert (shown.over, shown.winner, shown.phase) == (True, 0, "game_over")
        assert shown.score.totals[0].total == shown.last_hand.points

    def test_is_the_cards_drawn_for_the_deal(self):
        game = begin(setup()).game
        assert view(game, SPECTATOR).dealer_draw == game.dealer_draw

    def test_before_the_first_deal_is_an_empty_table(self):
        shown = view(new_game(setup()), 0)
        assert (shown.hand, shown.phase, shown.you.cards) == (None, "waiting", 0)
        assert [seat.card_count for seat in shown.seats] == [0, 0]
        assert shown.last_move is None


class TestWhoLetsTheComputerPlay:
    """The maker of a game between computers sees what a spectator sees, and may deal."""

    def game(self):
        over = stock_runs_down(play(table(), "0 pass", "1 pass"), 2)
        return replace(over, setup=replace(over.setup, seats=(SeatKind.AI, SeatKind.AI)))

    def test_sees_no_cards(self):
        game = table(kinds=(SeatKind.AI, SeatKind.AI))
        assert view_beside_computer(game, 0) == view(game, SPECTATOR)

    def test_may_deal(self):
        assert view_beside_computer(self.game(), 0).you.legal.actions == ("deal",)
        assert view_beside_computer(self.game(), 0).you.cards == 0
