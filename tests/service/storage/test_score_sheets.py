"""The tables of score sheets: one guarded statement a change, and every change kept."""

import threading

import pytest

from engine.actions import KnockKind
from engine.cards import parse_card, parse_cards
from engine.entries import entry_of_tables, entry_with_cards, entry_with_points
from engine.hand_scores import HandSide, score_hand
from engine.kept_sheets import ChangeKind, Word, put, strike
from engine.rules import PRESETS
from engine.scoring import HandOutcome
from service.storage import score_sheets, sheet_ends
from tests.service.statements import listening
from tests.service.storage.stored import count

ID = "ss_1"
NAMES = ("Ada", "Bob")
RULES = PRESETS["oklahoma"]
BOTH = Word(0, (1,), "a slip\nof the pen")
KNOCK = entry_with_points(2, HandOutcome.KNOCK, 0, 25)


def by_cards():
    mine = parse_cards(["2C", "3C", "4C", "AD", "7D", "QD", "7H", "QH", "7S", "QS"])
    theirs = parse_cards(["5C", "7C", "8C", "4D", "8D", "KD", "8H", "KH", "9S", "KS"])
    upcard = parse_card("TS")
    sides = HandSide(0, mine), HandSide(1, theirs)
    return entry_with_cards(2, score_hand(KnockKind.KNOCK, *sides, RULES, upcard), upcard)


@pytest.fixture
def stored(store):
    with store.writing() as conn:
        return score_sheets.insert(conn, ID, NAMES, RULES)


def load(store, sheet_id=ID):
    with store.reading() as conn:
        return score_sheets.load(conn, sheet_id)


def save(store, stored, change):
    with store.writing() as conn:
        return score_sheets.save(conn, stored, change)


def entered(store, stored, *entries):
    for entry in entries:
        change = put(stored.sheet, len(stored.sheet.hands) + 1, entry, BOTH)
        stored = save(store, stored, change)
    return stored


class TestANewSheet:
    def test_is_read_as_it_was_stored(self, store, stored):
        assert (stored.version, stored.names, stored.sheet.rules) == (1, NAMES, RULES)
        assert load(store) == stored

    def test_is_the_only_one_of_its_id(self, store, stored):
        assert load(store, "ss_2") is None


class TestAChange:
    def test_makes_a_version_and_is_read_back(self, store, stored):
        after = entered(store, stored, KNOCK, by_cards())
        assert (after.version, after.sheet.changes) == (3, 2)
        assert after.updated_at > stored.updated_at == after.created_at
        assert load(store) == after

    def test_of_two_tables_is_read_back(self, store):
        with store.writing() as conn:
            four = score_sheets.insert(conn, ID, ("A", "B", "C", "D"), RULES)
        tables = (entry_with_points(4, HandOutcome.GIN, 3, 30),) * 2
        after = entered(store, four, entry_of_tables(tables))
        assert load(store) == after

    def test_that_corrects_or_strikes_out_keeps_what_was(self, store, stored):
        after = entered(store, stored, KNOCK)
        wrong = entry_with_points(2, HandOutcome.GIN, 1, 52)
        after = save(store, after, put(after.sheet, 1, wrong, BOTH))
        after = save(store, after, strike(after.sheet, 1, Word(0)))
        now = load(store)
        assert now == after
        assert [each.change.kind for each in now.log] == [
            ChangeKind.ENTERED,
            ChangeKind.CORRECTED,
            ChangeKind.STRUCK,
        ]
        assert [each.change.entry for each in now.log] == [KNOCK, wrong, None]
        assert now.log[1].change.word == BOTH

    def test_knows_to_which_version_it_was_made(self, store, stored):
        after = entered(store, stored, KNOCK)
        assert after.change_after(1) == after.log[0].change
        assert after.change_after(0) is after.change_after(2) is after.change_after(-1) is None

    def test_is_one_statement_in_one_round_trip(self, store, stored):
        change = put(stored.sheet, 1, KNOCK, BOTH)
        with store.writing() as conn:
            score_sheets.load(conn, ID)
            with listening() as said:
                score_sheets.save(conn, stored, change)
        assert (len(said.statements), said.trips) == (1, 1)

    def test_is_not_written_over_that_of_somebody_else(self, store, stored):
        first = put(stored.sheet, 1, KNOCK, Word(0))
        second = put(stored.sheet, 1, entry_with_points(2, HandOutcome.DRAWN), Word(1))
        assert save(store, stored, first) is not None
        assert save(store, stored, second) is None
        assert [each.change for each in load(store).log] == [first]

    def test_of_a_sheet_that_is_gone_writes_nothing(self, store, stored):
        with store.writing() as conn:
            sheet_ends.delete(conn, [ID])
        assert save(store, stored, put(stored.sheet, 1, KNOCK, BOTH)) is None
        assert count(store, "score_sheet_changes") == 0


class TestDeleting:
    def test_leaves_nothing_of_the_sheet_and_all_of_others(self, store, stored):
        entered(store, stored, KNOCK)
        with store.writing() as conn:
            other = score_sheets.insert(conn, "ss_2", NAMES, RULES)
        entered(store, other, KNOCK)
        for _ in range(2):
            with store.writing() as conn:
                sheet_ends.delete(conn, [ID])
        assert load(store) is None
        assert (count(store, "score_sheets"), count(store, "score_sheet_changes")) == (1, 1)

    def test_takes_with_it_what_somebody_is_just_writing(self, store, stored):
        change = put(stored.sheet, 1, KNOCK, BOTH)

        def delete():
            with store.writing() as other:
                sheet_ends.delete(other, [ID])

        deleting = threading.Thread(target=delete)
        with store.writing() as conn, conn.transaction():
            assert score_sheets.save(conn, stored, change) is not None
            deleting.start()
            waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            while conn.execute(waits).fetchone() == (0,):
                assert deleting.is_alive()
        deleting.join(60)
        assert (count(store, "score_sheets"), count(store, "score_sheet_changes")) == (0, 0)
