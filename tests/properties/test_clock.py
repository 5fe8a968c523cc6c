"""What must hold in every game whose players run out of time at any moment."""

from collections import Counter
from functools import cache
from itertools import pairwise
from random import Random

import pytest

from engine.clock import claimable, expire, seconds_for, time_goes_on
from engine.game import Mover, SeatKind
from engine.hand import Phase
from engine.legal import legal
from engine.record import game_record, play_record
from engine.replay import replay
from tests.random_games import GAMES, random_setup, steps


def fits(seed):
    """Whether two people play, and no hand grows: it takes long to arrange, and no clock minds."""
    setup = random_setup(Random(seed))
    return setup.seats.count(SeatKind.HUMAN) > 1 and not setup.rules.multi_pickup


SEEDS = list(filter(fits, range(8 * GAMES)))
POLICIES = {"claim": 0.1, "ai_takes_over": 0.1, "forfeit": 0.02}
"""How often the time of who is due runs out, by what follows."""


@cache
def timed(seed):
    policy, late = list(POLICIES.items())[seed % len(POLICIES)]
    options = {"timeout_policy": policy, "confirm_score": "both"}
    return list(steps(seed, late, turn_seconds=60, **options))


class TestAGameWithAClock:
    @pytest.mark.parametrize("seed", SEEDS)
    def test_goes_on_to_its_end_with_whole_decks(self, seed):
        *_, last = played = timed(seed)  # record() asserts the 52 cards at each step
        assert last.game.over or last.game.hand.over
        for made in played:
            assert made.game.hand.turn <= made.game.rules.max_turns

    @pytest.mark.parametrize("seed", SEEDS)
    def test_is_the_same_when_its_log_is_replayed(self, seed):
        log, setup = [], None
        for number, made in enumerate(timed(seed)):
            log += made.log
            setup = setup or made.game.setup
            if (made.changes and number < 100) or number % 100 == 0 or made.game.over:
                assert replay(setup, log) == made.game

    @pytest.mark.parametrize("seed", SEEDS)
    def test_has_a_record_that_can_be_played(self, seed):
        *_, last = played = timed(seed)
        moves = [move for made in played for move in made.moves]
        again = play_record(game_record(last.game.setup, moves))
        assert (again.hand, again.hands, again.given_to) == (
            last.game.hand, last.game.hands, last.game.given_to,
        )  # fmt: skip

    @pytest.mark.parametrize("seed", SEEDS)
    def test_has_an_answer_wherever_its_clock_runs(self, seed):
        for made in timed(seed):
            game = made.game
            runs = seconds_for(game) is not None
            assert runs or expire(game) is None
            assert not claimable(game) or runs
            if runs and expire(game) is None:
                assert game.late_seat == game.hand.to_act
            if game.late_seat is not None:
                assert game.late_seat == game.hand.to_act
                assert [seat for seat in game.claimants if not legal(game, seat).actions] == []
            if game.phase in (Phase.HAND_OVER, Phase.GAME_OVER):
                assert not runs

    @pytest.mark.parametrize("seed", SEEDS)
    def test_has_a_time_for_each_turn_that_a_draw_does_not_prolong(self, seed):
        played = timed(seed)
        for before, after in pairwise(played):
            if len(after.moves) != 1 or after.changes or before.game.late_seat is not None:
                continue
            if before.game.away_seats != after.game.away_seats:
                continue
            same = after.game.phase is Phase.DISCARD
            assert time_goes_on(before.game, after.game) == same


class TestTheGames:
    def test_come_to_all_that_the_clock_does(self):
        seen = Counter()
        for seed in SEEDS:
            for made in timed(seed):
                seen.update(change.kind.value for change in made.changes)
                by_clock = [move for move in made.moves if move.by is Mover.CLOCK]
                seen.update(f"clock {move.event.action}" for move in by_clock)
                seen.update(move.event.action for move in made.moves)
        for word in ("out_of_time", "taken_over", "confirmed_by_clock", "claim"):
            assert seen[word], word
        for word in ("draw", "discard", "lay_off", "resign"):
            assert seen[f"clock {word}"], word
