"""The score of a game: running totals, boxes, end bonuses, and who won.

Everything is computed anew from the hands, so that a score can never drift from them.
"""

from dataclasses import dataclass

from engine.rules import Rules
from engine.scoring import HandOutcome, HandResult, ScoreLine


@dataclass(frozen=True, slots=True)
class ScoredHand:
    """What the score of a game needs to know of one hand."""

    hand_number: int
    outcome: HandOutcome
    knocker: int | None
    winner: int | None
    points: int


@dataclass(frozen=True, slots=True)
class HandPoints:
    """A hand on the score of a game; ``counted`` is false if the game had ended before it."""

    hand: ScoredHand
    counted: bool


@dataclass(frozen=True, slots=True)
class SeatTotal:
    """One seat's totals.

    ``boxes`` counts the hands it won, ``bonus_points`` what was added for them and at the end;
    ``total`` is all together.
    """

    seat: int
    hand_points: int
    boxes: int
    bonus_points: int
    total: int


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One entry of a column: who scored, how much, and that seat's running total after it."""

    hand_number: int
    seat: int
    points: int
    running_total: int


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """A column of the score pad; an ordinary game has one."""

    column: int
    complete: bool
    rows: tuple[ScoreRow, ...]
    totals: tuple[SeatTotal, ...]
    lines: tuple[ScoreLine, ...]
    winner: int | None


@dataclass(frozen=True, slots=True)
class GameScore:
    """The whole score. ``margin`` is the winner's final total less the best of the others."""

    complete: bool
    winner: int | None
    margin: int | None
    totals: tuple[SeatTotal, ...]
    columns: tuple[ScoreColumn, ...]
    hands: tuple[HandPoints, ...]


def scored_hand(result: HandResult) -> ScoredHand:
    """Return what the game's score needs of ``result``."""
    return ScoredHand(
        result.hand_number, result.outcome, result.knocker, result.winner, result.points
    )


def settle(
    rules: Rules, seats: int, hands: tuple[ScoredHand, ...], given_to: int | None = None
) -> GameScore:
    """Return the score of a game of ``hands`` between ``seats``.

    The first to reach the target, and to lead by ``win_by``, has won (full s5, s6). ``given_to`` is
    the seat that has the game because it was given up; end bonuses count then too.
    """
    tally = _Tally(rules, seats)
    points = []
    for hand in hands:
        counted = tally.winner is None
        points.append(HandPoints(hand, counted))
        if counted:
            tally.enter(hand)
    if tally.winner is None:
        tally.winner = given_to
    column = tally.column()
    margin = None if column.winner is None else _margin(column)
    return GameScore(
        complete=column.complete,
        winner=column.winner,
        margin=margin,
        totals=column.totals,
        columns=(column,),
        hands=tuple(points),
    )


def winner_of(rules: Rules, seats: int, hands: tuple[ScoredHand, ...]) -> int | None:
    """Return the seat that has won the game by ``hands``; None while it goes on."""
    tally = _Tally(rules, seats)
    for hand in hands:
        tally.enter(hand)
        if tally.winner is not None:
            return tally.winner
    return None


class _Tally:
    """One column while it is being added up."""

    def __init__(self, rules: Rules, seats: int) -> None:
        self.rules = rules
        self.points = [0] * seats
        self.boxes = [0] * seats
        self.rows: list[ScoreRow] = []
        self.winner: int | None = None

    def running(self, seat: int) -> int:
        """Return the score that counts towards the target: boxes too, where given at once."""
        immediate = self.rules.box_bonus if self.rules.box_timing == "immediate" else 0
        return self.points[seat] + self.boxes[seat] * immediate

    def enter(self, hand: ScoredHand) -> None:
        """Enter a hand, and see whether it decides the game. A hand that nobody won is no entry."""
        if hand.winner is None:
            return
        self.points[hand.winner] += hand.points
        self.boxes[hand.winner] += 1
        running = self.running(hand.winner)
        self.rows.append(ScoreRow(hand.hand_number, hand.winner, hand.points, running))
        others = [self.running(seat) for seat in self._others(hand.winner)]
        if running >= self.rules.target and running - max(others) >= self.rules.win_by:
            self.winner = hand.winner

    def _others(self, seat: int) -> list[int]:
        return [other for other in range(len(self.points)) if other != seat]

    def lines(self) -> tuple[ScoreLine, ...]:
        """Return the bonuses, one line each; those of the end only once the game is won."""
        rules, lines = self.rules, []
        if rules.box_bonus and (self.winner is not None or rules.box_timing == "immediate"):
            lines += [
                ScoreLine("box_bonus", boxes * rules.box_bonus, seat, count=boxes, column=1)
                for seat, boxes in enumerate(self.boxes)
                if boxes
            ]
        if self.winner is not None:
            lines += self._end_lines(self.winner)
        return tuple(lines)

    def _end_lines(self, winner: int) -> list[ScoreLine]:
        rules, lines = self.rules, []
        if rules.game_bonus:
            lines.append(ScoreLine("game_bonus", rules.game_bonus, winner, column=1))
        shut_out = sum(self.points[seat] == 0 for seat in self._others(winner))
        if rules.shutout_mode == "double":
            if shut_out == len(self.points) - 1:
                boxes = self.boxes[winner] * rules.box_bonus
                doubled = self.points[winner] + boxes + rules.game_bonus
                lines.append(ScoreLine("shutout_bonus", doubled, winner, column=1))
        elif rules.shutout_bonus and shut_out:
            bonus = rules.shutout_bonus * shut_out
            lines.append(ScoreLine("shutout_bonus", bonus, winner, count=shut_out, column=1))
        return lines

    def column(self) -> ScoreColumn:
        """Return the column with its totals."""
        lines = self.lines()
        totals = tuple(
            self._total(seat, sum(line.points for line in lines if line.seat == seat))
            for seat in range(len(self.points))
        )
        complete = self.winner is not None
        return ScoreColumn(1, complete, tuple(self.rows), totals, lines, self.winner)

    def _total(self, seat: int, bonus: int) -> SeatTotal:
        points = self.points[seat]
        return SeatTotal(seat, points, self.boxes[seat], bonus, points + bonus)


def _margin(column: ScoreColumn) -> int:
    """Return the winner's total less the best of the others; it may be negative (full s5)."""
    others = [total.total for total in column.totals if total.seat != column.winner]
    winner = next(total.total for total in column.totals if total.seat == column.winner)
    return winner - max(others)
