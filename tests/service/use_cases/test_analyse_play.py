"""Who may have play judged, when, by whom, and how far the time of a request goes."""

import pytest

from engine.players.levels import ADVISORS, BEST_ADVISOR
from engine.views import view
from service.use_cases import analyse_play as module
from service.use_cases import computer_seats
from service.use_cases.analyse_play import (
    ANALYSTS,
    analyse_play,
    analyst_of,
    check_may_analyse,
)
from service.use_cases.open_game import load
from service.use_cases.refusals import Refused
from tests.service.table import DRAWN, SCORED
from tests.tables import table
from tests.valuing import ANALYST

OVER = {"target": 10}
FULL = {"advice": "full"}


@pytest.fixture(autouse=True)
def analysts(monkeypatch):
    monkeypatch.setattr(module, "ANALYSTS", {"plain one": ANALYST, "wise": ANALYST})


@pytest.fixture
def house(answering):
    return answering.house


@pytest.fixture
def stopped(monkeypatch):
    """Lets the time be up whenever somebody looks at the clock."""
    clock = iter(range(10**9))
    monkeypatch.setattr(computer_seats, "monotonic", lambda: 10.0 * next(clock))


def refusal(act):
    with pytest.raises(Refused) as caught:
        act()
    return caught.value


class TestWhoJudges:
    def test_is_the_last_of_the_list_unless_another_is_named(self):
        assert (analyst_of(None), analyst_of("plain one")) == ("wise", "plain one")

    def test_is_nobody_who_gives_no_values(self):
        for name in ("plain", "easy", ""):
            found = refusal(lambda name=name: analyst_of(name))
            assert (found.code, found.pointer) == ("unknown_level", "#query/level")

    def test_is_an_advisor_who_values_what_it_advises(self):
        shown = view(table(), 0)
        assert list(ANALYSTS)[-1] == BEST_ADVISOR
        for name, analyst in ANALYSTS.items():
            assert analyst.advise is ADVISORS[name]
            assert None not in {each.value for each in analyst.advise(shown)}


class TestAHand:
    @pytest.mark.parametrize(
        ("lines", "rules", "code"),
        [
            (SCORED, {}, "game_in_progress"),
            (SCORED, FULL, None),
            (SCORED, {**FULL, "reveal": "game"}, "game_in_progress"),
            (DRAWN, FULL, "game_in_progress"),
            (SCORED, OVER, None),
            (SCORED, {**OVER, "reveal": "game"}, None),
            (("0 resign",), {}, None),
        ],
    )
    def test_may_be_judged_when_it_can_help_nobody_any_more(
        self, house, tables, lines, rules, code
    ):
        stored = load(house, tables(*lines, rules=rules).id)
        if code is None:
            check_may_analyse(stored, 1)
        else:
            found = refusal(lambda: check_may_analyse(stored, 1))
            assert (found.code, found.stored) == (code, stored)

    def test_that_was_not_dealt_is_not_there(self, house, tables):
        stored = load(house, tables(*SCORED, rules=FULL).id)
        assert refusal(lambda: check_may_analyse(stored, 2)).code == "not_found"

    def test_has_the_sums_of_the_seats_that_played_it(self, house, tables):
        stored = load(house, tables(*SCORED, rules=FULL).id)
        found = analyse_play(house, stored, 1, "wise")
        assert (found.hand_number, found.level, found.complete) == (1, "wise", True)
        assert [each.seat for each in found.seats] == [0, 1]
        numbers = [each.number for each in found.found]
        assert numbers == list(range(1, stored.game.next_move))

    def test_is_told_without_those_before_and_after_it(self, house, tables):
        table = tables(*SCORED, "0 deal", "1 pass", "0 draw pile", "0 discard KH", rules=FULL)
        stored = load(house, table.id)
        moves = analyse_play(house, stored, 1, "wise").found
        assert {each.decision.hand_number for each in moves if each.decision} == {1}


class TestAGame:
    def test_is_judged_once_it_is_over(self, house, tables):
        stored = load(house, tables(*SCORED, rules=FULL).id)
        assert refusal(lambda: check_may_analyse(stored, None)).code == "game_in_progress"
        check_may_analyse(load(house, tables(*SCORED, rules=OVER).id), None)

    def test_has_the_sums_of_all_its_hands(self, house, tables):
        table = tables(*SCORED, "0 deal", "0 resign")
        stored = load(house, table.id)
        game = analyse_play(house, stored, None, "wise")
        hands = [analyse_play(house, stored, number, "wise") for number in (1, 2)]
        assert game.hand_number is None
        for seat in (0, 1):
            parts = [hand.seats[seat] for hand in hands]
            assert game.seats[seat].decisions == sum(each.decisions for each in parts)
            assert game.seats[seat].loss == pytest.approx(sum(each.loss for each in parts))
            assert game.seats[seat].luck == pytest.approx(sum(each.luck for each in parts))


class TestATimeThatIsUp:
    def test_leaves_the_rest_for_another_time(self, house, tables, stopped):
        stored = load(house, tables(*SCORED, rules=OVER).id)
        found, after, parts = [], 0, 0
        while after is not None:
            part = analyse_play(house, stored, None, "wise", after)
            assert len(part.found) == 1
            assert part.complete is (part.next_after is None)
            found += part.found
            after, parts = part.next_after, parts + 1
        assert parts == stored.game.next_move - 1
        clock_again = [each.number for each in found]
        assert clock_again == list(range(1, stored.game.next_move))

    def test_makes_no_difference_to_what_is_said(self, house, tables, monkeypatch):
        stored = load(house, tables(*SCORED, rules=OVER).id)
        whole = analyse_play(house, stored, None, "wise").found
        clock = iter(range(10**9))
        monkeypatch.setattr(computer_seats, "monotonic", lambda: 10.0 * next(clock))
        found, after = (), 0
        while after is not None:
            part = analyse_play(house, stored, None, "wise", after)
            found, after = found + part.found, part.next_after
        assert found == whole
