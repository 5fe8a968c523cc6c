"""Games for three and for four: who plays which hand, and how a game goes on to its end."""

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from engine.actions import Resign
from engine.errors import NotYourTurn
from engine.events import DealerDrawn, Dealt
from engine.game import SeatKind, Setup, next_pairing
from engine.legal import legal
from engine.players import easy
from engine.progress import apply, begin
from engine.record import game_record, play_record
from engine.replay import replay
from engine.rules import STANDARD, resolve
from engine.scoring import HandOutcome
from engine.seating import Pairing
from engine.views import view
from tests.tables import refusal, setup

PERSON = SeatKind.HUMAN
SETTINGS = {
    "three in rotation": (3, {}),
    "three, the loser out": (3, {"three_player": "loser_out"}),
    "partners": (4, {"four_player": "partnership"}),
    "partners in hollywood": (4, {"four_player": "partnership", "hollywood": True, "target": 50}),
}


def made_for(seats, options, key=bytes(32)):
    return Setup("g_more", resolve("standard", options), (PERSON,) * seats, key)


def whole_game(seats, options):
    made = begin(made_for(seats, options))
    yield made
    rng = Random(1)
    while not made.game.over:
        seat = made.game.to_act_seats[0]
        made = apply(made.game, seat, easy.choose(view(made.game, seat), rng))
        yield made


@pytest.mark.parametrize("name", SETTINGS)
class TestAWholeGame:
    def test_is_always_between_two_and_nobody_else_holds_a_card(self, name):
        for made in whole_game(*SETTINGS[name]):
            hand = made.game.hand
            holding = [seat for seat, cards in enumerate(hand.holdings) if cards]
            assert holding == list(hand.playing_seats)

    def test_leaves_nothing_to_do_to_who_sits_out_but_to_deal(self, name):
        for made in whole_game(*SETTINGS[name]):
            game = made.game
            for seat in range(game.seat_count):
                actions = legal(game, seat).actions
                assert seat in game.hand.playing_seats or set(actions) <= {"deal"}
                assert view(game, seat).seats[seat].sits_out == (
                    seat not in game.hand.playing_seats
                )

    def test_is_played_by_the_pairings_that_were_due(self, name):
        made = [*whole_game(*SETTINGS[name])]
        deals = 0
        for before, after in pairwise(made):
            if any(isinstance(move.event, Dealt) for move in after.moves):
                due = next_pairing(before.game)
                assert Pairing(after.game.hand.dealer, after.game.hand.nondealer) == due
                deals += 1
        assert deals >= 2

    def test_is_the_same_from_its_moves_and_from_its_record(self, name):
        made = [*whole_game(*SETTINGS[name])]
        moves, game = [move for each in made for move in each.moves], made[-1].game
        assert replay(game.setup, moves) == game
        played = play_record(game_record(game.setup, moves))
        assert (played.hands, played.score, played.hand) == (game.hands, game.score, game.hand)


class TestPartners:
    def test_have_the_team_of_the_winner_in_each_result(self):
        seen = set()
        for made in whole_game(4, {"four_player": "partnership"}):
            for move in made.moves:
                result = getattr(move.event, "result", None)
                if result is not None:
                    winner = result.winner
                    assert result.winner_team == (None if winner is None else winner % 2)
                    seen.add(result.winner_team)
        assert seen >= {0, 1}

    def test_win_together(self):
        *_, made = whole_game(4, {"four_player": "partnership"})
        shown = view(made.game, 3)
        assert (shown.winner, shown.winner_team) == (None, made.game.score.winner_team)
        assert [seat.team for seat in shown.seats] == [0, 1, 0, 1]


class TestTheDraw:
    def test_is_among_all_three(self):
        dealers = set()
        for number in range(20):
            made = begin(made_for(3, {}, bytes([number]) * 32))
            draw = next(move.event for move in made.moves if isinstance(move.event, DealerDrawn))
            ranks = {each.seat: each.card % 13 for each in draw.draws}
            assert ranks.keys() == {0, 1, 2}
            assert made.game.hand.dealer == min(ranks, key=ranks.get)
            dealers.add(made.game.hand.dealer)
        assert dealers == {0, 1, 2}

    def test_is_among_the_partners_who_play_first(self):
        dealers = set()
        for number in range(20):
            made = begin(made_for(4, {"four_player": "partnership"}, bytes([number]) * 32))
            assert made.game.hand.playing_seats == (0, 1)
            assert {each.seat for each in made.game.dealer_draw} == {0, 1}
            dealers.add(made.game.hand.dealer)
        assert dealers == {0, 1}


class TestAHandInPlay:
    def test_refuses_the_moves_of_who_sits_out(self):
        game = begin(made_for(3, {"first_dealer": "seat0"})).game
        assert game.hand.playing_seats == (0, 1)
        assert isinstance(refusal(game, "2 pass"), NotYourTurn)

    def test_that_was_void_is_dealt_again_to_the_same_two(self):
        game = begin(made_for(3, {"first_dealer": "seat1"})).game
        over = apply(game, 0, Resign()).game
        void = replace(over.hands[0], outcome=HandOutcome.VOID)
        assert next_pairing(replace(over, hands=(void,))) == Pairing(1, 2)


class TestGivingUp:
    @pytest.mark.parametrize(("seat", "winner"), [(0, 1), (1, 0), (2, 0)])
    def test_of_three_leaves_the_game_to_the_leader_of_the_others(self, seat, winner):
        score = apply(begin(made_for(3, {})).game, seat, Resign()).game.score
        assert (score.complete, score.winner) == (True, winner)

    @pytest.mark.parametrize("seat", range(4))
    def test_of_partners_leaves_it_to_the_other_team(self, seat):
        game = begin(made_for(4, {"four_player": "partnership"})).game
        score = apply(game, seat, Resign()).game.score
        assert (score.winner, score.winner_team) == (None, 1 - seat % 2)

    def test_in_hollywood_ends_the_game(self):
        game = begin(setup(replace(STANDARD, hollywood=True))).game
        over = apply(game, 0, Resign()).game
        assert (over.over, over.score.winner) == (True, 1)
        assert [column.winner for column in over.score.columns] == [1, 1, 1]
