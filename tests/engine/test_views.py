from dataclasses import replace

import pytest

from engine.actions import DrawSource
from engine.cards import parse_card
from engine.game import SeatKind, new_game
from engine.legal import NOTHING
from engine.melds import best_arrangement
from engine.progress import begin
from engine.rules import PRESETS, STANDARD
from engine.views import SPECTATOR, seen, seen_holdings, view, view_beside_computer
from tests.tables import (
    NEAR_GIN,
    OTHER,
    cards,
    discarding,
    play,
    setup,
    stock_runs_down,
    table,
    transition,
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


class TestAMove:
    def drew(self):
        return transition(play(table(), "0 pass", "1 pass"), "0 draw stock").moves[0]

    def test_from_the_stock_shows_its_card_only_to_its_seat(self):
        assert seen(self.drew(), 0, table()).card == parse_card("KS")
        assert seen(self.drew(), 1, table()).card is None
        assert seen(self.drew(), SPECTATOR, table()).card is None

    def test_from_the_stock_shows_its_card_to_all_once_the_hand_is_over(self):
        assert seen(self.drew(), 1, table(), revealed=True).card == parse_card("KS")

    @pytest.mark.parametrize("viewer", EVERYBODY)
    def test_from_the_pile_and_onto_it_shows_its_card_to_all(self, viewer):
        drew = transition(table(), "0 draw pile")
        assert seen(drew.moves[0], viewer, table()).card == parse_card("JS")
        discarded = transition(drew.game, "0 discard TS")
        assert seen(discarded.moves[0], viewer, table()).card == parse_card("TS")

    def test_that_deals_shows_each_seat_its_own_cards(self):
        move = dealt()
        hand = begin(setup()).game.hand
        assert seen(move, 0, table()).deal.cards == hand.holdings[0]
        assert seen(move, 1, table()).deal.cards == hand.holdings[1]
        assert seen(move, SPECTATOR, table()).deal.cards == 0

    @pytest.mark.parametrize("viewer", EVERYBODY)
    def test_that_deals_shows_upcard_limit_and_commitment_to_all(self, viewer):
        deal = seen(dealt(), viewer, table()).deal
        hand = begin(setup()).game.hand
        assert (deal.upcard, deal.knock_limit, deal.server_commit) == (
            hand.upcard,
            10,
            hand.server_commit,
        )
        assert (deal.dealer, deal.playing_seats) == (hand.dealer, (0, 1))

    @pytest.mark.parametrize("viewer", EVERYBODY)
    def test_never_holds_seed_or_deck(self, viewer):
        move = dealt()
        text = repr(seen(move, viewer, table(), revealed=True))
        assert move.event.seed.hex() not in text
        assert repr(move.event.seed) not in text
        assert str(move.event.deck) not in text

    def test_tells_what_was_done_by_the_words_of_the_api(self):
        words = [
            seen(move, SPECTATOR, table()).action
            for line in ("0 draw pile", "0 knock TS", "1 lay_off")
            for move in [self.after(line)]
        ]
        assert words == ["draw", "knock", "lay_off"]

    def after(self, line):
        lines = ["0 draw pile", "0 knock TS", "1 lay_off"]
        return transition(play(table(), *lines[: lines.index(line)]), line).moves[0]

    def test_that_ends_a_hand_carries_its_result(self):
        assert seen(self.after("0 knock TS"), 1, table()).result is None
        assert seen(self.after("1 lay_off"), 0, table()).result.points == 22
        gin = transition(discarding(ALL_MELDED, AGAINST_MELDED), "0 gin KS").moves[0]
        assert seen(gin, SPECTATOR, table()).result.outcome == "gin"
        assert seen(gin, SPECTATOR, table()).knock.result.outcome == "gin"
        resigned = transition(table(), "0 resign").moves[0]
        assert seen(resigned, SPECTATOR, table()).result.outcome == "resigned"


class TestTheCardsDealt:
    def test_are_ones_own_until_the_hand_is_over(self):
        event = dealt().event
        hand = begin(setup()).game.hand
        assert [each.seat for each in seen_holdings(event, 1, revealed=False)] == [1]
        assert seen_holdings(event, SPECTATOR, revealed=False) == ()
        both = seen_holdings(event, SPECTATOR, revealed=True)
        assert [each.cards for each in both] == list(hand.holdings)


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
