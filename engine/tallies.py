"""What games between players come to: sums for each player, and how sure its averages are.

Games on one deal are not independent: good cards go round the players. What is independent is one
deal of another, so the intervals go by deals, never by games. All sums are whole numbers; in
whatever order deals are added, the figures are the same.
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from engine.matches import PlayedGame, PlayedHand
from engine.scoring import SCORED, HandOutcome

Z95: Final = 1.959964
"""The 97.5 % point of the normal distribution: half of a 95 % interval, in standard errors."""

TIME_STEP: Final = 1.02
"""Times are counted in classes, each so many times as long as the one before."""

Interval: TypeAlias = tuple[float, float]


@dataclass(slots=True)
class Moments:
    """The sums of a pair of whole numbers over deals: of x, y, their squares and their product."""

    count: int = 0
    x: int = 0
    y: int = 0
    xx: int = 0
    xy: int = 0
    yy: int = 0

    def add(self, x: int, y: int) -> None:
        """Add one deal."""
        self.merge(Moments(1, x, y, x * x, x * y, y * y))

    def merge(self, other: "Moments") -> None:
        """Add the deals of ``other``."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def ratio(self) -> float:
        """Return the sum of x divided by that of y; 0 if there is nothing to divide by."""
        return self.x / self.y if self.y else 0.0

    def interval(self) -> Interval:
        """Return the 95 % interval of the ratio, with what its linearisation makes of the deals.

        The variance is that of x - ratio * y (Cochran, Sampling Techniques, 6.4: ratio estimate).
        Of a single deal nothing is known: the interval is endless.
        """
        ratio = self.ratio()
        if self.count < 2 or not self.y:
            return -math.inf, math.inf
        squares = max(0.0, self.xx - 2 * ratio * self.xy + ratio * ratio * self.yy)
        error = math.sqrt(squares * self.count / (self.count - 1)) / self.y
        return ratio - Z95 * error, ratio + Z95 * error


def share_interval(won: Moments, games_per_deal: int) -> Interval:
    """Return the 95 % interval of a share of games won, within 0 and 1.

    ``won`` has for each deal half games won (x) and half games played (y). Two deals are added
    first, one that was won throughout and one that was lost: "add two successes and two failures"
    (Agresti and Coull 1998) said by pairs. Without them few games, or games that were all won,
    would look certain.
    """
    full = 2 * games_per_deal
    eased = Moments()
    eased.merge(won)
    eased.add(full, full)
    eased.add(0, full)
    low, high = eased.interval()
    return max(0.0, low), min(1.0, high)


@dataclass(slots=True)
class Tally:
    """The sums of one player.

    ``won_games`` has for each deal the half games won and half games played; a game that nobody
    won is half won. ``points`` has for each deal the points won less those lost, and the hands.
    ``times`` counts decisions by the class of their time.
    """

    games: int = 0
    wins: int = 0
    ties: int = 0
    unfinished: int = 0
    won_games: Moments = field(default_factory=Moments)
    points: Moments = field(default_factory=Moments)
    won: Counter[HandOutcome] = field(default_factory=Counter)
    lost: Counter[HandOutcome] = field(default_factory=Counter)
    drawn: int = 0
    nanoseconds: int = 0
    times: Counter[int] = field(default_factory=Counter)

    @property
    def hands(self) -> int:
        """How many hands it played."""
        return self.points.y

    @property
    def decisions(self) -> int:
        """How many decisions it made."""
        return self.times.total()

    def add_deal(self, player: int, games: Iterable[PlayedGame]) -> None:
        """Add all ``games`` of one deal, as ``player`` sees them."""
        played = tuple(games)
        halves = sum(self._add_game(player, game) for game in played)
        hands = [hand for game in played for hand in game.hands if player in hand.players]
        points = sum(self._add_hand(player, hand) for hand in hands)
        self.won_games.add(halves, 2 * len(played))
        self.points.add(points, len(hands))

    def _add_game(self, player: int, game: PlayedGame) -> int:
        self.games += 1
        self.wins += game.winner == player
        self.ties += game.finished and game.winner is None
        self.unfinished += not game.finished
        for each in game.times[player]:
            self.nanoseconds += each
            self.times[_class_of(each)] += 1
        return 1 if game.winner is None else 2 * (game.winner == player)

    def _add_hand(self, player: int, hand: PlayedHand) -> int:
        if hand.winner is None:
            self.drawn += 1
            return 0
        won = hand.winner == player
        (self.won if won else self.lost)[hand.outcome] += 1
        return hand.points if won else -hand.points

    def merge(self, other: "Tally") -> None:
        """Add the deals of ``other``."""
        for name in self.__slots__:
            mine, more = getattr(self, name), getattr(other, name)
            if isinstance(mine, Moments):
                mine.merge(more)
            else:
                setattr(self, name, mine + more)

    def report(self, games_per_deal: int) -> dict[str, object]:
        """Return the figures, as they are documented in :mod:`engine.simulation`."""
        return {
            "games": self.games,
            "wins": self.wins,
            "ties": self.ties,
            "unfinished": self.unfinished,
            "win_rate": self.won_games.ratio(),
            "win_rate_interval": list(share_interval(self.won_games, games_per_deal)),
            "hands": self.hands,
            "points_per_hand": self.points.ratio(),
            "points_per_hand_interval": _finite(self.points.interval()),
            "won": _by_outcome(self.won),
            "lost": _by_outcome(self.lost),
            "drawn": self.drawn,
            "decisions": self.decisions,
            "milliseconds": {
                "mean": self.nanoseconds / max(1, self.decisions) / 1e6,
                "p95": _quantile(self.times, 0.95) / 1e6,
            },
        }


def _finite(interval: Interval) -> list[float] | None:
    return list(interval) if all(map(math.isfinite, interval)) else None


def _by_outcome(counts: Counter[HandOutcome]) -> dict[str, int]:
    return {outcome.value: counts[outcome] for outcome in HandOutcome if outcome in SCORED}


def _class_of(nanoseconds: int) -> int:
    return math.ceil(math.log(max(1, nanoseconds), TIME_STEP))


def _quantile(times: Counter[int], share: float) -> float:
    """Return how long, in ns, ``share`` of the decisions took at most; up to 2 % too much."""
    left = share * times.total()
    for each in sorted(times):
        left -= times[each]
        if left <= 0:
            return float(TIME_STEP**each)
    return 0.0
