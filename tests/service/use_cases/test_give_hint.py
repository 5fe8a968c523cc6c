"""Hints: from the view of their seat, and counted once a move in a guarded write."""

import pytest

from engine.actions import Discard
from engine.cards import parse_card
from engine.hints import HintsUsed
from engine.players.levels import ADVISORS, BEST_ADVISOR
from engine.views import view
from service.storage import games
from service.storage.errors import Busy
from service.storage.log_rows import Sender
from service.use_cases import give_hint as module
from service.use_cases.give_hint import give_hint
from service.use_cases.make_move import TRIES, make_move
from service.use_cases.open_game import load
from service.use_cases.refusals import Refused
from service.use_cases.verify_games import verify_game
from tests.service.table import DRAWN, PASSED, SCORED

FULL = {"advice": "full"}


@pytest.fixture
def table(tables):
    return tables(*DRAWN, rules=FULL)


@pytest.fixture
def house(answering):
    return answering.house


def clean(house, table):
    return verify_game(house.store, house.codec, table.id) is None


def code_of(act):
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.code


class TestAHint:
    def test_is_what_the_advisor_says_of_the_seats_view(self, house, table):
        stored = load(house, table.id)
        hint = give_hint(house, stored, 0)
        assert (hint.for_move, hint.level) == (table.next_move, BEST_ADVISOR)
        assert hint.suggestions == ADVISORS[BEST_ADVISOR](view(stored.game, 0))

    def test_may_be_asked_of_an_advisor_by_name(self, house, table):
        stored = load(house, table.id)
        hint = give_hint(house, stored, 0, "plain")
        assert (hint.level, hint.suggestions) == ("plain", ADVISORS["plain"](view(stored.game, 0)))
        for name in ("easy", "godlike"):
            with pytest.raises(Refused) as caught:
                give_hint(house, stored, 0, name)
            assert (caught.value.code, caught.value.pointer) == ("unknown_level", "/level")

    def test_is_a_version_of_its_own_without_a_move(self, house, table):
        before = load(house, table.id)
        give_hint(house, before, 0)
        after = load(house, table.id)
        assert after.version == before.version + 1
        assert after.moved_version == before.moved_version
        assert after.game.hints == (HintsUsed(0, 1, before.game.next_move),)
        assert clean(house, table)

    def test_of_the_same_move_is_the_same_and_counts_no_more(self, house, table):
        first = give_hint(house, load(house, table.id), 0)
        version = load(house, table.id).version
        assert give_hint(house, load(house, table.id), 0) == first
        assert load(house, table.id).version == version

    def test_of_the_next_move_counts_again(self, house, tables):
        table = tables(*PASSED, rules=FULL)
        give_hint(house, load(house, table.id), 0)
        table.play("0 draw stock")
        give_hint(house, load(house, table.id), 0)
        assert load(house, table.id).game.hints[0].count == 2
        assert clean(house, table)


class TestARefusal:
    def test_is_that_of_a_move_with_the_game(self, house, tables):
        for lines, rules, code in (
            ((), {}, "not_your_turn"),
            (SCORED, {}, "hand_over"),
            (SCORED, {"target": 10}, "game_over"),
        ):
            stored = load(house, tables(*lines, rules={**FULL, **rules}).id)
            with pytest.raises(Refused) as caught:
                give_hint(house, stored, 1)
            assert caught.value.code == code
            assert caught.value.stored == stored

    def test_comes_before_the_first_deal(self, house, tables):
        table = tables(seats=({"kind": "human"}, {"kind": "human"}), rules=FULL)
        assert code_of(lambda: give_hint(house, load(house, table.id), 0)) == "game_not_started"


class TestSomebodyQuicker:
    def test_with_the_same_wish_has_it_counted_once(self, house, table):
        stale = load(house, table.id)
        first = give_hint(house, stale, 0)
        assert give_hint(house, stale, 0) == first
        after = load(house, table.id)
        assert (after.version, after.game.hints[0].count) == (stale.version + 1, 1)
        assert clean(house, table)

    def test_with_a_move_is_not_lost_and_nothing_stale_is_advised(self, house, table):
        stale = load(house, table.id)
        table.play("0 discard KS")
        assert code_of(lambda: give_hint(house, stale, 0)) == "not_your_turn"
        assert load(house, table.id).game.hints == ()
        assert clean(house, table)

    def test_with_a_hint_does_not_stop_a_move(self, house, table, meanwhile):
        stored = load(house, table.id)
        meanwhile(lambda: give_hint(house, load(house, table.id), 0))
        discard, number = Discard(parse_card("KS")), table.next_move
        made = make_move(house, stored, discard, number, Sender(0, b"s" * 16))
        assert [logged.move.number for logged in made.moves] == [number]
        assert made.stored.version == stored.version + 2
        assert made.stored.game.hints == (HintsUsed(0, 1, number),)
        assert clean(house, table)

    def test_too_often_is_told_to_come_back(self, house, table, monkeypatch):
        tries = []
        monkeypatch.setattr(games, "change", lambda *_: tries.append(1))
        with pytest.raises(Busy):
            give_hint(house, load(house, table.id), 0)
        assert len(tries) == TRIES


class TestTheAdvisor:
    def test_gets_a_view_and_no_more(self, house, table, monkeypatch):
        got = []
        monkeypatch.setattr(
            module, "ADVISORS", {BEST_ADVISOR: lambda *given: got.append(given) or ()}
        )
        stored = load(house, table.id)
        give_hint(house, stored, 0)
        assert got == [(view(stored.game, 0),)]
