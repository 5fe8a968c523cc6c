"""How play is judged: a decision with its loss, the luck of a draw, and the sums of each seat.

They are made in :mod:`engine.players.analysis`. Values and losses are rounded first and added up
then, so that sums are exactly those of the numbers that are shown.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.actions import Action
from engine.cards import Card, Cards
from engine.players.suggestions import Suggestion

DIGITS: Final = 2
"""Digits after the point of values and losses."""

VERDICTS: Final = (("best", 0.0), ("good", 1.0), ("inaccuracy", 3.0), ("mistake", 7.0))
"""The verdicts on a decision, each with the greatest loss in points for which it is given."""

WORST: Final = "blunder"
"""The verdict on a decision that loses more than all of :data:`VERDICTS` allow."""

HALVING_LOSS: Final = 3.0
"""A decision that loses so many points is half as accurate as the best one."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision: what the seat held and saw, what it played, and what it might have.

    ``options`` are in order, the best first; where one was forced there is no decision. ``loss``
    is in points, never below zero, and ``verdict`` goes by its size.
    """

    hand_number: int
    move_number: int
    turn: int
    seat: int
    cards: Cards
    top_discard: Card | None
    played: Action
    options: tuple[Suggestion, ...]
    loss: float

    @property
    def verdict(self) -> str:
        """How the size of the loss is called."""
        return next((name for name, most in VERDICTS if self.loss <= most), WORST)

    @property
    def accuracy(self) -> float:
        """100 without a loss, half of it with each further :data:`HALVING_LOSS` points."""
        return float(100 * 0.5 ** (self.loss / HALVING_LOSS))


@dataclass(frozen=True, slots=True)
class LuckOfDraw:
    """A card that a seat drew from the stock, and by how many points it was better than the mean.

    The mean is that over all cards which the seat had not seen, each as likely as the others.
    """

    hand_number: int
    move_number: int
    turn: int
    seat: int
    card: Card
    luck: float


@dataclass(frozen=True, slots=True)
class MoveAnalysis:
    """What there is to say of one move: nothing, a decision, the luck of a draw, or both."""

    number: int
    decision: Decision | None = None
    draw: LuckOfDraw | None = None


@dataclass(frozen=True, slots=True)
class SeatAnalysis:
    """The sums of one seat; ``accuracy``, from 0 to 100, is the mean over its decisions."""

    seat: int
    decisions: int
    loss: float
    accuracy: float
    luck: float


def seat_analyses(seats: Iterable[int], found: Iterable[MoveAnalysis]) -> tuple[SeatAnalysis, ...]:
    """Return the sums of each of ``seats`` over the moves ``found``."""
    found = tuple(found)
    decisions = [each.decision for each in found if each.decision is not None]
    draws = [each.draw for each in found if each.draw is not None]
    return tuple(
        _summed(
            seat,
            [each for each in decisions if each.seat == seat],
            [each.luck for each in draws if each.seat == seat],
        )
        for seat in seats
    )


def _summed(seat: int, decisions: Sequence[Decision], luck: Sequence[float]) -> SeatAnalysis:
    count = len(decisions)
    accuracy = sum(each.accuracy for each in decisions) / count if count else 100.0
    loss = sum(each.loss for each in decisions)
    return SeatAnalysis(seat, count, rounded(loss), rounded(accuracy), rounded(sum(luck)))


def rounded(number: float) -> float:
    """Return ``number`` to :data:`DIGITS` digits; what rounds to nothing has no sign."""
    return round(number, DIGITS) + 0.0
