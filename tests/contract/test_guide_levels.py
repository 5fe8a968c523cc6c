"""The table of the levels in the guide: what was measured of the weights that are shipped, no more.

``GIN_TEST_RECORD=1`` writes it anew after ``python -m tests.benchmarks.ladder``.
"""

import re
from pathlib import Path

from engine.players.levels import LEVELS
from tests.benchmarks import ladder
from tests.contract.examples import RECORDING

PAGE = Path(__file__).parents[2] / "openapi" / "guide" / "computer-players.md"
HEADER = "| level | of 100 games against | it wins | 95 % interval | games | milliseconds a move |"
TABLE = re.compile(re.escape(HEADER) + r"\n(?:\|.*\n)+")


def table(measured):
    """The table of the guide: a row for each match of a level, strongest first."""
    rows = [HEADER, "|---|---|---|---|---|---|"]
    for players, match in measured["matches"].items():
        level, opponent = players.split(",")
        low, high = (f"{100 * each:.1f}" for each in match["interval"])
        mean = match["milliseconds"][level]["mean"]
        wins = f"{100 * match['win_rate']:.1f}"
        cells = (level, opponent, wins, f"{low} to {high}", match["games"], f"{mean:.1f}")
        rows.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(rows) + "\n"


class TestTheTableOfTheLevels:
    def test_is_that_of_the_weights_that_are_shipped(self):
        assert ladder.read()["weights"] == ladder.weights(), "run python -m tests.benchmarks.ladder"

    def test_has_every_level(self):
        assert {players.split(",")[0] for players in ladder.read()["matches"]} == {*LEVELS}

    def test_says_what_was_measured(self):
        expected = table(ladder.read())
        text = PAGE.read_text("utf-8")
        if RECORDING:
            PAGE.write_text(TABLE.sub(lambda _: expected, text), "utf-8")
        found = TABLE.search(PAGE.read_text("utf-8"))
        assert found is not None
        assert found[0] == expected
