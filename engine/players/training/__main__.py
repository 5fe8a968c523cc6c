"""Trains the master level: ``python -m engine.players.training --seed 7 --out weights.npz``.

Each round is told with quick matches against the sparring partners and the level expert. The same
arguments give the same weights, on the same machine and with one thread for the sums; the number
of threads is set to one before anything is loaded.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from engine.players.sparring import POLICIES
from engine.players.training.matches import match
from engine.players.training.rounds import Plan, train
from engine.players.valued import Nets, Valued
from engine.players.weighing import EXPERT

SHORT = Plan(rounds=2, hands=20_000)
"""What is trained where nothing else is asked for: a few minutes of one core."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Train as ``arguments`` say, write the weights, and return 0."""
    asked = _parser().parse_args(arguments)
    plan = Plan(
        rounds=asked.rounds,
        hands=asked.hands,
        nets=asked.nets,
        steps=asked.steps,
        hidden=asked.hidden,
        trust=asked.trust,
        blend=asked.blend,
        simple_rounds=asked.simple_rounds,
        compared=asked.compared,
    )
    start = None if asked.start is None else _read(asked.start)
    began = time.monotonic()

    def tell(number: int, nets: Nets) -> None:
        _write(asked.out, nets)
        _say(f"round {number + 1}: {time.monotonic() - began:.0f} s")
        _tell_matches(nets, asked.check, asked.seed)

    _write(asked.out, train(plan, asked.seed, tell, start))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m engine.players.training", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of everything that is left to chance")
    parser.add_argument("--rounds", type=_positive, default=SHORT.rounds)
    parser.add_argument("--hands", type=_positive, default=SHORT.hands, help="hands a round")
    parser.add_argument("--nets", type=_positive, default=SHORT.nets, help="nets to be averaged")
    parser.add_argument("--steps", type=_positive, default=SHORT.steps, help="steps of each fit")
    parser.add_argument("--hidden", type=_positive, default=SHORT.hidden, help="units of a net")
    parser.add_argument(
        "--trust", type=float, default=SHORT.trust, help="in its own values, 0 to 1"
    )
    parser.add_argument("--blend", type=_positive, default=SHORT.blend, help="rounds averaged")
    parser.add_argument(
        "--simple-rounds",
        type=int,
        default=SHORT.simple_rounds,
        help="rounds more against Simple alone, whose nets count half",
    )
    parser.add_argument(
        "--compared", type=int, default=SHORT.compared, help="hands in which discards are compared"
    )
    parser.add_argument("--check", type=_positive, default=2000, help="deals of a quick match")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--out", type=Path, required=True, help="where the weights are written")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _read(path: Path) -> Nets:
    with np.load(path) as parts:
        return Nets.of_parts(parts)


def _write(path: Path, nets: Nets) -> None:
    np.savez_compressed(path, **nets.parts())  # type: ignore[arg-type]


def _tell_matches(nets: Nets, deals: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    for name, policy in {**POLICIES, "expert": EXPERT}.items():
        won = match(Valued(nets), policy, deals, chance)
        percent, within = 100 * won.rate, 100 * won.within
        _say(f"  beats {name} in {percent:.1f} ± {within:.1f} % of {won.games} games")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
