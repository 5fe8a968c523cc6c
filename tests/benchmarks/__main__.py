"""All benchmarks, one after the other: what ``make bench`` runs.

Prints tables of medians and ratios, beside the last accepted ones. ``--accept`` keeps the new ones
in ``accepted.json``; nothing else writes it.
"""

import argparse
import shutil

from tests.benchmarks import accepted, http, instructions, melding, players, scoring


def main() -> None:
    """Run all of them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--accept", action="store_true", help="keep the figures as accepted")
    accept = parser.parse_args().accept
    known = accepted.read().get("machine")
    print("This machine: " + _said(accepted.machine()))
    if known:
        print("Accepted on:  " + _said(known))
    melding.main()
    players.main([])
    http.run(accept=accept)
    scoring.run(accept=accept)
    if shutil.which("valgrind") is None:
        print("\ninstructions left out: valgrind is missing (Debian: apt-get install valgrind)")
    else:
        instructions.run(accept=accept)


def _said(machine: dict[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in machine.items())


if __name__ == "__main__":
    main()
