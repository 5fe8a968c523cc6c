"""A score sheet as text to take away."""

import csv
import io
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.entries import entry_of_tables, entry_with_points
from engine.kept_sheets import Sheet, Word, evolve, put
from engine.rules import PRESETS, STANDARD, resolve
from engine.scoring import HandOutcome
from service.score_pads import FORMULA, as_csv, as_text

TWO = ("Ada", "Bob")
FOUR = ("Ada", "Bob", "Cy", "Di")
PARTNERS = resolve("standard", {"four_player": "partnership", "target": 20})


def won(winner, points, outcome=HandOutcome.KNOCK, seats=2):
    return entry_with_points(seats, outcome, winner, points)


DRAWN = entry_with_points(2, HandOutcome.DRAWN)


def sheet(*entries, rules=STANDARD, seats=2):
    made = Sheet(rules, seats)
    for number, entry in enumerate(entries, 1):
        made = evolve(made, put(made, number, entry, Word()))
    return made


def table(names, of):
    return list(csv.reader(io.StringIO(as_csv(names, of), newline="")))


class TestTheTable:
    def test_has_a_row_for_each_hand_each_bonus_and_the_totals(self):
        rules = PRESETS["traditional"]
        made = sheet(
            won(0, 41, HandOutcome.GIN), DRAWN, won(1, 9), won(0, 60), won(1, 5), rules=rules
        )
        assert table(TWO, made) == [
            ["row", "hand", "code", "knocker", "winner", "points", "counted", "Ada", "Bob"],
            ["hand", "1", "gin", "Ada", "Ada", "41", "yes", "41", ""],
            ["hand", "2", "drawn", "", "", "0", "yes", "", ""],
            ["hand", "3", "knock", "Bob", "Bob", "9", "yes", "", "9"],
            ["hand", "4", "knock", "Ada", "Ada", "60", "yes", "101", ""],
            ["hand", "5", "knock", "Bob", "Bob", "5", "no", "", ""],
            ["bonus", "", "box_bonus", "", "", "50", "", "50", ""],
            ["bonus", "", "box_bonus", "", "", "25", "", "", "25"],
            ["bonus", "", "game_bonus", "", "", "100", "", "100", ""],
            ["total", "", "complete", "", "Ada", "217", "", "251", "34"],
        ]

    def test_has_three_columns_for_each_in_hollywood(self):
        rows = table(
            TWO, sheet(won(0, 20), won(0, 30), rules=resolve("standard", {"hollywood": True}))
        )
        assert rows[0][7:] == ["Ada 1", "Bob 1", "Ada 2", "Bob 2", "Ada 3", "Bob 3"]
        assert [row[7:] for row in rows[1:]] == [
            ["20", "", "", "", "", ""],
            ["50", "", "30", "", "", ""],
            ["50", "0", "30", "0", "0", "0"],
        ]
        assert rows[-1][:6] == ["total", "", "open", "", "", ""]

    def test_has_one_column_for_partners(self):
        tables = tuple(won(seat, points, seats=4) for seat, points in ((0, 9), (3, 30)))
        rows = table(FOUR, sheet(entry_of_tables(tables), rules=PARTNERS, seats=4))
        assert rows[0][7:] == ["Ada & Cy", "Bob & Di"]
        assert rows[1] == ["hand", "1", "net", "", "Bob & Di", "21", "yes", "", "21"]
        assert rows[-1] == ["total", "", "complete", "", "Bob & Di", "21", "", "0", "21"]

    def test_ends_its_lines_as_the_standard_says(self):
        text = as_csv(TWO, sheet(DRAWN))
        assert text.count("\r\n") == text.count("\n") == 3
        assert text.endswith("\r\n")

    @given(st.lists(st.text(min_size=1), min_size=2, max_size=2, unique=True))
    def test_reads_back_whatever_the_names(self, names):
        rows = table(names, sheet(won(0, 5)))
        assert {len(row) for row in rows} == {9}
        assert [cell.removeprefix("'") for cell in rows[0][7:]] == [
            name.removeprefix("'") for name in names
        ]

    @pytest.mark.parametrize("sign", [*FORMULA, " =", "\u00a0="])
    def test_holds_no_formula(self, sign):
        evil = f"{sign}HYPERLINK(1)"
        rows = table((evil, "Bob"), sheet(won(0, 105), won(1, 5, HandOutcome.UNDERCUT)))
        said = [cell for row in rows for cell in row if evil in cell]
        assert len(said) == 5, "a title, who knocked and won, who knocked, the winner of all"
        assert set(said) == {f"'{evil}"}

    def test_leaves_numbers_numbers(self):
        loser_ahead = sheet(
            *[won(1, 10)] * 6, won(0, 102), rules=resolve("standard", {"box_bonus": 25})
        )
        assert table(TWO, loser_ahead)[-1][5] == "-83"


class TestThePad:
    def test_is_read_in_columns(self):
        rules = PRESETS["traditional"]
        text = as_text(
            TWO, sheet(won(0, 41, HandOutcome.GIN), won(1, 9), won(0, 60), DRAWN, rules=rules)
        )
        assert text.splitlines() == [
            "hand                       Ada  Bob",
            "-----------------------------------",
            "   1  gin 41                41",
            "   2  knock 9                     9",
            "   3  knock 60             101",
            "   4  drawn (not counted)",
            "-----------------------------------",
            "      box_bonus x 2         50",
            "      box_bonus x 1              25",
            "      game_bonus           100",
            "-----------------------------------",
            "      total                251   34",
            "",
            "winner: Ada, margin 217",
        ]

    def test_has_three_columns_for_each_in_hollywood(self):
        rules = resolve("standard", {"hollywood": True, "target": 50})
        text = as_text(TWO, sheet(won(0, 20), won(0, 30), won(1, 7), rules=rules))
        assert text.splitlines()[0] == "hand            Ada 1  Bob 1  Ada 2  Bob 2  Ada 3  Bob 3"
        assert text.splitlines()[2:5] == [
            "   1  knock 20     20",
            "   2  knock 30     50            30",
            "   3  knock 7                            7",
        ]
        assert text.endswith("\n\nnot over\n")

    def test_says_so_if_it_is_a_tie(self):
        rules = resolve("standard", {"hollywood": True, "target": 10})
        tied = sheet(won(0, 10), won(1, 20), won(0, 10), rules=rules)
        assert as_text(TWO, tied).endswith("\n\ntie\n")
        last = table(TWO, tied)[-1]
        assert last[:7] == ["total", "", "complete", "", "", "0", ""]
        assert last[7:] == ["10", "0", "0", "20", "10", "0"]

    def test_of_nothing_is_a_heading_and_a_total(self):
        assert as_text(TWO, sheet()).splitlines() == [
            "hand         Ada  Bob",
            "---------------------",
            "      total    0    0",
            "",
            "not over",
        ]

    def test_stands_in_columns_for_wide_letters_and_marks(self):
        lines = as_text(("田中", "e\u0301va"), sheet(won(0, 25), won(1, 7))).splitlines()
        assert lines[0] == "hand            田中  e\u0301va"
        assert lines[2] == "   1  knock 25    25"
        assert lines[3] == "   2  knock 7           7"

    @given(st.lists(st.text(string.ascii_letters, min_size=1), min_size=2, max_size=2, unique=True))
    def test_ends_every_line(self, names):
        text = as_text(names, sheet(won(0, 25)))
        assert text.endswith("\n")
        assert not [line for line in text.splitlines() if line != line.rstrip()]
