"""Positions for tests of computer players: rows as their policies get them, and made-up nets."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from random import Random

import numpy as np

from engine.cards import DECK, cards_of, parse_card
from engine.players.features import HOLDING, KNOCKED, THROWN
from engine.players.nets import Net
from engine.players.policies import Throws
from engine.players.sight import LATELY, NO_CARD, Sight
from engine.players.valued import Nets
from tests.tables import cards

KEPT = (*HOLDING, *THROWN)
CHANCE = np.random.default_rng(0)
"""Dice for those who leave nothing to chance."""


def sight(held, theirs="", gone="", *, top=None, barred=None, left=20, thrown="", **numbers):
    """One row, from the names of the cards. ``gone`` are those that lie under the ``top``.

    ``thrown`` is what the other side threw, the last card first.
    """
    upper = NO_CARD if top is None else parse_card(top)
    seen = cards(held) | cards(theirs) | cards(gone) | (0 if top is None else 1 << upper)
    row = {
        "cards": cards(held),
        "theirs": cards(theirs),
        "unseen": DECK & ~seen,
        "top": upper,
        "barred": NO_CARD if barred is None else parse_card(barred),
        "lately": lately(thrown),
        "left": left,
        "turn": 4,
        "limit": 10,
        "gin_bonus": 25,
        "undercut_bonus": 25,
    } | numbers
    return Sight(**{name: np.array([number], np.int64) for name, number in row.items()})


def lately(names):
    """What the other side threw lately, the last card first, as a row has it."""
    thrown = [parse_card(name) for name in names.split()]
    return tuple((thrown + [NO_CARD] * len(LATELY))[: len(LATELY)])


def stacked(sights):
    """The rows of several sights in one."""
    names = [field.name for field in fields(Sight)]
    return Sight(*(np.concatenate([getattr(each, name) for each in sights]) for name in names))


def any_sights(seed, rows, held=10):
    """So many rows of random positions in which a seat holds ``held`` cards."""
    rng = Random(f"sights {seed}")
    return stacked([_any_sight(rng, held) for _ in range(rows)])


def _any_sight(rng, held):
    near = rng.random() < 0.5
    order = rng.sample(range(52), 52)
    if near:  # cards of few ranks, so that there is something to meld
        low = rng.randrange(9)
        order.sort(key=lambda card: not low <= card % 13 < low + 5)
    mine, rest = order[:held], rng.sample(order[held:], 52 - held)
    known, gone = rng.randrange(5), rng.randrange(1, 18)
    theirs, pile = rest[:known], rest[known : known + gone]
    barred = rng.choice(mine) if held > 10 and rng.random() < 0.4 else NO_CARD
    row = (
        cards_of(mine),
        cards_of(theirs),
        cards_of(rest[known + gone :]),
        pile[-1],
        barred,
        [rng.choice([NO_CARD, rng.choice(pile)]) for _ in LATELY],
        rng.randrange(29),
        rng.randrange(1, 24),
        rng.choice([0, 3, 7, 10, 10, 10]),
        rng.choice([0, 20, 25, 50]),
        rng.choice([0, 10, 25]),
    )
    return Sight(*(np.array([number], np.int64) for number in row))


def rows_of(many):
    """The rows of a sight one by one, as plain numbers by name."""
    names = [field.name for field in fields(Sight)]
    columns = [getattr(many, name).tolist() for name in names]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def linear(names, weights: Mapping[str, float] = {}, last=0.0):
    """A net that adds up features, all of which are 0 or more, each with its weight."""
    width, chosen = len(names), [names.index(name) for name in weights]
    into = np.zeros((width, max(1, len(chosen))), np.float32)
    into[chosen, range(len(chosen))] = 1
    out = np.array([*weights.values()] or [0], np.float32)
    zeros, ones = np.zeros(width, np.float32), np.ones(width, np.float32)
    return Net(zeros, ones, into, np.zeros_like(out), out, np.array([last], np.float32))


def made_nets(keep=None, draw=None, knock=None):
    """Nets that go by deadwood: less is better; a knock is worth 30 less its deadwood."""
    return Nets(
        keep or linear(KEPT, {"deadwood": -1}),
        draw or linear(HOLDING, {"deadwood": -1}),
        knock or linear(KNOCKED, {"deadwood": -1}, 30),
    )


@dataclass
class Scripted:
    """A policy that does what it was told, and notes what it was shown."""

    taking: bool = False
    card: str = ""
    knocking: bool = False

    def __post_init__(self):
        self.asked = []

    def takes(self, sight, chance):
        self.asked.append(("takes", sight))
        return np.full(len(sight), self.taking)

    def throws(self, sight, chance):
        self.asked.append(("throws", sight))
        return Throws(
            np.full(len(sight), parse_card(self.card)), np.full(len(sight), self.knocking)
        )
