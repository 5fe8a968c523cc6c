"""The score of a game, counted again from its hands by somebody who only knows the rules.

Nothing is carried along from hand to hand: who won a column is looked for anew in its entries each
time, as a referee does who is handed the pad. Knows nothing of the engine.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """What a hand came to; ``team`` has won what no seat of it did alone."""

    outcome: str
    winner: int | None
    points: int
    team: int | None = None


class Referee:
    """Counts under the options of ``rules``; a side is a seat, or the two seats of a team."""

    def __init__(self, rules: dict, seats: int) -> None:
        self.rules = rules
        self.seats = seats
        self.sides = [[0, 2], [1, 3]] if seats == 4 else [[seat] for seat in range(seats)]

    def side(self, seat: int) -> int:
        return next(number for number, side in enumerate(self.sides) if seat in side)

    def won_by(self, rows: list, side: int) -> list:
        return [row for row in rows if row[3] == side]

    def points(self, rows: list, side: int) -> int:
        return sum(row[2] for row in self.won_by(rows, side))

    def running(self, rows: list, side: int) -> int:
        at_once = self.rules["box_bonus"] if self.rules["box_timing"] == "immediate" else 0
        return self.points(rows, side) + at_once * len(self.won_by(rows, side))

    def winner(self, rows: list) -> int | None:
        """Who was the first to have enough, and enough more than anybody else."""
        for until in range(1, len(rows) + 1):
            scores = [self.running(rows[:until], side) for side in range(len(self.sides))]
            latest = rows[until - 1][3]
            best = max(score for side, score in enumerate(scores) if side != latest)
            enough = scores[latest] >= self.rules["target"]
            if enough and scores[latest] - best >= self.rules["win_by"]:
                return latest
        return None

    def entries(self, hands: list[Line]) -> tuple[list[list], list[bool]]:
        """The rows of each column, and which hands were counted."""
        columns: list[list] = [[] for _ in range(3 if self.rules["hollywood"] else 1)]
        wins = [0] * len(self.sides)
        counted = []
        for number, hand in enumerate(hands, 1):
            closed = [self.winner(rows) is not None for rows in columns]
            counted.append(not all(closed))
            if all(closed) or (hand.winner is None and hand.team is None):
                continue
            side = self.side(hand.winner) if hand.team is None else hand.team
            wins[side] += 1
            up_to = wins[side]
            for place, rows in enumerate(columns):
                if place < up_to and closed[place] and not self.won_by(rows, side):
                    up_to += 1  # it closed before this side ever entered it
            for place, rows in enumerate(columns[:up_to]):
                if not closed[place]:
                    rows.append((number, hand.winner, hand.points, side))
        return columns, counted

    def bonuses(self, rows: list, winner: int | None) -> list[tuple]:
        """Every bonus of a column: its code, side, count and points."""
        rules, found = self.rules, []
        for side in range(len(self.sides)):
            boxes = len(self.won_by(rows, side))
            if boxes and (winner is not None or rules["box_timing"] == "immediate"):
                found.append(("box_bonus", side, boxes, boxes * rules["box_bonus"]))
        if winner is None:
            return [each for each in found if each[3]]
        found.append(("game_bonus", winner, None, rules["game_bonus"]))
        others = [side for side in range(len(self.sides)) if side != winner]
        blank = [side for side in others if not self.points(rows, side)]
        if rules["shutout_mode"] == "add":
            bonus = ("shutout_bonus", winner, len(blank), rules["shutout_bonus"] * len(blank))
            return [each for each in [*found, bonus] if each[3]]
        so_far = sum(each[3] for each in found if each[1] == winner)
        found = [each for each in found if each[3]]
        if blank == others:
            found.append(("shutout_bonus", winner, None, self.points(rows, winner) + so_far))
        return found

    def column(self, rows: list, winner: int | None) -> dict:
        bonuses = self.bonuses(rows, winner)
        added = [sum(each[3] for each in bonuses if each[1] == side) for side in self.ids]
        boxes = [len(self.won_by(rows, side)) for side in self.ids]
        points = [self.points(rows, side) for side in self.ids]
        finals = [points[side] + added[side] for side in self.ids]
        return {
            "complete": winner is not None,
            **self.named(winner),
            "rows": [
                (number, seat, won, self.running(rows[: place + 1], side))
                for place, (number, seat, won, side) in enumerate(rows)
            ],
            "totals": [self._seat(rows, seat, added) for seat in range(self.seats)],
            "teams": [
                (self.running(rows, side), boxes[side], added[side], finals[side])
                for side in self.ids
                if self.seats == 4
            ],
            "lines": sorted(bonuses, key=repr),
        }

    @property
    def ids(self) -> range:
        return range(len(self.sides))

    def _seat(self, rows: list, seat: int, added: list[int]) -> tuple:
        won = [row[2] for row in rows if row[1] == seat]
        bonus = 0 if self.seats == 4 else added[seat]
        return sum(won), len(won), bonus, sum(won) + bonus

    def named(self, winner: int | None) -> dict:
        """A winning side by the word for it."""
        team = winner if self.seats == 4 else None
        return {"winner_seat": None if self.seats == 4 else winner, "winner_team": team}


def recount(rules: dict, seats: int, hands: list[Line], given_to: int | None = None) -> dict:
    """The score of a game; ``given_to`` is a seat of the side that others gave it up to."""
    referee = Referee(rules, seats)
    entries, counted = referee.entries(hands)
    winners = [referee.winner(rows) for rows in entries]
    given = None
    if None in winners and given_to is not None:
        given = referee.side(given_to)
        winners = [given if winner is None else winner for winner in winners]
    columns = [referee.column(rows, winner) for rows, winner in zip(entries, winners, strict=True)]
    summed = {
        kind: [
            tuple(map(sum, zip(*each, strict=True)))
            for each in zip(*(column[kind] for column in columns), strict=True)
        ]
        for kind in ("totals", "teams")
    }
    complete = None not in winners
    finals = [each[-1] for each in summed["teams"] or summed["totals"]]
    ahead = [side for side, final in enumerate(finals) if final == max(finals)]
    winner = winners[0]
    if given is not None:
        winner = given
    elif len(columns) > 1:
        winner = ahead[0] if complete and len(ahead) == 1 else None
    margin = None
    if complete:
        others = [final for side, final in enumerate(finals) if side != winner]
        margin = 0 if winner is None else finals[winner] - max(others)
    return {
        "complete": complete,
        **referee.named(winner),
        "margin": margin,
        **summed,
        "columns": columns,
        "hands": [
            (hand.outcome, hand.winner, hand.points, each)
            for hand, each in zip(hands, counted, strict=True)
        ],
    }


def as_counted(score: dict) -> dict:
    """The same of a ``GameScore`` as it goes over the wire."""
    assert [each["seat"] for each in score["totals"]] == list(range(len(score["totals"])))
    columns = score["columns"]
    assert [column["column"] for column in columns] == list(range(1, len(columns) + 1))
    return {
        **_counted(score),
        "margin": score.get("margin"),
        "columns": [_column(column) for column in columns],
        "hands": [
            (hand["outcome"], hand.get("winner_seat"), hand["points"], hand["counted"])
            for hand in score["hands"]
        ],
    }


def _counted(part: dict) -> dict:
    return {
        "complete": part["complete"],
        "winner_seat": part.get("winner_seat"),
        "winner_team": part.get("winner_team"),
        "totals": [
            (each["hand_points"], each["boxes"], each["bonus_points"], each["total"])
            for each in part["totals"]
        ],
        "teams": [
            (each["score"], each["boxes"], each["bonus_points"], each["total"])
            for each in part["teams"]
        ],
    }


def _column(column: dict) -> dict:
    lines = [
        (line["code"], line.get("seat", line.get("team")), line.get("count"), line["points"])
        for line in column["lines"]
    ]
    assert all(line["column"] == column["column"] for line in column["lines"])
    assert all(("team" in line) == bool(column["teams"]) for line in column["lines"])
    return {
        **_counted(column),
        "rows": [
            (row["hand_number"], row.get("seat"), row["points"], row["running_total"])
            for row in column["rows"]
        ],
        "lines": sorted(lines, key=repr),
    }
