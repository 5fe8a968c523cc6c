import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from engine import simulation
from engine.actions import Pass
from engine.players import easy
from engine.players.levels import LEVELS, Level
from engine.players.sparring import PARTNERS
from engine.simulation import main, players, simulate
from engine.simulation_arguments import asked_for

ROOT = Path(__file__).parents[2]


def asked(text):
    return asked_for(text.split(), players(), cores=1)


def told(capsys, text):
    assert main(text.split()) == 0
    return capsys.readouterr()


def without_times(found):
    for player in found["players"]:
        assert player.pop("milliseconds")["p95"] > 0
    return found


@pytest.fixture
def reckless(monkeypatch):
    """A level that passes whatever is due."""
    level = Level("reckless", lambda *_: Pass(), deterministic=True, typical_ms=1, max_ms=1)
    monkeypatch.setattr(simulation, "LEVELS", {**LEVELS, "reckless": level})


class TestTheJson:
    ARGUMENTS = "--players easy,easy --games 6 --seed 7 --rules short --processes 1 --json"

    def test_has_what_its_documentation_says(self, capsys):
        found = json.loads(told(capsys, self.ARGUMENTS + " --option gin_bonus=20").out)
        assert {name: found[name] for name in found if name != "players"} == {
            "rules": "short",
            "options": {"gin_bonus": 20},
            "seats": 2,
            "seed": 7,
            "games": 6,
            "deals": 3,
        }
        documented = simulation.__doc__
        for player in found["players"]:
            assert all(f"``{name}``" in documented for name in player)
            assert all(f"``{name}``" in documented for name in player["won"])
        assert all(f"``{name}``" in documented for name in found)

    def test_adds_up(self, capsys):
        one, other = json.loads(told(capsys, self.ARGUMENTS).out)["players"]
        assert one["wins"] + other["wins"] == one["games"] == other["games"] == 6
        assert one["win_rate"] + other["win_rate"] == pytest.approx(1)
        assert one["points_per_hand"] == pytest.approx(-other["points_per_hand"])
        assert (one["won"], one["lost"]) == (other["lost"], other["won"])
        for player in (one, other):
            hands = sum(player["won"].values()) + sum(player["lost"].values()) + player["drawn"]
            assert hands == player["hands"]
            low, high = player["win_rate_interval"]
            assert 0 <= low < player["win_rate"] < high <= 1
            assert player["decisions"] > 10 * player["hands"]

    def test_is_the_same_with_any_number_of_processes_but_for_times(self, capsys):
        found = [
            without_times(json.loads(told(capsys, f"{self.ARGUMENTS} --processes {count}").out))
            for count in (1, 2)
        ]
        assert found[0] == found[1]

    def test_differs_with_the_seed(self, capsys):
        one = without_times(json.loads(told(capsys, self.ARGUMENTS).out))
        other = without_times(json.loads(told(capsys, f"{self.ARGUMENTS} --seed 8").out))
        assert one["players"] != other["players"]

    def test_has_no_interval_of_points_for_a_single_deal(self, capsys):
        found = json.loads(told(capsys, f"{self.ARGUMENTS} --games 2").out)
        assert [each["points_per_hand_interval"] for each in found["players"]] == [None, None]


class TestTheTable:
    def test_shows_the_same_figures(self, capsys):
        text = "--players easy,easy --games 4 --rules short --processes 1"
        found = json.loads(told(capsys, f"{text} --json").out)["players"][0]
        table = told(capsys, text).out
        assert table.startswith("4 games on 2 deals, rules short\n")
        low, high = found["win_rate_interval"]
        rate = f"{100 * found['win_rate']:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
        assert rate in table
        assert f"{found['points_per_hand']:+.2f} (" in table
        assert f"\ndecisions{found['decisions']:>37}" in table

    def test_names_changed_options(self, capsys):
        text = "--players easy,easy --games 2 --processes 1 --option target=20"
        assert "rules standard, target 20" in told(capsys, text).out.splitlines()[0]


class TestMoreSeats:
    def test_of_three_have_three_players(self):
        sums = simulate(asked("--players easy,easy,easy --games 3 --rules short"))
        assert [each.games for each in sums] == [3, 3, 3]
        assert sum(each.wins for each in sums) == 3

    def test_of_four_have_two(self):
        text = "--players easy,easy --games 2 --rules short --seats 4"
        sums = simulate(asked(f"{text} --option four_player=partnership"))
        assert [each.games for each in sums] == [2, 2]


class TestThePlayers:
    def test_are_all_levels(self):
        assert players().items() >= {name: level.choose for name, level in LEVELS.items()}.items()

    def test_are_sparring_partners_too(self):
        assert set(players()) == {*LEVELS, *PARTNERS}

    @pytest.mark.usefixtures("reckless")
    def test_that_play_what_is_illegal_end_it(self, capsys):
        text = "--players easy,reckless --games 2 --processes 1"
        assert main(text.split()) == 1
        assert "player 2 (deal 0, game 1, move" in capsys.readouterr().err

    def test_that_win_more_are_seen_to(self, monkeypatch):
        """One that never knocks and gives its melds away loses to one that plays."""

        def gives_up(view, rng):
            legal = view.you.legal
            if legal.discards:
                return easy.Discard(legal.discards[-1].card)
            return easy.choose(view, rng)

        monkeypatch.setattr(simulation, "players", lambda: {"a": easy.choose, "b": gives_up})
        match = asked_for(["--players", "a,b", "--games", "8"], ["a", "b"], 1)
        one, other = simulate(match)
        assert (one.wins, other.wins) == (8, 0)
        assert one.points.ratio() > 0 > other.points.ratio()


class TestWhatIsDone:
    def test_is_told_to_a_terminal(self):
        screen = io.StringIO()
        simulate(asked("--players easy,easy --games 4 --rules short"), screen)
        assert screen.getvalue().startswith("\r2 of 4 games: easy ")
        assert "\r4 of 4 games: " in screen.getvalue()

    def test_is_not_told_to_a_file(self, capsys):
        assert not told(capsys, "--players easy,easy --games 2 --rules short --processes 1").err


class TestTheCommand:
    def run(self, *arguments):
        return subprocess.run(
            [sys.executable, "-m", "engine.simulation", *arguments],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )

    def test_plays_in_processes(self):
        done = self.run(*TestTheJson.ARGUMENTS.split(), "--processes", "2")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["games"] == 6
        assert not done.stderr

    def test_refuses_wrong_arguments_with_exit_code_2(self):
        done = self.run("--players", "easy,nobody")
        assert (done.returncode, done.stdout) == (2, "")
        assert "there is no player 'nobody'" in done.stderr
