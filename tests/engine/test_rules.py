from dataclasses import asdict, replace

import pytest

from engine.cards import parse_card
from engine.errors import (
    ContradictoryRules,
    OutOfRange,
    UnknownOption,
    UnknownRuleSet,
    WrongOptionType,
)
from engine.rules import (
    CHOICES,
    OPTION_NAMES,
    PRESETS,
    RANGES,
    STANDARD,
    SWITCHES,
    Rules,
    check_seats,
    knock_limit,
    multiplier,
    resolve,
)

DEFAULTS = {
    "knock_mode": "standard",
    "knock_limit": 10,
    "oklahoma_ace": "gin",
    "spade_doubles": "off",
    "gin_bonus": 25,
    "undercut_bonus": 25,
    "undercut_on_tie": True,
    "big_gin": False,
    "big_gin_bonus": 31,
    "layoff": "manual",
    "layoff_on_gin": False,
    "knocker_layout": "any_legal",
    "opening": "offer",
    "after_double_pass": "stock_only",
    "discard_drawn": "taken_only",
    "stock_end": 2,
    "recycle": "never",
    "max_recycles": 1,
    "last_discard": "dead",
    "max_turns": 200,
    "multi_pickup": False,
    "multi_pickup_return": "discard_down",
    "target": 100,
    "win_by": 0,
    "game_bonus": 0,
    "shutout_bonus": 0,
    "shutout_mode": "add",
    "box_bonus": 0,
    "box_timing": "end",
    "hollywood": False,
    "next_dealer": "alternate",
    "first_dealer": "draw",
    "three_player": "rotate",
    "four_player": "two_tables",
    "confirm_score": "auto",
    "advice": "legality",
    "notes": True,
    "discard_view": "spread",
    "turn_seconds": 0,
    "timeout_policy": "claim",
    "reveal": "hand",
}
"""The rule book's list of options, all that there are."""


class TestTheOptions:
    def test_are_those_of_the_rule_book_with_its_defaults(self):
        assert asdict(STANDARD) == DEFAULTS

    def test_are_each_a_choice_a_number_or_a_switch(self):
        assert sorted([*CHOICES, *RANGES, *SWITCHES]) == sorted(OPTION_NAMES)
        assert {name for name, value in DEFAULTS.items() if isinstance(value, bool)} == SWITCHES

    @pytest.mark.parametrize("name", CHOICES)
    def test_have_a_default_among_their_values(self, name):
        assert DEFAULTS[name] in CHOICES[name]

    @pytest.mark.parametrize("name", RANGES)
    def test_have_a_default_within_their_range(self, name):
        least, greatest = RANGES[name]
        assert least <= DEFAULTS[name] <= greatest


class TestThePresets:
    @pytest.mark.parametrize(
        ("name", "changes"),
        [
            ("standard", {}),
            ("short", {"target": 50}),
            ("long", {"target": 150}),
            ("traditional", {"game_bonus": 100, "shutout_bonus": 100, "box_bonus": 25}),
            ("straight", {"knock_mode": "straight"}),
            ("oklahoma", {"knock_mode": "oklahoma", "spade_doubles": "all"}),
            ("big_gin", {"big_gin": True}),
            (
                "bicycle",
                {
                    "gin_bonus": 20,
                    "undercut_bonus": 10,
                    "box_bonus": 20,
                    "game_bonus": 100,
                    "shutout_bonus": 100,
                    "next_dealer": "winner",
                },
            ),
            (
                "hollywood",
                {"hollywood": True, "game_bonus": 100, "shutout_bonus": 100, "box_bonus": 25},
            ),
        ],
    )
    def test_change_what_the_rule_book_says_and_nothing_else(self, name, changes):
        assert asdict(PRESETS[name]) == {**DEFAULTS, **changes}

    def test_are_nine(self):
        assert len(PRESETS) == 9


class TestResolving:
    def test_lays_the_overrides_over_the_preset(self):
        assert resolve("traditional", {"target": 250}) == replace(
            PRESETS["traditional"], target=250
        )

    def test_refuses_an_unknown_preset_and_keeps_its_name(self):
        with pytest.raises(UnknownRuleSet) as refused:
            resolve("vegas", {})
        assert (refused.value.base, refused.value.code) == ("vegas", "unknown_rule_set")

    @pytest.mark.parametrize("name", ["ace_runs", "undo", "hand_size", "", "Target"])
    def test_refuses_an_option_that_there_is_not(self, name):
        with pytest.raises(UnknownOption) as refused:
            resolve("standard", {name: 1})
        assert refused.value.option == name

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("knock_mode", "vegas"),
            ("knock_mode", 1),
            ("knock_mode", True),
            ("big_gin", "true"),
            ("big_gin", 1),
            ("target", "100"),
            ("target", True),
            ("target", 100.0),
        ],
    )
    def test_refuses_a_value_of_the_wrong_type(self, name, value):
        with pytest.raises(WrongOptionType) as refused:
            resolve("standard", {name: value})
        assert (refused.value.option, refused.value.code) == (name, "wrong_type")

    @pytest.mark.parametrize("name", RANGES)
    def test_takes_the_ends_of_a_range_and_refuses_what_lies_beyond(self, name):
        least, greatest = RANGES[name]
        needs = {
            "max_recycles": {"recycle": "unshuffled"},
            "big_gin_bonus": {"big_gin": True},
        }.get(name, {})
        for value in (least, greatest):
            assert getattr(resolve("standard", {name: value, **needs}), name) == value
        for value in (least - 1, greatest + 1):
            with pytest.raises(OutOfRange) as refused:
                resolve("standard", {name: value, **needs})
            assert refused.value.option == name
            assert refused.value.params == {"min": least, "max": greatest}

    def test_wants_a_turn_to_last_five_seconds_or_for_ever(self):
        assert resolve("standard", {"turn_seconds": 5}).turn_seconds == 5
        for value in (1, 4):
            with pytest.raises(OutOfRange) as refused:
                resolve("standard", {"turn_seconds": value})
            assert refused.value.params == {"min": 5, "max": 604_800}


class TestContradictions:
    @pytest.mark.parametrize(
        ("base", "sent", "names"),
        [
            ("straight", {"knock_limit": 5}, ("knock_limit", "knock_mode")),
            ("standard", {"knock_mode": "straight", "knock_limit": 10}, None),
            ("standard", {"recycle": "shuffled", "stock_end": 2}, ("stock_end", "recycle")),
            ("standard", {"max_recycles": 1}, ("max_recycles", "recycle")),
            (
                "standard",
                {"multi_pickup_return": "grow"},
                ("multi_pickup_return", "multi_pickup"),
            ),
            (
                "standard",
                {"multi_pickup": True, "discard_view": "top"},
                ("multi_pickup", "discard_view"),
            ),
            ("standard", {"oklahoma_ace": "gin"}, ("oklahoma_ace", "knock_mode")),
            (
                "oklahoma",
                {"knock_mode": "standard", "oklahoma_ace": "one"},
                ("oklahoma_ace", "knock_mode"),
            ),
            ("standard", {"big_gin_bonus": 31}, ("big_gin_bonus", "big_gin")),
            ("big_gin", {"big_gin": False, "big_gin_bonus": 50}, ("big_gin_bonus", "big_gin")),
        ],
    )
    def test_are_refused_with_both_names(self, base, sent, names):
        with pytest.raises(ContradictoryRules) as refused:
            resolve(base, sent)
        assert refused.value.options == (names or ("knock_limit", "knock_mode"))
        assert refused.value.code == "contradictory_rules"
        assert refused.value.params == {"option": refused.value.options[1]}

    @pytest.mark.parametrize(
        ("base", "sent"),
        [
            ("straight", {}),
            ("straight", {"knock_limit": 0}),
            ("standard", {"recycle": "shuffled", "max_recycles": 2}),
            ("standard", {"stock_end": 1}),
            ("standard", {"multi_pickup": True, "multi_pickup_return": "grow"}),
            ("oklahoma", {"oklahoma_ace": "one"}),
            ("oklahoma", {"knock_limit": 5}),
            ("big_gin", {"big_gin_bonus": 50}),
        ],
    )
    def test_are_not_seen_where_an_option_is_read(self, base, sent):
        assert isinstance(resolve(base, sent), Rules)


class TestSeats:
    @pytest.mark.parametrize("seats", [2, 3])
    def test_play_the_standard_game(self, seats):
        assert check_seats(STANDARD, seats) is None

    @pytest.mark.parametrize(
        ("rules", "seats", "option"),
        [
            (PRESETS["hollywood"], 3, "hollywood"),
            (STANDARD, 4, "four_player"),
            (replace(STANDARD, first_dealer="seat2"), 2, "first_dealer"),
            (replace(STANDARD, first_dealer="seat3"), 3, "first_dealer"),
        ],
    )
    def test_are_refused_where_the_rules_have_no_place_for_them(self, rules, seats, option):
        with pytest.raises(ContradictoryRules) as refused:
            check_seats(rules, seats)
        assert refused.value.options == (option, "seats")

    def test_may_be_four_in_a_partnership_and_any_of_them_deals_first(self):
        rules = replace(STANDARD, four_player="partnership", first_dealer="seat3")
        assert check_seats(rules, 4) is None
        assert check_seats(replace(STANDARD, first_dealer="seat1"), 2) is None


class TestTheKnockLimit:
    """Full s4: ten; s6: straight gin and Oklahoma."""

    @pytest.mark.parametrize("upcard", ["AS", "5D", "KC", None])
    def test_is_ten_whatever_the_upcard(self, upcard):
        assert knock_limit(STANDARD, upcard and parse_card(upcard)) == 10

    def test_may_be_set_lower(self):
        assert knock_limit(replace(STANDARD, knock_limit=9), parse_card("KC")) == 9

    def test_is_nought_in_straight_gin(self):
        assert knock_limit(PRESETS["straight"], parse_card("KC")) == 0

    @pytest.mark.parametrize(
        ("upcard", "limit"),
        [("AH", 0), ("2H", 2), ("9C", 9), ("TC", 10), ("JD", 10), ("QD", 10), ("KS", 10)],
    )
    def test_is_the_upcards_points_in_oklahoma(self, upcard, limit):
        assert knock_limit(PRESETS["oklahoma"], parse_card(upcard)) == limit

    def test_is_one_for_an_ace_where_the_group_permits(self):
        rules = replace(PRESETS["oklahoma"], oklahoma_ace="one")
        assert knock_limit(rules, parse_card("AH")) == 1
        assert knock_limit(rules, parse_card("2H")) == 2

    def test_is_never_above_the_general_limit(self):
        rules = replace(PRESETS["oklahoma"], knock_limit=6)
        assert [knock_limit(rules, parse_card(name)) for name in ("5C", "6C", "7C", "KC")] == [
            5,
            6,
            6,
            6,
        ]

    def test_in_oklahoma_without_a_known_upcard_is_the_general_one(self):
        assert knock_limit(PRESETS["oklahoma"], None) == 10


class TestTheMultiplier:
    @pytest.mark.parametrize("mode", ["all", "difference"])
    def test_is_two_for_a_spade_where_spades_double(self, mode):
        rules = replace(STANDARD, spade_doubles=mode)
        assert [multiplier(rules, parse_card(name)) for name in ("AS", "KS", "KH", "2C")] == [
            2,
            2,
            1,
            1,
        ]
        assert multiplier(rules, None) == 1

    def test_is_one_where_they_do_not(self):
        assert multiplier(STANDARD, parse_card("AS")) == 1
