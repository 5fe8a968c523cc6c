"""Pages of score sheets: a portal's own, in order, and from one index."""

import pytest

from engine.rules import STANDARD
from service.storage import score_sheets, sheet_lists
from service.storage.score_sheets import NOBODYS, SheetOwnership
from service.storage.sheet_lists import WantedSheets

MINE = SheetOwnership("p_1", {"a": "b"})


def make(store, sheet_id, owner=MINE, names=("Ada", "Bob")):
    with store.writing() as conn:
        return score_sheets.insert(conn, sheet_id, names, STANDARD, owner)


def page(store, after=None, limit=9, **wanted):
    with store.reading() as conn:
        return sheet_lists.of_portal(conn, WantedSheets("p_1", **wanted), after, limit)


def ids(found):
    return [each.id for each in found]


class TestTheSheetsOfAPortal:
    def test_are_its_own_alone(self, store):
        made = make(store, "ss_1")
        make(store, "ss_2", SheetOwnership("p_2"))
        make(store, "ss_3", NOBODYS)
        [found] = page(store)
        assert (found.id, found.version, found.names) == ("ss_1", 1, ("Ada", "Bob"))
        assert (found.hand_count, found.complete, found.metadata) == (0, False, {"a": "b"})
        assert (found.created_at, found.updated_at) == (made.created_at, made.updated_at)

    def test_have_no_metadata_if_none_was_given(self, store):
        make(store, "ss_1", SheetOwnership("p_1"))
        assert page(store)[0].metadata == {}

    @pytest.mark.parametrize("limit", [1, 2, 3])
    def test_have_pages_without_a_hole_even_within_one_moment(self, store, limit):
        for at in range(6):
            make(store, f"ss_{at}")
        with store.writing() as conn:
            conn.execute("UPDATE score_sheets SET updated_at = now()")
        found, after = [], None
        while got := page(store, after, limit):
            assert len(got) <= limit
            found += ids(got)
            after = got[-1].updated_at, got[-1].id
        assert found == [f"ss_{at}" for at in reversed(range(6))]

    def test_are_found_by_a_name_as_a_whole(self, store):
        make(store, "ss_1", names=("Ada", "Bob"))
        make(store, "ss_2", names=("Ad", '["Ada"]'))
        assert ids(page(store, name="Ada")) == ["ss_1"]
        assert ids(page(store, name='["Ada"]')) == ["ss_2"]

    def test_are_found_by_an_index(self, store):
        make(store, "ss_1")
        values = {
            "portal": "p_1", "complete": None, "name": None, "after": None,
            "before": "infinity", "id": "", "limit": 20,
        }  # fmt: skip
        with store.reading() as conn:
            conn.execute("SET enable_seqscan = off")
            rows = conn.execute(f"EXPLAIN {sheet_lists._OF_PORTAL}", values).fetchall()
            conn.execute("SET enable_seqscan = on")
        plan = "\n".join(row[0] for row in rows)
        assert "score_sheets_portal" in plan
        assert "Seq Scan" not in plan
