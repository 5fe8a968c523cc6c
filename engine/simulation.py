"""Games between computer players, and what they come to: ``python -m engine.simulation``.

    python -m engine.simulation --players hard,easy --games 5000 --seed 7
    python -m engine.simulation --players hard,easy --rules oklahoma --option target=50 --json

Players are levels or sparring partners. Every deal is played once for every way in which the
players can go round the seats: with two of them games are mirrored, in pairs. The whole engine
plays, and each player sees what its seat would see over HTTP. All deals follow from the seed; what
is found is the same with however many processes, except for times.

With three players each plays for itself. ``--seats 4`` has two players, each of whom plays both
seats of a team (with ``--option four_player=partnership``).

``--json`` prints one object:

* ``rules`` and ``options``: the preset, and what was changed of it; ``seats``, ``seed``;
* ``games``, and ``deals``, on each of which as many games were played as there are players;
* ``players``, in the order given, each with

  * ``name``; ``games``; ``wins``; ``ties``; ``unfinished``: games broken off after
    :data:`engine.matches.MOST_HANDS` hands;
  * ``win_rate``: wins, and half the games that nobody won, as a share of all games;
    ``win_rate_interval``: its 95 % interval, two numbers, by deals (see :mod:`engine.tallies`);
  * ``hands``: those it played; ``points_per_hand``: points of the hands it won less those of the
    hands it lost, without boxes and end bonuses, divided by all hands;
    ``points_per_hand_interval``: its 95 % interval, null for a single deal;
  * ``won`` and ``lost``: hands by outcome, ``knock``, ``gin``, ``big_gin`` and ``undercut``, each
    from its own side: an undercut among those won is one that it made; ``drawn``: hands that
    nobody won;
  * ``decisions``; ``milliseconds``: ``mean`` and ``p95`` of the processor time of its thread for
    one decision, without that of the engine; ``p95`` is rounded up by up to 2 %.

Exit code 2 for wrong arguments, 1 if a player breaks down or chooses what is illegal.
"""

import json
import multiprocessing
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from time import thread_time_ns
from typing import Any, Final, TextIO

from engine.matches import Choose, PlayFailed, play_deal
from engine.players.levels import LEVELS
from engine.players.sparring import PARTNERS
from engine.simulation_arguments import Simulation, asked_for
from engine.tallies import Tally

DEALS_AT_ONCE: Final = 25
"""The most deals that a process plays before it tells of them."""

_THREADS: Final = "OPENBLAS_NUM_THREADS"


def main(arguments: Sequence[str] | None = None) -> int:
    """Play what the arguments ask for, print what came of it, and return the exit code."""
    asked = asked_for(arguments, players(), _cores())
    try:
        sums = simulate(asked, sys.stderr if sys.stderr.isatty() else None)
    except PlayFailed as failed:
        print(f"python -m engine.simulation: {failed}", file=sys.stderr)
        return 1
    found = report(asked, sums)
    print(json.dumps(found, indent=2) if asked.json else _table(found))
    return 0


def _cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def players() -> dict[str, Choose]:
    """Return everybody who can play, by name: the levels, and the sparring partners."""
    return {name: level.choose for name, level in LEVELS.items()} | dict(PARTNERS)


def simulate(asked: Simulation, told: TextIO | None = None) -> list[Tally]:
    """Return the sums of each player, with what is done told to a terminal ``told``.

    :raises PlayFailed: if a player breaks down or chooses what is illegal.
    """
    sums = [Tally() for _ in asked.names]
    done = 0
    for count, tallies in _parts(asked):
        for mine, more in zip(sums, tallies, strict=True):
            mine.merge(more)
        done += count
        if told is not None:
            _tell(told, done, asked, sums)
    if told is not None:
        told.write("\n")
    return sums


def _parts(asked: Simulation) -> Iterator[tuple[int, list[Tally]]]:
    """Yield the sums of some deals after the other, in any order."""
    size = max(1, min(DEALS_AT_ONCE, asked.deals // (4 * asked.processes)))
    parts = [range(start, min(start + size, asked.deals)) for start in range(0, asked.deals, size)]
    if asked.processes == 1:
        yield from ((len(part), tally(asked, part)) for part in parts)
        return
    # A fresh interpreter for each process: one that is forked may inherit held locks of threads.
    # Each plays on one core; sums of several threads would differ in their last bit.
    os.environ.setdefault(_THREADS, "1")
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(asked.processes, len(parts)), spawned) as pool:
        try:
            counts = {pool.submit(tally, asked, part): len(part) for part in parts}
            for each in as_completed(counts):
                yield counts[each], each.result()
        finally:
            pool.shutdown(cancel_futures=True)


def tally(asked: Simulation, deals: Iterable[int]) -> list[Tally]:
    """Return the sums of each player over some ``deals``; what one process does."""
    everybody = players()
    chosen = [everybody[name] for name in asked.names]
    sums = [Tally() for _ in chosen]
    for number in deals:
        games = play_deal(asked.match, chosen, number, thread_time_ns)
        for player, mine in enumerate(sums):
            mine.add_deal(player, games)
    return sums


def _tell(told: TextIO, done: int, asked: Simulation, sums: list[Tally]) -> None:
    rates = ", ".join(
        f"{name} {100 * mine.won_games.ratio():.1f} %"
        for name, mine in zip(asked.names, sums, strict=True)
    )
    told.write(f"\r{done * asked.match.games_per_deal} of {asked.games} games: {rates} ")
    told.flush()


def report(asked: Simulation, sums: Sequence[Tally]) -> dict[str, Any]:
    """Return what ``--json`` prints; the docstring of the module says what it is."""
    each_deal = asked.match.games_per_deal
    return {
        "rules": asked.rules,
        "options": dict(asked.options),
        "seats": asked.match.seats,
        "seed": asked.match.seed,
        "games": asked.games,
        "deals": asked.deals,
        "players": [
            {"name": name, **mine.report(each_deal)}
            for name, mine in zip(asked.names, sums, strict=True)
        ],
    }


def _table(found: dict[str, Any]) -> str:
    options = "".join(f", {name} {value}" for name, value in found["options"].items())
    title = f"{found['games']} games on {found['deals']} deals, rules {found['rules']}{options}"
    rows: list[list[str]] = [["", *(str(each["name"]) for each in found["players"])]]
    columns = [_column(each) for each in found["players"]]
    rows += [[name, *(column[name] for column in columns)] for name in columns[0]]
    lines = (f"{row[0]:<22}" + "".join(f"{cell:>24}" for cell in row[1:]) for row in rows)
    return "\n".join((title, *lines))


def _column(player: dict[str, Any]) -> dict[str, str]:
    low, high = (100 * each for each in player["win_rate_interval"])
    points = f"{player['points_per_hand']:+.2f}"
    if player["points_per_hand_interval"] is not None:
        points += " ({:+.2f} to {:+.2f})".format(*player["points_per_hand_interval"])
    times = player["milliseconds"]
    return {
        "games won": str(player["wins"]),
        "tied": str(player["ties"]),
        "broken off": str(player["unfinished"]),
        "win rate, 95 %": f"{100 * player['win_rate']:.1f} % ({low:.1f} to {high:.1f})",
        "hands": str(player["hands"]),
        "points a hand, 95 %": points,
        **{f"won by {outcome}": str(count) for outcome, count in player["won"].items()},
        **{f"lost by {outcome}": str(count) for outcome, count in player["lost"].items()},
        "drawn": str(player["drawn"]),
        "decisions": str(player["decisions"]),
        "ms a decision": f"{times['mean']:.3f}, p95 {times['p95']:.3f}",
    }


if __name__ == "__main__":
    sys.exit(main())
