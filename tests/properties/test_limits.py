"""No play uses up the limit of moves: a whole game has fewer moves of a seat than fit at once."""

from collections import Counter
from random import Random

import pytest

from engine.actions import Resign
from engine.errors import EngineError
from engine.game import SeatKind, Setup
from engine.players import easy
from engine.progress import apply, begin
from engine.rules import PRESETS
from engine.views import view
from service.settings import load

TIMES = 3
"""How many such games of a seat fit into the limit at least."""

FASTEST_SECONDS = 0.01
"""No seat moves more often than so: its move and the other one's take five milliseconds each."""


def moves_of_the_busiest(rules, seed, choose) -> int:
    """Play a game to its end; return how many requests the seat that sent most of them sent."""
    rng = Random(seed)
    setup = Setup("g_1", rules, (SeatKind.HUMAN, SeatKind.HUMAN), rng.randbytes(32))
    game, sent = begin(setup).game, Counter()
    while not game.over:
        seat = rng.choice(game.to_act_seats)
        game = apply(game, seat, choose(game, seat, rng)).game
        sent[seat] += 1
    return max(sent.values())


def with_care(game, seat, rng):
    return easy.choose(view(game, seat), rng)


class TestAWholeGame:
    @pytest.mark.parametrize("preset", PRESETS)
    def test_fits_into_the_limit_of_moves_at_once(self, preset):
        limit = load({}).limit_moves
        assert limit.quota > TIMES * moves_of_the_busiest(PRESETS[preset], preset, with_care)

    def test_may_go_on_for_ever_as_quickly_as_it_can(self):
        """Two who throw and draw without any aim play for thousands of moves."""
        limit = load({}).limit_moves
        assert limit.quota / limit.seconds * FASTEST_SECONDS >= 1


class TestTheCount:
    def test_is_of_what_was_sent(self):
        def resigning(_game, _seat, _rng):
            return Resign()

        assert moves_of_the_busiest(PRESETS["standard"], 1, resigning) == 1

    def test_is_of_a_game_that_follows_the_rules(self):
        with pytest.raises(EngineError):
            moves_of_the_busiest(PRESETS["standard"], 1, lambda *_: easy.LayOffs())
