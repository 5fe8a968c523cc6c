"""The README keeps its word: its first game is played as it stands there, its commands exist."""

import json
import os
import re
import subprocess
import sys
from ast import literal_eval
from pathlib import Path

import pytest

from service.cli import COMMANDS, KEYS
from service.settings import VARIABLES
from tests.server import ROOT

TEXT = (ROOT / "README.md").read_text("utf-8")
ADDRESS = "http://localhost:8000"
CARD = r"[A23456789TJQK][CDHS]"
OPENINGS = 5


def blocks() -> list[str]:
    """The blocks of shell, in their order."""
    return re.findall(r"^```sh\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


class Terminal:
    """One shell in which block after block is typed."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.url = url
        self.typed = ""

    def type(self, block: str) -> list[str]:
        """Run everything typed so far with ``block``; return the lines that the block printed."""
        mark = "--- 8< ---"
        script = f"{self.typed}\necho '{mark}'\n{block}"
        ran = subprocess.run(
            ["sh", "-euc", script.replace(ADDRESS, self.url)],
            cwd=self.folder,
            env={"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert ran.returncode == 0, ran.stderr
        assert ran.stderr == ""
        return ran.stdout.split(f"{mark}\n")[1].splitlines()

    def answer(self) -> dict:
        return json.loads((self.folder / "answer.json").read_text())


def definitions(block: str) -> str:
    """The functions and addresses that later blocks use, without what was sent."""
    kept = re.findall(r"^(?:api|json)=.*|^\w+\(\) \{.*\}$", block, re.MULTILINE)
    return "\n".join(kept)


@pytest.mark.http
class TestTheFirstGame:
    def test_is_played_as_it_stands_there(self, served, tmp_path):
        create, draw_and_discard, go_on, knock, *_ = blocks()
        terminal = Terminal(tmp_path, served.url)
        for _ in range(OPENINGS):  # rarely the computer's first turn is a knock
            cards = terminal.type(create)
            if terminal.answer()["game"]["phase"] in {"first_upcard", "draw"}:
                break
        assert len(re.findall(CARD, *cards)) == 10
        made = terminal.answer()
        terminal.typed = "\n".join(
            [
                definitions(create),
                f"game=$api/games/{made['game']['id']}",
                f"token={made['tokens'][0]['token']}",
            ]
        )

        [actions] = terminal.type(draw_and_discard)
        assert actions.startswith("['discard'")
        terminal.typed += "\n" + definitions(draw_and_discard)

        assert terminal.type(go_on) == []
        assert "knock" in terminal.answer()["game"]["you"]["legal"]["actions"]

        outcome, lines = terminal.type(knock)
        assert re.fullmatch(r"\('(knock|gin|undercut)', \d+\)", outcome)
        assert "deadwood_difference" in lines
        assert terminal.answer()["moves"][0]["seat"] == 0


@pytest.mark.http
class TestTheExamplesOfTheRules:
    """Full s2 and s5: 11, 57, 28 and 25 points, and the three sevens beside a run."""

    def test_score_what_the_rules_say(self, served, tmp_path):
        *_, hands, _ = blocks()
        terminal = Terminal(tmp_path, served.url)
        terminal.typed = definitions(blocks()[0])
        assert [literal_eval(line) for line in terminal.type(hands)] == [
            (11, "knocker", ["deadwood_difference"]),
            (57, "knocker", ["deadwood_difference", "gin_bonus"]),
            (28, "defender", ["deadwood_difference", "undercut_bonus"]),
            (25, "defender", ["deadwood_difference", "undercut_bonus"]),
        ]

    def test_use_the_seven_of_clubs_once(self, served, tmp_path):
        *_, hands, sevens = blocks()
        terminal = Terminal(tmp_path, served.url)
        terminal.typed = definitions(blocks()[0]) + "\n" + definitions(hands)
        deadwood, arrangements = terminal.type(sevens)
        assert deadwood == "0"
        assert literal_eval(arrangements) == [
            ["4C 5C 6C", "7C 7D 7H 7S"],
            ["4C 5C 6C 7C", "7D 7H 7S"],
        ]


class TestWhatItSays:
    def test_names_targets_that_exist(self):
        makefile = (ROOT / "Makefile").read_text("utf-8")
        targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
        named = set(re.findall(r"(?:`|^ {4})make ([a-z]+)", TEXT, re.MULTILINE))
        assert named >= {"run", "test", "check", "full"}
        assert named <= targets

    def test_names_commands_that_exist(self):
        named = {one or other for one, other in re.findall(r"service\.cli (\w+)|`… (\w+)", TEXT)}
        assert named == {"verify", "replay", "migrate", "keys", "sweep", "erase"}
        assert named <= COMMANDS.keys()
        assert set(re.findall(r"keys ([a-z]+)[ `]", TEXT)) == KEYS.keys()

    def test_has_every_setting_with_its_default(self):
        rows = dict(re.findall(r"^\| `([A-Z_]+)` \| (.+?) \|", TEXT, re.MULTILINE))
        assert rows.keys() == VARIABLES.keys()
        for variable, default in VARIABLES.items():
            assert not default or rows[variable] == f"`{default}`"

    def test_links_to_what_is_there(self):
        links = re.findall(r"\]\(([^)]+)\)", TEXT)
        assert links
        assert all((ROOT / link).exists() for link in links)

    def test_can_be_followed_with_one_address(self):
        assert set(re.findall(r"http://localhost:\d+", TEXT)) == {ADDRESS}
