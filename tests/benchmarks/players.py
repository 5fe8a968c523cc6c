"""How our computer players fare against those of other libraries.

    python -m tests.benchmarks.players  # the best level against all of them
    python -m tests.benchmarks.players --opponent open_spiel --level hard --games 2000 --seed 7

``open_spiel`` is OpenSpiel's ``simple_gin_rummy_bot`` in OpenSpiel's own engine, ``rlcard``
RLCard's novice in ours; see ``spiel_games.py`` and ``rlcard_games.py``. Games go to 100 points, in
pairs on the same decks with the seats exchanged. Wins are told with their 95 % interval, which goes
by pairs.
"""

import argparse
import importlib
import json
import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from time import thread_time_ns

from engine.players.levels import LEVELS
from engine.simulation import players
from engine.tallies import Tally

OPPONENTS = {
    "open_spiel": "tests.benchmarks.spiel_games",
    "rlcard": "tests.benchmarks.rlcard_games",
}
GAMES = int(os.environ.get("GIN_BENCH_GAMES", "200"))
INSTALL = "make bench installs it; or: pip install -r tests/benchmarks/requirements.lock"


def main(arguments: Sequence[str] | None = None) -> None:
    """Play what the arguments say, those of the command line by default."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.players")
    parser.add_argument("--opponent", choices=[*OPPONENTS, "all"], default="all")
    parser.add_argument("--level", choices=list(players()), default=list(LEVELS)[-1])
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--json", action="store_true", help="print all figures")
    given = parser.parse_args(arguments)
    if given.games < 2 or given.games % 2:
        parser.error("--games must be even: games come in pairs")
    if given.processes < 1:
        parser.error("--processes must be at least 1")
    asked = list(OPPONENTS) if given.opponent == "all" else [given.opponent]
    missing = [name for name in asked if not run(name, given)]
    if missing and given.opponent != "all":
        parser.exit(1)


def run(opponent: str, given: argparse.Namespace) -> bool:
    """Play against one opponent and print what came of it; whether its library is there."""
    try:
        importlib.import_module(OPPONENTS[opponent])
    except ImportError as missing:
        print(f"{opponent} left out: {missing}. {INSTALL}")
        return False
    found = measured(opponent, given.level, given.games, given.seed, given.processes).report(2)
    if given.json:
        print(json.dumps({"opponent": opponent, "level": given.level, **found}, indent=2))
    else:
        print(said(opponent, given.level, found))
    return True


def said(opponent: str, level: str, found: dict) -> str:
    """Return the figures in a line."""
    low, high = (100 * each for each in found["win_rate_interval"])
    times = found["milliseconds"]
    return (
        f"{level} against {opponent}: {100 * found['win_rate']:.1f} % of {found['games']} games "
        f"({low:.1f} to {high:.1f}), {found['points_per_hand']:+.2f} points a hand, "
        f"{times['mean']:.3f} ms a decision (p95 {times['p95']:.3f})"
    )


def measured(opponent: str, level: str, games: int, seed: int, processes: int = 1) -> Tally:
    """Return what ``games`` come to for the level."""
    parts = [(opponent, level, seed, range(at, games // 2, processes)) for at in range(processes)]
    made = Tally()
    if processes == 1:
        made.merge(part(parts[0]))
        return made
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        for each in pool.map(part, parts):
            made.merge(each)
    return made


def part(what: tuple[str, str, int, Iterable[int]]) -> Tally:
    """Return what some pairs of games come to; what one process does."""
    opponent, level, seed, numbers = what
    played = importlib.import_module(OPPONENTS[opponent])
    made = Tally()
    for number in numbers:
        made.add_deal(0, played.play_deal(players()[level], seed, number, thread_time_ns))
    return made


if __name__ == "__main__":
    main()
