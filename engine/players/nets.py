"""Small nets of one hidden layer, several of them averaged, evaluated with numpy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from engine.players.features import Floats

PARTS = ("mean", "scale", "into", "bias", "out", "last")


@dataclass(frozen=True, slots=True)
class Net:
    """A function of a row of features, in points.

    ``mean`` and ``scale`` bring each feature near 0 and 1, ``into`` and ``bias`` lead to the hidden
    layer of rectified units, ``out`` and ``last`` from there to the one number.
    """

    mean: Floats
    scale: Floats
    into: Floats
    bias: Floats
    out: Floats
    last: Floats

    def __call__(self, features: Floats) -> NDArray[np.float64]:
        """Return the value of each row of ``features``."""
        hidden = (features - self.mean) / self.scale @ self.into + self.bias
        values = np.maximum(hidden, 0) @ self.out + self.last
        return values.astype(np.float64)

    def parts(self, name: str) -> dict[str, Floats]:
        """Return what the net is made of, each part with ``name`` before its own."""
        return {f"{name}_{part}": getattr(self, part) for part in PARTS}

    @classmethod
    def of_parts(cls, name: str, parts: Mapping[str, Floats]) -> Self:
        """Return the net that :meth:`parts` took apart."""
        return cls(*(np.asarray(parts[f"{name}_{part}"], np.float32) for part in PARTS))


def averaged(nets: Sequence[Net]) -> Net:
    """Return one net whose value is the mean of those of ``nets``: their hidden layers together.

    Each scales the features in its own way; here that is a part of the way into the hidden layer.
    """
    into = [net.into / net.scale[:, None] for net in nets]
    bias = [net.bias - net.mean @ way for net, way in zip(nets, into, strict=True)]
    return Net(
        mean=np.zeros_like(nets[0].mean),
        scale=np.ones_like(nets[0].scale),
        into=np.concatenate(into, axis=1),
        bias=np.concatenate(bias),
        out=np.concatenate([net.out / np.float32(len(nets)) for net in nets]),
        last=np.mean([net.last for net in nets], axis=0, dtype=np.float32),
    )
