"""Policy iteration: play with what is known, fit nets to what came of it, play better.

The first round is played by the level expert, straying; each later one by the nets so far.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from engine.players.nets import averaged
from engine.players.policies import Chance, Policy
from engine.players.sparring import POLICIES
from engine.players.training.branching import joined, tried
from engine.players.training.fitting import fit, refined
from engine.players.training.returns import Played, Rows, collect, led_to
from engine.players.training.straying import Straying
from engine.players.training.tables import Terms
from engine.players.valued import Nets, Valued
from engine.players.weighing import EXPERT

PARTNERS: Final = (("simple", 0.5), ("camper", 0.15), ("expert", 0.15), ("itself", 0.2))
"""Against whom the hands of a round are played, and what share of them."""

STANDARD_SHARE: Final = 0.75
"""So many of the hands are played by the standard rules; the others by drawn ones."""

AGAINST_SIMPLE: Final = 1
COMPARED: Final = 2
"""Parts of a training that have dice of their own."""

AT_A_TIME: Final = 1_500
"""In so many hands discards are compared at a time; there are about two decisions in each."""

AT_ONCE: Final = 10_000
"""So many hands are in memory at a time."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a training does: ``rounds`` of so many ``hands``, and so many ``nets`` to be averaged.

    ``strays`` is how often a learner does not do what it would, ``trust`` what it believes of its
    own values in as many ``reviews`` (see :func:`.returns.led_to`). In the end the nets of the last
    ``blend`` rounds are averaged: which of them plays best is mostly luck.

    Then come ``simple_rounds`` against Simple alone, with one net each. The mean of these nets
    counts as much as that of the rounds before. At last ``compared`` hands are played in which
    several discards of a decision are tried, to refine the differences between their values.
    """

    rounds: int
    hands: int
    nets: int = 1
    steps: int = 3000
    hidden: int = 64
    strays: float = 0.15
    reviews: int = 1
    trust: float = 0.6
    blend: int = 1
    simple_rounds: int = 0
    compared: int = 0
    partners: tuple[tuple[str, float], ...] = field(default=PARTNERS)


def train(
    plan: Plan, seed: int, tell: Callable[[int, Nets], None], start: Nets | None = None
) -> Nets:
    """Return what is learned of all rounds, from ``start`` or from nothing; ``tell`` of each."""
    nets = blended(_rounds(plan, np.random.default_rng(seed), tell, start))
    if plan.simple_rounds:
        nets = against_simple(plan, seed, tell, nets)
    return refine(plan, seed, nets) if plan.compared else nets


def refine(plan: Plan, seed: int, nets: Nets) -> Nets:
    """Return ``nets`` that tell better which of several discards is best."""
    chance = np.random.default_rng([seed, COMPARED])
    parts = [
        tried(nets, _partner(name), drawn_terms(hands, chance), chance)
        for name, share in plan.partners
        for hands in _parts(round(plan.compared * share), AT_A_TIME)
    ]
    return replace(nets, keep=refined(nets.keep, joined(parts), chance, steps=2 * plan.steps))


def against_simple(plan: Plan, seed: int, tell: Callable[[int, Nets], None], nets: Nets) -> Nets:
    """Return the mean of ``nets`` and what is learned in ``plan.simple_rounds`` more."""
    rounds = replace(
        plan,
        rounds=plan.simple_rounds,
        blend=plan.simple_rounds,
        nets=1,
        partners=(("simple", 1.0),),
    )

    def tell_on(number: int, learned: Nets) -> None:
        tell(plan.rounds + number, learned)

    # Dice of its own: it can be gone through again without the rounds before.
    chance = np.random.default_rng([seed, AGAINST_SIMPLE])
    return blended([nets, blended(_rounds(rounds, chance, tell_on, nets))])


def _rounds(
    plan: Plan, chance: Chance, tell: Callable[[int, Nets], None], start: Nets | None
) -> list[Nets]:
    """Return what was learned in each of the last rounds."""
    nets = start
    last: list[Nets] = []
    for number in range(plan.rounds):
        hands = played(plan, nets, chance)
        # First each decision is worth what came of it; then what it led to by these very values,
        # which blurs it less.
        nets = learned(plan, [led_to(each, 0.0) for each in hands], chance)
        for _ in range(plan.reviews):
            nets = learned(plan, [led_to(each, plan.trust, nets) for each in hands], chance)
        last = [*last, nets][-plan.blend :]
        tell(number, nets)
    return last


def blended(rounds: Sequence[Nets]) -> Nets:
    """Return nets whose values are the means of those of ``rounds``."""
    if len(rounds) == 1:
        return rounds[0]
    names = ("keep", "draw", "knock")
    return Nets(*(averaged([getattr(nets, name) for nets in rounds]) for name in names))


def played(plan: Plan, nets: Nets | None, chance: Chance) -> list[Played]:
    """Return the hands of a round."""
    return [
        _hands(plan, nets, name, hands, chance)
        for name, share in plan.partners
        for hands in _parts(round(plan.hands * share), AT_ONCE)
    ]


def _hands(plan: Plan, nets: Nets | None, name: str, hands: int, chance: Chance) -> Played:
    learner = Straying(EXPERT if nets is None else Valued(nets), plan.strays)
    terms = drawn_terms(hands, chance)
    partner = _partner(name)
    if partner is None:
        return collect((learner, learner), (0, 1), terms, chance)
    return collect((learner, partner), (0,), terms, chance)


def _partner(name: str) -> Policy | None:
    """Return who plays under this name; none where a learner plays itself."""
    return {**POLICIES, "expert": EXPERT, "itself": None}[name]


def _parts(hands: int, at_once: int) -> Iterator[int]:
    while hands > 0:
        yield min(hands, at_once)
        hands -= at_once


def learned(plan: Plan, rounds: list[Rows], chance: Chance) -> Nets:
    """Return nets fitted to the rows of ``rounds``."""
    fitted = []
    for kind in ("keep", "draw", "knock"):
        pairs = [pair for rows in rounds for pair in getattr(rows, kind)]
        features = np.concatenate([pair[0] for pair in pairs])
        points = np.concatenate([pair[1] for pair in pairs])
        nets = [
            fit(features, points, chance, steps=plan.steps, hidden=plan.hidden)
            for _ in range(plan.nets)
        ]
        fitted.append(averaged(nets))
    return Nets(*fitted)


def drawn_terms(hands: int, chance: Chance) -> Terms:
    """Return the terms of so many hands: most are standard, the others may be any."""
    terms = Terms.standard(hands)
    other = np.flatnonzero(chance.random(hands) >= STANDARD_SHARE)
    many = len(other)
    limits = chance.integers(0, 11, many)
    terms.limit[other] = np.where(chance.random(many) < 0.5, 10, limits)
    terms.gin_bonus[other] = chance.choice([0, 10, 20, 25, 25, 31, 50], many)
    terms.undercut_bonus[other] = chance.choice([0, 10, 10, 20, 25, 25, 50], many)
    return terms
