"""The record of a game as text: its setting, then one line for each move; in and out.

A line is the number of the move, the seat or ``-`` for the server, the action in the words of
:mod:`engine.notation`, and behind ``=`` what it led to: the card drawn, the stock that discards
became, or outcome, winner and points of the hand. A record holds every deck, so it is for games
that are over::

    game g_1
    rules target=50
    seats human ai
    3 0 draw stock = KS
    4 0 discard KS
    5 1 knock 7H AC2C3C 4D5D6D
    6 0 lay_off 8D>1 melds - = undercut 0 27
"""

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import Any, Final

from engine.actions import Claim, Discard, Draw, DrawSource, Knock, LayOffs, Pass, Resign
from engine.cards import Card, card_name, parse_card
from engine.decisions import Reshuffle, void_result
from engine.events import (
    Claimed,
    DealerDrawn,
    Dealt,
    Discarded,
    Drew,
    Event,
    HandDrawn,
    HandVoided,
    Knocked,
    LaidOff,
    Passed,
    Resigned,
)
from engine.game import Game, Move, SeatKind, Setup, new_game, next_pairing
from engine.hand import Phase
from engine.notation import NOTHING, NotationError, action_name, parse_action, parse_row, row_name
from engine.progress import decide, evolve_game
from engine.rules import RANGES, STANDARD, SWITCHES, OptionValue, Rules, resolve
from engine.scoring import HandResult
from engine.seating import Pairing, drawing_seats
from engine.shuffle import draw_for_dealer

_LED_TO: Final = " = "


def game_record(setup: Setup, moves: Iterable[Move]) -> str:
    """Return the record of the game of ``setup`` that consists of ``moves``, one line each."""
    rules = (_option_name(setup.rules, field.name) for field in fields(Rules))
    head = [
        f"game {setup.id}",
        " ".join(["rules", *filter(None, rules)]),
        " ".join(["seats", *setup.seats]),
    ]
    lines = [_line(move.number, move.event) for move in moves]
    return "\n".join([*head, *lines, ""])


def _option_name(rules: Rules, name: str) -> str | None:
    value = getattr(rules, name)
    return None if value == getattr(STANDARD, name) else f"{name}={str(value).lower()}"


def _line(number: int, event: Event) -> str:
    return f"{number} {getattr(event, 'seat', NOTHING)} {event_name(event)}"


def event_name(event: Event) -> str:
    """Return ``event`` in words, all that does not follow from the events before it."""
    return _WRITERS[type(event)](event)


def _dealer_drawn_name(event: DealerDrawn) -> str:
    return " ".join(
        ["dealer_draw", *(f"{draw.seat}:{card_name(draw.card)}" for draw in event.draws)]
    )


def _dealt_name(event: Dealt) -> str:
    seats = f"{event.dealer}>{event.nondealer}"
    seed, commit = event.seed.hex() or NOTHING, event.server_commit or NOTHING
    return f"deal {event.hand_number} {seats} {row_name(event.deck)} {seed} {commit}"


def _drew_name(event: Drew) -> str:
    if event.source is DrawSource.STOCK:
        return f"{action_name(Draw(event.source))}{_LED_TO}{card_name(event.card)}"
    return action_name(Draw(event.source, event.card))


def _discarded_name(event: Discarded) -> str:
    recycled = f"{_LED_TO}{row_name(event.recycled)}" if event.recycled else ""
    return action_name(Discard(event.card)) + recycled


def _knocked_name(event: Knocked) -> str:
    melds = tuple(meld.cards for meld in event.melds)
    return action_name(Knock(event.kind, event.discard, melds)) + _result_name(event.result)


def _laid_off_name(event: LaidOff) -> str:
    own = next(side for side in event.result.sides if side.seat == event.seat)
    action = LayOffs(event.lay_offs, tuple(meld.cards for meld in own.melds))
    return action_name(action) + _result_name(event.result)


def _result_name(result: HandResult | None) -> str:
    if result is None:
        return ""
    if result.winner is None:
        return f"{_LED_TO}{result.outcome}"
    return f"{_LED_TO}{result.outcome} {result.winner} {result.points}"


_WRITERS: Final[dict[type, Callable[[Any], str]]] = {
    DealerDrawn: _dealer_drawn_name,
    Dealt: _dealt_name,
    Passed: lambda _: action_name(Pass()),
    Drew: _drew_name,
    Discarded: _discarded_name,
    Knocked: _knocked_name,
    LaidOff: _laid_off_name,
    HandDrawn: lambda event: f"hand_drawn{_result_name(event.result)}",
    HandVoided: lambda event: f"{event.action}{_result_name(event.result)}",
    Claimed: lambda event: action_name(Claim()) + _result_name(event.result),
    Resigned: lambda event: action_name(Resign()) + _result_name(event.result),
}


def play_record(text: str) -> Game:
    """Return the game that ``text`` records, every move of it decided again by the rules.

    :raises NotationError: if it is no record, or the rules lead to something else than it says.
    """
    lines = text.rstrip("\n").split("\n")
    game = new_game(_parse_setup(lines[:3]))
    due: list[Event] = []
    for line in lines[3:]:
        try:
            event, *due = due or _events(game, line)
            made = _line(game.next_move, event)
        except (ValueError, TypeError, StopIteration) as error:
            raise NotationError(f"{line!r} cannot be played: {error}") from error
        if made != line:
            raise NotationError(f"the rules make {made!r} of {line!r}")
        game = replace(evolve_game(game, event), next_move=game.next_move + 1)
    return game


def _events(game: Game, line: str) -> tuple[Event, ...]:
    """Return what the rules make of a line that does not follow from the one before it."""
    _, seat, words = line.split(" ", 2)
    name, *rest = words.split(" ")
    if name == Dealt.action:
        return (_required_dealt(game, _parse_dealt(*rest)),)
    if name == DealerDrawn.action:
        return (_parse_dealer_drawn(rest, drawing_seats(game.seat_count)),)
    if name == HandVoided.action and game.hand is not None and not game.hand.over:
        return (HandVoided(void_result(game.hand, game.rules)),)
    if int(seat) not in range(game.seat_count):
        raise NotationError("there is no such seat")
    words, _, led_to = words.partition(_LED_TO)
    action = parse_action(words)
    if isinstance(action, Claim) and game.hand is not None:
        # That a time had run out is no move: the claim after it says so.
        game = replace(game, late_seat=game.hand.to_act)
    return decide(game, int(seat), action, _reshuffle(led_to))


def _reshuffle(led_to: str) -> Reshuffle:
    """Return how discards became the stock by the record, which knows no secret of the deal."""

    def recorded(_times: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        stock = parse_row(led_to)
        if sorted(stock) != sorted(cards):
            raise NotationError("the new stock has to hold the discards")
        return stock

    return recorded


def _required_dealt(game: Game, dealt: Dealt) -> Dealt:
    """Return ``dealt`` if it is this hand's turn, these seats play it, and the deck is one."""
    # That a score was confirmed is no move: the deal after it says so.
    if game.phase not in (Phase.WAITING, Phase.CONFIRMING, Phase.HAND_OVER):
        raise NotationError("no deal is due")
    number, due = game.next_hand_number, next_pairing(game)
    played = Pairing(dealt.dealer, dealt.nondealer)
    if due is None:
        raise NotationError("the draw for the first deal is due")
    if (dealt.hand_number, played) != (number, due) or sorted(dealt.deck) != list(range(52)):
        raise NotationError(f"hand {number} is due, dealt by seat {due.dealer} from 52 cards")
    return dealt


def _parse_dealt(number: str, seats: str, deck: str, seed: str, commit: str) -> Dealt:
    dealer, nondealer = map(int, seats.split(">"))
    known = [word.replace(NOTHING, "") for word in (seed, commit)]
    return Dealt(int(number), dealer, nondealer, parse_row(deck), bytes.fromhex(known[0]), known[1])


def _parse_dealer_drawn(words: list[str], seats: int) -> DealerDrawn:
    cards = [parse_card(word.partition(":")[2]) for word in words]
    return DealerDrawn(draw_for_dealer(cards, seats)[0])


def _parse_setup(lines: list[str]) -> Setup:
    """Return the setting of a recorded game; its secret stays unknown."""
    try:
        game, rules, seats = (line.split(" ") for line in lines)
        if [game[0], rules[0], seats[0]] != ["game", "rules", "seats"]:
            raise NotationError("a record begins with its game, its rules and its seats")
        overrides = dict(map(_parse_option, rules[1:]))
        kinds = tuple(map(SeatKind, seats[1:]))
        if len(kinds) < 2:
            raise NotationError("a game has two seats or more")
        return Setup(game[1], resolve("standard", overrides), kinds, deal_key=b"")
    except (ValueError, KeyError, IndexError) as error:
        raise NotationError(f"no setting of a game: {lines!r}") from error


def _parse_option(word: str) -> tuple[str, OptionValue]:
    name, _, value = word.partition("=")
    if name in SWITCHES:
        return name, {"true": True, "false": False}[value]
    return name, int(value) if name in RANGES else value
