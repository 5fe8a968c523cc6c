"""Advice is legal, whatever the rules and the position; and it is worth something.

``GIN_SWEEP_ADVICE`` games are played by it under random rules, and ``GIN_SWEEP_MATCH`` mirrored
pairs of games against clearly weaker levels.
"""

import os
from random import Random

import pytest

from engine.actions import DealHand
from engine.agreements import confirm
from engine.game import SeatKind, Setup
from engine.hand import Phase
from engine.players.levels import ADVISORS, LEVELS
from engine.players.suggestions import REASONS
from engine.progress import apply, begin
from engine.rules import STANDARD
from engine.views import view
from tests.random_games import HANDS_AT_MOST, looked_at, random_setup, refusal

GAMES = int(os.environ.get("GIN_SWEEP_ADVICE", "8"))
PAIRS = int(os.environ.get("GIN_SWEEP_MATCH", "10"))


def advised(advise, game, seat):
    """The advice for a seat that is due in a hand; each part of it is held to be legal and true."""
    given = advise(view(game, seat))
    assert given
    for each in given:
        assert refusal(game, seat, each.action) is None, (each, game)
        assert set(each.reasons) <= set(REASONS)
        for chance in (each.knock_chance, each.gin_chance):
            assert chance is None or 0 <= chance <= 1
        if each.helping_cards is not None:
            assert not each.helping_cards & game.hand.holdings[seat]
            assert each.gin_chance <= each.knock_chance
    assert len({each.action for each in given}) == len(given)
    return given


@pytest.mark.parametrize("advise", ADVISORS.values(), ids=ADVISORS)
class TestAdvice:
    @pytest.mark.parametrize("seed", range(GAMES))
    def test_plays_whole_games_under_any_rules(self, advise, seed):
        rng = Random(f"advice {seed}")
        game = begin(random_setup(rng)).game
        while not game.over and len(game.hands) < HANDS_AT_MOST:
            seat = game.to_act_seats[0]
            if game.phase is Phase.CONFIRMING:
                game = confirm(game, seat).game
            elif game.phase is Phase.HAND_OVER:
                assert advise(view(game, seat)) == ()
                game = apply(game, seat, DealHand()).game
            else:
                game = apply(game, seat, advised(advise, game, seat)[0].action).game
        assert game.hands

    @pytest.mark.parametrize("seed", range(GAMES))
    def test_is_legal_wherever_others_have_brought_a_game(self, advise, seed):
        positions = 0
        for game, _, _ in looked_at(seed, 0.3):
            for seat in range(game.seat_count):
                if not game.hand.over and seat == game.hand.to_act:
                    advised(advise, game, seat)
                    positions += 1
                else:
                    assert advise(view(game, seat)) == ()
        assert positions


@pytest.mark.parametrize(
    ("advisor", "level"), [("plain", "easy"), ("master", "easy"), ("master", "medium")]
)
class TestAMatch:
    """An advisor against a level that is clearly weaker; stronger ones are for simulations."""

    def test_of_mirrored_games_is_won_clearly(self, advisor, level):
        advise, weaker = ADVISORS[advisor], LEVELS[level]
        won = sum(self.won(advise, weaker, pair, seat) for pair in range(PAIRS) for seat in (0, 1))
        assert won > 1.4 * PAIRS, f"{won} of {2 * PAIRS}"

    def won(self, advise, level, pair, seat):
        """Whether the advisor, on ``seat``, wins a game whose deals depend on ``pair`` alone."""
        rng = Random(f"match {pair}")
        setup = Setup("g_match", STANDARD, (SeatKind.AI, SeatKind.AI), rng.randbytes(32))
        game = begin(setup).game
        while not game.over:
            due = game.to_act_seats[0]
            shown = view(game, due)
            if due == seat and game.phase is not Phase.HAND_OVER:
                action = advise(shown)[0].action
            else:
                action = level.choose(shown, rng)
            game = apply(game, due, action).game
        return game.score.winner == seat
