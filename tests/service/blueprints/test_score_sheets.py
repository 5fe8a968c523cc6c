"""Score sheets over HTTP: who may do what, what is kept of it, and what a sheet looks like."""

import pytest

from service.tokens import SheetToken, TokenKind, Tokens
from tests.service.sheets import DRAWN_HAND, FOUR, THREE, TWO, Sheets, won
from tests.service.table import SPECTATOR

UNKNOWN = "ss_" + "Z" * 21 + "A"
HAND = won(0, 25, by="Ada")
OF_READERS = (("GET", ""), ("GET", "/csv"), ("GET", "/pad"))
OF_EDITORS = (("PUT", "/hands/1"), ("DELETE", "/hands/1"), ("DELETE", ""))
EVERYTHING = OF_READERS + OF_EDITORS


@pytest.fixture
def sheets(answering):
    return Sheets(answering)


def ask(sheet, method, path, token, at=None, **options):
    headers = {"If-Match": sheet.etag, **options.pop("headers", {})}
    body = HAND if method == "PUT" else None
    address = (at or sheet.path) + path
    return sheet.answering.send(method, address, body, token, headers=headers, **options)


def codes_of(answer):
    return [(error["pointer"], error["code"]) for error in answer.json["errors"]]


def forged(sheet):
    """Headers that look like one with a sheet's token, and are none of this service's."""
    token = sheet.edit
    other = "A" if token[20] != "A" else "B"
    strange = Tokens([b"x" * 32]).write_sheet(SheetToken(TokenKind.SHEET_EDITOR, sheet.id))
    return {
        "no prefix": f"Bearer {token[4:]}",
        "a seat's prefix": f"Bearer grs_{token[4:]}",
        "an unknown prefix": f"Bearer grk_{token[4:]}",
        "the reader's made the editor's": f"Bearer gse_{sheet.share[4:]}",
        "the editor's made the reader's": f"Bearer gsr_{token[4:]}",
        "another letter": f"Bearer {token[:20]}{other}{token[21:]}",
        "one letter less": f"Bearer {token[:-1]}",
        "another scheme": f"Basic {token}",
        "another secret": f"Bearer {strange}",
    }


@pytest.mark.parametrize(("method", "path"), EVERYTHING)
class TestEveryOperation:
    def test_needs_a_token(self, sheets, method, path):
        answer = ask(sheets(HAND), method, path, None)
        assert (answer.status_code, answer.json["code"]) == (401, "token_missing")
        assert answer.headers["WWW-Authenticate"] == "Bearer"

    def test_takes_no_forged_token(self, sheets, method, path):
        sheet = sheets(HAND)
        for name, header in forged(sheet).items():
            answer = ask(sheet, method, path, None, headers={"Authorization": header})
            assert (answer.status_code, answer.json["code"]) == (401, "token_invalid"), name

    def test_shows_a_strange_sheet_no_otherwise_than_none(self, sheets, method, path):
        mine, other = sheets(HAND), sheets(HAND)
        for token in (mine.edit, mine.share):
            answers = [ask(mine, method, path, token, at=other.path)]
            answers.append(ask(mine, method, path, token, at=f"/v1/score-sheets/{UNKNOWN}"))
            told = [{**answer.json, "instance": ""} for answer in answers]
            assert {answer.status_code for answer in answers} == {404}
            assert told[0] == told[1]

    def test_is_nothing_for_the_tokens_of_a_game(self, sheets, tables, method, path):
        table, sheet = tables(), sheets(HAND)
        for who in (0, SPECTATOR):
            answer = ask(sheet, method, path, table.tokens[who])
            assert (answer.status_code, answer.json["code"]) == (404, "not_found")

    def test_is_nothing_once_the_sheet_is_deleted(self, sheets, method, path):
        sheet = sheets(HAND)
        gone = ask(sheet, "DELETE", "", sheet.edit)
        assert (gone.status_code, gone.data) == (204, b"")
        assert "Content-Type" not in gone.headers
        answer = ask(sheet, method, path, sheet.edit)
        assert answer.status_code == (204 if (method, path) == ("DELETE", "") else 404)


class TestTheTokensOfASheet:
    def test_are_nothing_to_a_game(self, sheets, tables):
        sheet, table = sheets(), tables()
        for token in (sheet.edit, sheet.share):
            answer = table.answering.get(table.path, token)
            assert (answer.status_code, answer.json["code"]) == (404, "not_found")

    def test_stand_in_no_answer_but_the_first(self, sheets):
        sheet = sheets(HAND)
        for path in ("", "/csv", "/pad"):
            text = sheet.get(path).text
            assert "gse_" not in text
            assert "gsr_" not in text

    @pytest.mark.parametrize(("method", "path"), OF_READERS)
    def test_read_alike(self, sheets, method, path):
        sheet = sheets(HAND)
        told = [ask(sheet, method, path, token) for token in (sheet.edit, sheet.share)]
        assert {answer.status_code for answer in told} == {200}
        assert told[0].data == told[1].data
        assert told[0].headers["ETag"] == told[1].headers["ETag"] == '"2-e-1"'

    @pytest.mark.parametrize(("method", "path"), OF_EDITORS)
    def test_do_not_both_write(self, sheets, method, path):
        sheet = sheets(HAND)
        answer = ask(sheet, method, path, sheet.share)
        assert (answer.status_code, answer.json["code"]) == (403, "share_token_read_only")
        assert sheet.get().json == sheet.seen

    def test_are_looked_at_before_what_is_sent(self, sheets):
        sheet = sheets(HAND)
        for token, status in ((sheet.share, 403), (None, 401), (sheets().edit, 404)):
            path = f"{sheet.path}/hands/1"
            answer = sheet.answering.put(path, {"nonsense": 1}, token)
            assert answer.status_code == status


class TestCreateScoreSheet:
    def test_says_where_it_is_and_how_it_begins(self, answering):
        answer = answering.post("/v1/score-sheets", {"names": list(TWO)})
        sheet = answer.json["score_sheet"]
        assert answer.status_code == 201
        assert answer.headers["Location"] == f"/v1/score-sheets/{sheet['id']}"
        assert answer.headers["ETag"] == sheet["etag"]
        assert (sheet["version"], sheet["names"], sheet["entries"]) == (1, list(TWO), [])
        assert answer.json["edit_token"].startswith("gse_")
        assert answer.json["share_token"].startswith("gsr_")
        assert answering.get(answer.headers["Location"], answer.json["share_token"]).json == sheet

    def test_makes_another_one_each_time(self, sheets):
        assert len({token for _ in range(3) for token in (sheets().edit, sheets().share)}) == 6

    def test_has_the_rules_that_were_agreed(self, sheets):
        rules = sheets(base="traditional", target=150).seen["rules"]
        assert (rules["target"], rules["game_bonus"], rules["box_bonus"]) == (150, 100, 25)

    def test_makes_four_partners(self, sheets):
        sheet = sheets(names=FOUR).seen
        assert sheet["rules"]["four_player"] == "partnership"
        assert [team["seats"] for team in sheet["score"]["teams"]] == [[0, 2], [1, 3]]

    def test_keeps_three_apart(self, sheets):
        assert len(sheets(names=THREE).seen["score"]["totals"]) == 3

    @pytest.mark.parametrize(
        ("body", "fault"),
        [
            ({}, ("/names", "required")),
            ({"names": ["Ada"]}, ("/names", "out_of_range")),
            ({"names": list("ABCDE")}, ("/names", "too_long")),
            ({"names": ["Ada", ""]}, ("/names/1", "required")),
            ({"names": ["Ada", "  "]}, ("/names/1", "required")),
            ({"names": ["Ada", "Ada"]}, ("/names/1", "duplicate_name")),
            ({"names": ["Ada", "x" * 61]}, ("/names/1", "too_long")),
            ({"names": ["Ada", "B\nb"]}, ("/names/1", "bad_text")),
            ({"names": ["Ada", 7]}, ("/names/1", "wrong_type")),
            ({"names": "Ada"}, ("/names", "wrong_type")),
            ({"names": [*TWO], "metadata": {}}, ("/metadata", "field_not_allowed")),
            ({"names": [*TWO], "metadata": {"a": 1}}, ("/metadata/a", "wrong_type")),
            ({"names": [*TWO], "rules": {"base": "x"}}, ("/rules/base", "unknown_rule_set")),
            ({"names": [*TWO], "rules": {"target": 1}}, ("/rules/target", "out_of_range")),
        ],
    )
    def test_refuses_what_is_no_table(self, answering, body, fault):
        answer = answering.post("/v1/score-sheets", body)
        assert answer.status_code == 422
        assert codes_of(answer) == [fault]

    @pytest.mark.parametrize(
        ("names", "rules", "option"),
        [
            (THREE, {"hollywood": True}, "hollywood"),
            (FOUR, {"four_player": "two_tables"}, "four_player"),
            (TWO, {"first_dealer": "seat2"}, "first_dealer"),
        ],
    )
    def test_refuses_rules_that_so_many_cannot_play_by(self, answering, names, rules, option):
        answer = answering.post("/v1/score-sheets", {"names": list(names), "rules": rules})
        [error] = answer.json["errors"]
        assert error == {
            "pointer": f"/rules/{option}",
            "code": "contradictory_rules",
            "params": {"option": "names"},
        }


class TestGetScoreSheet:
    @pytest.mark.parametrize("path", ["", "/csv", "/pad"])
    def test_is_sent_again_only_if_it_changed(self, sheets, path):
        sheet = sheets(HAND)
        tag = sheet.get(path).headers["ETag"]
        again = sheet.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.data) == (304, b"")
        sheet.enter(DRAWN_HAND)
        assert sheet.get(path, headers={"If-None-Match": tag}).status_code == 200

    def test_shows_each_hand_with_how_it_was_scored(self, sheets):
        sides = [{"seat": 0, "deadwood": 3}, {"seat": 1, "deadwood": 20}]
        entry = sheets({"kind": "knock", "knocker_seat": 0, "sides": sides}).seen["entries"][0]
        assert (entry["outcome"], entry["points"], entry["winner_seat"]) == ("knock", 17, 0)
        assert entry["lines"] == [{"code": "deadwood_difference", "points": 17, "seat": 0}]
        assert [side["deadwood"] for side in entry["sides"]] == [3, 20]

    def test_shows_both_tables(self, sheets):
        tables = [won(0, 30), won(3, 29)]
        entry = sheets({"tables": tables}, names=FOUR).seen["entries"][0]
        assert (entry["outcome"], entry["points"], entry["winner_team"]) == ("net", 1, 0)
        assert [table["points"] for table in entry["tables"]] == [30, 29]
        assert "winner_seat" not in entry


class TestPutScoreSheetHand:
    def test_answers_with_the_sheet_and_says_whose_representation_it_is(self, sheets):
        sheet = sheets()
        answer = sheet.put(1, HAND)
        assert answer.status_code == 200
        assert answer.json == sheet.get().json
        assert answer.headers["ETag"] == answer.json["etag"] == '"2-e-1"'
        assert answer.headers["Content-Location"] == sheet.path

    def test_needs_the_version_that_was_looked_at(self, sheets):
        sheet = sheets(HAND)
        answer = sheet.answering.put(f"{sheet.path}/hands/2", HAND, sheet.edit)
        assert (answer.status_code, answer.json["code"]) == (428, "version_required")

    @pytest.mark.parametrize(
        "etag", ['"1-e-1"', '"3-e-1"', 'W/"2-e-1"', '"2-e-2"', '"2-0-1"', "nonsense", '"x", "y"']
    )
    def test_shows_the_sheet_to_who_has_looked_at_another(self, sheets, etag):
        sheet = sheets(HAND)
        answer = sheet.put(2, DRAWN_HAND, etag=etag)
        assert (answer.status_code, answer.json["code"]) == (412, "version_mismatch")
        assert answer.json["params"] == {"expected_version": 2}
        assert answer.json["score_sheet"] == sheet.get().json == sheet.seen

    @pytest.mark.parametrize("etag", ['"2-e-1"', '"1-e-1", "2-e-1"', "*", ' "2-e-1" '])
    def test_takes_every_spelling_of_the_right_one(self, sheets, etag):
        assert sheets(HAND).put(2, DRAWN_HAND, etag=etag).status_code == 200

    def test_may_be_sent_again_as_often_as_one_likes(self, sheets):
        sheet = sheets(HAND)
        for etag in ('"1-e-1"', '"2-e-1"', '"9-e-1"', "*", "nonsense"):
            answer = sheet.put(1, HAND, etag=etag)
            assert (answer.status_code, answer.json["version"]) == (200, 2), etag

    def test_is_the_same_however_it_is_spelt(self, sheets):
        sheet = sheets(HAND)
        spelt = {"points": 25, "outcome": "knock", "winner_seat": 0, "knocker_seat": 0, "by": "Ada"}
        assert sheet.put(1, spelt, etag='"1-e-1"').json["version"] == 2

    def test_names_the_next_number_to_who_is_too_far(self, sheets):
        answer = sheets(HAND).put(3, HAND)
        assert (answer.status_code, answer.json["code"]) == (409, "hand_number_too_high")
        assert answer.json["params"] == {"max": 2}

    def test_keeps_what_was_there_with_who_when_and_why(self, sheets):
        sheet = sheets(HAND)
        entered = sheet.seen["entries"][0]["at"]
        sheet.put(1, won(1, 7, by="Bob", reason="it was Bob's\nsorry"))
        [entry] = sheet.seen["entries"]
        assert entry["reason"] == "it was Bob's\nsorry"
        assert (entry["by"], entry["confirmed_by"]) == ("Bob", ["Bob"])
        assert entry["history"] == [
            {
                "outcome": "knock", "knocker_seat": 0, "winner_seat": 0, "points": 25,
                "entered_at": entered, "entered_by": "Ada", "was_confirmed_by": ["Ada"],
                "at": entry["at"], "by": "Bob", "confirmed_by": ["Bob"],
                "reason": "it was Bob's\nsorry",
            }
        ]  # fmt: skip
        assert entered < entry["at"] == sheet.seen["updated_at"]

    def test_is_confirmed_without_a_change_of_its_value(self, sheets):
        sheet = sheets(HAND, DRAWN_HAND)
        sheet.put(1, won(0, 25, by="Bob"))
        entry = sheet.seen["entries"][0]
        assert (entry["by"], entry["confirmed_by"], entry["history"]) == ("Ada", [*TWO], [])
        assert sheet.seen["version"] == 4

    def test_needs_more_words_once_the_next_hand_is_entered(self, sheets):
        sheet = sheets(HAND, DRAWN_HAND)
        answer = sheet.put(1, won(0, 24, by="Ada"))
        assert (answer.status_code, answer.json["code"]) == (409, "confirmation_required")
        assert answer.json["params"] == {"min": 1, "names": ["Bob"]}
        assert answer.json["score_sheet"] == sheet.get().json
        assert sheet.put(1, won(0, 24, by="Ada", confirmed_by=["Bob"])).status_code == 200

    def test_opens_a_finished_game_again(self, sheets):
        sheet = sheets(won(0, 60), won(0, 40), won(1, 9))
        assert [entry["counted"] for entry in sheet.seen["entries"]] == [True, True, False]
        sheet.put(2, won(0, 30, confirmed_by=[*TWO]))
        assert all(entry["counted"] for entry in sheet.seen["entries"])
        assert not sheet.seen["score"]["complete"]

    @pytest.mark.parametrize(
        ("more", "fault"),
        [
            ({"by": "Eve"}, ("/by", "unknown_value")),
            ({"by": ""}, ("/by", "unknown_value")),
            ({"confirmed_by": ["Ada", "Eve"]}, ("/confirmed_by/1", "unknown_value")),
            ({"confirmed_by": [*TWO] * 3}, ("/confirmed_by", "too_long")),
            ({"reason": "x" * 501}, ("/reason", "too_long")),
            ({"reason": "x\0"}, ("/reason", "bad_text")),
            ({"winner_seat": 2}, ("/winner_seat", "out_of_range")),
        ],
    )
    def test_knows_only_who_is_at_the_table(self, sheets, more, fault):
        sheet = sheets()
        answer = sheet.put(1, {**won(0, 25), **more}, etag="nonsense")
        assert answer.status_code == 422
        assert codes_of(answer) == [fault]
        if fault[1] == "unknown_value":
            assert answer.json["errors"][0]["params"] == {"values": [*TWO]}


class TestDeleteScoreSheetHand:
    def test_lets_later_hands_move_up_and_shows_what_is_gone(self, sheets):
        sheet = sheets(HAND, won(1, 7), won(0, 9))
        sheet.put(2, won(1, 8, confirmed_by=[*TWO]))
        said = "?by=Ada&confirmed_by=Bob&reason=counted%20twice"
        assert sheet.strike(2, said).status_code == 200
        assert [entry["points"] for entry in sheet.seen["entries"]] == [25, 9]
        [gone] = sheet.seen["deleted"]
        assert (gone["hand_number"], gone["points"], gone["winner_seat"]) == (2, 8, 1)
        assert (gone["by"], gone["confirmed_by"]) == ("Ada", [*TWO])
        assert gone["reason"] == "counted twice"
        assert [value["points"] for value in gone["history"]] == [7]
        assert gone["at"] == sheet.seen["updated_at"]

    def test_takes_several_who_confirm(self, sheets):
        sheet = sheets(HAND, DRAWN_HAND)
        assert sheet.strike(1, "?confirmed_by=Ada&confirmed_by=Bob").status_code == 200

    def test_needs_the_same_words_as_a_correction(self, sheets):
        sheet = sheets(HAND, DRAWN_HAND)
        answer = sheet.strike(1, "?by=Bob")
        assert (answer.status_code, answer.json["code"]) == (409, "confirmation_required")
        assert sheet.strike(2).json["params"] == {"min": 1, "names": [*TWO]}
        assert sheet.strike(2, "?by=Bob").status_code == 200

    def test_deletes_nothing_more_when_it_is_sent_again(self, sheets):
        sheet = sheets(HAND, DRAWN_HAND)
        etag = sheet.etag
        for _ in range(2):
            answer = sheet.strike(1, "?confirmed_by=Ada&confirmed_by=Bob", etag=etag)
            assert answer.status_code == 200
            assert len(answer.json["entries"]) == 1

    def test_needs_the_version_that_was_looked_at(self, sheets):
        sheet = sheets(HAND)
        path = f"{sheet.path}/hands/1?by=Ada"
        answer = sheet.answering.send("DELETE", path, None, sheet.edit)
        assert (answer.status_code, answer.json["code"]) == (428, "version_required")
        answer = sheet.strike(1, "?by=Ada", etag='"1-e-1"')
        assert (answer.status_code, answer.json["score_sheet"]) == (412, sheet.seen)

    def test_of_a_hand_that_is_not_there_is_not_found(self, sheets):
        assert sheets(HAND).strike(2, "?by=Ada").status_code == 404

    @pytest.mark.parametrize(
        ("query", "fault"),
        [
            ("?by=Eve", ("#query/by", "unknown_value")),
            ("?confirmed_by=Ada&confirmed_by=Eve", ("#query/confirmed_by/1", "unknown_value")),
            ("?by=Ada&by=Bob", ("#query/by", "wrong_type")),
            ("?reason=" + "x" * 501, ("#query/reason", "too_long")),
            ("?who=Ada", ("#query/who", "unknown_field")),
        ],
    )
    def test_refuses_a_query_that_is_wrong(self, sheets, query, fault):
        answer = sheets(HAND).strike(1, query)
        assert (answer.status_code, codes_of(answer)) == (422, [fault])
