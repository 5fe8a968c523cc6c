"""Every option of the rules: in the document, in views, through deals and restarts.

The table lists each option with values that differ from its default, and what has to be sent with
them; where the option is played stands beside it. A new option fails until it has a row.
"""

import ast
from dataclasses import asdict
from functools import cache
from pathlib import Path

import pytest

from engine.rules import CHOICES, OPTION_NAMES, PRESETS, RANGES, STANDARD, SWITCHES
from service.app import create_app
from tests.contract.documents import kept
from tests.random_games import READ_WITH
from tests.service.answering import Answering
from tests.service.table import ADA, BOB

ROOT = Path(__file__).parents[2]
ENGINE = "tests/engine/"

OKLAHOMA = {"knock_mode": "oklahoma"}
OPTIONS = {
    "knock_mode": ([("straight", {}), ("oklahoma", {})], "test_decisions_knock.py::TestKnocking"),
    "knock_limit": ([(9, {}), (0, {})], "test_decisions_knock.py::TestKnocking"),
    "oklahoma_ace": ([("one", OKLAHOMA)], "test_rules.py::TestTheKnockLimit"),
    "spade_doubles": ([("all", {}), ("difference", {})], "test_scoring.py::TestSpades"),
    "gin_bonus": ([(20, {})], "test_scoring.py::TestGin"),
    "undercut_bonus": ([(10, {})], "test_scoring.py::TestAnUndercut"),
    "undercut_on_tie": ([(False, {})], "test_scoring.py::TestAnUndercut"),
    "big_gin": ([(True, {})], "test_decisions_knock.py::TestBigGin"),
    "big_gin_bonus": ([(50, {"big_gin": True})], "test_scoring.py::TestGin"),
    "layoff": ([("optimal", {})], "test_decisions_lay_off.py::TestLayingOff"),
    "layoff_on_gin": ([(True, {})], "test_decisions_lay_off.py::TestLayingOffOnGin"),
    "knocker_layout": ([("minimal_only", {})], "test_decisions_knock.py::TestTheLayOut"),
    "opening": ([("free", {})], "test_decisions.py::TestTheOpeningOffer"),
    "after_double_pass": ([("either", {})], "test_decisions.py::TestTwoPasses"),
    "discard_drawn": ([("any_drawn", {})], "test_decisions.py::TestACardJustTaken"),
    "stock_end": ([(1, {})], "test_decisions.py::TestTheEndOfTheStock"),
    "recycle": (
        [("unshuffled", {}), ("shuffled", {})],
        "test_decisions_recycling.py::TestRecycling",
    ),
    "max_recycles": (
        [(2, {"recycle": "unshuffled"})],
        "test_decisions_recycling.py::TestRecycling",
    ),
    "last_discard": ([("knock_only", {})], "test_decisions_recycling.py::TestTheWall"),
    "max_turns": ([(50, {})], "test_decisions.py::TestTheCapOnTurns"),
    "multi_pickup": ([(True, {})], "test_decisions_pick_up.py::TestTakingABuriedDiscard"),
    "multi_pickup_return": (
        [("grow", {"multi_pickup": True})],
        "test_decisions_pick_up.py::TestAHandThatGrows",
    ),
    "target": ([(50, {}), (150, {})], "test_game.py::TestTheEndOfAGame"),
    "win_by": ([(10, {})], "test_settlement.py::TestAWinningMargin"),
    "game_bonus": ([(100, {})], "test_settlement.py::TestBonusesAtTheEnd"),
    "shutout_bonus": ([(100, {})], "test_settlement.py::TestBonusesAtTheEnd"),
    "shutout_mode": ([("double", {})], "test_settlement.py::TestBonusesAtTheEnd"),
    "box_bonus": ([(25, {})], "test_settlement.py::TestBoxes"),
    "box_timing": ([("immediate", {})], "test_settlement.py::TestBoxes"),
    "hollywood": ([(True, {})], "test_settlement.py::TestHollywood"),
    "next_dealer": ([("winner", {}), ("loser", {})], "test_dealing.py::TestTheNextDeal"),
    "first_dealer": (
        [
            ("seat0", {}),
            ("seat1", {}),
            ("seat2", {"three_player": "loser_out"}),
            ("seat3", {"four_player": "partnership"}),
        ],
        "test_progress.py::TestTheBeginning",
    ),
    "three_player": ([("loser_out", {})], "test_game_for_more.py::TestAWholeGame"),
    "four_player": ([("partnership", {})], "test_game_for_more.py::TestAWholeGame"),
    "confirm_score": ([("both", {})], "test_agreements.py::TestConfirming"),
    "advice": ([("off", {}), ("full", {})], "test_advice.py::TestHints"),
    "notes": ([(False, {})], "../service/blueprints/test_seats.py::TestNotes"),
    "discard_view": ([("top", {})], "test_views_covered.py::TestTheLog"),
    "turn_seconds": ([(60, {}), (604_800, {})], "test_clock.py::TestTheTime"),
    "timeout_policy": (
        [("forfeit", {"turn_seconds": 60}), ("ai_takes_over", {"turn_seconds": 60})],
        "test_clock.py::TestATurnThatIsForfeit",
    ),
    "reveal": ([("game", {})], "../service/blueprints/test_hands.py::TestGetHand"),
}
"""Option: the values to try, each with what goes with it; and the class of tests that plays it."""

VALUES = [
    pytest.param(option, value, others, id=f"{option}-{value}")
    for option, (values, _) in OPTIONS.items()
    for value, others in values
]


def schema(name: str) -> dict:
    return kept()["components"]["schemas"][name]


@cache
def classes(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.ClassDef)}


def two_hands_played(view: dict) -> bool:
    return view["phase"] == "hand_over" and view["hand"]["number"] >= 2


class TestTheTable:
    def test_lists_every_option(self):
        assert tuple(OPTIONS) == OPTION_NAMES

    def test_has_values_that_are_no_defaults(self):
        defaults = {"seat0", "seat1"}
        for option, (values, _) in OPTIONS.items():
            assert values
            assert all(
                value != getattr(STANDARD, option) or value in defaults for value, _ in values
            )

    @pytest.mark.parametrize("option", OPTION_NAMES)
    def test_names_tests_that_play_each_option(self, option):
        _, where = OPTIONS[option]
        file, _, name = where.partition("::")
        assert name in classes(ROOT / ENGINE / file)


class TestTheDocument:
    @pytest.mark.parametrize("option", OPTION_NAMES)
    def test_takes_each_option_with_its_values(self, option):
        sent = schema("RulesRequest")["properties"][option]
        if option in CHOICES:
            name = sent["$ref"].rpartition("/")[2]
            assert tuple(schema(name)["enum"]) == CHOICES[option]
        elif option in SWITCHES:
            assert sent["type"] == "boolean"
        else:
            assert (sent["minimum"], sent["maximum"]) == RANGES[option]

    def test_always_answers_all_of_them(self):
        assert set(schema("Rules")["required"]) == set(OPTION_NAMES)
        assert set(schema("Rules")["properties"]) == set(OPTION_NAMES)


class TestAnOption:
    @pytest.mark.parametrize(("option", "value", "others"), VALUES)
    def test_holds_through_deals_and_a_restart(
        self, tables, answering, settings, option, value, others
    ):
        asked = {**others, option: value}
        seats = next((count for name, count in READ_WITH.items() if name in asked), 2)
        table = tables(
            rules={"target": 1000, "gin_bonus": 1, **asked},
            seats=(ADA, *[BOB] * (seats - 1)),
        )
        assert table.view()["rules"][option] == value
        table.play_on(
            until=lambda view: view["phase"] == "hand_over" and view["hand"]["number"] >= 2
        )
        assert table.view()["rules"][option] == value
        restarted = Answering(create_app(settings))
        try:
            again = restarted.get(table.path, table.tokens[0]).json
        finally:
            restarted.house.store.close()
        assert again["rules"][option] == value
        assert again["rules"] == {**asdict(STANDARD), "target": 1000, "gin_bonus": 1} | {
            "first_dealer": "seat1",
            **asked,
        }


class TestAPreset:
    def test_is_named_in_the_changelog(self):
        told = (ROOT / "CHANGELOG.md").read_text("utf-8")
        assert [name for name in PRESETS if f"`{name}`" not in told] == []

    @pytest.mark.parametrize("name", PRESETS)
    def test_is_served_as_it_is_played(self, answering, name):
        assert answering.get(f"/v1/rule-sets/{name}").json["rules"] == asdict(PRESETS[name])
