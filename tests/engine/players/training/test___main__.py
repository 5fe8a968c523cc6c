import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine.players.training import __main__
from engine.players.training.__main__ import SHORT, main
from engine.players.training.matches import Won
from engine.players.valued import Nets

ROOT = Path(__file__).parents[4]
TINY = ["--rounds=1", "--hands=60", "--steps=20", "--hidden=4", "--check=1"]


def read(path):
    with np.load(path) as parts:
        return {name: parts[name] for name in parts.files}


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """A tiny training by the command: what it said, and what it wrote."""
    out = tmp_path_factory.mktemp("trained") / "weights.npz"
    command = [sys.executable, "-m", "engine.players.training", *TINY, "--seed=5", f"--out={out}"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    return said.stdout, out


class TestTheCommand:
    def test_tells_of_each_round_and_of_its_matches(self, told):
        lines = told[0].splitlines()
        assert lines[0].startswith("round 1: ")
        assert [line.split()[:2] for line in lines[1:]] == [
            ["beats", "simple"],
            ["beats", "camper"],
            ["beats", "expert"],
        ]

    def test_writes_weights_that_can_be_read(self, told):
        nets = Nets.of_parts(read(told[1]))
        assert nets.keep.bias.shape == (4,)

    def test_writes_the_same_with_the_same_seed_in_any_process(self, told, tmp_path, monkeypatch):
        """One number of threads makes one order of sums. Matches come after, and change nothing."""
        monkeypatch.setattr(__main__, "match", lambda *_: Won(0, 0, 0.0))
        again = tmp_path / "again.npz"
        assert main([*TINY, "--seed=5", f"--out={again}"]) == 0
        parts = read(told[1])
        assert all(np.array_equal(part, parts[name]) for name, part in read(again).items())

    def test_goes_on_from_weights(self, told, tmp_path, monkeypatch):
        given = []
        monkeypatch.setattr(
            __main__, "train", lambda *arguments: given.append(arguments) or arguments[-1]
        )
        out = tmp_path / "more.npz"
        assert main([*TINY, "--seed=5", f"--start={told[1]}", f"--out={out}"]) == 0
        assert read(out).keys() == read(told[1]).keys()
        ((plan, seed, _, start),) = given
        assert (plan.rounds, plan.hands, plan.steps, plan.hidden, seed) == (1, 60, 20, 4, 5)
        parts = read(told[1])
        assert all(np.array_equal(part, parts[name]) for name, part in start.parts().items())

    @pytest.mark.parametrize("wrong", ["--rounds=0", "--hands=-1", "--nets=0", "--steps=x"])
    def test_refuses_numbers_that_make_no_sense(self, wrong, tmp_path, capsys):
        with pytest.raises(SystemExit) as ended:
            main([wrong, f"--out={tmp_path / 'none.npz'}"])
        assert ended.value.code == 2
        assert wrong.split("=")[0] in capsys.readouterr().err

    def test_has_to_be_told_where_to_write(self, capsys):
        with pytest.raises(SystemExit):
            main([])
        assert "--out" in capsys.readouterr().err

    def test_trains_for_some_minutes_where_nothing_else_is_asked(self):
        assert (SHORT.rounds, SHORT.hands) == (2, 20_000)
