"""The score of one hand, line by line."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from engine.actions import KnockKind
from engine.cards import Card, Cards
from engine.layoffs import LayOff
from engine.melds import Arrangement, Meld
from engine.rules import Rules, multiplier


class HandOutcome(StrEnum):
    """How a hand ended."""

    KNOCK = "knock"
    GIN = "gin"
    BIG_GIN = "big_gin"
    UNDERCUT = "undercut"
    DRAWN = "drawn"
    VOID = "void"
    RESIGNED = "resigned"
    NET = "net"
    """Two hands that teams played at once, set against each other; score keepers' sheets only."""


SCORED: Final = frozenset(
    {HandOutcome.KNOCK, HandOutcome.GIN, HandOutcome.BIG_GIN, HandOutcome.UNDERCUT}
)
"""The outcomes of a hand that somebody knocked: the others have no score."""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of a score: what it is for, whose it is, and its points. Lines add up.

    With partners the bonuses of a game are a team's and no seat's.
    """

    code: str
    points: int
    seat: int | None = None
    count: int | None = None
    column: int | None = None
    team: int | None = None


@dataclass(frozen=True, slots=True)
class ScoredSide:
    """One seat's cards as they were counted. ``cards`` are those held before any lay-off."""

    seat: int
    cards: Cards
    melds: tuple[Meld, ...]
    unmatched: Cards
    lay_offs: tuple[LayOff, ...]
    deadwood: int


class Counted(Protocol):
    """One side as far as a score needs it: its count, and its seat where that is known."""

    @property
    def seat(self) -> int | None:
        """The seat, or None where only the side is known."""

    @property
    def deadwood(self) -> int:
        """The count after the lay-offs."""


@dataclass(frozen=True, slots=True)
class KnockScore:
    """The score of a hand that was knocked: who wins it, with how many points, and why."""

    outcome: HandOutcome
    knocker_wins: bool
    points: int
    multiplier: int
    lines: tuple[ScoreLine, ...]


@dataclass(frozen=True, slots=True)
class HandResult:
    """How a hand ended, with both seats' cards as they were counted.

    ``winner_team`` is the team of the winner where partners play.
    """

    hand_number: int
    outcome: HandOutcome
    knocker: int | None
    winner: int | None
    points: int
    multiplier: int
    lines: tuple[ScoreLine, ...]
    sides: tuple[ScoredSide, ...]
    winner_team: int | None = None


def score_knock(
    kind: KnockKind, knocker: Counted, defender: Counted, rules: Rules, upcard: Card | None
) -> KnockScore:
    """Return the score of a knock, from both sides as counted after the lay-offs (full s5).

    Gin and big gin score their bonus and the whole difference, and are never undercut. A knock
    scores the difference if the knocker's count is lower; otherwise the defender undercuts for a
    bonus and the difference. An equal count is an undercut too, unless ``undercut_on_tie`` is off:
    then the knocker wins the hand with nothing. A spade may double all, or only the difference.
    """
    difference = abs(defender.deadwood - knocker.deadwood)
    outcome, bonus, knocker_wins = _outcome(kind, knocker.deadwood, defender.deadwood, rules)
    seat = knocker.seat if knocker_wins else defender.seat
    lines = [ScoreLine("deadwood_difference", difference, seat)]
    if bonus is not None:
        lines.append(ScoreLine(bonus, _bonus_points(bonus, rules), seat))
    factor = multiplier(rules, upcard)
    if factor > 1:
        doubled = lines if rules.spade_doubles == "all" else lines[:1]
        lines.append(
            ScoreLine("multiplier", (factor - 1) * sum(line.points for line in doubled), seat)
        )
    points = sum(line.points for line in lines)
    return KnockScore(outcome, knocker_wins, points, factor, tuple(lines))


def _outcome(
    kind: KnockKind, knocker: int, defender: int, rules: Rules
) -> tuple[HandOutcome, str | None, bool]:
    if kind is KnockKind.BIG_GIN:
        return HandOutcome.BIG_GIN, "big_gin_bonus", True
    if kind is KnockKind.GIN:
        return HandOutcome.GIN, "gin_bonus", True
    if knocker < defender or (knocker == defender and not rules.undercut_on_tie):
        return HandOutcome.KNOCK, None, True
    return HandOutcome.UNDERCUT, "undercut_bonus", False


def _bonus_points(code: str, rules: Rules) -> int:
    points: int = getattr(rules, code)
    return points


def side(seat: int, cards: Cards, arrangement: Arrangement) -> ScoredSide:
    """Return the side of a seat that laid nothing off."""
    return ScoredSide(
        seat, cards, arrangement.melds, arrangement.unmatched, (), arrangement.deadwood
    )


def result_of_knock(
    hand_number: int,
    kind: KnockKind,
    knocker: ScoredSide,
    defender: ScoredSide,
    rules: Rules,
    upcard: Card,
) -> HandResult:
    """Return the result of a knocked hand."""
    score = score_knock(kind, knocker, defender, rules, upcard)
    return HandResult(
        hand_number=hand_number,
        outcome=score.outcome,
        knocker=knocker.seat,
        winner=knocker.seat if score.knocker_wins else defender.seat,
        points=score.points,
        multiplier=score.multiplier,
        lines=score.lines,
        sides=tuple(sorted((knocker, defender), key=lambda scored: scored.seat)),
    )


def result_without_score(
    hand_number: int,
    outcome: HandOutcome,
    sides: tuple[ScoredSide, ...],
    rules: Rules,
    upcard: Card,
) -> HandResult:
    """Return the result of a hand that nobody wins: drawn, void or resigned."""
    factor = multiplier(rules, upcard)
    return HandResult(hand_number, outcome, None, None, 0, factor, (), sides)
