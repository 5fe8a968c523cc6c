"""Score sheets taken away: as a table, and as a pad to read."""

import csv
import io

import pytest

from tests.service.sheets import Sheets, won

HAND = won(0, 25)


@pytest.fixture
def sheets(answering):
    return Sheets(answering)


class TestTakingItAway:
    def test_is_a_table_of_hands_bonuses_and_totals(self, sheets):
        sheet = sheets(won(0, 41), won(1, 9), won(0, 60), base="traditional")
        answer = sheet.get("/csv")
        assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
        assert "attachment" in answer.headers["Content-Disposition"]
        rows = list(csv.DictReader(io.StringIO(answer.text, newline="")))
        assert [row["row"] for row in rows] == ["hand"] * 3 + ["bonus"] * 3 + ["total"]
        assert [row["Ada"] for row in rows[:3]] == ["41", "", "101"]
        assert (rows[-1]["winner"], rows[-1]["Ada"]) == ("Ada", str(101 + 100 + 50))

    def test_is_a_pad_to_read(self, sheets):
        answer = sheets(won(0, 41), won(1, 9), won(0, 60)).get("/pad")
        assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
        assert answer.text.splitlines()[0].split() == ["hand", "Ada", "Bob"]
        assert answer.text.endswith("winner: Ada, margin 92\n")

    @pytest.mark.parametrize(
        ("path", "accept"),
        [
            ("/csv", "text/csv"),
            ("/csv", "text/csv, application/problem+json"),
            ("/pad", "text/plain"),
            ("/pad", "application/json"),
            ("/csv", "*/*"),
        ],
    )
    def test_may_be_asked_for_by_its_media_type(self, sheets, path, accept):
        assert sheets(HAND).get(path, headers={"Accept": accept}).status_code == 200

    @pytest.mark.parametrize(("path", "accept"), [("/csv", "text/plain"), ("", "text/csv")])
    def test_is_nothing_else(self, sheets, path, accept):
        answer = sheets(HAND).get(path, headers={"Accept": accept})
        assert (answer.status_code, answer.json["code"]) == (406, "not_acceptable")
