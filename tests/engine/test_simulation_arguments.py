import pytest

from engine.rules import PRESETS
from engine.simulation_arguments import asked_for

TWO = "--players a,b"


def asked(text):
    return asked_for(text.split(), ["a", "b"], cores=4)


class TestTheArguments:
    def test_have_defaults_for_all_but_the_players(self):
        made = asked(TWO)
        assert (made.names, made.games, made.deals) == (("a", "b"), 1000, 500)
        assert (made.match.rules, made.match.seats, made.match.seed) == (PRESETS["standard"], 2, 1)
        assert (made.processes, made.json, made.options) == (4, False, ())

    def test_change_options_of_a_preset(self):
        made = asked(
            f"{TWO} --rules oklahoma --option big_gin=true --option target=50"
            " --option oklahoma_ace=one"
        )
        rules = made.match.rules
        assert (rules.knock_mode, rules.big_gin, rules.target) == ("oklahoma", True, 50)
        assert dict(made.options) == {"big_gin": True, "target": 50, "oklahoma_ace": "one"}

    def test_seat_three_players_each_for_itself(self):
        made = asked("--players a,b,a --games 9")
        assert (made.match.seats, made.deals) == (3, 3)

    def test_seat_two_players_as_partners(self):
        made = asked(f"{TWO} --seats 4 --option four_player=partnership")
        assert (made.match.seats, made.match.games_per_deal) == (4, 2)


class TestWrongArguments:
    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("", "required: --players"),
            ("--players a,c", "there is no player 'c', only a, b"),
            ("--players a", "takes two names, or three"),
            ("--players a,b,a,b,a", "takes two names, or three"),
            ("--players a,b,a,b", "with --seats 4 there are 2 players, not 4"),
            (f"{TWO} --seats 3", "with --seats 3 there are 3 players, not 2"),
            (f"{TWO} --seats 5", "invalid choice"),
            (f"{TWO} --games 0", "--games must be a multiple of 2"),
            (f"{TWO} --games -2", "--games must be a multiple of 2"),
            (f"{TWO} --games 7", "--games must be a multiple of 2"),
            (f"{TWO} --games many", "invalid int value"),
            (f"{TWO} --processes 0", "--processes must be at least 1"),
            (f"{TWO} --rules plain", "rules 'plain': There is no rule set of this name."),
            (f"{TWO} --option target", "--option takes NAME=VALUE, not 'target'"),
            (f"{TWO} --option target=much", "option target: a whole number, not 'much'"),
            (f"{TWO} --option target=5", "option target: The number lies outside"),
            (f"{TWO} --option big_gin=yes", "option big_gin: true or false, not 'yes'"),
            (f"{TWO} --option colour=red", "option colour: The rules have no option"),
            (f"{TWO} --option knock_mode=loud", "(standard, straight, oklahoma)"),
            (f"{TWO} --option max_recycles=2", "options max_recycles and recycle: "),
            (f"{TWO} --seats 4", "options four_player and seats: "),
        ],
    )
    def test_are_refused_with_a_sentence_and_exit_code_2(self, text, says, capsys):
        with pytest.raises(SystemExit) as refused:
            asked(text)
        assert refused.value.code == 2
        assert says in capsys.readouterr().err
