import pytest

from tests.benchmarks import players

NEEDS = {"open_spiel": "pyspiel", "rlcard": "rlcard"}


@pytest.mark.parametrize("opponent", players.OPPONENTS)
class TestAnOpponent:
    @pytest.fixture(autouse=True)
    def there(self, opponent):
        pytest.importorskip(NEEDS[opponent], reason=f"{opponent} is not installed; make full does")

    def test_plays_whole_games_the_same_ones_with_the_same_seed(self, opponent):
        one, same, other = (
            untimed(players.measured(opponent, "easy", 4, seed)) for seed in (1, 1, 2)
        )
        assert one == same != other
        assert (one["games"], one["unfinished"]) == (4, 0)
        assert sum(one["won"].values()) + sum(one["lost"].values()) + one["drawn"] == one["hands"]

    def test_is_told_of_in_a_line(self, opponent, capsys):
        players.main(
            ["--opponent", opponent, "--level", "easy", "--games", "2", "--processes", "1"]
        )
        assert capsys.readouterr().out.startswith(f"easy against {opponent}: ")


class TestOpenSpielsBot:
    def test_beats_the_easy_level(self):
        pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; make full does it")
        assert players.measured("open_spiel", "easy", 20, 1).wins < 10


def untimed(made):
    return {**made.report(2), "milliseconds": None}


class TestWithoutTheLibrary:
    def test_it_is_said_what_is_missing(self, monkeypatch, capsys):
        monkeypatch.setattr(players, "OPPONENTS", {"open_spiel": "tests.benchmarks.no_such_module"})
        with pytest.raises(SystemExit) as left:
            players.main(["--opponent", "open_spiel"])
        assert left.value.code == 1
        assert "open_spiel left out: " in capsys.readouterr().out

    @pytest.mark.parametrize("games", ["0", "3"])
    def test_an_odd_number_of_games_is_refused(self, games):
        with pytest.raises(SystemExit) as left:
            players.main(["--games", games])
        assert left.value.code == 2
