"""Lists of score sheets, with the portal that asks."""

import pytest

from engine.rules import STANDARD
from service.storage.score_sheets import SheetOwnership
from service.storage.sheet_lists import WantedSheets
from service.use_cases.keep_score_sheet import create_score_sheet
from service.use_cases.list_score_sheets import sheets_of_portal


@pytest.fixture
def house(answering):
    return answering.house


def test_a_portal_is_shown_its_own(house):
    mine, theirs = (
        create_score_sheet(house, ("Ada", "Bob"), STANDARD, owner=SheetOwnership(portal)).stored
        for portal in ("p_1", "p_2")
    )
    for portal, wanted in (("p_1", [mine.id]), ("p_2", [theirs.id]), ("p_3", [])):
        found = sheets_of_portal(house, WantedSheets(portal), None, 9)
        assert [each.id for each in found] == wanted
        assert all(each.metadata == {} for each in found)
    last = (mine.updated_at, mine.id)
    assert sheets_of_portal(house, WantedSheets("p_1"), last, 9) == []
