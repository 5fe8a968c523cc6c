"""The notes of a seat: its own, and nobody else's."""

import pytest

from service.storage import notes
from tests.service.questions import ForAPerson
from tests.service.table import DRAWN, SPECTATOR

SECRET = "they hold the queens"


def write(table, text, seat=0):
    return table.answering.put(f"{table.path}/notes", {"text": text}, table.tokens[seat])


class TestGetNotes(ForAPerson):
    path = "/notes"


class TestPutNotes(ForAPerson):
    method = "PUT"
    path = "/notes"

    def body(self, table):
        return {"text": SECRET}


class TestNotes:
    def test_are_empty_until_they_are_written(self, tables):
        assert tables().get("/notes").json == {"text": ""}

    @pytest.mark.parametrize("text", ["", "a\nb\n", "♠ ada", "x" * 4000, '"', "\n" * 4000])
    def test_are_read_as_they_were_written(self, tables, text):
        table = tables()
        written = write(table, text)
        assert (written.status_code, written.json["text"]) == (200, text)
        assert table.get("/notes").json == written.json

    def test_take_the_place_of_those_before(self, tables):
        table = tables()
        first, second = (write(table, text).json for text in ("one", "two"))
        assert table.get("/notes").json == second
        assert first["updated_at"] < second["updated_at"]

    def test_are_of_one_seat_of_one_game(self, tables):
        mine, other = tables(), tables()
        write(mine, SECRET)
        assert mine.get("/notes", 1).json == {"text": ""}
        assert other.get("/notes").json == {"text": ""}

    def test_stand_in_no_view_and_make_no_version(self, tables):
        table = tables(*DRAWN)
        before = table.view(SPECTATOR)["version"]
        write(table, SECRET)
        for who in (0, 1, SPECTATOR):
            for path in ("", "/moves", "/hands/1", "/updates?after=1", "/score"):
                assert SECRET not in table.get(path, who).text
        assert table.view(SPECTATOR)["version"] == before

    def test_may_be_kept_before_and_after_the_play(self, tables):
        for phase in ("waiting", "game_over"):
            assert write(tables.at(phase), SECRET).status_code == 200

    @pytest.mark.parametrize(
        ("text", "code"),
        [("x" * 4001, "too_long"), ("a\rb", "bad_text"), ("\x00", "bad_text"), (7, "wrong_type")],
    )
    def test_are_a_text_of_lines(self, tables, text, code):
        answer = write(tables(), text)
        assert answer.status_code == 422
        assert [error["code"] for error in answer.json["errors"]] == [code]

    def test_are_not_kept_where_the_rules_allow_none(self, tables):
        table = tables(rules={"notes": False})
        for answer in (table.get("/notes"), write(table, SECRET)):
            assert (answer.status_code, answer.json["code"]) == (403, "notes_disabled")
        house = table.answering.house
        with house.store.reading() as conn:
            assert notes.read(conn, house.codec, table.id, 0) == notes.Notes()
