"""Computer players answer on views, within their time."""

from random import Random

import pytest

from engine.actions import Pass
from engine.game import Mover, SeatKind, Setup, Transition
from engine.hand import Phase
from engine.players import easy
from engine.players.levels import LEVELS, Level
from engine.progress import apply, begin
from engine.rules import STANDARD
from engine.views import GameView, view
from service.storage.occupants import Occupant
from service.use_cases import computer_seats as module
from service.use_cases.computer_seats import (
    Thinking,
    due_computer,
    level_of,
    play_for_absent,
    play_seat,
    with_replies,
)
from tests.tables import table

AUTO = Occupant(SeatKind.AI, occupied=True, level="easy", mode="auto")
ON_REQUEST = Occupant(SeatKind.AI, occupied=True, level="easy", mode="on_request")
PERSON = Occupant(SeatKind.HUMAN, occupied=True)
EASY = LEVELS["easy"].choose
LONG = Thinking(float("inf"))
NONE = Thinking(float("-inf"))


def kinds(seats):
    return tuple(seat.kind for seat in seats)


def position(*seats):
    return table(kinds=kinds(seats))


class TestReplies:
    def test_go_on_until_a_person_is_due(self):
        seats = (AUTO, PERSON)
        made = with_replies(Transition(position(*seats), ()), seats, LONG)
        assert [move.seat for move in made.moves] == [0]
        assert made.game.to_act_seats == (1,)

    def test_are_none_of_a_seat_that_waits_to_be_asked(self):
        seats = (ON_REQUEST, PERSON)
        game = position(*seats)
        assert with_replies(Transition(game, ()), seats, LONG) == Transition(game, ())

    def test_are_none_when_the_time_is_up(self):
        seats = (AUTO, PERSON)
        game = position(*seats)
        assert with_replies(Transition(game, ()), seats, NONE) == Transition(game, ())

    def test_follow_what_was_made_before(self):
        seats = (AUTO, PERSON)
        first = begin(Setup("g_1", STANDARD, kinds(seats), bytes(32)))
        made = with_replies(first, seats, LONG)
        assert made.moves[: len(first.moves)] == first.moves


class TestASeatThatIsAsked:
    SEATS = (ON_REQUEST, ON_REQUEST)

    def test_makes_one_move_or_its_whole_turn(self):
        game = position(*self.SEATS)
        for seat in (0, 1):
            game = play_seat(game, seat, EASY, whole_turn=True, thinking=LONG).game
        one = play_seat(game, 0, EASY, whole_turn=False, thinking=LONG)
        turn = play_seat(game, 0, EASY, whole_turn=True, thinking=LONG)
        assert [move.event.action for move in one.moves] == ["draw"]
        assert [move.seat for move in turn.moves] == [0, 0]
        assert turn.moves[0] == one.moves[0]

    def test_makes_its_first_move_whatever_the_time(self):
        made = play_seat(position(*self.SEATS), 0, EASY, whole_turn=True, thinking=NONE)
        assert len(made.moves) == 1

    def test_chooses_the_same_again(self):
        game = position(*self.SEATS)
        plays = {
            repr(play_seat(game, 0, EASY, whole_turn=True, thinking=LONG).moves) for _ in range(5)
        }
        assert len(plays) == 1


class TestAnAbsentPerson:
    SEATS = (PERSON, PERSON)

    def drawing(self):
        made = with_replies(Transition(position(*self.SEATS), ()), self.SEATS, LONG)
        for seat in (0, 1):
            made = apply(made.game, seat, Pass())
        return made.game

    def test_has_its_whole_turn_played_by_the_clock(self):
        made = play_for_absent(self.drawing(), 0, LONG)
        assert [(move.seat, move.by) for move in made.moves] == [(0, Mover.CLOCK)] * 2
        assert made.moves[0].event.action == "draw"
        assert made.game.phase is not Phase.DISCARD

    def test_has_one_move_made_whatever_the_time(self):
        made = play_for_absent(self.drawing(), 0, NONE)
        assert [move.event.action for move in made.moves] == ["draw"]

    def test_is_played_alike_again(self):
        game = self.drawing()
        assert play_for_absent(game, 0, LONG) == play_for_absent(game, 0, LONG)


class TestWhatAPlayerGets:
    def test_is_the_view_of_its_seat_and_a_chance_of_its_own(self, monkeypatch):
        got = []

        def choose(seen, rng):
            got.append((seen, rng.random()))
            return easy.choose(seen, rng)

        spy = Level("easy", choose, deterministic=False, typical_ms=1, max_ms=1)
        monkeypatch.setattr(module, "LEVELS", {"easy": spy})
        game = position(AUTO, AUTO)
        for seat in (0, 1):
            play_seat(game, 0, level_of(AUTO), whole_turn=False, thinking=LONG)
            assert isinstance(got[-1][0], GameView), seat
        assert got[0][0] == view(game, 0)
        assert got[0] == got[1]
        assert module._chance(game, 0).random() != module._chance(game, 1).random()
        assert isinstance(module._chance(game, 0), Random)


class TestWhoIsDue:
    @pytest.mark.parametrize(
        ("seats", "due"), [((AUTO, PERSON), 0), ((PERSON, AUTO), None), ((AUTO, AUTO), 0)]
    )
    def test_is_the_computer_whose_turn_it_is(self, seats, due):
        assert due_computer(position(*seats)) == due


class TestTheTime:
    def test_is_counted_from_now(self, monkeypatch):
        monkeypatch.setattr(module, "monotonic", lambda: 100.0)
        thinking = Thinking.within(1500)
        assert thinking.until == 101.5
        assert not thinking.over
        monkeypatch.setattr(module, "monotonic", lambda: 101.5)
        assert thinking.over
