"""What each level loses by its decisions: ``python -m tests.benchmarks.analysed``.

Each level plays ``--games`` games against itself; the decisions of both seats are judged by
:mod:`engine.players.analysis`, as the master sees them. A line is printed for each
level: the mean loss of a decision in points with half the width of its 95 % interval (by games),
and the mean accuracy. ``--processes`` share the games; what is found is the same with however many.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import sqrt
from random import Random

import numpy as np

from engine.actions import DealHand
from engine.game import Game, Move, Mover
from engine.hand import Phase
from engine.matches import Match, setup
from engine.players.analysis import Analyst, analyse
from engine.players.levels import ADVISORS, LEVELS
from engine.players.verdicts import seat_analyses
from engine.players.worth import worth_of_draws
from engine.progress import apply, begin
from engine.rules import STANDARD
from engine.views import view

MASTER = Analyst(ADVISORS["master"], worth_of_draws)


@dataclass(frozen=True)
class Judged:
    """The decisions of one game: how many, what they lost together, and the seats' accuracy."""

    decisions: int
    loss: float
    accuracy: float


def played(level: str, seed: int, number: int) -> tuple[Game, list[Move]]:
    """Return a game of ``level`` against itself, as it is first dealt, and what followed."""
    game = begun = begin(setup(Match(STANDARD, 2, seed), number)).game
    moves: list[Move] = []
    dice = [Random(f"{seed}|{number}|{seat}") for seat in range(2)]
    while not game.over:
        seat = game.to_act_seats[0]
        deals = game.phase is Phase.HAND_OVER
        action = DealHand() if deals else LEVELS[level].choose(view(game, seat), dice[seat])
        made = apply(game, seat, action, Mover.AI)
        game = made.game
        moves += made.moves
    return begun, moves


def judged(level: str, seed: int, number: int) -> Judged:
    """Return how ``level`` played game ``number``."""
    game, moves = played(level, seed, number)
    said = list(analyse(game, moves, MASTER))
    decisions = [each.decision for each in said if each.decision is not None]
    accuracy = [each.accuracy for each in seat_analyses(range(2), said)]
    return Judged(len(decisions), sum(each.loss for each in decisions), float(np.mean(accuracy)))


def of_level(level: str, seed: int, games: int, processes: int) -> list[Judged]:
    """Return how ``level`` played each of ``games`` games."""
    with ProcessPoolExecutor(processes) as pool:
        return list(pool.map(partial(judged, level, seed), range(games), chunksize=5))


def mean_loss(games: Sequence[Judged]) -> tuple[float, float]:
    """Return the mean loss of a decision, and half the width of its 95 % interval."""
    decisions = np.array([each.decisions for each in games])
    losses = np.array([each.loss for each in games])
    mean = losses.sum() / decisions.sum()
    spread = (losses - mean * decisions).std(ddof=1) if len(games) > 1 else 0.0
    return float(mean), float(1.96 * spread / sqrt(len(games)) / decisions.mean())


def lines(seed: int, games: int, processes: int) -> Iterator[str]:
    """Yield what is printed, a line each level."""
    for level in LEVELS:
        found = of_level(level, seed, games, processes)
        mean, within = mean_loss(found)
        accuracy = np.mean([each.accuracy for each in found])
        yield (
            f"{level}: {mean:.3f} ± {within:.3f} points a decision, accuracy {accuracy:.1f},"
            f" {sum(each.decisions for each in found)} decisions of {games} games"
        )


def main() -> None:
    """Play, judge and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    for line in lines(asked.seed, asked.games, asked.processes):
        print(line, flush=True)


if __name__ == "__main__":
    main()
