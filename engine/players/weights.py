"""The weights of the master's nets: trained by ``python -m engine.players.training``."""

from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np

from engine.players.valued import Nets

FILE: Final = "weights.npz"


@cache
def trained() -> Nets:
    """Return the nets that are shipped."""
    with (files(__package__) / FILE).open("rb") as stored, np.load(stored) as parts:
        return Nets.of_parts(parts)
