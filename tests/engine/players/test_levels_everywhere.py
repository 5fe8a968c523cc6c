"""Every level plays under any rules: nothing illegal, and games come to their end.

At full size ``GIN_SWEEP_LEVEL_GAMES`` whole games are played under each preset, and as many, of at
most four hands, under each of ``GIN_SWEEP_OPTION_SETS`` drawn sets of options. By default it is two
games each, of two hands.
"""

import os
from random import Random

import pytest

from engine import matches
from engine.actions import Knock, Pass
from engine.matches import Match, PlayFailed, play_deal
from engine.players import easy
from engine.players.levels import LEVELS
from engine.rules import PRESETS
from tests.random_games import SEATS, random_rules

GAMES = int(os.environ.get("GIN_SWEEP_LEVEL_GAMES", "2"))
OPTION_SETS = int(os.environ.get("GIN_SWEEP_OPTION_SETS", "4"))
WHOLE = GAMES > 2
FIRST_HANDS, FEW_HANDS = 2, 4
PARTS = 4


def some_games(level, rules, seats=2):
    """Games of a level against itself; of three or four seats at least one for each side."""
    match = Match(rules, seats, seed=11)
    for number in range(max(1, GAMES // match.games_per_deal)):
        yield from play_deal(match, [level] * match.games_per_deal, number, lambda: 0)


def drawn_rules(number):
    rng = Random(f"option set {number}")
    seats = rng.choice(SEATS)
    return random_rules(rng, seats), seats


def at_most(monkeypatch, hands):
    """Break games off after so many hands, or let them end if ``hands`` is None."""
    if hands is not None:
        monkeypatch.setattr(matches, "MOST_HANDS", hands)


@pytest.mark.parametrize("name", list(LEVELS))
class TestEveryLevel:
    @pytest.mark.parametrize("preset", PRESETS)
    def test_plays_by_every_preset(self, name, preset, monkeypatch):
        at_most(monkeypatch, None if WHOLE else FIRST_HANDS)
        for game in some_games(LEVELS[name].choose, PRESETS[preset]):
            assert game.finished or not WHOLE
            assert game.hands

    @pytest.mark.parametrize("part", range(PARTS))
    def test_plays_by_any_options(self, name, part, monkeypatch):
        at_most(monkeypatch, FEW_HANDS if WHOLE else FIRST_HANDS)
        for number in range(part, OPTION_SETS, PARTS):
            for game in some_games(LEVELS[name].choose, *drawn_rules(number)):
                assert game.hands, number


class TestTheDrawnOptions:
    def test_are_of_every_kind(self):
        rules = [drawn_rules(number)[0] for number in range(60)]
        assert len({each.knock_limit for each in rules}) > 2
        for name in ("multi_pickup", "big_gin", "recycle", "last_discard", "advice", "opening"):
            assert len({getattr(each, name) for each in rules}) > 1, name


class TestALevelThatPlaysByStandardRulesOnly:
    """The checks above have to find it."""

    def test_is_found_by_a_knock_that_is_not_allowed(self, monkeypatch):
        def knocks_with_ten(view, rng):
            for each in view.you.legal.discards:
                if each.deadwood <= 10:
                    return Knock("knock", each.card)
            return easy.choose(view, rng)

        at_most(monkeypatch, 20)
        with pytest.raises(PlayFailed):
            list(some_games(knocks_with_ten, PRESETS["straight"]))

    def test_is_found_where_nothing_may_be_passed(self, monkeypatch):
        def passes_first(view, rng):
            untouched = view.hand.turn == 0 and not view.you.legal.discards
            return Pass() if untouched else easy.choose(view, rng)

        at_most(monkeypatch, FIRST_HANDS)
        games = (
            game for number in range(20) for game in some_games(passes_first, *drawn_rules(number))
        )
        with pytest.raises(PlayFailed):
            list(games)

    def test_is_found_when_its_games_never_end(self, monkeypatch):
        at_most(monkeypatch, 5)
        games = list(some_games(_never_knocks, PRESETS["standard"]))
        assert not any(game.finished for game in games)


def _never_knocks(view, rng):
    discards = view.you.legal.discards
    return easy.Discard(discards[0].card) if discards else easy.choose(view, rng)
