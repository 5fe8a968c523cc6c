"""Reading the log: hands, turns, knocks, and what came since a version."""

import pytest

from service.use_cases.open_game import load
from service.use_cases.read_log import (
    hand_is_over,
    read_hand,
    read_hands,
    read_knocked_hands,
    read_move,
    read_moves,
    read_since,
    read_turns,
    turns_of,
)
from service.use_cases.refusals import Refused
from tests.service.table import DRAWN, GIN, KNOCKED, SCORED, THROWN


@pytest.fixture
def house(answering):
    return answering.house


def stored(house, table):
    return load(house, table.id)


class TestAHand:
    def test_is_over_once_it_was_scored_drawn_or_given_up(self, tables, house):
        for lines, over in ((DRAWN, False), (KNOCKED, False), (SCORED, True)):
            assert hand_is_over(stored(house, tables(*lines)), 1) is over
        assert hand_is_over(stored(house, tables("0 resign")), 1)
        assert hand_is_over(stored(house, tables(*SCORED, "0 deal")), 1)
        assert not hand_is_over(stored(house, tables(*SCORED, "0 deal")), 2)

    def test_has_its_knock_and_its_result(self, tables, house):
        hand = read_hand(house, stored(house, tables(*SCORED)), 1)
        knocked, result = hand.knock
        assert (knocked.seat, result) == (0, hand.result)
        assert (hand.number, hand.turn_count, hand.over) == (1, 1, True)

    def test_has_a_knock_without_a_result_during_the_lay_off(self, tables, house):
        hand = read_hand(house, stored(house, tables(*KNOCKED)), 1)
        assert hand.knock[1] is None
        assert hand.result is None

    def test_has_no_knock_before_one(self, tables, house):
        assert read_hand(house, stored(house, tables(*DRAWN)), 1).knock is None

    def test_that_was_gin_has_its_result_with_the_knock(self, tables, house):
        hand = read_hand(house, stored(house, tables(*DRAWN, "0 gin TS", deal=GIN)), 1)
        assert hand.knock[0].result == hand.knock[1] == hand.result

    def test_that_was_not_dealt_is_not_found(self, tables, house):
        with pytest.raises(Refused) as caught:
            read_hand(house, stored(house, tables()), 2)
        assert caught.value.code == "not_found"

    def test_of_a_game_that_waits_is_none(self, tables, house):
        assert read_hands(house, stored(house, tables.at("waiting")), 1, 9) == []

    def test_comes_with_the_draw_for_the_deal(self, tables, house):
        table = tables(rules={"first_dealer": "draw"})
        hand = read_hand(house, stored(house, table), 1)
        assert [each.move.event.action for each in hand.moves] == ["dealer_draw", "deal"]
        assert hand.turn_count == 0


class TestTurns:
    def test_begin_with_the_first_draw(self, tables, house):
        hand = read_hand(house, stored(house, tables(*THROWN, "1 draw stock")), 1)
        turns = turns_of(hand)
        assert [(turn.number, turn.seat, turn.complete) for turn in turns] == [
            (1, 0, True), (2, 1, False)
        ]  # fmt: skip

    def test_are_read_after_any_turn(self, tables, house):
        game = stored(house, tables(*SCORED, "0 deal", "1 draw pile", "1 discard TS"))
        assert [
            (turn.hand_number, turn.number) for turn in read_turns(house, game, None, (0, 0), 9)
        ] == [(1, 1), (2, 1)]
        assert len(read_turns(house, game, None, (0, 0), 1)) == 1
        assert [turn.hand_number for turn in read_turns(house, game, None, (1, 1), 9)] == [2]
        assert [turn.hand_number for turn in read_turns(house, game, 1, (0, 0), 9)] == [1]
        assert read_turns(house, game, 3, (0, 0), 9) == []


class TestKnockedHands:
    def test_are_those_with_a_knock(self, tables, house):
        table = tables(*SCORED)
        table.play(
            "1 deal", "1 pass", "0 pass", "1 draw stock", "1 knock KS", "0 lay_off", "0 deal"
        )
        game = stored(house, table)
        assert [hand.number for hand in read_knocked_hands(house, game, 0, 9)] == [1, 2]
        assert [hand.number for hand in read_knocked_hands(house, game, 1, 9)] == [2]
        assert [hand.number for hand in read_knocked_hands(house, game, 0, 1)] == [1]


class TestWhatWasReadBefore:
    """Moves made after the game was read are left out: moves and view belong together."""

    def test_has_no_later_moves(self, tables, house):
        table = tables(*DRAWN)
        before = stored(house, table)
        table.play("0 discard KS", "1 draw stock")
        assert len(read_moves(house, before, None, 0, 100)) == before.game.next_move - 1
        assert read_since(house, before, before.version).moves == []
        assert len(read_since(house, before, before.version - 1).moves) == 1
        assert len(read_hand(house, before, 1).moves) == before.game.next_move - 1
        with pytest.raises(Refused):
            read_move(house, before, before.game.next_move)
        assert read_move(house, before, 1).move.number == 1


class TestSince:
    def test_a_version_that_is_none_begins_afresh(self, tables, house):
        game = stored(house, tables(*DRAWN))
        for version in (None, 0, -1, game.version + 1):
            assert read_since(house, game, version).reset
        for version in range(1, game.version + 1):
            assert not read_since(house, game, version).reset
