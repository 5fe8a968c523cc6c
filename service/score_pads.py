"""A score sheet as text to take away: a table for spreadsheets, and a score pad to read or print.

Both have one column for each side in each column of the score: a name, or the names of partners.
Where a side scored its running total stands, as on paper. Outcomes and bonuses are codes.
"""

import csv
import io
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.columns import ScoreColumn
from engine.kept_sheets import Sheet
from engine.scoring import ScoreLine
from engine.seating import sides
from engine.settlement import GameScore, HandPoints

FORMULA: Final = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a spreadsheet takes for the beginning of a formula, also in full width.

Tabs and line breaks are such, too; no name has any.
"""

GAP: Final = "  "
WIDE: Final = frozenset("WF")

CSV_HEADER: Final = ("row", "hand", "code", "knocker", "winner", "points", "counted")


@dataclass(frozen=True, slots=True)
class _Pad:
    """What stands where: ``titles`` of the columns by side, the score, and the names."""

    names: Sequence[str]
    score: GameScore
    by_side: tuple[tuple[int, ...], ...]

    @property
    def sides(self) -> list[str]:
        """The name of each side; partners are joined by an ampersand."""
        return [" & ".join(self.names[seat] for seat in side) for side in self.by_side]

    @property
    def titles(self) -> list[str]:
        """The title of each column of a side."""
        columns = self.score.columns
        if len(columns) == 1:
            return self.sides
        return [f"{name} {column.column}" for column in columns for name in self.sides]

    def side_of(self, seat: int | None, team: int | None) -> int:
        """Return the place of a seat's or a team's side."""
        if team is not None:
            return team
        return next(place for place, side in enumerate(self.by_side) if seat in side)

    def running(self, hand_number: int) -> list[int | None]:
        """Return the running totals that a hand made, each in its place."""
        return [total for column in self.score.columns for total in self._of(column, hand_number)]

    def _of(self, column: ScoreColumn, hand_number: int) -> list[int | None]:
        found: list[int | None] = [None] * len(self.by_side)
        for row in column.rows:
            if row.hand_number == hand_number:
                found[self.side_of(row.seat, row.team)] = row.running_total
        return found

    def bonuses(self) -> Iterator[tuple[ScoreLine, list[int | None]]]:
        """Yield each bonus with its points, in their place."""
        width = len(self.by_side)
        for index, column in enumerate(self.score.columns):
            for line in column.lines:
                cells: list[int | None] = [None] * (width * len(self.score.columns))
                cells[index * width + self.side_of(line.seat, line.team)] = line.points
                yield line, cells

    def totals(self) -> list[int | None]:
        """Return the total of each side in each column, bonuses included."""
        return [
            each.total for column in self.score.columns for each in column.teams or column.totals
        ]

    def winner(self) -> str | None:
        """Return the name of the side that has won the game."""
        if self.score.winner is None and self.score.winner_team is None:
            return None
        return self.sides[self.side_of(self.score.winner, self.score.winner_team)]

    def won(self, points: HandPoints) -> str:
        """Return who won a hand, or nothing: a seat's name, or for the net of tables a team's."""
        hand = points.hand
        if hand.winner is not None:
            return self.names[hand.winner]
        return "" if hand.winner_team is None else self.sides[hand.winner_team]


def _pad(names: Sequence[str], sheet: Sheet) -> _Pad:
    return _Pad(names, sheet.score, sides(len(names)))


def as_csv(names: Sequence[str], sheet: Sheet) -> str:
    """Return the sheet as CSV (RFC 4180).

    A row is a ``hand`` with the running totals it made, a ``bonus``, or the ``total``, where
    ``winner`` is that of the game and ``points`` the margin.
    """
    pad = _pad(names, sheet)
    written = io.StringIO()
    table = csv.writer(written)
    table.writerow([*CSV_HEADER, *map(_harmless, pad.titles)])
    for each in pad.score.hands:
        hand = each.hand
        knocker = "" if hand.knocker is None else names[hand.knocker]
        who = (_harmless(knocker), _harmless(pad.won(each)))
        facts = ("hand", hand.hand_number, hand.outcome, *who, hand.points, _yes(each.counted))
        table.writerow([*facts, *pad.running(hand.hand_number)])
    for line, cells in pad.bonuses():
        table.writerow(["bonus", "", line.code, "", "", line.points, "", *cells])
    won = _harmless(pad.winner() or "")
    over = "complete" if pad.score.complete else "open"
    table.writerow(["total", "", over, "", won, pad.score.margin, "", *pad.totals()])
    return written.getvalue()


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"


def _harmless(text: str) -> str:
    """Return ``text`` so that no spreadsheet computes it."""
    return f"'{text}" if text.strip().startswith(FORMULA) else text


def as_text(names: Sequence[str], sheet: Sheet) -> str:
    """Return the sheet as a score pad in plain text, every line ended by a line feed."""
    pad = _pad(names, sheet)
    rows = [["hand", "", *pad.titles]]
    for each in pad.score.hands:
        hand = each.hand
        note = f"{hand.outcome} {hand.points}" if pad.won(each) else str(hand.outcome)
        note += "" if each.counted else " (not counted)"
        rows.append([str(hand.hand_number), note, *_cells(pad.running(hand.hand_number))])
    bonuses = [["", _bonus(line), *_cells(cells)] for line, cells in pad.bonuses()]
    total = ["", "total", *_cells(pad.totals())]
    lines = _ruled([rows[:1], rows[1:], bonuses, [total]])
    return "\n".join([*lines, "", _verdict(pad), ""])


def _cells(numbers: Sequence[int | None]) -> list[str]:
    return ["" if number is None else str(number) for number in numbers]


def _bonus(line: ScoreLine) -> str:
    return line.code if line.count is None else f"{line.code} x {line.count}"


def _verdict(pad: _Pad) -> str:
    winner, score = pad.winner(), pad.score
    if not score.complete:
        return "not over"
    return "tie" if winner is None else f"winner: {winner}, margin {score.margin}"


def _ruled(blocks: Sequence[list[list[str]]]) -> list[str]:
    """Return the rows of ``blocks`` in columns, a rule between one block and the next."""
    every = [row for block in blocks for row in block]
    widths = [max(map(_width, column)) for column in zip(*every, strict=True)]
    rule = "-" * (sum(widths) + len(GAP) * (len(widths) - 1))
    lines: list[str] = []
    for block in blocks:
        if block:
            lines += [*([rule] if lines else []), *(_laid_out(row, widths) for row in block)]
    return lines


def _laid_out(row: list[str], widths: list[int]) -> str:
    cells = [
        _filled(text, width, left=place == 1)
        for place, (text, width) in enumerate(zip(row, widths, strict=True))
    ]
    return GAP.join(cells).rstrip()


def _filled(text: str, width: int, *, left: bool) -> str:
    room = " " * (width - _width(text))
    return text + room if left else room + text


def _width(text: str) -> int:
    """Return how many places ``text`` takes on a screen: two for a wide letter, none for marks."""
    return sum(
        0 if unicodedata.combining(letter) else 1 + (unicodedata.east_asian_width(letter) in WIDE)
        for letter in text
    )
