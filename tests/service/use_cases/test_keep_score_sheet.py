"""Keeping a score sheet: who may, what counts as done already, and what is looked at again."""

import pytest

from engine.entries import entry_with_points
from engine.kept_sheets import Word, put
from engine.rules import STANDARD
from engine.scoring import HandOutcome
from service.storage import score_sheets
from service.storage.errors import Busy
from service.tokens import SheetToken, TokenKind
from service.use_cases.forget_players import forget_score_sheet
from service.use_cases.keep_score_sheet import (
    create_score_sheet,
    put_hand,
    strike_hand,
)
from service.use_cases.make_move import TRIES
from service.use_cases.open_score_sheet import delete_score_sheet, load_sheet
from service.use_cases.refusals import Refused

NAMES = ("Ada", "Bob")
ADA, BOB, BOTH = Word(0), Word(1), Word(0, (1,))


def won(winner, points):
    return entry_with_points(2, HandOutcome.KNOCK, winner, points)


@pytest.fixture
def house(answering):
    return answering.house


@pytest.fixture
def stored(house):
    return create_score_sheet(house, NAMES, STANDARD).stored


def editor(stored, kind=TokenKind.SHEET_EDITOR):
    return SheetToken(kind, stored.id)


def points(stored):
    return [hand.entry.points for hand in stored.sheet.hands]


@pytest.fixture
def meanwhile(monkeypatch):
    """Lets something happen just before each of the next so many guarded writes."""

    def arrange(happens, times=1):
        save, left = score_sheets.save, [times]

        def late(*arguments):
            if left[0]:
                left[0] -= 1
                happens()
            return save(*arguments)

        monkeypatch.setattr(score_sheets, "save", late)
        return save

    return arrange


class TestANewSheet:
    def test_has_tokens_of_its_own(self, house):
        made = create_score_sheet(house, NAMES, STANDARD)
        tokens = [house.tokens.read(text) for text in (made.edit_token, made.share_token)]
        assert tokens == [editor(made.stored), editor(made.stored, TokenKind.SHEET_READER)]
        assert [token.may_write for token in tokens] == [True, False]


class TestAWrite:
    def test_needs_the_version_that_is_there(self, house, stored):
        after = put_hand(house, stored, 1, won(0, 5), ADA, {1})
        assert after.version == 2
        for seen in ({1}, set(), {3}):
            with pytest.raises(Refused, match="version_mismatch") as refused:
                put_hand(house, after, 1, won(0, 6), ADA, seen)
            assert refused.value.params == {"expected_version": 2}
            assert refused.value.sheet == after
        assert points(put_hand(house, after, 1, won(0, 6), ADA, {1, 2})) == [6]

    def test_is_done_whichever_version_is_there_if_none_is_named(self, house, stored):
        after = put_hand(house, stored, 1, won(0, 5), ADA, None)
        assert points(put_hand(house, after, 1, won(0, 6), BOB, None)) == [6]

    def test_names_who_has_still_to_confirm(self, house, stored):
        after = put_hand(house, stored, 1, won(0, 5), ADA, {1})
        after = put_hand(house, after, 2, won(0, 5), ADA, {2})
        with pytest.raises(Refused, match="confirmation_required") as refused:
            put_hand(house, after, 1, won(0, 6), ADA, {3})
        assert refused.value.params == {"min": 1, "names": ("Bob",)}
        assert refused.value.sheet == after

    def test_of_a_hand_that_is_not_there_strikes_none_out(self, house, stored):
        with pytest.raises(Refused, match="not_found"):
            strike_hand(house, stored, 1, BOTH, {1})


class TestTheSameRequestAgain:
    @pytest.mark.parametrize("seen", [{1}, {2}, {9}, set(), None])
    def test_is_done_already_whatever_was_seen(self, house, stored, seen):
        after = put_hand(house, stored, 1, won(0, 5), ADA, {1})
        assert put_hand(house, after, 1, won(0, 5), ADA, seen) == after

    def test_is_done_already_though_it_was_corrected_since(self, house, stored):
        after = put_hand(house, stored, 1, won(0, 5), ADA, {1})
        after = put_hand(house, after, 1, won(0, 6), BOB, {2})
        assert put_hand(house, after, 1, won(0, 5), ADA, {1}) == after
        assert points(after) == [6]

    def test_strikes_out_no_second_hand(self, house, stored):
        after = put_hand(house, stored, 1, won(0, 5), ADA, {1})
        after = put_hand(house, after, 2, won(1, 7), ADA, {2})
        after = strike_hand(house, after, 1, BOTH, {3})
        assert points(strike_hand(house, after, 1, BOTH, {3})) == [7]
        with pytest.raises(Refused, match="version_mismatch"):
            strike_hand(house, after, 1, ADA, {3})  # another word: another request

    def test_that_was_written_by_another_process_is_found_at_the_guard(
        self, house, stored, meanwhile
    ):
        same = []

        def the_same():
            with house.store.writing() as conn:
                change = put(stored.sheet, 1, won(0, 5), ADA)
                same.append(save(conn, stored, change))

        save = meanwhile(the_same)
        assert put_hand(house, stored, 1, won(0, 5), ADA, {1}) == same[0]


class TestSomebodyElseAtTheSameTime:
    def write(self, house, save, stored):
        with house.store.reading() as conn:
            now = score_sheets.load(conn, stored.id)
        number = len(now.sheet.hands) + 1
        with house.store.writing() as conn:
            assert save(conn, now, put(now.sheet, number, won(1, 30), BOB)) is not None

    def test_is_seen_at_the_guard_and_told(self, house, stored, meanwhile):
        save = meanwhile(lambda: self.write(house, save, stored))
        with pytest.raises(Refused, match="version_mismatch") as refused:
            put_hand(house, stored, 1, won(0, 5), ADA, {1})
        assert points(refused.value.sheet) == [30]

    def test_is_gone_along_with_if_no_version_was_named(self, house, stored, meanwhile):
        save = meanwhile(lambda: self.write(house, save, stored))
        assert points(put_hand(house, stored, 1, won(0, 5), ADA, None)) == [5]

    def test_that_never_ends_is_given_up(self, house, stored, meanwhile):
        save = meanwhile(lambda: self.write(house, save, stored), TRIES)
        with pytest.raises(Busy):
            put_hand(house, stored, 1, won(0, 5), BOTH, None)

    def test_may_have_deleted_the_sheet(self, house, stored, meanwhile):
        meanwhile(lambda: delete_score_sheet(house, editor(stored), stored.id))
        with pytest.raises(Refused, match="not_found"):
            put_hand(house, stored, 1, won(0, 5), ADA, {1})

    def test_may_have_erased_who_kept_it(self, house, stored, meanwhile):
        meanwhile(lambda: forget_score_sheet(house.store, stored.id))
        with pytest.raises(Refused, match="version_mismatch") as refused:
            put_hand(house, stored, 1, won(0, 5), Word(0, (), "for Ada"), {1})
        assert refused.value.sheet.names == ("1", "2")
        assert points(load_sheet(house, stored.id)) == []
