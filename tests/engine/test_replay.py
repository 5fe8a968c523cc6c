"""The fold of a log: moves and changes lead to the same game again, in their order."""

from dataclasses import replace

from engine.advice import take_hint
from engine.agreements import consent
from engine.events import Change, ChangeKind
from engine.game import new_game
from engine.notation import parse_action
from engine.progress import apply, begin
from engine.replay import replay
from engine.rules import STANDARD
from tests.tables import setup

SETUP = setup(replace(STANDARD, confirm_score="both", first_dealer="seat1", knock_mode="straight"))


def played():
    """Hand 1 is void after a consent that was taken back; hand 2 is being played."""
    made = begin(SETUP)
    log = list(made.moves)
    for seat, void in ((0, True), (0, False), (1, True), (0, True)):
        made = consent(made.game, seat, void=void)
        log += [made.change, *made.moves]
    for line in ("0 deal", "0 pass"):
        made = apply(made.game, 0, parse_action(line[2:]))
        log += made.moves
    return made.game, log


class TestAReplay:
    def test_of_moves_and_changes_is_the_same_game(self):
        game, log = played()
        assert replay(SETUP, log) == game
        assert game.hand.number == 2

    def test_of_nothing_is_a_new_game(self):
        assert replay(SETUP, []) == new_game(SETUP)

    def test_has_each_state_on_the_way(self):
        _, log = played()
        consents = [replay(SETUP, log[: end + 1]).void_consents for end in range(len(log))]
        assert consents == [(), (0,), (), (1,), (0, 1), (), (), ()]

    def test_of_another_order_is_another_game(self):
        game, log = played()
        change = log[1]
        assert change == Change(ChangeKind.CONSENTED, 0)
        assert replay(SETUP, [*log[:1], *log[2:], change]) != game

    def test_knows_who_has_confirmed(self):
        _, log = played()
        said = Change(ChangeKind.CONFIRMED, 1)
        assert replay(SETUP, [*log, said]).confirmed_by == (1,)


class TestHints:
    def test_are_counted_anew_from_the_log(self):
        rules = replace(STANDARD, advice="full")
        made = begin(replace(SETUP, rules=rules))
        hinted = take_hint(made.game, made.game.hand.to_act)
        assert replay(made.game.setup, [*made.moves, hinted.change]) == hinted.game
