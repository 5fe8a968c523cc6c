"""Notes: read and written for one seat, where the rules allow them."""

import pytest

from service.use_cases.keep_notes import check_allowed, read_notes, write_notes
from service.use_cases.open_game import load
from service.use_cases.refusals import Refused


@pytest.fixture
def house(answering):
    return answering.house


class TestNotes:
    def test_are_read_as_written_and_change_no_game(self, tables, house):
        stored = load(house, tables().id)
        assert read_notes(house, stored, 1).text == ""
        written = write_notes(house, stored, 1, "a\nb")
        assert read_notes(house, stored, 1) == written
        assert read_notes(house, stored, 0).text == ""
        assert load(house, stored.game.setup.id).version == stored.version

    def test_are_refused_where_the_rules_allow_none(self, tables, house):
        stored = load(house, tables(rules={"notes": False}).id)
        for refused in (
            lambda: check_allowed(stored),
            lambda: read_notes(house, stored, 0),
            lambda: write_notes(house, stored, 0, "x"),
        ):
            with pytest.raises(Refused) as caught:
                refused()
            assert caught.value.code == "notes_disabled"
