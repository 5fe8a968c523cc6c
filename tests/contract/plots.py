"""What is played in a world, by whom, and who looks on."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from engine.actions import Action, Discard, Draw, DrawSource, Pass
from engine.decisions import ends_undecided
from engine.game import Game, SeatKind
from engine.hand import Phase
from engine.legal import legal
from engine.rules import STANDARD, Rules
from tests.contract.swaps import Decks
from tests.random_games import random_rules

STRANGER, NOBODY, SPECTATOR, PORTAL = "stranger", "nobody", "spectator", "portal"
"""Who has the token of another game, none at all, that of one who watches, and a portal's key."""

HUMAN, AI = SeatKind.HUMAN, SeatKind.AI


@dataclass(frozen=True)
class Plot:
    """What is played, and who looks on.

    ``main`` calls every operation after every command; ``knows`` is the seat whose cards it knows.
    ``hands`` are played to their end, the last one only to its lay-off if ``to_lay_off``, with
    knocks from turn ``patience`` on; then ``commands`` follow without a knock. ``careful`` is how
    often each of the two seats throws the card that leaves least deadwood. After ``void_after``
    commands both seats consent to a void of the hand, after ``late_after`` the time of who is due
    has run out. ``choose`` takes the
    place of all that. Nobody but the players calls where ``probed`` says no. ``sweeps`` is how
    often the one who looks on asks about all 52 cards when it is due; many means each time.
    """

    seed: int
    main: str
    knows: int | None
    decks: Decks
    rules: Rules = STANDARD
    kinds: tuple[SeatKind, ...] = (HUMAN, HUMAN)
    mode: str | None = None
    hands: int = 0
    to_lay_off: bool = False
    patience: int = 2
    commands: int = 6
    careful: tuple[float, float] = (0.5, 0.5)
    void_after: int | None = None
    late_after: int | None = None
    choose: Callable[[Game, int, Random], Action | None] | None = None
    probed: Callable[[Game], bool] = lambda game: True
    sweeps: int = 1


def shuffled(rng: Random, held: dict[int, list[int]] | None = None) -> tuple[int, ...]:
    """Return a deck; ``held`` names ten cards for the non-dealer (0) or the dealer (1)."""
    held = held or {}
    places = {
        2 * index + offset: card
        for offset, cards in held.items()
        for index, card in enumerate(cards)
    }
    rest = [card for card in range(52) if card not in places.values()]
    rng.shuffle(rest)
    return tuple(places[place] if place in places else rest.pop() for place in range(52))


def laid_out(rng: Random) -> list[int]:
    """Return ten cards with which a seat can knock: three melds, and a card of at most five."""
    runs = [(first, first + 1, first + 2) for first in range(52) if first % 13 < 11]
    sets = [tuple(13 * suit + rank for suit in rng.sample(range(4), 3)) for rank in range(13)]
    while True:
        cards = {card for meld in rng.sample(runs + sets, 3) for card in meld}
        low = [card for card in range(52) if card % 13 < 5 and card not in cards]
        if len(cards) == 9:
            return [*cards, rng.choice(low)]


def _base(kind: str, number: int, main: str, knows: int | None, **more: Any) -> Plot:
    """Return a plot under random rules; ``able`` is dealt a hand to knock with, the dealer if 1."""
    rng = Random(f"{kind} {number}")
    rules = replace(random_rules(rng), first_dealer=rng.choice(["draw", "seat0", "seat1"]))
    rules = replace(rules, **more.pop("rules", {}))
    able = more.pop("able", rng.choice([0, 1, None, None]))
    decks = {
        1: shuffled(rng, {} if able is None else {able: laid_out(rng)}),
        2: shuffled(rng),
        3: shuffled(rng),
    }
    return Plot(
        rng.randrange(1 << 32),
        main,
        knows,
        decks,
        rules,
        **{"commands": rng.randint(2, 5), "careful": (rng.random(), rng.random())} | more,
    )


FOR_A_KNOCK = {
    "layoff": "manual",
    "knock_mode": "standard",
    "knock_limit": 10,
    "oklahoma_ace": "gin",
}


def seat_looks_on(number: int, seat: int) -> Plot:
    """Two people; one of them looks on until somebody could knock."""
    return _base(f"seat {seat}", number, f"seat{seat}", seat)


def spectator_looks_on(number: int) -> Plot:
    """Two people, and a spectator who knows neither's cards."""
    return _base("spectator", number, SPECTATOR, None)


def hidden_seat_could_knock(number: int) -> Plot:
    """Seat 0 looks on while the other one, the dealer, was dealt a hand to knock with."""
    rng = Random(f"could knock {number}")
    decks = {1: shuffled(rng, {1: laid_out(rng)})}
    rules = replace(STANDARD, first_dealer="seat1")
    return Plot(number, "seat0", 0, decks, rules, commands=2)


def hidden_seat_draws(number: int, commands: int = 4) -> Plot:
    """Seat 0, the dealer, looks on while the other one draws from the stock, and throws.

    With a fifth command it draws, too.
    """
    rng = Random(f"draws {number}")
    rules = replace(STANDARD, first_dealer="seat0")
    return Plot(
        number,
        "seat0",
        0,
        {1: shuffled(rng)},
        rules,
        commands=commands,
        choose=_from_the_stock,
        probed=lambda game: game.hand is not None and game.hand.turn > 0,
    )


def hint_is_asked_for(number: int) -> Plot:
    """Seat 0 looks on as before, with full advice, and asks for a hint when it is due."""
    plot = hidden_seat_draws(number, 5)
    return replace(plot, rules=replace(plot.rules, advice="full"))


def _from_the_stock(game: Game, seat: int, rng: Random) -> Action:
    """Refuse the upcard and the last discard, draw from the stock, throw anything."""
    if game.phase is Phase.FIRST_UPCARD or game.hand.at_wall:
        return Pass()
    if game.phase is Phase.DRAW:
        return Draw(DrawSource.STOCK)
    return Discard(rng.choice(legal(game, seat).discards).card)


def upcard_is_offered(number: int) -> Plot:
    """Seat 0, the dealer, looks on while the other seat refuses an upcard that it could use."""
    rng = Random(f"upcard {number}")
    rank, suits = rng.randrange(13), rng.sample(range(4), 3)
    *pair, upcard = (13 * suit + rank for suit in suits)
    others = [card for card in range(52) if card % 13 != rank]
    deck = [*shuffled(rng, {0: [*pair, *rng.sample(others, 8)]})]
    at = deck.index(upcard)
    deck[20], deck[at] = deck[at], deck[20]
    rules = replace(STANDARD, first_dealer="seat0")

    def passing(game: Game, seat: int, _: Random) -> Action | None:
        return Pass() if game.phase is Phase.FIRST_UPCARD else None

    return Plot(number, "seat0", 0, {1: tuple(deck)}, rules, choose=passing)


def stock_runs_out(number: int, *, to_the_end: bool) -> Plot:
    """Seat 0 looks on when the stock is down to its end, before or also after the last discard."""
    rng = Random(f"stock {number}")

    def drawing(game: Game, seat: int, rng: Random) -> Action | None:
        last = game.phase is Phase.DISCARD and ends_undecided(game.hand, game.rules)
        return None if last and not to_the_end else _from_the_stock(game, seat, rng)

    return Plot(
        number,
        "seat0",
        0,
        {1: shuffled(rng), 2: shuffled(rng)},
        hands=1,
        commands=4,
        choose=drawing,
        probed=lambda game: (
            game.hand is not None and (game.hand.number > 1 or len(game.hand.stock) < 4)
        ),
    )


def lay_off(number: int, knows: int | None, knocker: int = 0) -> Plot:
    """Until the defender is to lay off: the stock and how the cards came together are hidden."""
    main = SPECTATOR if knows is None else f"seat{knows}"
    rules = FOR_A_KNOCK | {"first_dealer": f"seat{1 - knocker}"}
    more = {"rules": rules, "able": 0, "careful": (1, 1), "hands": 1, "to_lay_off": True}
    more |= {"patience": 4, "probed": lambda game: game.hand is not None and game.hand.turn > 3}
    return _base("lay-off", number, main, knows, commands=16, **more)


def next_hand(number: int, knows: int | None) -> Plot:
    """Through the end of a hand into the next one."""
    main = SPECTATOR if knows is None else f"seat{knows}"
    more = {
        "rules": FOR_A_KNOCK | {"target": 500},
        "able": number % 2,
        "careful": (1, 1),
        "hands": 1,
    }
    more |= {"probed": lambda game: game.next_hand_number > 2 or game.phase is Phase.LAY_OFF}
    return _base("next hand", number, main, knows, commands=2, **more)


def void_hand(number: int, knows: int | None) -> Plot:
    """Through a hand that both seats declare void into the next one."""
    main = SPECTATOR if knows is None else f"seat{knows}"
    probed = {"probed": lambda game: game.next_hand_number > 2 or (game.hand and game.hand.over)}
    return _base(
        "void", number, main, knows, hands=1, patience=99, commands=3, void_after=6, **probed
    )


def somebody_is_late(number: int, knows: int | None) -> Plot:
    """Two people, one of whom lets its time run out and then goes on; nobody claims the game."""
    main = SPECTATOR if knows is None else f"seat{knows}"
    rules = {"turn_seconds": 3600, "timeout_policy": "claim"}
    return _base("late", number, main, knows, rules=rules, commands=4, late_after=2)


def computer_plays(number: int, seat: int, mode: str | None = None) -> Plot:
    """A person looks on who plays against a computer."""
    kinds = (HUMAN, AI) if seat == 0 else (AI, HUMAN)
    return _base(f"computer {mode}", number, f"seat{seat}", seat, kinds=kinds, mode=mode)


def computer_looks_on(number: int, seat: int) -> Plot:
    """A computer plays against a person; a spectator sees whether it does the same."""
    kinds = (AI, HUMAN) if seat == 0 else (HUMAN, AI)
    return _base("for the computer", number, SPECTATOR, seat, kinds=kinds, commands=5)


def computers_play(number: int) -> Plot:
    """Two computers; who made the game lets them play and sees what a spectator sees."""
    return _base("computers", number, "seat0", None, kinds=(AI, AI))


def who_sits_out_looks_on(number: int, seats: int) -> Plot:
    """Three people or four; seat 2, which sits the hand out, looks on. It may be a partner."""
    rules = {"first_dealer": "seat0", "four_player": "partnership"}
    rules |= {"hollywood": False} if seats == 3 else {}
    return _base(f"{seats} people", number, "seat2", 2, rules=rules, kinds=(HUMAN,) * seats)


KINDS: tuple[Callable[[int], Plot], ...] = (
    lambda number: seat_looks_on(number, 0),
    lambda number: seat_looks_on(number, 1),
    spectator_looks_on,
    lambda number: lay_off(number, (0, 1, None)[_round(number) % 3], _round(number) // 3 % 2),
    lambda number: next_hand(number, (1, None, 0)[_round(number) % 3]),
    lambda number: computer_plays(
        number, _round(number) % 2, (None, "on_request")[_round(number) // 2 % 2]
    ),
    lambda number: computer_looks_on(number, _round(number) % 2),
    computers_play,
    lambda number: who_sits_out_looks_on(number, 3),
    lambda number: who_sits_out_looks_on(number, 4),
)


def _round(number: int) -> int:
    """Return how often all the kinds have had their turn before."""
    return number // len(KINDS)


def plot_of(number: int, attempt: int = 0) -> Plot:
    """Return the plot ``number`` of a sweep: the kinds take turns."""
    return KINDS[number % len(KINDS)](number + 1_000_000 * attempt)
