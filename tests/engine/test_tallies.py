import math
from collections import Counter
from random import Random
from statistics import fmean, stdev

import pytest

from engine.matches import PlayedGame, PlayedHand
from engine.scoring import HandOutcome
from engine.tallies import Moments, Tally, share_interval


def moments(*pairs):
    made = Moments()
    for x, y in pairs:
        made.add(x, y)
    return made


def hand(outcome, winner, points=0, players=(0, 1)):
    return PlayedHand(players, outcome, winner, points)


def game(winner, *hands, times=((), ()), finished=True):
    return PlayedGame(winner, finished, hands, times)


DEAL = (
    game(
        0,
        hand(HandOutcome.GIN, 0, 40),
        hand(HandOutcome.UNDERCUT, 1, 30),
        hand(HandOutcome.DRAWN, None),
        times=((2_000_000, 4_000_000), (1_000_000,)),
    ),
    game(1, hand(HandOutcome.KNOCK, 1, 7), times=((6_000_000,), ())),
)


def tally(player, *deals):
    made = Tally()
    for each in deals:
        made.add_deal(player, each)
    return made


class TestARatio:
    def test_of_equal_deals_is_a_mean_with_its_usual_interval(self):
        values = [3, 1, 4, 1, 5, 9, 2, 6]
        made = moments(*((value, 1) for value in values))
        half = 1.959964 * stdev(values) / math.sqrt(len(values))
        assert made.ratio() == pytest.approx(fmean(values))
        assert made.interval() == pytest.approx((fmean(values) - half, fmean(values) + half))

    def test_of_nothing_is_nothing(self):
        assert Moments().ratio() == 0
        assert Moments().interval() == (-math.inf, math.inf)
        assert moments((3, 2)).interval() == (-math.inf, math.inf)

    def test_that_is_always_the_same_is_certain(self):
        assert moments((2, 4), (3, 6), (5, 10)).interval() == (0.5, 0.5)

    def test_covers_the_truth_in_95_of_100_cases(self):
        """x is 3 y and noise, where y differs from deal to deal."""
        rng, covered = Random(1), 0
        for _ in range(600):
            sizes = [rng.randint(5, 15) for _ in range(60)]
            made = moments(*((3 * y + round(rng.gauss(0, 20)), y) for y in sizes))
            low, high = made.interval()
            covered += low <= 3 <= high
        assert 0.92 <= covered / 600 <= 0.98


def shared(rng, share, together, deals):
    """Pairs of games, each won with this chance; ``together`` is how often luck is the same."""
    for _ in range(deals):
        first = rng.random() < share
        second = rng.random() < share
        if rng.random() < together:
            second = first
        yield 2 * (first + second), 4


class TestAShareOfGames:
    @pytest.mark.parametrize("share", [0.5, 0.8, 0.97])
    @pytest.mark.parametrize("together", [0, 0.5, 1])
    def test_lies_within_its_interval_in_95_of_100_cases(self, share, together):
        rng, covered = Random(f"{share} {together}"), 0
        for _ in range(400):
            low, high = share_interval(moments(*shared(rng, share, together, 100)), 2)
            covered += low <= share <= high
        assert covered / 400 >= 0.92

    def test_is_less_certain_where_the_games_of_a_deal_go_together(self):
        widths = []
        for together in (0, 1):
            low, high = share_interval(moments(*shared(Random(1), 0.7, together, 500)), 2)
            widths.append(high - low)
        assert widths[1] / widths[0] == pytest.approx(math.sqrt(2), rel=0.1)

    def test_is_more_certain_where_luck_goes_round(self):
        split = share_interval(moments(*[(2, 4)] * 500), 2)
        mixed = share_interval(moments(*[(4, 4), (0, 4)] * 250), 2)
        assert split[1] - split[0] < 0.1 * (mixed[1] - mixed[0])

    def test_is_not_certain_because_all_games_were_won(self):
        low, high = share_interval(moments(*[(4, 4)] * 20), 2)
        assert 0.8 < low < 0.95
        assert high == 1

    def test_is_open_after_a_single_deal(self):
        low, high = share_interval(moments((4, 4)), 2)
        assert low < 0.2
        assert high == 1


class TestATally:
    def test_counts_games_hands_and_points_from_the_side_of_its_player(self):
        one, other = tally(0, DEAL), tally(1, DEAL)
        assert (one.games, one.wins, other.games, other.wins) == (2, 1, 2, 1)
        assert (one.hands, one.points.x, other.points.x) == (4, 3, -3)
        assert one.won == Counter({HandOutcome.GIN: 1})
        assert other.won == one.lost == Counter({HandOutcome.UNDERCUT: 1, HandOutcome.KNOCK: 1})
        assert one.drawn == other.drawn == 1

    def test_adds_up_deals_not_games(self):
        assert (tally(0, DEAL, DEAL).won_games.count, tally(0, DEAL).won_games.yy) == (2, 16)

    def test_counts_a_game_that_nobody_won_as_half_won(self):
        made = tally(0, (game(None), game(0)))
        assert (made.wins, made.ties, made.unfinished) == (1, 1, 0)
        assert made.report(2)["win_rate"] == 0.75

    def test_tells_games_that_were_broken_off_from_ties(self):
        made = tally(0, (game(None, finished=False), game(0)))
        assert (made.wins, made.ties, made.unfinished) == (1, 0, 1)

    def test_leaves_out_the_hands_that_its_player_sat_out(self):
        between_others = hand(HandOutcome.GIN, 1, 50, players=(1, 2))
        made = tally(0, (game(1, between_others, times=((), (), ())),))
        assert (made.hands, made.points.x, made.lost) == (0, 0, Counter())

    def test_is_the_same_in_whatever_order_its_parts_are_added(self):
        rng = Random(3)
        deals = [(game(rng.choice([0, 1]), hand(HandOutcome.KNOCK, 0, i)),) for i in range(9)]
        parts = [tally(0, *deals[at : at + 2]) for at in range(0, 9, 2)]
        rng.shuffle(parts)
        made = Tally()
        for part in parts:
            made.merge(part)
        assert made == tally(0, *deals)

    def test_reports_the_mean_and_the_95th_hundredth_of_its_times(self):
        times = tuple(range(1_000_000, 101_000_000, 1_000_000))
        told = tally(0, (game(0, times=(times, ())),)).report(2)["milliseconds"]
        assert told["mean"] == pytest.approx(50.5)
        assert 95 <= told["p95"] <= 95 * 1.02

    def test_without_decisions_reports_no_time(self):
        assert tally(0, (game(0),)).report(2)["milliseconds"] == {"mean": 0, "p95": 0}
