"""Plays hands and says what each decision led to: the rows that nets are fitted to.

What a decision led to mixes the end of the hand with the value that the same seat saw at its next
decision (temporal differences, Sutton 1988), so that the luck of later draws blurs it less.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from engine.players.features import Floats, of_holding, of_knock
from engine.players.policies import Chance, Policy, Throws, choices_of
from engine.players.sight import Column, Flags, Sight, with_top
from engine.players.training.tables import Asked, Tables, Terms, knock_points, play, shuffled
from engine.players.valued import Nets, Valued, Values, features_kept

FLIPS: Final = 0.1
"""How often, of the times that it strays at all, a learner does not take what it would, or does."""

BEST: Final = 4
"""A learner strays to one of so many discards, the best ones."""


@dataclass(slots=True)
class Learner:
    """Plays by values and strays now and then, so that it learns what it would not have done.

    ``seen`` is what the last decision was worth by its values, and ``strayed`` where it did
    something else.
    """

    policy: Valued
    strays: float
    seen: Values = field(default_factory=lambda: np.empty(0))
    strayed: Flags = field(default_factory=lambda: np.empty(0, bool))

    def takes(self, sight: Sight, chance: Chance, /) -> Flags:
        """Take as the policy does; or not."""
        taking = self.policy.think(with_top(sight)).value
        drawing = self.policy.draw_value(sight)
        self.strayed = chance.random(len(sight)) < FLIPS * self.strays
        self.seen = np.maximum(taking, drawing)
        flags: Flags = (taking > drawing) ^ self.strayed
        return flags

    def throws(self, sight: Sight, chance: Chance, /) -> Throws:
        """Throw or knock as the policy does; or throw another of the best, and not knock."""
        rows = len(sight)
        thought = self.policy.think(sight)
        self.seen = thought.value
        gin = thought.choices.deadwood[thought.knock] == 0
        self.strayed = ~gin & (chance.random(rows) < self.strays)
        knocks = thought.knocks & ~self.strayed
        chosen = np.where(knocks, thought.knock, thought.best)
        other = _one_of_the_best(thought.choices.owner, thought.values, rows, chance)
        chosen[self.strayed] = other[self.strayed]
        return Throws(thought.choices.thrown[chosen], knocks)


def _one_of_the_best(owner: Column, values: Values, rows: int, chance: Chance) -> Column:
    order = np.lexsort((-values, owner))
    first = np.searchsorted(owner[order], np.arange(rows))
    many = np.bincount(owner, minlength=rows)
    picked = (chance.random(rows) * np.minimum(many, BEST)).astype(np.int64)
    other: Column = order[first + picked]
    return other


@dataclass(slots=True)
class Rows:
    """What was seen: features and points of each of the three kinds of values."""

    keep: list[tuple[Floats, Floats]] = field(default_factory=list)
    draw: list[tuple[Floats, Floats]] = field(default_factory=list)
    knock: list[tuple[Floats, Floats]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Step:
    rows: Column
    seat: int
    kind: str
    which: Column
    features: Floats
    seen: Values | None
    strayed: Flags | None


@dataclass(frozen=True, slots=True)
class Played:
    """Hands that were played: what was decided, from first to last, and how each ended."""

    steps: list[_Step]
    points: Column
    knocks: list[tuple[Floats, Floats]]


def collect(
    policies: Sequence[Policy], learners: Sequence[int], terms: Terms, chance: Chance
) -> Played:
    """Return what the seats of ``learners`` decided in as many hands as there are ``terms``."""
    hands = len(terms.limit)
    tables = Tables(shuffled(hands, chance), chance.integers(0, 2, hands), terms)
    steps: list[_Step] = []
    knocks: list[tuple[Floats, Floats]] = []
    for asked in play(policies, tables, chance):
        seat = int(asked.seats[0])
        if seat not in learners:
            continue
        steps.append(_step(asked, seat, policies[seat]))
        if asked.drawn:
            knocks += _knocks(asked, tables)
    return Played(steps, tables.points, knocks)


def _step(asked: Asked, seat: int, policy: Policy) -> _Step:
    seen = strayed = None
    if isinstance(policy, Learner):
        seen, strayed = policy.seen, policy.strayed
    sight = asked.sight
    if asked.throws is not None:
        which = np.flatnonzero(~asked.throws.knocks)
        thrown = asked.throws.card[which]
        held = sight.rows(which)
        kept = held.cards & ~np.left_shift(np.int64(1), thrown)
        features = features_kept(kept, thrown, held)
        return _Step(asked.rows, seat, "keep", which, features, seen, strayed)
    assert asked.takes is not None
    which = np.flatnonzero(~asked.takes)
    held = sight.rows(which)
    features = of_holding(held.cards, held)
    return _Step(asked.rows, seat, "draw", which, features, seen, strayed)


def _knocks(asked: Asked, tables: Tables) -> list[tuple[Floats, Floats]]:
    """Return what a knock would score for each row that could, against the other side's cards."""
    sight = asked.sight
    choices = choices_of(sight, 1)
    can = np.flatnonzero(choices.deadwood <= sight.limit)
    if not len(can):
        return []
    rows, seats, kept = asked.rows[can], asked.seats[can], choices.kept[can]
    theirs = tables.cards[rows, 1 - seats]
    points, _ = knock_points(kept, theirs, tables.terms, rows)
    return [(of_knock(kept, sight.rows(can)), points.astype(np.float32))]


def led_to(played: Played, trust: float, nets: Nets | None = None) -> Rows:
    """Go from the ends of the hands to their beginnings, and note what each decision led to.

    ``trust`` says how much the value seen at the next decision counts, 0 to 1, beside what came
    after it. Where the player saw no values, those of ``nets`` for what it did stand in.
    """
    points = np.stack([played.points, -played.points], axis=1).astype(np.float64)
    rows = Rows(knock=list(played.knocks))
    for step in reversed(played.steps):
        came = points[step.rows, step.seat]
        pairs = rows.keep if step.kind == "keep" else rows.draw
        pairs.append((step.features, came[step.which].astype(np.float32)))
        if step.seen is not None and step.strayed is not None:
            mixed = (1 - trust) * came + trust * step.seen
            points[step.rows, step.seat] = np.where(step.strayed, step.seen, mixed)
        elif nets is not None and len(step.which):
            values = (nets.keep if step.kind == "keep" else nets.draw)(step.features)
            mixed = (1 - trust) * came[step.which] + trust * values
            points[step.rows[step.which], step.seat] = mixed
    return rows
