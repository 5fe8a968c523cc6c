"""Plays hands and says what each decision led to: the rows that nets are fitted to.

What a decision led to mixes the end of the hand with the value that the same seat saw at its next
decision (temporal differences, Sutton 1988), so that the luck of later draws blurs it less.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.players.features import Floats, of_holding, of_knock
from engine.players.policies import Chance, Policy, choices_of
from engine.players.sight import Column
from engine.players.training.tables import Asked, Tables, Terms, knock_points, play, shuffled
from engine.players.valued import Nets, features_kept


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
        steps.append(_step(asked, seat))
        if asked.drawn:
            knocks += _knocks(asked, tables)
    return Played(steps, tables.points, knocks)


def _step(asked: Asked, seat: int) -> _Step:
    sight = asked.sight
    if asked.throws is not None:
        which = np.flatnonzero(~asked.throws.knocks)
        thrown = asked.throws.card[which]
        held = sight.rows(which)
        kept = held.cards & ~np.left_shift(np.int64(1), thrown)
        features = features_kept(kept, thrown, held)
        return _Step(asked.rows, seat, "keep", which, features)
    assert asked.takes is not None
    which = np.flatnonzero(~asked.takes)
    held = sight.rows(which)
    features = of_holding(held.cards, held)
    return _Step(asked.rows, seat, "draw", which, features)


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

    ``trust`` says how much the value of the same seat's next decision by ``nets`` counts, 0 to 1,
    beside what came after it.
    """
    points = np.stack([played.points, -played.points], axis=1).astype(np.float64)
    rows = Rows(knock=list(played.knocks))
    for step in reversed(played.steps):
        mine = step.rows[step.which]
        came = points[mine, step.seat]
        pairs, net = (rows.keep, "keep") if step.kind == "keep" else (rows.draw, "draw")
        pairs.append((step.features, came.astype(np.float32)))
        if nets is not None and len(mine):
            values = getattr(nets, net)(step.features)
            points[mine, step.seat] = (1 - trust) * came + trust * values
    return rows
