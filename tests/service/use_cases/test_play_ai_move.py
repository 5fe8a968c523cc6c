"""Asking a computer to move."""

import pytest

from engine.hand import Phase
from service.storage.log_rows import Sender
from service.use_cases.give_hint import give_hint
from service.use_cases.open_game import load
from service.use_cases.play_ai_move import check_ai_seat, play_ai_move
from service.use_cases.refusals import Refused
from service.use_cases.verify_games import verify_game
from tests.service.table import ADA, EASY, ON_REQUEST, PASSED, SCORED

SENDER = Sender(0, b"s" * 16)
BOBS = Sender(1, b"s" * 16)
FULL = {"advice": "full"}


@pytest.fixture
def table(tables):
    return tables("0 draw pile", "0 discard TS", seats=(ADA, ON_REQUEST))


@pytest.fixture
def house(table):
    return table.answering.house


def ask(house, table, seat=1, *, whole_turn=True, sender=SENDER, number=None, level=None):
    stored = load(house, table.id)
    number = number or table.next_move
    return play_ai_move(house, stored, seat, number, sender, whole_turn=whole_turn, level=level)


def code_of(act):
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.code


class TestAMove:
    def test_is_the_computers_and_the_request_its_askers(self, house, table):
        made = ask(house, table)
        assert {each.move.by for each in made.moves} == {"ai"}
        assert ask(house, table).replayed
        other = Sender(0, b"x" * 16)
        assert code_of(lambda: ask(house, table, sender=other)) == "stale_move"

    def test_alone_is_the_first_of_the_turn(self, house, table):
        one = ask(house, table, whole_turn=False)
        assert len(one.moves) == 1
        assert one.stored.game.to_act_seats == (1,)

    def test_of_a_turn_leaves_the_other_computer_waiting_to_be_asked(self, tables, house):
        table = tables(seats=(ON_REQUEST, ON_REQUEST))
        made = ask(house, table, seat=0)
        assert [each.move.seat for each in made.moves] == [0]


class TestARefusal:
    def test_is_of_a_seat_that_is_not_due(self, tables, house):
        table = tables(seats=(ADA, ON_REQUEST))
        assert code_of(lambda: ask(house, table)) == "no_ai_to_move"

    def test_is_of_a_game_that_is_over_or_waits(self, tables, house):
        over = tables("0 resign", seats=(ADA, ON_REQUEST))
        assert code_of(lambda: ask(house, over)) == "game_over"
        open_seat = {"kind": "human", "seating": "open"}
        waits = tables(seats=(ON_REQUEST, open_seat))
        assert code_of(lambda: ask(house, waits, seat=0)) == "game_not_started"

    def test_is_of_peoples_seats(self, house, table):
        stored = load(house, table.id)
        assert code_of(lambda: check_ai_seat(stored, 0, 0)) == "hints_disabled"
        assert code_of(lambda: check_ai_seat(stored, 0, 1)) == "not_your_seat"
        assert code_of(lambda: check_ai_seat(stored, 2, 0)) == "out_of_range"
        check_ai_seat(stored, 1, 0)


class TestAPerson:
    """Who asks to be played for, where the rules give full advice."""

    def test_gets_its_turn_played_as_a_hint_advises(self, tables, house):
        table = tables(*PASSED, rules=FULL)
        advised = give_hint(house, load(house, table.id), 0).suggestions[0]
        made = ask(house, table, seat=0)
        first = made.moves[0].move
        assert (first.by, first.seat, first.event.source) == ("ai", 0, advised.action.source)
        assert made.stored.game.phase is not Phase.DISCARD
        assert [each.count for each in made.stored.game.hints] == [2]
        assert verify_game(house.store, house.codec, table.id) is None

    def test_may_have_one_move_of_it(self, tables, house):
        table = tables(*PASSED, rules=FULL)
        made = ask(house, table, seat=0, whole_turn=False)
        assert [each.move.event.action for each in made.moves] == ["draw"]
        assert made.stored.game.to_act_seats == (0,)
        assert ask(
            house, table, seat=0, whole_turn=False, number=made.moves[0].move.number
        ).replayed

    def test_may_choose_how_it_is_played(self, tables, house):
        table = tables(rules=FULL)
        made = ask(house, table, seat=0, level="easy")
        assert made.moves[0].move.by == "ai"
        assert code_of(lambda: ask(house, table, seat=1, level="godlike", sender=BOBS)) == (
            "unknown_level"
        )

    @pytest.mark.parametrize("whole_turn", [True, False])
    def test_is_answered_by_the_computer(self, tables, house, whole_turn):
        table = tables("0 draw pile", seats=(ADA, EASY), rules=FULL)
        made = ask(house, table, seat=0, whole_turn=whole_turn, level="plain")
        assert [each.move.event.action for each in made.moves] == ["knock", "lay_off"]
        assert made.stored.game.hints[0].count == 1

    def test_is_refused_as_its_move_would_be(self, tables, house):
        table = tables(rules=FULL)
        assert code_of(lambda: ask(house, table, seat=1, sender=BOBS)) == "not_your_turn"
        over = tables(*SCORED, rules=FULL)
        assert code_of(lambda: ask(house, over, seat=0)) == "hand_over"
        ended = tables("0 resign", rules=FULL)
        assert code_of(lambda: ask(house, ended, seat=0)) == "game_over"

    def test_is_never_another_one(self, tables, house):
        table = tables(rules=FULL)
        assert code_of(lambda: ask(house, table, seat=0, sender=BOBS)) == "not_your_seat"
