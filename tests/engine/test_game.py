from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from engine import shuffle
from engine.actions import DealHand, Pass
from engine.cards import POINTS, parse_card
from engine.errors import (
    GameNotStarted,
    GameOver,
    HandInProgress,
    HandOver,
    NotYourTurn,
    WrongPhase,
)
from engine.events import DealerDrawn, Dealt, HandDrawn, Resigned
from engine.game import (
    Game,
    Mover,
    SeatKind,
    Setup,
    apply,
    begin,
    commitment,
    decide,
    new_game,
    next_pairing,
)
from engine.hand import Phase
from engine.players import easy
from engine.replay import replay
from engine.rules import PRESETS, STANDARD
from engine.views import view
from tests.tables import (
    PEOPLE,
    discarding,
    play,
    refusal,
    setup,
    stock_runs_down,
    table,
    transition,
)

HUMAN, AI = SeatKind.HUMAN, SeatKind.AI
GIN = ("AC 2C 3C 4C 5D 6D 7D 9H TH JH KS", "7C 8C 8D 9D JD QH KH 2S 3S 5S")


def won_by_seat_0(rules=STANDARD):
    """A game whose hand seat 0 has just won with gin."""
    return play(discarding(*GIN, rules), "0 gin KS")


def whole_game(rules, kinds=PEOPLE, key=bytes(32)):
    """A whole game by easy players, transition by transition."""
    made = begin(Setup("g_whole", rules, kinds, key))
    yield made
    rng = Random(1)
    while not made.game.over:
        seat = made.game.to_act_seats[0]
        made = apply(made.game, seat, easy.choose(view(made.game, seat), rng))
        yield made


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

    def test_waits_where_nothing_is_dealt_yet(self):
        game = new_game(setup())
        assert (game.phase, game.to_act_seats, game.next_move) == (Phase.WAITING, (), 1)
        assert game.next_hand_number == 1
        for line in ("0 pass", "0 resign", "0 deal"):
            assert isinstance(refusal(game, line), GameNotStarted)


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


class TestTheNextDeal:
    """Full s3: the deal alternates after every hand, also one without a score."""

    def test_is_the_other_seats_after_a_won_hand(self):
        game = play(won_by_seat_0(), "1 deal")
        assert (game.hand.number, game.hand.dealer) == (2, 0)

    def test_is_the_other_seats_after_a_drawn_hand(self):
        game = stock_runs_down(play(table(), "0 pass", "1 pass"), 2)
        assert play(game, "0 deal").hand.dealer == 0

    @pytest.mark.parametrize(
        ("rule", "dealer", "after_a_draw"), [("winner", 0, 1), ("loser", 1, 1)]
    )
    def test_may_be_the_winners_or_the_losers_and_stay_after_a_draw(
        self, rule, dealer, after_a_draw
    ):
        rules = replace(STANDARD, next_dealer=rule)
        assert play(won_by_seat_0(rules), "0 deal").hand.dealer == dealer
        drawn = stock_runs_down(play(table(rules), "0 pass", "1 pass"), 2)
        assert play(drawn, "0 deal").hand.dealer == after_a_draw

    def test_alternates_through_a_whole_game(self):
        dealers = [
            move.event.dealer
            for made in whole_game(replace(STANDARD, target=500))
            for move in made.moves
            if isinstance(move.event, Dealt)
        ]
        assert len(dealers) > 3
        assert all(one != other for one, other in pairwise(dealers))

    def test_is_by_a_seed_of_its_own_committed_to_before(self):
        game = won_by_seat_0()
        promised = commitment(game.setup, 2)
        dealt = transition(game, "0 deal").moves[0].event
        assert dealt.server_commit == promised
        assert shuffle.server_commit("g_table", 2, dealt.seed) == promised

    def test_is_the_same_whoever_asks_for_it_and_however_often_the_server_starts_anew(self):
        game = won_by_seat_0()
        assert transition(game, "0 deal") == transition(game, "1 deal")

    def test_may_be_asked_for_by_the_people_at_the_table(self):
        game = won_by_seat_0()
        assert game.to_act_seats == (0, 1)
        one_person = replace(game, setup=replace(game.setup, seats=(HUMAN, AI)))
        assert one_person.to_act_seats == (0,)
        no_person = replace(game, setup=replace(game.setup, seats=(AI, AI)))
        assert no_person.to_act_seats == (0, 1)

    def test_keeps_the_rules_and_sets_a_new_oklahoma_limit(self):
        limits = set()
        for made in whole_game(replace(PRESETS["oklahoma"], target=300)):
            for move in made.moves:
                if isinstance(move.event, Dealt):
                    shown = view(made.game, 0)
                    upcard = move.event.deck[20]
                    expected = 0 if POINTS[upcard] == 1 else POINTS[upcard]
                    assert shown.hand.knock_limit == expected
                    assert shown.hand.multiplier == 1 + (upcard >= 39)
                    limits.add(expected)
        assert len(limits) > 1

    def test_while_a_hand_is_played_is_refused(self):
        for game in (table(), play(table(), "0 draw pile", "0 knock TS")):
            assert isinstance(refusal(game, "0 deal"), HandInProgress)


class TestBetweenHands:
    def test_play_is_refused_before_anything_else_about_it(self):
        game = won_by_seat_0()
        for line in ("0 pass", "1 draw stock", "0 discard 2C", "0 knock 2C", "1 lay_off"):
            assert isinstance(refusal(game, line), HandOver)

    def test_the_score_stands_and_the_last_result_stays_until_the_next_end(self):
        game = play(won_by_seat_0(), "0 deal")
        assert game.last_result.hand_number == 1
        assert len(game.hands) == 1


class TestTheEndOfAGame:
    def over(self):
        return won_by_seat_0(replace(STANDARD, target=50))

    def test_comes_with_the_hand_that_reaches_the_target(self):
        game = self.over()
        assert (game.over, game.phase, game.to_act_seats) == (True, Phase.GAME_OVER, ())
        assert (game.score.winner, game.score.complete) == (0, True)

    def test_does_not_come_before(self):
        game = won_by_seat_0()
        assert not game.over
        assert game.phase == Phase.HAND_OVER

    @pytest.mark.parametrize(
        "line", ["0 pass", "1 draw stock", "0 discard 2C", "0 deal", "0 resign"]
    )
    def test_leaves_nothing_to_do(self, line):
        assert isinstance(refusal(self.over(), line), GameOver)


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

    def test_of_a_deal_says_who_deals_and_to_whom(self):
        (dealt,) = decide(won_by_seat_0(), 0, DealHand())
        assert (dealt.hand_number, dealt.dealer, dealt.nondealer) == (2, 0, 1)

    def test_who_deals_next_is_known_before(self):
        assert next_pairing(won_by_seat_0()).dealer == 0
        assert next_pairing(Game(setup(replace(STANDARD, first_dealer="seat1")))).dealer == 1
