"""How a score sheet's life ends, in the tables."""

import threading
from datetime import timedelta

import pytest

from engine.entries import entry_with_points
from engine.kept_sheets import Word, put
from engine.rules import STANDARD
from engine.scoring import HandOutcome
from service.storage import idempotency, score_sheets, sheet_ends
from service.storage.idempotency import KeptAnswers, KeyedRequest
from service.storage.score_sheets import NOBODYS, SheetOwnership
from tests.service.storage.stored import count

NAMES = ("Ada", "Bob")
MINE = SheetOwnership("p_1", {"a": "b"})
DAY = timedelta(days=1)
ALL = ("score_sheets", "score_sheet_changes", "idempotency_keys")


def make(store, sheet_id, owner=MINE):
    """A sheet with a hand, about which an answer is kept."""
    with store.writing() as conn:
        stored = score_sheets.insert(conn, sheet_id, NAMES, STANDARD, owner)
        kept = KeptAnswers([b"x" * 32], 60)
        request = KeyedRequest(sheet_id.encode(), b"h" * 16)
        with conn.transaction():
            kept.keep(conn, request, b"Ada and Bob", None, sheet_id)
        return enter(conn, stored, Word(0, (1,), "so they said"))


def enter(conn, stored, word):
    entry = entry_with_points(2, HandOutcome.KNOCK, 0, 25)
    return score_sheets.save(
        conn, stored, put(stored.sheet, len(stored.sheet.hands) + 1, entry, word)
    )


def load(store, sheet_id):
    with store.reading() as conn:
        return score_sheets.load(conn, sheet_id)


def age(store, days, *sheet_ids):
    with store.writing() as conn:
        conn.execute(
            "UPDATE score_sheets SET updated_at = updated_at - %s WHERE id = ANY(%s)",
            (days * DAY, list(sheet_ids)),
        )


def expire(store, limit=9):
    with store.writing() as conn:
        return sheet_ends.expire(conn, 10 * DAY, limit)


def counts(store):
    return [count(store, table) for table in ALL]


class TestDeleting:
    def test_leaves_the_id_of_a_portals_sheet_and_nothing_else(self, store):
        make(store, "ss_1"), make(store, "ss_2", NOBODYS), make(store, "ss_3")
        with store.writing() as conn:
            sheet_ends.delete(conn, ["ss_1", "ss_2", "ss_none"])
            told = [
                sheet_ends.was_deleted(conn, *each)
                for each in (("ss_1", "p_1"), ("ss_1", "p_2"), ("ss_2", "p_1"), ("ss_3", "p_1"))
            ]
        assert told == [True, False, False, False]
        assert counts(store) == [1, 1, 1]
        assert count(store, "deleted_score_sheets") == 1

    def test_is_the_same_twice(self, store):
        make(store, "ss_1")
        for _ in range(2):
            with store.writing() as conn:
                sheet_ends.delete(conn, ["ss_1"])
        assert counts(store) == [0, 0, 0]
        assert count(store, "deleted_score_sheets") == 1


class TestOldSheets:
    def test_are_deleted_the_oldest_first_and_no_more_than_asked_for(self, store):
        for at in range(4):
            make(store, f"ss_{at}")
        age(store, 11, "ss_0", "ss_1")
        age(store, 12, "ss_2")
        age(store, 9, "ss_3")
        assert expire(store, 1) == 1
        assert load(store, "ss_2") is None
        assert expire(store) == 2
        assert counts(store) == [1, 1, 1]
        assert expire(store) == 0

    def test_count_from_their_last_change(self, store):
        stored = make(store, "ss_1")
        age(store, 11, "ss_1")
        with store.writing() as conn:
            enter(conn, stored, Word())
        assert expire(store) == 0

    def test_are_not_taken_from_somebody_who_is_just_writing(self, store):
        stored = make(store, "ss_1")
        age(store, 11, "ss_1")
        with store.writing() as conn, conn.transaction():
            assert enter(conn, stored, Word()) is not None
            done = []
            other = threading.Thread(target=lambda: done.append(expire(store)))
            other.start()
            other.join(60)
        assert done == [0]
        assert load(store, "ss_1").version == 3

    def test_are_remembered_for_as_long_again_as_having_been_there(self, store):
        make(store, "ss_1")
        age(store, 11, "ss_1")
        assert expire(store) == 1
        assert count(store, "deleted_score_sheets") == 1
        with store.writing() as conn:
            conn.execute(
                "UPDATE deleted_score_sheets SET deleted_at = deleted_at - 11 * %s", (DAY,)
            )
        assert expire(store) == 0
        assert count(store, "deleted_score_sheets") == 0


class TestErasing:
    def test_puts_numbers_for_names_and_keeps_what_was_scored(self, store):
        before = make(store, "ss_1")
        with store.writing() as conn:
            assert sheet_ends.erase(conn, "ss_1")
        after = load(store, "ss_1")
        assert after.names == ("1", "2")
        assert (after.erased, after.version, after.owner.metadata) == (True, 2, None)
        assert after.owner.portal_id == "p_1"
        assert after.sheet == before.sheet
        [logged] = after.log
        assert (logged.change.word, logged.at) == (Word(0, (1,)), before.log[0].at)
        assert count(store, "idempotency_keys") == 0

    def test_may_be_done_again(self, store):
        make(store, "ss_1")
        for _ in range(2):
            with store.writing() as conn:
                assert sheet_ends.erase(conn, "ss_1")
        assert load(store, "ss_1").names == ("1", "2")

    def test_needs_a_sheet(self, store):
        make(store, "ss_1")
        with store.writing() as conn:
            assert not sheet_ends.erase(conn, "ss_2")
        assert load(store, "ss_1").names == NAMES

    def test_is_noticed_by_who_read_the_sheet_before(self, store):
        before = make(store, "ss_1")
        with store.writing() as conn:
            sheet_ends.erase(conn, "ss_1")
            assert enter(conn, before, Word(0, (), "for Ada")) is None
            assert enter(conn, score_sheets.load(conn, "ss_1"), Word(0)) is not None


class TestAnswersThatAreKept:
    @pytest.mark.parametrize("about", ["ss_1", None])
    def test_go_with_the_sheet_they_are_about(self, store, about):
        kept, request = KeptAnswers([b"x" * 32], 60), KeyedRequest(b"scope", b"h" * 16)
        with store.writing() as conn:
            with conn.transaction():
                kept.keep(conn, request, b"answer", None, about)
            idempotency.forget_sheets(conn, ["ss_1", "ss_2"])
            assert (kept.find(conn, request) is None) == (about is not None)
