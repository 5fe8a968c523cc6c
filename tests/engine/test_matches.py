from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from engine import matches
from engine.actions import Discard, Draw, Pass
from engine.hand import Phase
from engine.matches import Match, PlayFailed, play_deal, setup
from engine.players import easy
from engine.progress import begin
from engine.rules import PRESETS, STANDARD

SHORT = PRESETS["short"]


def still():
    """A clock that stands."""
    return 0


class Watching:
    """The easy level, keeping what it was shown."""

    def __init__(self):
        self.shown = []

    def __call__(self, view, rng):
        self.shown.append(view)
        return easy.choose(view, rng)

    @property
    def first(self):
        """The first view of each hand, by the order of the hands it saw."""
        return [
            shown
            for before, shown in zip([None, *self.shown], self.shown, strict=False)
            if before is None
            or (before.id, before.hand.number, before.you.seat)
            != (shown.id, shown.hand.number, shown.you.seat)
        ]


def play(match, *players, number=0):
    return play_deal(match, players, number, still)


class TestADeal:
    def test_is_played_once_with_each_player_in_each_seat(self):
        for match in (
            Match(SHORT, 2, 5),
            Match(SHORT, 3, 5),
            Match(replace(SHORT, four_player="partnership"), 4, 5),
        ):
            players = [Watching() for _ in range(match.games_per_deal)]
            games = play(match, *players)
            assert len(games) == match.games_per_deal == len(players)
            for player in players:
                assert {shown.you.seat for shown in player.shown} == set(range(match.seats))

    def test_gives_each_seat_the_same_cards_in_all_its_games(self):
        """Hand by hand, as far as the games get."""
        match = Match(SHORT, 2, 5)
        one, other = Watching(), Watching()
        play(match, one, other)
        dealt = {}
        for shown in one.first + other.first:
            # A first action before anything was drawn shows the cards as dealt.
            if shown.phase is Phase.FIRST_UPCARD:
                key = shown.hand.number, shown.you.seat, shown.hand.upcard
                dealt.setdefault(key[:2], []).append((shown.you.cards, shown.hand.upcard))
        several = [each for each in dealt.values() if len(each) > 1]
        assert several
        assert all(len(set(each)) == 1 for each in several)

    def test_follows_from_the_seed_and_its_number_alone(self):
        match = Match(STANDARD, 2, 5)
        decks = {
            begin(setup(Match(STANDARD, 2, seed), number)).game.hand.stock
            for seed in (5, 6)
            for number in (0, 1)
        }
        assert len(decks) == 4
        assert setup(match, 3) == setup(Match(STANDARD, 2, 5), 3)

    def test_is_played_the_same_again(self):
        match = Match(SHORT, 2, 5)
        assert play(match, easy.choose, easy.choose) == play(match, easy.choose, easy.choose)

    def test_does_not_mirror_the_moves_of_players_that_differ(self):
        games = play(Match(STANDARD, 2, 5), easy.choose, _never_knocks)
        assert games[0].hands != games[1].hands

    def test_is_as_fair_to_two_that_play_alike_as_can_be(self):
        """With no dice the second game is the first one with the players exchanged."""
        first, second = play(Match(STANDARD, 2, 5), _careful, _careful)
        assert second.winner == 1 - first.winner
        assert [hand.winner for hand in second.hands] == [
            None if hand.winner is None else 1 - hand.winner for hand in first.hands
        ]


def _careful(view, _rng):
    """The easy level, that never throws without thinking."""
    return easy.choose(view, _Sober())


class _Sober(Random):
    def random(self):
        return 0.999


def _never_knocks(view, rng):
    legal = view.you.legal
    if legal.discards:
        return Discard(legal.discards[0].card)
    return easy.choose(view, rng)


class TestAGame:
    def test_tells_how_each_hand_ended(self):
        game = play(Match(STANDARD, 2, 5), easy.choose, easy.choose)[0]
        points = Counter()
        for hand in game.hands:
            assert set(hand.players) == {0, 1}
            if hand.winner is not None:
                points[hand.winner] += hand.points
        assert points[game.winner] >= 100 > points[1 - game.winner]
        assert game.finished

    def test_of_three_tells_which_two_played_each_hand(self):
        game = play(Match(SHORT, 3, 5), *[easy.choose] * 3)[0]
        assert {frozenset(hand.players) for hand in game.hands} > {frozenset({0, 1})}
        assert all(hand.winner in {None, *hand.players} for hand in game.hands)

    def test_counts_partners_as_one_player(self):
        rules = replace(SHORT, four_player="partnership")
        for game in play(Match(rules, 4, 5), easy.choose, easy.choose):
            assert {frozenset(hand.players) for hand in game.hands} == {frozenset({0, 1})}
            assert game.winner in {0, 1}

    def test_measures_each_decision_of_a_player_and_nothing_else(self):
        ticks = iter(range(0, 10**9, 7))
        one, other = Watching(), Watching()
        games = play_deal(Match(SHORT, 2, 5), [one, other], 0, lambda: next(ticks))
        for player, watching in enumerate((one, other)):
            times = [each for game in games for each in game.times[player]]
            assert times == [7] * len(watching.shown)

    def test_asks_nobody_to_deal(self):
        asked = Watching()
        play(Match(STANDARD, 2, 5), asked, asked)
        assert {shown.phase for shown in asked.shown} <= {
            Phase.FIRST_UPCARD,
            Phase.DRAW,
            Phase.DISCARD,
            Phase.LAY_OFF,
        }

    def test_is_broken_off_when_nobody_ever_wins(self, monkeypatch):
        monkeypatch.setattr(matches, "MOST_HANDS", 3)
        game = play(Match(STANDARD, 2, 5), _never_knocks, _never_knocks)[0]
        assert (game.winner, game.finished, len(game.hands)) == (None, False, 3)
        assert {hand.winner for hand in game.hands} == {None}


class TestAPlayer:
    def test_that_does_what_is_illegal_ends_everything_with_where_it_was(self):
        with pytest.raises(PlayFailed, match=r"player 2 \(deal 4, game 1, move \d+\) chose Draw"):
            play(Match(STANDARD, 2, 5), easy.choose, lambda *_: Draw("stock"), number=4)

    def test_that_breaks_down_ends_everything_too(self):
        def breaks(view, rng):
            raise KeyError("lost")

        with pytest.raises(PlayFailed, match=r"player 1 \(.*\) broke down: KeyError\('lost'\)"):
            play(Match(STANDARD, 2, 5), breaks, lambda *_: Pass())

    def test_has_dice_of_its_own_in_each_game(self):
        rolls = []

        def rolling(view, rng):
            rolls.append(rng.random())
            return easy.choose(view, rng)

        play(Match(SHORT, 2, 5), rolling, rolling)
        assert len(set(rolls)) == len(rolls)
