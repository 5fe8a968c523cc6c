"""Fits a net to what hands were worth: least squares by Adam (Kingma and Ba, 2015), in numpy."""

from typing import Final

import numpy as np

from engine.players.features import Floats
from engine.players.nets import Net

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
    first = [np.zeros_like(each) for each in weights]
    second = [np.zeros_like(each) for each in weights]
    for step in range(steps):
        rows = chance.integers(0, len(inputs), BATCH)
        slopes = _slopes(weights, inputs[rows], targets[rows])
        rate = RATE * min(1.0, 2 * (1 - step / steps)) * _warming(step)
        for place, slope in enumerate(slopes):
            first[place] += 0.1 * (slope - first[place])
            second[place] += 0.001 * (slope * slope - second[place])
            spread = np.sqrt(second[place] / (1 - 0.999 ** (step + 1))) + 1e-8
            weights[place] -= (rate * first[place] / spread).astype(np.float32)
    into, bias, out, last = weights
    return Net(mean, scale, into, bias, out * POINTS, last * POINTS)


def _warming(step: int) -> float:
    return 1 / (1 - 0.9 ** (step + 1)) if step < 100 else 1.0


def _slopes(weights: list[Floats], inputs: Floats, targets: Floats) -> list[Floats]:
    into, bias, out, last = weights
    before = inputs @ into + bias
    hidden = np.maximum(before, 0)
    error = (hidden @ out + last - targets) * np.float32(2 / len(targets))
    back = error[:, None] * out * (before > 0)
    return [inputs.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(keepdims=True)]
