"""How a game moves on: its beginning, its moves, its deals and its end by resignation."""

from dataclasses import replace

import pytest

from engine import shuffle
from engine.actions import Pass
from engine.cards import parse_card
from engine.errors import (
    GameOver,
    HandOver,
    NotYourTurn,
    WrongPhase,
)
from engine.events import DealerDrawn, Dealt, HandDrawn, Resigned
from engine.game import Mover
from engine.hand import Phase
from engine.progress import apply, begin, decide
from engine.replay import replay
from engine.rules import PRESETS, STANDARD
from tests.tables import (
    play,
    refusal,
    setup,
    stock_runs_down,
    table,
    transition,
    whole_game,
    won_by_seat_0,
)


class TestTheBeginning:
    def test_is_the_draw_for_the_deal_and_the_deal_both_the_servers(self):
        made = begin(setup())
        assert [type(move.event) for move in made.moves] == [DealerDrawn, Dealt]
        assert [(move.number, move.seat, move.by, move.turn) for move in made.moves] == [
            (1, None, Mover.SERVER, 0),
            (2, None, Mover.SERVER, 0),
        ]

    def test_deals_by_the_seed_of_the_first_hand(self):
        made = begin(setup())
        dealt = made.moves[1].event
        seed = shuffle.hand_seed(bytes(32), 1)
        assert dealt.seed == seed
        assert dealt.deck == shuffle.deck_order(shuffle.Deal("g_table", 1, seed))
        assert dealt.server_commit == shuffle.server_commit("g_table", 1, seed)

    def test_lets_the_lowest_card_drawn_deal(self):
        for number in range(40):
            made = begin(setup(deal_key=bytes([number]) + bytes(31)))
            ranks = {draw.seat: draw.card % 13 for draw in made.game.dealer_draw}
            assert made.game.first_dealer == min(ranks, key=ranks.get)
            assert made.game.hand.dealer == made.game.first_dealer

    @pytest.mark.parametrize("dealer", [0, 1])
    def test_has_no_draw_where_the_first_dealer_was_agreed(self, dealer):
        made = begin(setup(replace(STANDARD, first_dealer=f"seat{dealer}")))
        assert [type(move.event) for move in made.moves] == [Dealt]
        assert (made.game.hand.dealer, made.game.hand.nondealer) == (dealer, 1 - dealer)
        assert made.game.dealer_draw == ()


class TestMoves:
    def test_are_numbered_through_the_whole_game(self):
        moves = [move for made in whole_game(STANDARD) for move in made.moves]
        assert [move.number for move in moves] == list(range(1, len(moves) + 1))

    def test_carry_their_hand_and_their_turn(self):
        game = play(begin(setup()).game, f"{begin(setup()).game.hand.nondealer} pass")
        assert (game.last_move.hand_number, game.last_move.turn) == (1, 0)
        made = transition(table(), "0 draw pile")
        assert made.moves[0].turn == 1
        assert transition(made.game, "0 discard TS").moves[0].turn == 1

    def test_tell_the_table_after_them(self):
        after = transition(table(), "0 draw pile").moves[0].after
        assert (after.phase, after.to_act_seats, after.stock_count) == (Phase.DISCARD, (0,), 31)
        assert [(each.seat, each.count) for each in after.card_counts] == [(0, 11), (1, 10)]
        assert after.top_discard is None
        after = transition(play(table(), "0 draw pile"), "0 discard TS").moves[0].after
        assert after.top_discard == parse_card("TS")

    def test_say_whose_doing_they_are(self):
        moves = apply(table(), 0, Pass(), Mover.AI).moves
        assert [(move.seat, move.by) for move in moves] == [(0, Mover.AI)]

    def test_that_follow_from_another_are_the_servers(self):
        game = play(stock_runs_down(play(table(), "0 pass", "1 pass"), 3), "0 draw stock")
        discard, drawn = transition(game, "0 discard TS").moves
        assert (discard.by, drawn.by, drawn.seat) == (Mover.PLAYER, Mover.SERVER, None)
        assert isinstance(drawn.event, HandDrawn)

    def test_replayed_make_the_same_game(self):
        moves = []
        for number, made in enumerate(whole_game(PRESETS["traditional"])):
            moves += made.moves
            if number % 10 == 0 or made.game.over:
                assert replay(made.game.setup, moves) == made.game


class TestResigning:
    """The game goes to the other seat; an open hand is resigned without points."""

    def test_gives_the_game_to_the_other(self):
        for seat in (0, 1):
            game = play(table(), f"{seat} resign")
            assert (game.over, game.score.winner) == (True, 1 - seat)

    def test_needs_no_turn(self):
        assert play(table(), "1 resign").over
        assert play(table(), "0 draw pile", "0 knock TS", "0 resign").over

    def test_ends_an_open_hand_without_points(self):
        game = play(table(), "0 draw pile", "1 resign")
        assert (game.last_result.outcome, game.last_result.points) == ("resigned", 0)
        assert [hand.outcome for hand in game.hands] == ["resigned"]
        assert game.score.totals[0].boxes == 0

    def test_shows_both_sides_of_an_open_hand(self):
        game = play(table(), "0 pass", "1 resign")
        assert [side.cards for side in game.last_result.sides] == list(table().hand.holdings)

    def test_between_hands_ends_no_hand(self):
        made = transition(won_by_seat_0(), "0 resign")
        assert made.moves[0].event == Resigned(0, 1, None)
        assert made.game.score.winner == 1
        assert len(made.game.hands) == 1
        assert made.game.last_result.outcome == "gin"

    def test_is_final(self):
        game = play(table(), "0 resign")
        assert isinstance(refusal(game, "1 resign"), GameOver)
        assert isinstance(refusal(game, "1 deal"), GameOver)


class TestTheOrderOfRefusals:
    """Game over, hand over, not your turn, wrong phase."""

    def test_the_end_of_the_game_comes_first(self):
        over = won_by_seat_0(replace(STANDARD, target=50))
        assert isinstance(refusal(over, "1 discard 2C"), GameOver)

    def test_the_end_of_the_hand_comes_before_the_turn(self):
        assert isinstance(refusal(won_by_seat_0(), "1 discard 2C"), HandOver)

    def test_the_turn_comes_before_the_phase(self):
        assert isinstance(refusal(table(), "1 draw stock"), NotYourTurn)
        assert isinstance(refusal(table(), "0 draw stock"), WrongPhase)


class TestDeciding:
    def test_changes_nothing(self):
        game = table()
        before = repr(game)
        (event,) = decide(game, 0, Pass())
        assert (event.seat, repr(game)) == (0, before)
