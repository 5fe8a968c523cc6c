"""What an answer about a score sheet holds."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from engine.entries import entry_with_points
from engine.kept_sheets import Sheet, Word, evolve, put, strike
from engine.rules import STANDARD
from engine.scoring import HandOutcome
from service import sheet_answers
from service.storage.score_sheets import LoggedChange, StoredSheet
from service.use_cases.keep_score_sheet import CreatedSheet

BEGUN = datetime(2026, 3, 1, 12, tzinfo=UTC)
NEW = StoredSheet("ss_1", 1, ("Ada", "Bob"), Sheet(STANDARD, 2), (), BEGUN, BEGUN)


def won(winner, points):
    return entry_with_points(2, HandOutcome.KNOCK, winner, points)


def changed(stored, change):
    """The sheet one second and one change later."""
    at = BEGUN + timedelta(seconds=stored.version)
    return replace(
        stored,
        version=stored.version + 1,
        sheet=evolve(stored.sheet, change),
        log=(*stored.log, LoggedChange(change, at)),
        updated_at=at,
    )


def entered(stored, entry, word):
    return changed(stored, put(stored.sheet, len(stored.sheet.hands) + 1, entry, word))


class TestTheETag:
    def test_is_the_same_for_everybody_and_another_after_a_change(self):
        assert sheet_answers.etag_of(NEW) == '"1-e-1"'
        assert sheet_answers.etag_of(entered(NEW, won(0, 5), Word())) == '"2-e-1"'


class TestAHand:
    def test_says_who_stands_by_it_and_leaves_out_what_nobody_said(self):
        stored = entered(entered(NEW, won(0, 5), Word(1, (0,), "why")), won(1, 7), Word())
        first, second = sheet_answers.score_sheet(stored)["entries"]
        assert (first["by"], first["confirmed_by"], first["reason"]) == (
            "Bob",
            ["Ada", "Bob"],
            "why",
        )
        assert first["at"] == "2026-03-01T12:00:01.000000Z"
        assert not {"by", "reason", "upcard", "winner_team"} & second.keys()
        assert (second["confirmed_by"], second["tables"], second["history"]) == ([], [], [])

    def test_that_was_only_confirmed_is_as_old_as_before(self):
        stored = entered(NEW, won(0, 5), Word(0))
        stored = changed(stored, put(stored.sheet, 1, won(0, 5), Word(1)))
        [entry] = sheet_answers.score_sheet(stored)["entries"]
        assert entry["at"] == "2026-03-01T12:00:01.000000Z"
        assert (entry["by"], entry["confirmed_by"]) == ("Ada", ["Ada", "Bob"])

    def test_has_a_history_from_its_oldest_value(self):
        stored = entered(NEW, won(0, 5), Word(0))
        for points, seat in ((6, 1), (7, 0)):
            stored = changed(stored, put(stored.sheet, 1, won(0, points), Word(seat)))
        [entry] = sheet_answers.score_sheet(stored)["entries"]
        past = [(each["points"], each["entered_by"], each["by"]) for each in entry["history"]]
        assert past == [(5, "Ada", "Bob"), (6, "Bob", "Ada")]
        assert entry["history"][0]["at"] == entry["history"][1]["entered_at"]

    def test_remembers_who_stood_by_what_it_was(self):
        stored = entered(NEW, won(0, 5), Word(0))
        for points, word in ((5, Word(1)), (6, Word(1)), (6, Word(0))):
            stored = changed(stored, put(stored.sheet, 1, won(0, points), word))
        [entry] = sheet_answers.score_sheet(stored)["entries"]
        [past] = entry["history"]
        assert (past["points"], past["was_confirmed_by"]) == (5, ["Ada", "Bob"])
        assert (past["by"], past["confirmed_by"]) == ("Bob", ["Bob"])
        assert entry["confirmed_by"] == ["Ada", "Bob"]


class TestADeletedHand:
    def test_is_told_with_its_last_number_and_its_history(self):
        stored = entered(NEW, won(0, 5), Word(0))
        stored = changed(stored, put(stored.sheet, 1, won(0, 6), Word(1)))
        stored = changed(stored, strike(stored.sheet, 1, Word(0, (), "not played")))
        wire = sheet_answers.score_sheet(stored)
        [gone] = wire["deleted"]
        assert wire["entries"] == wire["score"]["hands"] == []
        assert (gone["hand_number"], gone["points"], gone["entered_by"]) == (1, 6, "Bob")
        assert (gone["by"], gone["reason"]) == ("Ada", "not played")
        assert [each["points"] for each in gone["history"]] == [5]


class TestTheFirstAnswer:
    def test_has_both_tokens_beside_the_sheet(self):
        wire = sheet_answers.created(CreatedSheet(NEW, "gse_x", "gsr_y"))
        assert wire == {
            "score_sheet": sheet_answers.score_sheet(NEW),
            "edit_token": "gse_x",
            "share_token": "gsr_y",
        }
