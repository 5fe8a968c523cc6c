"""Fits a net to what hands were worth: least squares by Adam (Kingma and Ba, 2015), in numpy."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import numpy as np

from engine.players.features import Floats
from engine.players.nets import Net
from engine.players.sight import Column, Flags
from engine.players.training.branching import Tried

HIDDEN: Final = 48
BATCH: Final = 2048
RATE: Final = 3e-3
POINTS: Final = np.float32(25)
"""Points are learned in units of so many."""

LEAST_SPREAD: Final = 1.0
"""Features that hardly change are scaled as if they spread so much, or a net would explode on
states that it has not seen. Those between 0 and 1 are held to ``LEAST_SHARE``.
"""

LEAST_SHARE: Final = 0.1

REFINING_RATE: Final = 3e-4
DECISIONS: Final = 512
OF_DIFFERENCES: Final = 4.0
OF_DRIFT: Final = 4.0
"""How much the differences between discards count, and that the mean of them stays."""


def fit(
    features: Floats,
    points: Floats,
    chance: np.random.Generator,
    *,
    steps: int,
    hidden: int = HIDDEN,
) -> Net:
    """Return a net fitted to ``points``, a number for each row of ``features``."""
    mean = features.mean(axis=0)
    least = np.where(np.abs(features).max(axis=0) <= 1, LEAST_SHARE, LEAST_SPREAD)
    scale = np.maximum(features.std(axis=0), least).astype(np.float32)
    width = features.shape[1]
    weights = [
        (chance.standard_normal((width, hidden)) * np.sqrt(2 / width)).astype(np.float32),
        np.zeros(hidden, np.float32),
        (chance.standard_normal(hidden) * np.sqrt(1 / hidden)).astype(np.float32),
        np.float32(points.mean() / POINTS) * np.ones(1, np.float32),
    ]
    # What never changed says nothing: it must not move the value once it does.
    weights[0][features.std(axis=0) == 0] = 0
    inputs = ((features - mean) / scale).astype(np.float32)
    targets = (points / POINTS).astype(np.float32)
    descent = _Descent(weights, steps, RATE)
    for _ in range(steps):
        rows = chance.integers(0, len(inputs), BATCH)
        descent.step(_slopes(weights, inputs[rows], partial(_off, targets[rows])))
    into, bias, out, last = weights
    return Net(mean, scale, into, bias, out * POINTS, last * POINTS)


def refined(
    net: Net,
    tried: Tried,
    chance: np.random.Generator,
    *,
    steps: int,
) -> Net:
    """Return ``net`` with better differences between the discards of one decision.

    What came of the discards of a decision differs as they are worth; how it stands on the whole is
    left to ``net``: the mean of its values for a decision is drawn back to where it was, which
    takes off a part of the differences too.
    """
    places, real = _by_decision(tried.decision)
    inputs = ((tried.features - net.mean) / net.scale).astype(np.float32)
    points = (tried.points / POINTS).astype(np.float32)
    before = (net(tried.features) / POINTS).astype(np.float32)
    weights = [net.into.copy(), net.bias.copy(), net.out / POINTS, net.last / POINTS]

    def errors(rows: Column, values: Floats) -> Floats:
        chosen, flags = places[rows], real[rows]
        told = values.reshape(chosen.shape)
        off = _less_mean(told - points[chosen], flags)
        drift = told - before[chosen]
        error = OF_DIFFERENCES * off + OF_DRIFT * (drift - _less_mean(drift, flags)) * flags
        scaled: Floats = (error * (2 / flags.sum())).astype(np.float32)
        return scaled.ravel()

    descent = _Descent(weights, steps, REFINING_RATE)
    for _ in range(steps):
        rows = chance.integers(0, len(places), DECISIONS)
        chosen = inputs[places[rows].ravel()]
        descent.step(_slopes(weights, chosen, partial(errors, rows)))
    into, bias, out, last = weights
    return Net(net.mean, net.scale, into, bias, out * POINTS, last * POINTS)


def _by_decision(decision: Column) -> tuple[Column, Flags]:
    """Return the places of each decision's rows, a row each, and which are real."""
    count = np.bincount(decision)
    first = np.cumsum(count) - count
    beyond = np.arange(int(count.max()))
    return first[:, None] + np.minimum(beyond, count[:, None] - 1), beyond < count[:, None]


def _off(wanted: Floats, values: Floats) -> Floats:
    off: Floats = (values - wanted) * np.float32(2 / len(wanted))
    return off


def _less_mean(values: Floats, real: Flags) -> Floats:
    """Return ``values`` less their mean over the real places of their row; 0 where none is."""
    mean = (values * real).sum(axis=1) / real.sum(axis=1)
    less: Floats = (values - mean[:, None]) * real
    return less


@dataclass(slots=True)
class _Descent:
    """Adam: ``weights`` go down their slopes at ``rate``, more and more slowly towards the end."""

    weights: list[Floats]
    steps: int
    rate: float
    _done: int = 0
    _first: list[Floats] = field(init=False)
    _second: list[Floats] = field(init=False)

    def __post_init__(self) -> None:
        """Begin without momentum."""
        self._first = [np.zeros_like(each) for each in self.weights]
        self._second = [np.zeros_like(each) for each in self.weights]

    def step(self, slopes: list[Floats]) -> None:
        step, first, second = self._done, self._first, self._second
        rate = self.rate * min(1.0, 2 * (1 - step / self.steps)) * _warming(step)
        for place, slope in enumerate(slopes):
            first[place] += 0.1 * (slope - first[place])
            second[place] += 0.001 * (slope * slope - second[place])
            spread = np.sqrt(second[place] / (1 - 0.999 ** (step + 1))) + 1e-8
            self.weights[place] -= (rate * first[place] / spread).astype(np.float32)
        self._done += 1


def _warming(step: int) -> float:
    return 1 / (1 - 0.9 ** (step + 1)) if step < 100 else 1.0


def _slopes(
    weights: list[Floats], inputs: Floats, errors: Callable[[Floats], Floats]
) -> list[Floats]:
    """Return the slopes of what ``errors`` of the values says: that of the loss for each value."""
    into, bias, out, last = weights
    before = inputs @ into + bias
    hidden = np.maximum(before, 0)
    error = errors(hidden @ out + last)
    back = error[:, None] * out * (before > 0)
    return [inputs.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(keepdims=True)]
