"""What the state of a game says of itself."""

from dataclasses import replace

import pytest

from engine.errors import (
    GameNotStarted,
    GameOver,
    HandOver,
)
from engine.game import new_game
from engine.hand import Phase
from engine.rules import STANDARD
from tests.tables import (
    play,
    refusal,
    setup,
    won_by_seat_0,
)


class TestAGameThatWaits:
    def test_waits_where_nothing_is_dealt_yet(self):
        game = new_game(setup())
        assert (game.phase, game.to_act_seats, game.next_move) == (Phase.WAITING, (), 1)
        assert game.next_hand_number == 1
        for line in ("0 pass", "0 resign", "0 deal"):
            assert isinstance(refusal(game, line), GameNotStarted)


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
