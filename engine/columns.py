"""One column of the score pad: its entries, boxes, bonuses, and who won it.

A column is kept by *side*: a seat for itself, or the two seats of a team. An ordinary game has one
column; how those of Hollywood hang together is told in :mod:`engine.settlement`.
"""

from dataclasses import dataclass

from engine.rules import Rules
from engine.scoring import HandOutcome, HandResult, ScoreLine
from engine.seating import sides


@dataclass(frozen=True, slots=True)
class ScoredHand:
    """What the score of a game needs to know of one hand.

    ``winner_team`` is set where partners play. It may stand alone: the net of two hands that the
    teams played at once is won by a team, and by no seat.
    """

    hand_number: int
    outcome: HandOutcome
    knocker: int | None
    winner: int | None
    points: int
    winner_team: int | None = None


@dataclass(frozen=True, slots=True)
class SeatTotal:
    """One seat's totals.

    ``boxes`` counts the hands it won, ``bonus_points`` what was added for them and at the end;
    ``total`` is all together. With partners the bonuses are the team's and none the seat's.
    """

    seat: int
    hand_points: int
    boxes: int
    bonus_points: int
    total: int


@dataclass(frozen=True, slots=True)
class TeamTotal:
    """A team's totals; ``score`` is what counts towards the target: boxes too, if given at once."""

    team: int
    seats: tuple[int, ...]
    score: int
    boxes: int
    bonus_points: int
    total: int


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One entry of a column: who scored, how much, and the running total of that side after it."""

    hand_number: int
    seat: int | None
    points: int
    running_total: int
    team: int | None = None


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """A column of the score pad. ``winner`` is a seat; a team's is ``winner_team``."""

    column: int
    complete: bool
    rows: tuple[ScoreRow, ...]
    totals: tuple[SeatTotal, ...]
    teams: tuple[TeamTotal, ...]
    lines: tuple[ScoreLine, ...]
    winner: int | None
    winner_team: int | None


def scored_hand(result: HandResult) -> ScoredHand:
    """Return what the game's score needs of ``result``."""
    return ScoredHand(
        result.hand_number,
        result.outcome,
        result.knocker,
        result.winner,
        result.points,
        result.winner_team,
    )


class Column:
    """One column while it is being added up. ``points`` and ``boxes`` go by side."""

    def __init__(self, rules: Rules, seats: int, number: int) -> None:
        self.rules = rules
        self.number = number
        self.sides = sides(seats)
        self.partners = len(self.sides) != seats
        self.points = [0] * len(self.sides)
        self.boxes = [0] * len(self.sides)
        self.rows: list[ScoreRow] = []
        self.winner: int | None = None

    def running(self, side: int) -> int:
        """Return the score that counts towards the target: boxes too, where given at once."""
        immediate = self.rules.box_bonus if self.rules.box_timing == "immediate" else 0
        return self.points[side] + self.boxes[side] * immediate

    def enter(self, side: int, hand: ScoredHand) -> None:
        """Enter a hand that ``side`` won, and see whether it closes the column."""
        self.points[side] += hand.points
        self.boxes[side] += 1
        running = self.running(side)
        team = side if self.partners else None
        self.rows.append(ScoreRow(hand.hand_number, hand.winner, hand.points, running, team))
        if running < self.rules.target:
            return
        best = max(self.running(other) for other in self._others(side))
        if running - best >= self.rules.win_by:
            self.winner = side

    def _others(self, side: int) -> list[int]:
        return [other for other in range(len(self.sides)) if other != side]

    def column(self) -> ScoreColumn:
        """Return the column with its totals."""
        lines = self._lines()
        bonuses = [0] * len(self.sides)
        for side, line in lines:
            bonuses[side] += line.points
        return ScoreColumn(
            column=self.number,
            complete=self.winner is not None,
            rows=tuple(self.rows),
            totals=self._partners_totals() if self.partners else self._totals(bonuses),
            teams=self._teams(bonuses) if self.partners else (),
            lines=tuple(line for _, line in lines),
            winner=None if self.partners else self.winner,
            winner_team=self.winner if self.partners else None,
        )

    def _totals(self, bonuses: list[int]) -> tuple[SeatTotal, ...]:
        return tuple(
            SeatTotal(seat, points, boxes, bonus, points + bonus)
            for seat, (points, boxes, bonus) in enumerate(
                zip(self.points, self.boxes, bonuses, strict=True)
            )
        )

    def _partners_totals(self) -> tuple[SeatTotal, ...]:
        """Return what each partner won; the bonuses belong to the team."""
        totals = []
        for seat in sorted(seat for side in self.sides for seat in side):
            won = [row.points for row in self.rows if row.seat == seat]
            totals.append(SeatTotal(seat, sum(won), len(won), 0, sum(won)))
        return tuple(totals)

    def _teams(self, bonuses: list[int]) -> tuple[TeamTotal, ...]:
        return tuple(
            TeamTotal(
                side,
                self.sides[side],
                self.running(side),
                self.boxes[side],
                bonus,
                self.points[side] + bonus,
            )
            for side, bonus in enumerate(bonuses)
        )

    def _lines(self) -> list[tuple[int, ScoreLine]]:
        """Return the bonuses, each with its side; those of the end only once the column is won."""
        rules, lines = self.rules, []
        if rules.box_bonus and (self.winner is not None or rules.box_timing == "immediate"):
            lines += [
                self._line("box_bonus", boxes * rules.box_bonus, side, boxes)
                for side, boxes in enumerate(self.boxes)
                if boxes
            ]
        if self.winner is not None:
            lines += self._end_lines(self.winner)
        return lines

    def _end_lines(self, winner: int) -> list[tuple[int, ScoreLine]]:
        rules, lines = self.rules, []
        if rules.game_bonus:
            lines.append(self._line("game_bonus", rules.game_bonus, winner))
        shut_out = sum(self.points[side] == 0 for side in self._others(winner))
        if rules.shutout_mode == "double":
            if shut_out == len(self.sides) - 1:
                boxes = self.boxes[winner] * rules.box_bonus
                doubled = self.points[winner] + boxes + rules.game_bonus
                lines.append(self._line("shutout_bonus", doubled, winner))
        elif rules.shutout_bonus and shut_out:
            bonus = rules.shutout_bonus * shut_out
            lines.append(self._line("shutout_bonus", bonus, winner, shut_out))
        return lines

    def _line(
        self, code: str, points: int, side: int, count: int | None = None
    ) -> tuple[int, ScoreLine]:
        if self.partners:
            return side, ScoreLine(code, points, count=count, column=self.number, team=side)
        return side, ScoreLine(code, points, side, count=count, column=self.number)
