"""The rules of a game as data: every option with its values, the presets, and what follows.

A variant is a value, never a subclass: presets are :func:`dataclasses.replace` of :data:`STANDARD`.
Options are fixed before the first deal and hold for the whole game.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Final, TypeAlias

from engine.cards import POINTS, Card, suit_of
from engine.errors import (
    ContradictoryRules,
    OutOfRange,
    UnknownOption,
    UnknownRuleSet,
    WrongOptionType,
)

OptionValue: TypeAlias = str | int | bool

SPADES: Final = 3


@dataclass(frozen=True, slots=True)
class Rules:
    """All options of a game, each with the default of the standard game."""

    knock_mode: str = "standard"
    knock_limit: int = 10
    oklahoma_ace: str = "gin"
    spade_doubles: str = "off"
    gin_bonus: int = 25
    undercut_bonus: int = 25
    undercut_on_tie: bool = True
    big_gin: bool = False
    big_gin_bonus: int = 31
    layoff: str = "manual"
    layoff_on_gin: bool = False
    knocker_layout: str = "any_legal"
    opening: str = "offer"
    after_double_pass: str = "stock_only"
    discard_drawn: str = "taken_only"
    stock_end: int = 2
    recycle: str = "never"
    max_recycles: int = 1
    last_discard: str = "dead"
    max_turns: int = 200
    multi_pickup: bool = False
    multi_pickup_return: str = "discard_down"
    target: int = 100
    win_by: int = 0
    game_bonus: int = 0
    shutout_bonus: int = 0
    shutout_mode: str = "add"
    box_bonus: int = 0
    box_timing: str = "end"
    hollywood: bool = False
    next_dealer: str = "alternate"
    first_dealer: str = "draw"
    three_player: str = "rotate"
    four_player: str = "two_tables"
    confirm_score: str = "auto"
    advice: str = "legality"
    notes: bool = True
    discard_view: str = "spread"
    turn_seconds: int = 0
    timeout_policy: str = "claim"
    reveal: str = "hand"


STANDARD: Final = Rules()
OPTION_NAMES: Final[tuple[str, ...]] = tuple(field.name for field in fields(Rules))

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "knock_mode": ("standard", "straight", "oklahoma"),
    "oklahoma_ace": ("gin", "one"),
    "spade_doubles": ("off", "all", "difference"),
    "layoff": ("manual", "optimal"),
    "knocker_layout": ("any_legal", "minimal_only"),
    "opening": ("offer", "free"),
    "after_double_pass": ("stock_only", "either"),
    "discard_drawn": ("taken_only", "any_drawn"),
    "recycle": ("never", "unshuffled", "shuffled"),
    "last_discard": ("dead", "knock_only"),
    "multi_pickup_return": ("discard_down", "grow"),
    "shutout_mode": ("add", "double"),
    "box_timing": ("end", "immediate"),
    "next_dealer": ("alternate", "winner", "loser"),
    "first_dealer": ("draw", "seat0", "seat1", "seat2", "seat3"),
    "three_player": ("rotate", "loser_out"),
    "four_player": ("two_tables", "partnership"),
    "confirm_score": ("auto", "both"),
    "advice": ("off", "legality", "full"),
    "discard_view": ("spread", "top"),
    "timeout_policy": ("claim", "ai_takes_over", "forfeit"),
    "reveal": ("hand", "game"),
}
"""The values of each option that is chosen from a list."""

RANGES: Final[Mapping[str, tuple[int, int]]] = {
    "knock_limit": (0, 10),
    "gin_bonus": (0, 100),
    "undercut_bonus": (0, 100),
    "big_gin_bonus": (0, 200),
    "stock_end": (1, 2),
    "max_recycles": (1, 5),
    "max_turns": (50, 1000),
    "target": (10, 1000),
    "win_by": (0, 100),
    "game_bonus": (0, 1000),
    "shutout_bonus": (0, 1000),
    "box_bonus": (0, 500),
    "turn_seconds": (0, 604_800),
}
"""The least and the greatest value of each numeric option. ``turn_seconds`` is 0 or at least 5."""

SWITCHES: Final[frozenset[str]] = frozenset(OPTION_NAMES) - CHOICES.keys() - RANGES.keys()
"""The options that are on or off."""

SHORTEST_TURN_SECONDS: Final = 5

_TRADITIONAL: Final = replace(STANDARD, game_bonus=100, shutout_bonus=100, box_bonus=25)

PRESETS: Final[Mapping[str, Rules]] = {
    "standard": STANDARD,
    "short": replace(STANDARD, target=50),
    "long": replace(STANDARD, target=150),
    "traditional": _TRADITIONAL,
    "straight": replace(STANDARD, knock_mode="straight"),
    "oklahoma": replace(STANDARD, knock_mode="oklahoma", spade_doubles="all"),
    "big_gin": replace(STANDARD, big_gin=True),
    "bicycle": replace(
        STANDARD,
        gin_bonus=20,
        undercut_bonus=10,
        box_bonus=20,
        game_bonus=100,
        shutout_bonus=100,
        next_dealer="winner",
    ),
    "hollywood": replace(_TRADITIONAL, hollywood=True),
}
"""The named rule sets."""


def resolve(base: str, overrides: Mapping[str, OptionValue]) -> Rules:
    """Return the preset ``base`` with ``overrides`` laid over it.

    :raises UnknownRuleSet: if there is no preset ``base``.
    :raises UnknownOption: if an override names no option.
    :raises WrongOptionType: if a value is of the wrong type, or none of the option's values.
    :raises OutOfRange: if a number lies outside its range.
    :raises ContradictoryRules: if two options exclude each other; it names both.
    """
    if base not in PRESETS:
        raise UnknownRuleSet(base)
    for name, value in overrides.items():
        _check_value(name, value)
    changes: dict[str, object] = dict(overrides)
    rules = replace(PRESETS[base], **changes)  # type: ignore[arg-type]
    _check_contradictions(rules, frozenset(overrides))
    return rules


def _check_value(name: str, value: OptionValue) -> None:
    if name in SWITCHES:
        if not isinstance(value, bool):
            raise WrongOptionType(name)
    elif name in CHOICES:
        if value not in CHOICES[name]:
            raise WrongOptionType(name)
    elif name in RANGES:
        _check_number(name, value)
    else:
        raise UnknownOption(name)


def _check_number(name: str, value: OptionValue) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise WrongOptionType(name)
    least, greatest = RANGES[name]
    if name == "turn_seconds" and 0 < value < SHORTEST_TURN_SECONDS:
        raise OutOfRange(name, SHORTEST_TURN_SECONDS, greatest)
    if not least <= value <= greatest:
        raise OutOfRange(name, least, greatest)


def _check_contradictions(rules: Rules, sent: frozenset[str]) -> None:
    """Refuse options that exclude each other, and those sent although nothing would read them."""
    contradictions = (
        ("knock_limit", "knock_mode", rules.knock_mode == "straight" and rules.knock_limit > 0),
        ("stock_end", "recycle", rules.recycle != "never"),
        ("max_recycles", "recycle", rules.recycle == "never"),
        ("multi_pickup_return", "multi_pickup", not rules.multi_pickup),
        ("oklahoma_ace", "knock_mode", rules.knock_mode != "oklahoma"),
        ("big_gin_bonus", "big_gin", not rules.big_gin),
    )
    for option, against, excluded in contradictions:
        if option in sent and excluded:
            raise ContradictoryRules(option, against)
    if rules.multi_pickup and rules.discard_view == "top":
        # The list of legal draws would show the pile that the view is meant to hide.
        raise ContradictoryRules("multi_pickup", "discard_view")


def check_seats(rules: Rules, seats: int) -> None:
    """Refuse rules that cannot be played by so many ``seats``.

    :raises ContradictoryRules: for Hollywood with three seats, and for two tables with four
        (which are two games).
    """
    if seats == 3 and rules.hollywood:
        raise ContradictoryRules("hollywood", "seats")
    if seats == 4 and rules.four_player == "two_tables":
        raise ContradictoryRules("four_player", "seats")
    if rules.first_dealer != "draw" and int(rules.first_dealer[-1]) >= seats:
        raise ContradictoryRules("first_dealer", "seats")


def knock_limit(rules: Rules, upcard: Card | None) -> int:
    """Return the most deadwood with which a player may knock in a hand that opened with ``upcard``.

    In Oklahoma the limit is the upcard's points, never above ``rules.knock_limit``; an ace asks
    for gin, or for one point where ``oklahoma_ace`` is ``one``. In straight gin it is 0.
    """
    if rules.knock_mode == "straight":
        return 0
    if rules.knock_mode == "oklahoma" and upcard is not None:
        limit = POINTS[upcard]
        if limit == 1 and rules.oklahoma_ace == "gin":
            limit = 0
        return min(limit, rules.knock_limit)
    return rules.knock_limit


def multiplier(rules: Rules, upcard: Card | None) -> int:
    """Return 2 for a hand whose initial upcard is a spade where spades double, otherwise 1."""
    doubled = rules.spade_doubles != "off" and upcard is not None and suit_of(upcard) == SPADES
    return 2 if doubled else 1
