from random import Random

import pytest

from engine.players.levels import ADVISORS, BEST_ADVISOR, LEVELS, player_of
from engine.progress import apply, begin
from engine.views import view
from tests.tables import setup


class TestTheLevels:
    def test_are_found_by_their_name(self):
        assert {name: level.id for name, level in LEVELS.items()} == {name: name for name in LEVELS}
        assert "easy" in LEVELS

    @pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
    def test_say_how_long_they_think(self, level):
        assert 0 < level.typical_ms <= level.max_ms

    @pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
    def test_play_a_whole_game_and_the_same_one_with_the_same_dice(self, level):
        ends = []
        for _ in range(2):
            game, rng = begin(setup(deal_key=bytes([3]) * 32)).game, Random(3)
            while not game.over:
                seat = game.to_act_seats[0]
                game = apply(game, seat, level.choose(view(game, seat), rng)).game
            ends.append(game)
        assert ends[0] == ends[1]

    @pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
    def test_that_leave_nothing_to_chance_do_not_look_at_the_dice(self, level):
        game = begin(setup()).game
        seat = game.hand.to_act
        dice = Random(1)
        before = dice.getstate()
        level.choose(view(game, seat), dice)
        assert dice.getstate() == before or not level.deterministic


class TestTheAdvisors:
    def test_have_the_name_of_a_level_only_where_they_play_as_it_does(self):
        assert ADVISORS.keys() & LEVELS.keys() == {"master"}

    def test_are_asked_for_by_the_name_of_the_last(self):
        assert list(ADVISORS)[-1] == BEST_ADVISOR

    @pytest.mark.parametrize("name", ADVISORS)
    def test_play_what_they_advise_first(self, name):
        seat = begin(setup()).game.hand.to_act
        shown = view(begin(setup()).game, seat)
        assert player_of(name)(shown, Random(1)) == ADVISORS[name](shown)[0].action

    def test_are_players_like_the_levels(self):
        assert player_of("easy") is LEVELS["easy"].choose
        assert player_of("godlike") is None
