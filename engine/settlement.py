"""The score of a game: running totals, boxes, end bonuses, and who won.

Everything is computed anew from the hands, so that a score can never drift from them. There is one
column, or in Hollywood three, each of which is a game of its own.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.columns import Column, ScoreColumn, ScoredHand, SeatTotal, TeamTotal
from engine.rules import Rules
from engine.seating import side_of, sides

HOLLYWOOD_COLUMNS: Final = 3


@dataclass(frozen=True, slots=True)
class HandPoints:
    """A hand on the score of a game; ``counted`` is false if the game had ended before it."""

    hand: ScoredHand
    counted: bool


@dataclass(frozen=True, slots=True)
class GameScore:
    """The whole score; ``totals`` and ``teams`` add up all columns.

    ``margin`` is the winner's final total less the best of the others. A complete game without a
    winner is a tie, which there is in Hollywood only.
    """

    complete: bool
    winner: int | None
    winner_team: int | None
    margin: int | None
    totals: tuple[SeatTotal, ...]
    teams: tuple[TeamTotal, ...]
    columns: tuple[ScoreColumn, ...]
    hands: tuple[HandPoints, ...]


REMEMBERED_SCORES: Final = 1024


# Follows from its arguments alone, and every view of a game asks for it between two hands.
@lru_cache(maxsize=REMEMBERED_SCORES)
def settle(
    rules: Rules, seats: int, hands: tuple[ScoredHand, ...], given_to: int | None = None
) -> GameScore:
    """Return the score of a game of ``hands`` between ``seats``.

    The first to reach the target, and to lead by ``win_by``, has won (full s5, s6). ``given_to`` is
    the seat whose side has the game because it was given up; end bonuses count then too. Hollywood
    is won by the greater sum over all columns, unless it was given up.
    """
    return settle_anew(rules, seats, hands, given_to)


def settle_anew(
    rules: Rules, seats: int, hands: tuple[ScoredHand, ...], given_to: int | None = None
) -> GameScore:
    """Return the same as :func:`settle`, which remembers it: this is for hands kept elsewhere."""
    pad = _Pad(rules, seats)
    points = []
    for hand in hands:
        counted = not pad.complete
        points.append(HandPoints(hand, counted))
        if counted:
            pad.enter(hand)
    given = None if given_to is None or pad.complete else side_of(seats, given_to)
    if given is not None:
        pad.give(given)
    columns = tuple(column.column() for column in pad.columns)
    totals = tuple(map(_summed_seat, zip(*(column.totals for column in columns), strict=True)))
    teams = tuple(map(_summed_team, zip(*(column.teams for column in columns), strict=True)))
    complete = pad.complete
    by_side = [each.total for each in teams or totals]
    winner = _winner(pad, given, by_side) if complete else None
    return GameScore(
        complete=complete,
        winner=None if teams else winner,
        winner_team=winner if teams else None,
        margin=_margin(by_side, winner) if complete else None,
        totals=totals,
        teams=teams,
        columns=columns,
        hands=tuple(points),
    )


def is_decided(rules: Rules, seats: int, hands: tuple[ScoredHand, ...]) -> bool:
    """Return whether ``hands`` have ended the game between ``seats``."""
    pad = _Pad(rules, seats)
    for hand in hands:
        pad.enter(hand)
        if pad.complete:
            return True
    return False


def best_opponent(score: GameScore, seat: int) -> int:
    """Return the seat that has the game when ``seat`` gives it up: the leader of the other sides.

    Of equals it is the one with the lower number.
    """
    seats = len(score.totals)
    side = side_of(seats, seat)
    others = [total for total in score.totals if side_of(seats, total.seat) != side]
    return max(others, key=lambda total: (total.total, -total.seat)).seat


class _Pad:
    """The score pad while it is being written."""

    def __init__(self, rules: Rules, seats: int) -> None:
        self._seats = seats
        count = HOLLYWOOD_COLUMNS if rules.hollywood else 1
        self.columns = [Column(rules, seats, number) for number in range(1, count + 1)]
        self._reached = [0] * len(sides(seats))
        self._open = count

    @property
    def complete(self) -> bool:
        """Whether every column is closed."""
        return not self._open

    def enter(self, hand: ScoredHand) -> None:
        """Enter a hand in each open column that it reaches. One that nobody won is no entry."""
        if hand.winner_team is not None:
            side = hand.winner_team
        elif hand.winner is not None:
            side = side_of(self._seats, hand.winner)
        else:
            return
        for column in self.columns[: self._reach(side)]:
            if column.winner is None:
                column.enter(side, hand)
                self._open -= column.winner is not None

    def _reach(self, side: int) -> int:
        """Return how many columns the next win of ``side`` reaches: one more than its last win.

        Columns that closed before the side ever entered them are skipped.
        """
        reach = self._reached[side]
        while reach < len(self.columns) and self.columns[reach].winner is not None:
            reach += 1
        self._reached[side] = min(reach + 1, len(self.columns))
        return self._reached[side]

    def give(self, side: int) -> None:
        """Give all that is undecided to ``side``."""
        for column in self.columns:
            if column.winner is None:
                column.winner = side
        self._open = 0


def _summed_seat(columns: tuple[SeatTotal, ...]) -> SeatTotal:
    if len(columns) == 1:
        return columns[0]
    return SeatTotal(
        columns[0].seat,
        sum(each.hand_points for each in columns),
        sum(each.boxes for each in columns),
        sum(each.bonus_points for each in columns),
        sum(each.total for each in columns),
    )


def _summed_team(columns: tuple[TeamTotal, ...]) -> TeamTotal:
    if len(columns) == 1:
        return columns[0]
    return TeamTotal(
        columns[0].team,
        columns[0].seats,
        sum(each.score for each in columns),
        sum(each.boxes for each in columns),
        sum(each.bonus_points for each in columns),
        sum(each.total for each in columns),
    )


def _winner(pad: _Pad, given: int | None, totals: list[int]) -> int | None:
    """Return the side that has won the whole; None for a tie."""
    if given is not None:
        return given
    if len(pad.columns) == 1:
        return pad.columns[0].winner
    best = max(totals)
    return None if totals.count(best) > 1 else totals.index(best)


def _margin(totals: list[int], winner: int | None) -> int:
    """Return the winner's total less the best of the others; it may be negative (full s5)."""
    if winner is None:
        return 0
    return totals[winner] - max(total for side, total in enumerate(totals) if side != winner)
