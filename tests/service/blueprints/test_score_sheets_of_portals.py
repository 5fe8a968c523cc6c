"""Score sheets that a portal makes with its key, and lists of them."""

import pytest

from service.portal_keys import SCORING, new_key
from tests.service.portal import METADATA
from tests.service.sheets import FOUR, TWO, Sheets, won

HAND = won(0, 25, by="Ada")
KEY = {"Idempotency-Key": "a-key"}


@pytest.fixture
def sheets(answering):
    return Sheets(answering)


@pytest.fixture
def sheet(sheets, portal):
    """A sheet of the portal, with one hand."""
    return sheets(HAND, key=portal.key, metadata=METADATA)


def code_of(answer):
    return answer.status_code, answer.json["code"]


def ids_of(portal, query=""):
    answer = portal.ask("GET", f"/v1/score-sheets{query}")
    assert answer.status_code == 200, answer.json
    return [each["id"] for each in answer.json["items"]]


class TestCreateScoreSheet:
    def test_shows_the_portal_what_it_keeps_there_and_gives_it_the_tokens(self, sheet, portal):
        assert sheet.made["score_sheet"]["metadata"] == METADATA
        assert sheet.made["score_sheet"]["etag"] == '"1-p-1"'
        assert sheet.edit.startswith("gse_")
        assert sheet.get(token=portal.key).json["metadata"] == METADATA

    def test_without_metadata_shows_it_that_there_is_none(self, sheets, portal):
        assert sheets(key=portal.key).made["score_sheet"]["metadata"] == {}

    def test_needs_the_scope_and_a_key_that_is_good(self, answering, portals):
        body = {"names": [*TWO]}
        lacking = portals("lacking", ["games:read", "games:write"])
        answer = answering.post("/v1/score-sheets", body, lacking.key)
        assert code_of(answer) == (403, "scope_missing")
        assert answer.json["params"] == {"scope": SCORING}
        for token in (new_key(), "nonsense"):
            answer = answering.post("/v1/score-sheets", body, token)
            assert code_of(answer) == (401, "token_invalid")

    def test_takes_other_tokens_for_nobodys(self, answering, tables, sheets):
        for token in (tables().tokens[0], sheets().edit):
            answer = answering.post("/v1/score-sheets", {"names": [*TWO]}, token)
            assert answer.status_code == 201
            assert "metadata" not in answer.json["score_sheet"]

    @pytest.mark.parametrize(
        ("metadata", "pointer", "code"),
        [
            ({str(at): "x" for at in range(21)}, "/metadata", "too_long"),
            ({"a": "x" * 501}, "/metadata/a", "too_long"),
            ({"x" * 61: "a"}, f"/metadata/{'x' * 61}", "too_long"),
            ({"a": 1}, "/metadata/a", "wrong_type"),
            ({"a": "\n"}, "/metadata/a", "bad_text"),
            ([], "/metadata", "wrong_type"),
        ],
    )
    def test_has_the_limits_of_games(self, portal, metadata, pointer, code):
        for path, body in (("/v1/score-sheets", {"names": [*TWO]}), ("/v1/games", {})):
            answer = portal.ask("POST", path, {**body, "metadata": metadata})
            [fault] = answer.json["errors"]
            assert (fault["pointer"], fault["code"]) == (pointer, code)

    def test_is_done_once_with_a_key(self, portal, portals):
        body = {"names": [*TWO], "metadata": METADATA}
        first, again = (portal.ask("POST", "/v1/score-sheets", body, headers=KEY) for _ in range(2))
        assert first.json == again.json
        assert again.headers["Idempotency-Replayed"] == "true"
        other = {**body, "metadata": {**METADATA, "table": "8"}}
        answer = portal.ask("POST", "/v1/score-sheets", other, headers=KEY)
        assert code_of(answer) == (422, "idempotency_key_reused")
        theirs = portals("other").ask("POST", "/v1/score-sheets", body, headers=KEY)
        assert theirs.json["score_sheet"]["id"] != first.json["score_sheet"]["id"]


class TestListScoreSheets:
    def test_needs_a_key_with_the_scope(self, answering, portals, sheet):
        path = "/v1/score-sheets"
        assert code_of(answering.get(path)) == (401, "token_missing")
        assert code_of(answering.get(path, new_key())) == (401, "token_invalid")
        for token in (portals("arcade", ["games:read"]).key, sheet.edit, sheet.share):
            assert code_of(answering.get(path, token)) == (403, "scope_missing")

    def test_shows_its_own_last_change_first(self, sheets, portals):
        portal, other = portals("one"), portals("other")
        first, second = sheets(key=portal.key), sheets(key=portal.key)
        sheets()
        sheets(key=other.key)
        assert ids_of(portal) == [second.id, first.id]
        first.enter(HAND)
        assert ids_of(portal) == [first.id, second.id]
        assert len(ids_of(other)) == 1

    def test_tells_of_each_what_the_sheet_tells(self, sheets, portal):
        sheet = sheets(won(0, 60), won(1, 7), won(0, 60), key=portal.key, metadata=METADATA)

        def compare():
            [shown] = portal.ask("GET", "/v1/score-sheets").json["items"]
            whole = sheet.get(token=portal.key).json
            same = shown.keys() - {"hand_count", "complete"}
            assert {name: shown[name] for name in same} == {name: whole[name] for name in same}
            assert shown["hand_count"] == len(whole["entries"])
            assert shown["complete"] == whole["score"]["complete"]
            return shown["hand_count"], shown["complete"]

        assert compare() == (3, True)
        both = "by=Ada&confirmed_by=Bob"
        assert sheet.strike(1, f"?{both}").status_code == 200
        assert compare() == (2, False)
        sheet.enter(won(0, 90))
        assert compare() == (3, True)
        assert sheet.put(3, won(0, 20, by="Ada")).status_code == 200
        assert compare() == (3, False)

    def test_can_be_asked_for_some_of_them(self, sheets, portal):
        fresh = sheets(key=portal.key)
        four = sheets(won(0, 20), key=portal.key, names=FOUR)
        over = sheets(won(0, 200), key=portal.key, names=("Eve", "Ada"))
        cut = over.get().json["updated_at"]
        for query, wanted in {
            "?complete=true": [over],
            "?complete=false": [four, fresh],
            "?name=Ada": [over, four, fresh],
            "?name=Eve": [over],
            "?name=Di&complete=false": [four],
            "?name=ada": [],
            "?name=%5B%5D": [],
            f"?updated_after={cut}": [],
            f"?updated_after={four.get().json['updated_at']}": [over],
        }.items():
            assert ids_of(portal, query) == [one.id for one in wanted], query

    @pytest.mark.parametrize(
        ("query", "code"),
        [
            ("complete=1", "wrong_type"),
            ("complete=True", "wrong_type"),
            ("complete=", "wrong_type"),
            ("updated_after=yesterday", "wrong_type"),
            ("limit=101", "out_of_range"),
            ("cursor=x", "bad_cursor"),
            (f"name={'x' * 61}", "too_long"),
            ("names=Ada", "unknown_field"),
        ],
    )
    def test_refuses_a_query_that_is_wrong(self, portal, query, code):
        answer = portal.ask("GET", f"/v1/score-sheets?{query}")
        [fault] = answer.json["errors"]
        assert (answer.status_code, fault["code"]) == (422, code)

    def test_goes_on_where_the_page_before_ended(self, sheets, portal):
        made = [sheets(key=portal.key).id for _ in range(5)]
        found, address = [], "/v1/score-sheets?limit=2&name=Ada"
        while address:
            answer = portal.ask("GET", address)
            found += [each["id"] for each in answer.json["items"]]
            link = answer.headers.get("Link")
            assert bool(link) == ("next_cursor" in answer.json)
            address = link and link[1:].partition(">")[0]
        assert found == made[::-1]

    def test_takes_no_cursor_of_another_list(self, sheets, portals):
        portal, other = portals("one"), portals("other")
        for one in (portal, other):
            sheets(key=one.key), sheets(key=one.key)
        cursor = portal.ask("GET", "/v1/score-sheets?limit=1").json["next_cursor"]
        assert len(ids_of(portal, f"?cursor={cursor}")) == 1
        for who, path in (
            (portal, f"/v1/score-sheets?complete=false&cursor={cursor}"),
            (other, f"/v1/score-sheets?cursor={cursor}"),
            (portal, f"/v1/games?cursor={cursor}"),
        ):
            answer = who.ask("GET", path)
            assert answer.json["errors"][0]["code"] == "bad_cursor"
