"""The rule book of the guide has every option and every preset, with the values that they have."""

import re
from dataclasses import asdict

from engine.rules import CHOICES, OPTION_NAMES, PRESETS, RANGES, STANDARD
from tests.contract.test_guide import GUIDE

TEXT = (GUIDE / "rules.md").read_text("utf-8")
OPTION = re.compile(r"^\| `(\w+)` \| (.+?) \| (.+?) \|$", re.MULTILINE)
PRESET = re.compile(r"^\| (\w+) \| ([^|]+) \|$", re.MULTILINE)


def said(option):
    """The cell that an option's values make, the default first."""
    default = asdict(STANDARD)[option]
    if option in RANGES:
        least, most = RANGES[option]
        return f"{default}, from {least} to {most}"
    values = CHOICES.get(option, (True, False))
    ordered = [default, *(value for value in values if value != default)]
    return ", ".join(f"`{str(value).lower()}`" for value in ordered)


class TestTheRuleBook:
    def test_has_every_option_once_with_its_values(self):
        found = [(option, values) for option, values, _ in OPTION.findall(TEXT)]
        assert sorted(found) == sorted((option, said(option)) for option in OPTION_NAMES)

    def test_has_every_preset(self):
        table = TEXT.partition("## Presets")[2].partition("\n## ")[0]
        assert [name for name, _ in PRESET.findall(table)][1:] == [*PRESETS]

    def test_names_each_number_in_which_a_preset_differs(self):
        table = TEXT.partition("## Presets")[2].partition("\n## ")[0]
        for name, says in PRESET.findall(table)[1:]:
            rules = asdict(PRESETS[name])
            basis = asdict(PRESETS["traditional"] if name == "hollywood" else STANDARD)
            numbers = {v for k, v in rules.items() if k in RANGES and v != basis[k]}
            assert {str(number) for number in numbers} <= set(re.findall(r"\d+", says)), name

    def test_tells_the_numbers_of_the_standard_game(self):
        game = TEXT.partition("## Presets")[0]
        assert f"reach {STANDARD.target} points" in game
        assert "ten points of deadwood or less" in game
        assert STANDARD.knock_limit == 10
        assert "two cards are left in the stock" in game
        assert STANDARD.stock_end == 2
        for bonus in (STANDARD.gin_bonus, STANDARD.undercut_bonus):
            assert f"| {bonus}, and " in game
