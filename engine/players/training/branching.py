"""Plays several discards of the same decision on to the end of the hand, with the same cards.

What comes of a hand is mostly luck. Where every discard meets the same stock and the same other
side, most of the luck is the same for all of them, and the difference is what the discards are
worth (common random numbers).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.players.features import Floats
from engine.players.policies import Chance, Policy, Throws
from engine.players.sight import Column
from engine.players.training.straying import Straying
from engine.players.training.tables import Asked, Tables, Terms, play, shuffled
from engine.players.valued import Nets, Thought, Valued, features_kept

TRIED: Final = 4
"""So many discards of a decision are tried."""

BEST: Final = 2
"""So many of these are those that are valued most; the others any."""

SHARE: Final = 0.3
"""How many of the decisions are looked at, as a share."""

STRAYS: Final = 0.1


@dataclass(frozen=True, slots=True)
class Tried:
    """Discards that were tried: a row each, with the features and the points that came of it.

    ``decision`` is the number of the decision it belongs to, from 0 without gaps, in order.
    """

    features: Floats
    points: Floats
    decision: Column


def tried(nets: Nets, partner: Policy | None, terms: Terms, chance: Chance) -> Tried:
    """Return what came of some decisions in as many hands as there are ``terms``.

    ``nets`` play against ``partner``, against themselves where there is none. They stray on the
    way to a decision, but not after it.
    """
    hands = len(terms.limit)
    learner = Valued(nets)
    other = learner if partner is None else partner
    tables = Tables(shuffled(hands, chance), chance.integers(0, 2, hands), terms)
    parts, features = [], []
    for asked in play((Straying(learner, STRAYS), other), tables, chance):
        if asked.drawn and asked.seats[0] == 0:
            for part, seen in _branches(asked, tables, learner, chance):
                parts.append(part)
                features.append(seen)
    if not parts:
        width = nets.keep.into.shape[0]
        return Tried(np.zeros((0, width), np.float32), np.zeros(0, np.float32), np.zeros(0, int))
    branches = Tables.joined([tables for tables, _ in parts])
    for _ in play((learner, other), branches, chance):
        pass
    points = branches.points.astype(np.float32)
    return Tried(np.concatenate(features), points, _numbered([owner for _, owner in parts]))


def joined(parts: Sequence[Tried]) -> Tried:
    """Return all that was tried in ``parts``, one after another."""
    counts = [int(part.decision[-1]) + 1 if len(part.decision) else 0 for part in parts]
    before = np.cumsum([0, *counts[:-1]])
    return Tried(
        np.concatenate([part.features for part in parts]),
        np.concatenate([part.points for part in parts]),
        np.concatenate([part.decision + start for part, start in zip(parts, before, strict=True)]),
    )


def _branches(
    asked: Asked, tables: Tables, learner: Valued, chance: Chance
) -> Iterator[tuple[tuple[Tables, Column], Floats]]:
    """Yield the tables after each discard that is tried, whose each is, and what is seen."""
    picked = np.flatnonzero(chance.random(len(asked.rows)) < SHARE)
    if not len(picked):
        return
    sight = asked.sight.rows(picked)
    thought = learner.think(sight)
    chosen = _chosen(thought, len(picked), chance)
    if not len(chosen):
        return
    owner, thrown = thought.choices.owner[chosen], thought.choices.thrown[chosen]
    held = sight.rows(owner)
    branches = tables.taken(asked.rows[picked][owner])
    branches.throw(np.arange(len(chosen)), held, Throws(thrown, np.zeros(len(chosen), bool)))
    yield (branches, owner), features_kept(thought.choices.kept[chosen], thrown, held)


def _chosen(thought: Thought, rows: int, chance: Chance) -> Column:
    """Return which choices are tried, those of a row together; of a row with gin none."""
    owner = thought.choices.owner
    rank = _ranks(owner, -thought.values, rows)
    # The best come first, then the others by lot.
    lot = np.where(rank < BEST, rank, BEST + chance.random(len(rank)))
    tried = np.flatnonzero(_ranks(owner, lot, rows) < TRIED)
    gin = thought.choices.deadwood[thought.knock] == 0
    chosen: Column = tried[~gin[owner[tried]]]
    return chosen


def _ranks(owner: Column, cost: np.ndarray[tuple[int], np.dtype[np.float64]], rows: int) -> Column:
    """Return the place of each choice among those of its row, the least cost first."""
    order = np.lexsort((cost, owner))
    first = np.searchsorted(owner[order], np.arange(rows))
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order)) - first[owner[order]]
    return ranks


def _numbered(owners: list[Column]) -> Column:
    """Return the number of the decision of each choice, whatever part it came from."""
    numbers, count = [], 0
    for owner in owners:
        _, number = np.unique(owner, return_inverse=True)
        numbers.append(number + count)
        count += int(number[-1]) + 1
    return np.concatenate(numbers)
