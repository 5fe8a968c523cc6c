"""Named positions for trying out what is rare: each a game with chosen decks, played to that point.

A scenario is data: the decks of its first hands, its rules, and the moves that lead to the
position. They are played like any others, so that the log of such a game is a real one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine.cards import DECK, Card, card_name, each_card, parse_card
from engine.game import Mover, SeatKind, Setup, Transition
from engine.hand import Phase
from engine.notation import parse_action
from engine.progress import apply, begin
from engine.rules import PRESETS, STANDARD, Rules


@dataclass(frozen=True, slots=True)
class Scenario:
    """A position: the phase it is in, and how two seats get there.

    With ``time_is_up`` who is due there has no time left.
    """

    phase: Phase
    rules: Rules
    decks: tuple[tuple[Card, ...], ...]
    lines: tuple[str, ...]
    time_is_up: bool = False


_STOCK: Final = 21
"""Where the stock begins in a deck."""


def play_scenario(scenario: Scenario, setup: Setup) -> Transition:
    """Return the game of ``setup``, which has the scenario's rules and decks, at its position."""
    made = begin(setup)
    for line in scenario.lines:
        seat, _, words = line.partition(" ")
        by = Mover.AI if setup.seats[int(seat)] is SeatKind.AI else Mover.PLAYER
        step = apply(made.game, int(seat), parse_action(words), by)
        made = Transition(step.game, made.moves + step.moves)
    return made


def _deck(nondealer: str, dealer: str, upcard: str, stock: str) -> tuple[Card, ...]:
    """Return the deck that deals these hands; ``stock`` lies on top, the rest in order below."""
    dealt = zip(nondealer.split(), dealer.split(), strict=True)
    names = [*(name for pair in dealt for name in pair), upcard, *stock.split()]
    chosen = tuple(map(parse_card, names))
    return (*chosen, *(card for card in each_card(DECK) if card not in chosen))


def _throwing(deck: tuple[Card, ...], left: int) -> tuple[str, ...]:
    """Return the turns, from seat 0 on, in which each throws what it draws until ``left`` lie."""
    lines: list[str] = []
    for turn, card in enumerate(deck[_STOCK : len(deck) - left]):
        lines += [f"{turn % 2} draw stock", f"{turn % 2} discard {card_name(card)}"]
    return tuple(lines)


_SEAT_0_BEGINS: Final = replace(STANDARD, first_dealer="seat1")
_SEAT_1_BEGINS: Final = replace(STANDARD, first_dealer="seat0")

_NEAR_GIN: Final = "AC 2C 3C 4D 5D 6D 7H 8H 9H TS"
"""Three runs and a ten."""
_SCATTERED: Final = "4C 5C 8D 9D JD JH QH KH 2S 3S"
_KNOCKING: Final = _deck(_NEAR_GIN, _SCATTERED, "JS", "KS QS 4S")
_KNOCKING_NEXT: Final = _deck(_SCATTERED, _NEAR_GIN, "JS", "KS QS 4S")
_GIN: Final = _deck(_NEAR_GIN, _SCATTERED, "JS", "TH QS 4S")
_BIG_GIN: Final = _deck(_NEAR_GIN.replace("TS", "TH"), _SCATTERED, "JS", "7D QS 4S")
_UNDERCUT: Final = _deck(_NEAR_GIN, "4S 5S 6S 7C 8C 9C JC JD JH 2H", "QC", "KS QS 3S")
"""Seat 0 may knock with ten, and seat 1 holds two."""
_LAY_OFF: Final = _deck(
    "5D 6D 7D 9C 9H 9S KC KD KH 2S", "4D 8D 9D KS AH 3H 7S TC 6H JC", "2C", "QS 5S"
)
"""Seat 1 knocks with a run and two sets; what seat 0 holds fits all of them, and 9D two."""
_RICH_GIN: Final = _deck(
    "3C 4C 5C 4D 5D 6D 7H 8H 9H 2S", "KC KD QH QS JC JD TH AC AD 2H", "9C", "6C QC"
)
"""Seat 0 draws the six of clubs, throws its two and is gin against 74 points: 99 in all."""

_PASSED: Final = ("0 pass", "1 pass")
_DRAWN: Final = (*_PASSED, "0 draw stock")
_WON_FIRST: Final = (*_DRAWN, "0 knock KS", "1 lay_off", "0 deal")
_WON_SECOND: Final = (
    *("1 pass", "0 pass", "1 draw stock", "1 discard KS", "0 draw stock"),
    *("0 knock QS", "1 lay_off", "0 deal"),
)

SCENARIOS: Final[Mapping[str, Scenario]] = {
    "first_upcard_offer": Scenario(Phase.FIRST_UPCARD, _SEAT_0_BEGINS, (_KNOCKING,), ()),
    "can_knock": Scenario(Phase.DISCARD, _SEAT_0_BEGINS, (_KNOCKING,), _DRAWN),
    "can_gin": Scenario(Phase.DISCARD, _SEAT_0_BEGINS, (_GIN,), _DRAWN),
    "can_big_gin": Scenario(
        Phase.DISCARD, replace(_SEAT_0_BEGINS, big_gin=True), (_BIG_GIN,), _DRAWN
    ),
    "undercut_ahead": Scenario(Phase.DISCARD, _SEAT_0_BEGINS, (_UNDERCUT,), _DRAWN),
    "lay_off_run_and_set": Scenario(
        Phase.LAY_OFF,
        _SEAT_1_BEGINS,
        (_LAY_OFF,),
        ("1 pass", "0 pass", "1 draw stock", "1 knock QS 5D6D7D 9C9H9S KCKDKH"),
    ),
    "stock_nearly_empty": Scenario(
        Phase.DRAW, _SEAT_0_BEGINS, (_KNOCKING,), (*_PASSED, *_throwing(_KNOCKING, left=3))
    ),
    "one_point_from_target": Scenario(
        Phase.FIRST_UPCARD,
        _SEAT_0_BEGINS,
        (_RICH_GIN, _KNOCKING_NEXT),
        (*_DRAWN, "0 gin 2S", "0 deal", "1 pass"),
    ),
    "hollywood_third_column": Scenario(
        Phase.DISCARD,
        replace(PRESETS["hollywood"], first_dealer="seat1"),
        (_KNOCKING, _KNOCKING_NEXT, _KNOCKING),
        (*_WON_FIRST, *_WON_SECOND, *_DRAWN),
    ),
    "opponent_gone": Scenario(
        Phase.DRAW,
        replace(_SEAT_0_BEGINS, turn_seconds=60),
        (_KNOCKING,),
        (*_DRAWN, "0 discard KS"),
        time_is_up=True,
    ),
}
"""The scenarios by their ids. In each it is seat 0 that has something to decide."""
