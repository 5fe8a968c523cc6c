"""The weights of the master's nets: trained by ``python -m engine.players.training``."""

import hashlib
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np

from engine.players.valued import Nets

FILE: Final = "weights.npz"


@cache
def mark() -> str:
    """Return eight hex digits that change with the weights, and so with what the master says."""
    return hashlib.sha256((files(__package__) / FILE).read_bytes()).hexdigest()[:8]


@cache
def trained() -> Nets:
    """Return the nets that are shipped."""
    with (files(__package__) / FILE).open("rb") as stored, np.load(stored) as parts:
        return Nets.of_parts(parts)
