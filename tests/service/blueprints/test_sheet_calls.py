"""Who calls about a score sheet: its portal, or who has a token; what each sees and may do."""

import pytest

from service.portal_keys import SCORING
from service.settings import Limit
from tests.service.portal import METADATA
from tests.service.sheets import Sheets, won

UNKNOWN = "ss_" + "Z" * 21 + "A"
HAND = won(0, 25, by="Ada")
READERS = (("GET", ""), ("GET", "/csv"), ("GET", "/pad"))
WRITERS = (("PUT", "/hands/2"), ("DELETE", "/hands/1?by=Ada"), ("DELETE", ""))
EVERYTHING = READERS + WRITERS


@pytest.fixture
def sheets(answering):
    return Sheets(answering)


@pytest.fixture
def sheet(sheets, portal):
    """A sheet of the portal, with one hand."""
    return sheets(HAND, key=portal.key, metadata=METADATA)


@pytest.fixture
def limited(answering, monkeypatch):
    """Sets the limit of what has none of its own; nothing was used of it yet."""
    allowances = answering.house.allowances

    def limit(quota):
        allowances._purses.clear()
        with answering.house.store.writing() as conn:
            conn.execute("DELETE FROM rate_buckets")
        monkeypatch.setitem(allowances.limits, "default", quota)

    yield limit
    allowances._purses.clear()


def ask(sheet, method, path, token, at=None, etag=None):
    body = won(1, 9) if method == "PUT" else None
    headers = {} if path in {"", "/csv", "/pad"} else {"If-Match": etag or sheet.etag}
    return sheet.answering.send(method, (at or sheet.path) + path, body, token, headers=headers)


def code_of(answer):
    return answer.status_code, answer.json["code"]


class TestThePortal:
    def test_reads_what_is_its_own(self, sheet, portal):
        seen = sheet.get(token=portal.key)
        assert seen.headers["ETag"] == seen.json["etag"] == '"2-p-1"'
        shown = {**seen.json, "etag": sheet.etag}
        del shown["metadata"]
        # A hand that a token entered: nothing but the metadata is the portal's alone.
        assert shown == sheet.get().json
        for path in ("/csv", "/pad"):
            assert sheet.get(path, portal.key).data == sheet.get(path).data

    def test_need_not_be_told_again_what_it_has(self, sheet, portal):
        etag = sheet.get(token=portal.key).headers["ETag"]
        headers = {"If-None-Match": etag}
        assert sheet.get(token=portal.key, headers=headers).status_code == 304
        assert sheet.get(headers=headers).status_code == 200

    def test_enters_corrects_and_deletes_hands(self, sheet, portal):
        answer = sheet.put(2, won(1, 9), portal.key)
        assert (answer.status_code, answer.json["metadata"]) == (200, METADATA)
        assert answer.headers["ETag"] == answer.json["etag"] == '"3-p-1"'
        assert sheet.put(2, won(1, 8, by="Bob"), portal.key).status_code == 200
        assert sheet.strike(2, "?by=Bob", portal.key).status_code == 200
        assert [hand["points"] for hand in sheet.get().json["entries"]] == [25]

    def test_may_go_on_from_what_a_player_saw_and_the_other_way_round(self, sheet, portal):
        assert sheet.get().json["etag"] == '"2-e-1"'
        assert sheet.put(2, won(1, 9), portal.key, '"2-e-1"').status_code == 200
        assert sheet.put(3, won(1, 9), sheet.edit, '"3-p-1"').status_code == 200

    def test_is_shown_the_sheet_as_it_sees_it_when_it_was_late(self, sheet, portal):
        sheet.enter(won(1, 9))
        answer = ask(sheet, "PUT", "/hands/3", portal.key, etag='"2-p-1"')
        assert code_of(answer) == (412, "version_mismatch")
        assert answer.json["score_sheet"] == sheet.get(token=portal.key).json
        answer = ask(sheet, "PUT", "/hands/3", sheet.edit, etag='"2-p-1"')
        assert answer.json["score_sheet"] == sheet.get().json

    @pytest.mark.parametrize(("method", "path"), EVERYTHING)
    def test_needs_the_scope(self, sheet, portals, method, path):
        lacking = portals("arcade", ["games:read", "games:write", "sandbox"])
        answer = ask(sheet, method, path, lacking.key)
        assert code_of(answer) == (403, "scope_missing")
        enough = portals("arcade", [SCORING])
        assert ask(sheet, method, path, enough.key).status_code in {200, 204}

    @pytest.mark.parametrize(("method", "path"), EVERYTHING)
    def test_is_told_of_no_sheet_of_others_that_it_is_there(
        self, sheets, sheet, portals, method, path
    ):
        other, nobodys = portals("other"), sheets(HAND)
        deleted = sheets(key=portals("third").key)
        assert ask(deleted, "DELETE", "", deleted.edit).status_code == 204
        addresses = [sheet.path, nobodys.path, deleted.path, f"/v1/score-sheets/{UNKNOWN}"]
        told = []
        for at in addresses:
            answer = ask(sheet, method, path, other.key, at=at)
            headers = [
                pair for pair in answer.headers if pair[0] not in {"Request-Id", "RateLimit"}
            ]
            told.append((answer.status_code, headers, answer.data.replace(at.encode(), b"")))
        assert told[0][0] == 404
        assert told.count(told[0]) == len(told)

    def test_deletes_it_with_all_it_keeps_and_may_say_so_again(self, sheet, portal, portals):
        for _ in range(2):
            assert ask(sheet, "DELETE", "", portal.key).status_code == 204
        for token in (portal.key, sheet.edit, sheet.share):
            assert code_of(sheet.get(token=token)) == (404, "not_found")
        assert portal.ask("GET", "/v1/score-sheets").json == {"items": []}
        answer = ask(sheet, "DELETE", "", portals("other").key)
        assert code_of(answer) == (404, "not_found")

    def test_is_counted_as_one_and_players_by_their_address(self, sheet, portal, limited):
        limited(Limit(2, 86_400))
        for token in (portal.key, sheet.share):
            assert [sheet.get(token=token).status_code for _ in range(3)] == [200, 200, 429]
        elsewhere = {"environ_base": {"REMOTE_ADDR": "192.0.2.7"}}
        assert code_of(sheet.get(token=portal.key, **elsewhere)) == (429, "rate_limited")
        assert code_of(portal.ask("GET", "/v1/score-sheets")) == (429, "rate_limited")
        assert code_of(ask(sheet, "DELETE", "", portal.key)) == (429, "rate_limited")
        assert sheet.get(**elsewhere).status_code == 200


class TestPlayers:
    @pytest.mark.parametrize("path", ["", "/csv", "/pad"])
    def test_see_nothing_of_what_the_portal_keeps(self, sheet, path):
        for token in (sheet.edit, sheet.share):
            assert "tournament" not in sheet.get(path, token).text

    def test_see_nothing_of_it_in_what_they_change_either(self, sheet):
        assert "metadata" not in sheet.put(2, won(1, 9)).json
        assert "metadata" not in sheet.put(2, won(1, 9), etag='"1-e-1"').json
        answer = sheet.put(3, won(1, 9), etag='"1-e-1"')
        assert "metadata" not in answer.json["score_sheet"]
        assert "metadata" not in sheet.strike(2, "?by=Ada").json
