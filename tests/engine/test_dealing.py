"""Who deals the coming hand, and from which deck."""

from dataclasses import replace
from itertools import pairwise

import pytest

from engine import shuffle
from engine.actions import DealHand
from engine.cards import POINTS
from engine.dealing import commitment
from engine.errors import (
    HandInProgress,
)
from engine.events import Dealt
from engine.game import Game, SeatKind, next_pairing
from engine.progress import decide
from engine.rules import PRESETS, STANDARD
from engine.views import view
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

HUMAN, AI = SeatKind.HUMAN, SeatKind.AI


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


class TestWhoDealsNext:
    def test_of_a_deal_says_who_deals_and_to_whom(self):
        (dealt,) = decide(won_by_seat_0(), 0, DealHand())
        assert (dealt.hand_number, dealt.dealer, dealt.nondealer) == (2, 0, 1)

    def test_who_deals_next_is_known_before(self):
        assert next_pairing(won_by_seat_0()).dealer == 0
        assert next_pairing(Game(setup(replace(STANDARD, first_dealer="seat1")))).dealer == 1
