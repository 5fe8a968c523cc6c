"""How strong the levels are and how long they think: ``python -m tests.benchmarks.ladder``.

Plays the matches of :data:`MATCHES` by :mod:`engine.simulation` and writes what came of them to
``engine/players/measured.json``, from which the levels take their typical time and the guide its
table. ``--seed`` is by custom the first eight hex digits of the commit that froze the weights;
whoever looks for a better one measures luck. ``--only master,simple`` plays one match again and
leaves the others as they stand. ``--presets`` plays the master against the level expert by each
preset but the standard one instead.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import Any, Final

from engine import simulation
from engine.players.levels import LEVELS
from engine.rules import PRESETS
from engine.simulation_arguments import asked_for

PLAYERS: Final = Path(simulation.__file__).parent / "players"
MEASURED: Final = PLAYERS / "measured.json"

MATCHES: Final = (
    ("master,simple", 5000),
    ("master,camper", 5000),
    ("master,expert", 4000),
    ("expert,hard", 4000),
    ("hard,medium", 4000),
    ("medium,easy", 4000),
    ("easy,simple", 4000),
)
"""The players of each match, and how many games it has."""


BY_PRESET: Final = ("master,expert", 2000)
"""What is played by each preset, and how many games."""


def weights() -> str:
    """Return the hash of the weights that are shipped."""
    return hashlib.sha256((PLAYERS / "weights.npz").read_bytes()).hexdigest()


def read() -> dict[str, Any]:
    """Return what was measured last."""
    found: dict[str, Any] = json.loads(MEASURED.read_text("utf-8"))
    return found


def played(
    players: str, games: int, seed: int, processes: int, preset: str = "standard"
) -> dict[str, Any]:
    """Return what came of a match."""
    words = ["--players", players, "--games", str(games), "--seed", str(seed), "--rules", preset]
    asked = asked_for([*words, "--processes", str(processes)], simulation.players(), processes)
    told = sys.stderr if sys.stderr.isatty() else None
    return simulation.report(asked, simulation.simulate(asked, told))


def shortened(found: dict[str, Any]) -> dict[str, Any]:
    """Return of a match what is kept: who won how often, and how long each thought."""
    first, second = found["players"]
    low, high = first["win_rate_interval"]
    return {
        "games": found["games"],
        "seed": found["seed"],
        "wins": first["wins"],
        "win_rate": round(first["win_rate"], 4),
        "interval": [round(low, 4), round(high, 4)],
        "points_per_hand": round(first["points_per_hand"], 3),
        "milliseconds": {each["name"]: each["milliseconds"] for each in (first, second)},
    }


def times(matches: dict[str, Any]) -> dict[str, Any]:
    """Return the time of a decision of each level, out of the match it is named first in."""
    firsts = {players.partition(",")[0]: match for players, match in matches.items()}
    return {level: firsts[level]["milliseconds"][level] for level in LEVELS if level in firsts}


def play_presets(asked: argparse.Namespace, measured: dict[str, Any]) -> None:
    """Play by each preset, print, and write."""
    players, games = BY_PRESET
    presets: dict[str, Any] = measured.setdefault("presets", {})
    for preset in PRESETS:
        if preset != "standard" and asked.only in (None, preset):
            found = played(players, asked.games or games, asked.seed, asked.processes, preset)
            presets[preset] = shortened(found)
            print(preset, json.dumps(presets[preset]), flush=True)
            MEASURED.write_text(json.dumps(measured, indent=2) + "\n", "utf-8")


def main() -> None:
    """Play, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--games", type=int, help="of each match, instead of the numbers here")
    parser.add_argument("--only", help="one match, such as master,simple; or one preset")
    parser.add_argument("--presets", action="store_true", help="play by all other presets")
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    before = read() if MEASURED.exists() else {}
    of_these = before if before.get("weights") == weights() else {}
    if asked.presets:
        if not of_these:
            parser.error("the matches of these weights come first")
        play_presets(asked, of_these)
        return
    kept, presets = of_these.get("matches", {}), of_these.get("presets", {})
    for players, games in MATCHES:
        if asked.only in (None, players):
            found = played(players, asked.games or games, asked.seed, asked.processes)
            kept[players] = shortened(found)
            print(players, json.dumps(kept[players]), flush=True)
            spent = before.get("milliseconds", {}) | times(kept)
            written = {"weights": weights(), "matches": kept, "presets": presets}
            written["milliseconds"] = spent
            MEASURED.write_text(json.dumps(written, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
