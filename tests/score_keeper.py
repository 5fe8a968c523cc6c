"""A score sheet as somebody keeps it on paper who only knows the rules: the judge of the service's.

Remembers each hand with all it ever was and who said so. Knows nothing of the engine.
"""

from dataclasses import dataclass, field
from random import Random

from tests.recount import Line, recount

OPTIONS = {
    "target": (10, 50, 100, 150),
    "win_by": (0, 0, 10),
    "game_bonus": (0, 100),
    "shutout_bonus": (0, 100),
    "shutout_mode": ("add", "double"),
    "box_bonus": (0, 25),
    "box_timing": ("end", "immediate"),
    "hollywood": (False, False, True),
    "gin_bonus": (25, 20),
    "undercut_bonus": (25, 10),
}
DEFAULTS = {name: values[0] for name, values in OPTIONS.items()} | {"target": 100}


def random_rules(rng: Random, seats: int) -> dict:
    """Some options of the rules, as a request sends them."""
    chosen = {name: rng.choice(OPTIONS[name]) for name in OPTIONS if rng.random() < 0.6}
    if seats == 3:
        chosen.pop("hollywood", None)
    return chosen


def random_hand(rng: Random, seats: int) -> dict:
    """A hand as it is entered: by points, by both counts, or (partners) two at once."""
    kind = rng.random()
    if seats == 4 and kind < 0.2:
        tables = [rng.sample(pair, 2) for pair in rng.choice([((0, 1), (2, 3)), ((0, 3), (2, 1))])]
        return {"tables": [_by_points(rng, pair, seats) for pair in tables]}
    pair = (
        rng.choice([(0, 1), (2, 3), (0, 3), (2, 1)]) if seats == 4 else rng.sample(range(seats), 2)
    )
    return _by_counts(rng, pair) if kind > 0.7 else _by_points(rng, pair, seats)


def _by_points(rng: Random, pair, seats: int) -> dict:
    outcome = rng.choice(["knock", "knock", "gin", "undercut", "drawn", "void", "resigned"])
    if outcome in {"drawn", "void", "resigned"}:
        return {"outcome": outcome}
    winner = rng.choice(pair)
    hand = {"outcome": outcome, "winner_seat": winner, "points": rng.choice([0, rng.randrange(90)])}
    if outcome == "knock" and rng.random() < 0.3:
        del hand["outcome"]
    return hand


def _by_counts(rng: Random, pair) -> dict:
    knocker, defender = rng.sample(pair, 2)
    left = rng.choice([0, rng.randrange(1, 11)])
    counts = {knocker: left, defender: rng.randrange(0, 60)}
    sides = [{"seat": seat, "deadwood": counts[seat]} for seat in rng.sample(pair, 2)]
    return {"kind": "knock" if left else "gin", "knocker_seat": knocker, "sides": sides}


@dataclass
class Kept:
    """A hand on the paper: how it was told, what that comes to, who stands by it, what it was."""

    hand: dict
    line: Line
    confirmed: set[str]
    by: str | None
    past: list[tuple] = field(default_factory=list)


class ScoreKeeper:
    """Keeps the paper."""

    def __init__(self, names: list[str], rules: dict) -> None:
        self.names = names
        self.rules = {**DEFAULTS, **rules}
        self.hands: list[Kept] = []
        self.deleted: list[tuple] = []

    # --- what a hand comes to

    def line(self, hand: dict) -> Line:
        """What an entered hand comes to."""
        if "tables" in hand:
            return self._net([self.line(table) for table in hand["tables"]])
        if "sides" in hand:
            return self._of_counts(hand)
        default = "knock" if "winner_seat" in hand else "drawn"
        outcome = hand.get("outcome", default)
        return Line(outcome, hand.get("winner_seat"), hand.get("points", 0))

    def told(self, hand: dict) -> tuple:
        """How a hand was told, whatever the order and the defaults."""
        if "tables" in hand:
            return tuple(map(self.told, hand["tables"]))
        if "sides" in hand:
            counts = sorted((side["seat"], side["deadwood"]) for side in hand["sides"])
            return (hand["kind"], hand["knocker_seat"], *counts)
        return (self.line(hand),)

    def _net(self, tables: list[Line]) -> Line:
        points = [sum(t.points for t in tables if t.winner in side) for side in ((0, 2), (1, 3))]
        net = points[0] - points[1]
        return Line("net", None, abs(net), None if net == 0 else int(net < 0))

    def _of_counts(self, hand: dict) -> Line:
        counts = {side["seat"]: side["deadwood"] for side in hand["sides"]}
        knocker = hand["knocker_seat"]
        [defender] = counts.keys() - {knocker}
        left, other = counts[knocker], counts[defender]
        if left == 0:
            return Line("gin", knocker, self.rules["gin_bonus"] + other)
        if left < other:
            return Line("knock", knocker, other - left)
        return Line("undercut", defender, self.rules["undercut_bonus"] + left - other)

    def score(self) -> dict:
        """The score, counted anew from the first hand."""
        return recount(self.rules, len(self.names), [hand.line for hand in self.hands])

    # --- what may be said of it

    def _stands(self, number: int, words: set[str]) -> bool:
        hand = self.hands[number - 1]
        is_last = number == len(self.hands)
        agreed = hand.confirmed == set(self.names) and self.score()["complete"]
        return words == set(self.names) if not is_last or agreed else bool(words)

    def put(self, number: int, hand: dict, by: str | None, confirmed: list[str]) -> str:
        """Enter, correct or confirm a hand; return what came of it."""
        line, words = self.line(hand), {*confirmed, *([by] if by else [])}
        if number > len(self.hands) + 1:
            return "hand_number_too_high"
        if number == len(self.hands) + 1:
            self.hands.append(Kept(hand, line, words, by))
            return "changed"
        kept = self.hands[number - 1]
        if self.told(kept.hand) == self.told(hand):
            new = words - kept.confirmed
            kept.confirmed = kept.confirmed | words
            return "changed" if new else "same"
        if not self._stands(number, words):
            return "confirmation_required"
        kept.past.append((kept.line, kept.by, kept.confirmed, by, words))
        kept.hand, kept.line, kept.by, kept.confirmed = hand, line, by, words
        return "changed"

    def strike(self, number: int, by: str | None, confirmed: list[str]) -> str:
        """Delete a hand; return what came of it."""
        words = {*confirmed, *([by] if by else [])}
        if number > len(self.hands):
            return "not_found"
        if not self._stands(number, words):
            return "confirmation_required"
        gone = self.hands.pop(number - 1)
        self.deleted.append((number, (gone.line, gone.by, gone.confirmed, by, words), gone.past))
        return "changed"

    # --- how it looks

    def as_kept(self) -> dict:
        """All of it, to be compared with :func:`as_answered`."""
        return {
            "hands": [(each.line, each.by, each.confirmed, each.past) for each in self.hands],
            "deleted": self.deleted,
        }


def as_answered(sheet: dict) -> dict:
    """The same of a ``ScoreSheet`` as it goes over the wire."""
    return {
        "hands": [
            (_line(each), each.get("by"), set(each["confirmed_by"]), _history(each))
            for each in sheet["entries"]
        ],
        "deleted": [
            (each["hand_number"], _past(each), _history(each)) for each in sheet["deleted"]
        ],
    }


def _line(hand: dict) -> Line:
    team = hand.get("winner_team") if "winner_seat" not in hand else None
    return Line(hand["outcome"], hand.get("winner_seat"), hand["points"], team)


def _past(value: dict) -> tuple:
    before = value.get("entered_by"), set(value["was_confirmed_by"])
    return (_line(value), *before, value.get("by"), set(value["confirmed_by"]))


def _history(hand: dict) -> list[tuple]:
    return [_past(value) for value in hand["history"]]
