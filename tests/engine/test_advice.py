from dataclasses import replace

import pytest

from engine.actions import Discard
from engine.advice import check_to_move, gives_hints, take_hint
from engine.errors import GameNotStarted, GameOver, HandOver, NotYourTurn
from engine.events import Change, ChangeKind
from engine.game import Mover, SeatKind, new_game
from engine.hints import HintsUsed
from engine.notation import parse_action
from engine.progress import apply, begin
from engine.replay import replay
from engine.rules import CHOICES, STANDARD
from engine.seating import SeatCount
from engine.views import view
from tests.tables import play, setup, table

FULL = replace(STANDARD, advice="full")


class TestHints:
    @pytest.mark.parametrize("advice", CHOICES["advice"])
    def test_are_given_only_with_full_advice(self, advice):
        assert gives_hints(replace(STANDARD, advice=advice)) is (advice == "full")


class TestWhoMayAsk:
    def test_is_the_seat_that_is_due(self):
        assert check_to_move(table(FULL), 0) is None

    @pytest.mark.parametrize(
        ("game", "error"),
        [
            (new_game(setup(FULL)), GameNotStarted),
            (table(FULL), NotYourTurn),
            (play(table(FULL), "0 draw pile", "0 knock TS", "1 lay_off"), HandOver),
            (play(table(FULL), "0 resign"), GameOver),
        ],
        ids=["before the deal", "the other seat", "after the hand", "after the game"],
    )
    def test_is_nobody_who_could_not_move(self, game, error):
        with pytest.raises(error):
            take_hint(game, 1)


class TestAHint:
    def test_is_counted_and_seen_by_all(self):
        agreed = take_hint(table(FULL), 0)
        assert agreed.change == Change(ChangeKind.HINTED, 0)
        assert agreed.moves == ()
        for viewer in (0, 1, None):
            assert view(agreed.game, viewer).hints_used == (SeatCount(0, 1),)

    def test_counts_once_for_a_move(self):
        once = take_hint(table(FULL), 0).game
        again = take_hint(once, 0)
        assert (again.game, again.change) == (once, None)

    def test_counts_again_for_the_next_one(self):
        game = take_hint(table(FULL), 0).game
        game = take_hint(play(game, "0 draw pile"), 0).game
        assert game.hints == (HintsUsed(0, 2, game.next_move),)

    def test_counts_for_each_seat_alone(self):
        game = take_hint(play(take_hint(table(FULL), 0).game, "0 pass"), 1).game
        assert view(game, 0).hints_used == (SeatCount(0, 1), SeatCount(1, 1))

    def test_makes_no_move(self):
        game = table(FULL)
        assert take_hint(game, 0).game == replace(game, hints=(HintsUsed(0, 1, game.next_move),))


class TestAMoveMadeForAPerson:
    def made_for(self, game, seat, words):
        return apply(game, seat, parse_action(words), Mover.AI).game

    def test_counts_like_a_hint(self):
        game = self.made_for(table(FULL), 0, "draw pile")
        assert view(game, 1).hints_used == (SeatCount(0, 1),)

    def test_counts_once_with_the_hint_that_was_asked_for_before(self):
        game = self.made_for(take_hint(table(FULL), 0).game, 0, "draw pile")
        assert view(game, 1).hints_used == (SeatCount(0, 1),)
        game = self.made_for(game, 0, "discard TS")
        assert view(game, 1).hints_used == (SeatCount(0, 2),)

    def test_is_none_of_a_computers_own(self):
        game = table(FULL, kinds=(SeatKind.AI, SeatKind.HUMAN))
        assert self.made_for(game, 0, "draw pile").hints == ()

    def test_is_none_that_the_person_made(self):
        assert play(table(FULL), "0 draw pile").hints == ()

    def test_does_not_count_what_the_server_did_after_it(self):
        rules = replace(FULL, layoff="optimal")
        game = self.made_for(self.made_for(table(rules), 0, "draw pile"), 0, "knock TS")
        assert game.hand.over
        assert view(game, 1).hints_used == (SeatCount(0, 2),)


class TestTheLog:
    def test_leads_to_the_same_counts(self):
        made = begin(setup(FULL))
        seat = made.game.hand.to_act
        hinted = take_hint(made.game, seat)
        drawn = apply(hinted.game, seat, parse_action("draw pile"))
        card = view(drawn.game, seat).you.legal.discards[0].card
        thrown = apply(drawn.game, seat, Discard(card), Mover.AI)
        log = (*made.moves, hinted.change, *drawn.moves, *thrown.moves)
        assert thrown.game.hints == (HintsUsed(seat, 2, thrown.moves[0].number),)
        assert replay(made.game.setup, log) == thrown.game
