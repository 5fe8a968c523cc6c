"""What ``python -m engine.simulation`` is asked for: its arguments, read and checked."""

import argparse
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NoReturn

from engine.errors import ContradictoryRules, EngineError, OptionError, OutOfRange
from engine.matches import Match
from engine.rules import (
    CHOICES,
    OPTION_NAMES,
    PRESETS,
    RANGES,
    SWITCHES,
    OptionValue,
    Rules,
    check_seats,
    resolve,
)
from engine.seating import sides


@dataclass(frozen=True, slots=True)
class Simulation:
    """A match between the players of these names, on so many deals, in so many processes."""

    match: Match
    names: tuple[str, ...]
    deals: int
    rules: str = "standard"
    options: tuple[tuple[str, OptionValue], ...] = ()
    processes: int = 1
    json: bool = False

    @property
    def games(self) -> int:
        """How many games are played."""
        return self.deals * self.match.games_per_deal


def asked_for(arguments: Sequence[str] | None, known: Collection[str], cores: int) -> Simulation:
    """Return what the ``arguments`` ask for, by default those of the command line.

    ``known`` are the names of the players, ``cores`` how many processes there are by default.

    :raises SystemExit: with code 2 and a sentence on stderr if they are wrong.
    """
    parser = _parser(known, cores)
    given = parser.parse_args(arguments)
    names = tuple(given.players.split(","))
    for name in names:
        if name not in known:
            parser.error(f"there is no player {name!r}, only {', '.join(known)}")
    seats = given.seats or len(names)
    if seats not in {2, 3, 4}:
        parser.error("--players takes two names, or three")
    count = len(sides(seats))
    if len(names) != count:
        parser.error(f"with --seats {seats} there are {count} players, not {len(names)}")
    if given.processes < 1:
        parser.error("--processes must be at least 1")
    if given.games < 1 or given.games % count:
        parser.error(f"--games must be a multiple of {count}, so that each deal goes round")
    options = dict(_option(parser, text) for text in given.option)
    return Simulation(
        match=Match(_rules(parser, given.rules, options, seats), seats, given.seed),
        names=names,
        deals=given.games // count,
        rules=given.rules,
        options=tuple(options.items()),
        processes=given.processes,
        json=given.json,
    )


def _parser(known: Collection[str], cores: int) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m engine.simulation",
        description="Play mirrored games between computer players, and say what they come to.",
        epilog=f"Players: {', '.join(known)}.",
    )
    add = parser.add_argument
    add("--players", required=True, metavar="A,B", help="who plays, by name")
    add("--games", type=int, default=1000, help="how many games in all (1000)")
    add("--seed", type=int, default=1, help="what all deals follow from (1)")
    add("--rules", default="standard", metavar="PRESET", help="a preset (standard)")
    several = "an option of the rules; may be given several times"
    add("--option", action="append", default=[], metavar="NAME=VALUE", help=several)
    add("--seats", type=int, choices=(2, 3, 4), help="as many as there are players")
    add("--processes", type=int, default=cores, help="how many (one for each core)")
    add("--json", action="store_true", help="print one JSON object")
    return parser


def _option(parser: argparse.ArgumentParser, text: str) -> tuple[str, OptionValue]:
    name, equals, value = text.partition("=")
    if not equals:
        parser.error(f"--option takes NAME=VALUE, not {text!r}")
    if name in SWITCHES:
        if value not in {"true", "false"}:
            parser.error(f"option {name}: true or false, not {value!r}")
        return name, value == "true"
    if name in RANGES:
        try:
            return name, int(value)
        except ValueError:
            parser.error(f"option {name}: a whole number, not {value!r}")
    return name, value


def _rules(
    parser: argparse.ArgumentParser, preset: str, options: dict[str, OptionValue], seats: int
) -> Rules:
    try:
        rules = resolve(preset, options)
        check_seats(rules, seats)
    except EngineError as error:
        _refuse(parser, preset, error)
    return rules


def _refuse(parser: argparse.ArgumentParser, preset: str, error: EngineError) -> NoReturn:
    match error:
        case ContradictoryRules():
            parser.error(f"options {' and '.join(error.options)}: {error}")
        case OutOfRange():
            parser.error(
                f"option {error.option}: {error} ({error.params['min']} to {error.params['max']})"
            )
        case OptionError(option=name):
            values = CHOICES.get(name, OPTION_NAMES)
            parser.error(f"option {name}: {error} ({', '.join(values)})")
        case _:
            parser.error(f"rules {preset!r}: {error} ({', '.join(PRESETS)})")
