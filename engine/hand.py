"""The state of one deal, and its bookkeeping: :func:`evolve` never refuses.

What a seat may do, and what follows from it, is decided in :mod:`engine.decisions`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from engine.actions import DrawSource
from engine.cards import DECK, NO_CARDS, Card, Cards, cards_of
from engine.events import Dealt, Discarded, Drew, HandDrawn, HandEvent, Knocked, LaidOff, Passed
from engine.rules import Rules

HAND_SIZE: Final = 10


class Phase(StrEnum):
    """What is due. The phases of a hand, and those of a game between and around its hands."""

    FIRST_UPCARD = "first_upcard"
    DRAW = "draw"
    DISCARD = "discard"
    LAY_OFF = "lay_off"
    HAND_OVER = "hand_over"
    GAME_OVER = "game_over"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class Hand:
    """The state of one deal.

    ``holdings`` and ``taken`` go by seat of the game; a seat that sits out holds nothing.
    ``stock`` is in the order in which it will be drawn, ``discard_pile`` from bottom to top;
    ``taken`` are the cards that a seat took from the pile and still holds, so everybody knows them.
    """

    number: int
    dealer: int
    nondealer: int
    phase: Phase
    to_act: int
    turn: int
    holdings: tuple[Cards, ...]
    taken: tuple[Cards, ...]
    stock: tuple[Card, ...]
    discard_pile: tuple[Card, ...]
    upcard: Card
    server_commit: str
    must_draw_stock: bool = False
    drawn_card: Card | None = None
    drawn_from: DrawSource | None = None
    knock: Knocked | None = None

    @property
    def playing_seats(self) -> tuple[int, int]:
        """The two seats that play this hand, in order of their number."""
        return min(self.dealer, self.nondealer), max(self.dealer, self.nondealer)

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self.phase is Phase.HAND_OVER

    def other(self, seat: int) -> int:
        """Return the seat that plays against ``seat``."""
        return self.nondealer if seat == self.dealer else self.dealer


def start(dealt: Dealt, seats: int, rules: Rules) -> Hand:
    """Return the hand after the deal: the 21st card is the upcard, the rest the stock (full s3)."""
    holdings = dealt_cards(dealt)
    upcard = dealt.deck[2 * HAND_SIZE]
    hand = Hand(
        number=dealt.hand_number,
        dealer=dealt.dealer,
        nondealer=dealt.nondealer,
        phase=Phase.FIRST_UPCARD if rules.opening == "offer" else Phase.DRAW,
        to_act=dealt.nondealer,
        turn=0,
        holdings=tuple(holdings.get(seat, NO_CARDS) for seat in range(seats)),
        taken=(NO_CARDS,) * seats,
        stock=dealt.deck[2 * HAND_SIZE + 1 :],
        discard_pile=(upcard,),
        upcard=upcard,
        server_commit=dealt.server_commit,
    )
    check_cards(hand)
    return hand


def dealt_cards(dealt: Dealt) -> dict[int, Cards]:
    """Return what each playing seat was dealt, by seat.

    The non-dealer gets the first card and every second one after it, the dealer the others.
    """
    return {
        dealt.nondealer: cards_of(dealt.deck[0 : 2 * HAND_SIZE : 2]),
        dealt.dealer: cards_of(dealt.deck[1 : 2 * HAND_SIZE : 2]),
    }


def check_cards(hand: Hand) -> None:
    """Assert that each of the 52 cards lies in exactly one place."""
    thrown = hand.knock.discard if hand.knock else None
    aside = () if thrown is None else (thrown,)
    piles = (*hand.stock, *hand.discard_pile, *aside)
    held = NO_CARDS
    for cards in hand.holdings:
        assert not held & cards, "a card is held twice"
        held |= cards
    lying = cards_of(piles)
    assert lying.bit_count() == len(piles), "a card lies in two places"
    assert not held & lying, "a card is held and lies"
    assert held | lying == DECK, "a card is missing"


def evolve(hand: Hand, rules: Rules, event: HandEvent) -> Hand:
    """Return the hand after ``event``. Never refuses: what may be was decided before."""
    return _EVOLVERS[type(event)](hand, rules, event)


def _after_pass(hand: Hand, rules: Rules, event: Passed) -> Hand:
    if event.seat == hand.nondealer:
        return replace(hand, to_act=hand.dealer)
    return replace(
        hand,
        phase=Phase.DRAW,
        to_act=hand.nondealer,
        must_draw_stock=rules.after_double_pass == "stock_only",
    )


def _after_draw(hand: Hand, rules: Rules, event: Drew) -> Hand:
    from_stock = event.source is DrawSource.STOCK
    drawn = 1 << event.card
    return replace(
        hand,
        phase=Phase.DISCARD,
        turn=hand.turn + 1,
        holdings=_changed(hand.holdings, event.seat, hand.holdings[event.seat] | drawn),
        taken=hand.taken
        if from_stock
        else _changed(hand.taken, event.seat, hand.taken[event.seat] | drawn),
        stock=hand.stock[1:] if from_stock else hand.stock,
        discard_pile=hand.discard_pile if from_stock else hand.discard_pile[:-1],
        must_draw_stock=False,
        drawn_card=event.card,
        drawn_from=event.source,
        to_act=event.seat,
    )


def _after_discard(hand: Hand, rules: Rules, event: Discarded) -> Hand:
    kept = ~(1 << event.card)
    return replace(
        hand,
        phase=Phase.DRAW,
        to_act=hand.other(event.seat),
        holdings=_changed(hand.holdings, event.seat, hand.holdings[event.seat] & kept),
        taken=_changed(hand.taken, event.seat, hand.taken[event.seat] & kept),
        discard_pile=(*hand.discard_pile, event.card),
        drawn_card=None,
        drawn_from=None,
    )


def _after_knocked(hand: Hand, rules: Rules, event: Knocked) -> Hand:
    kept = DECK if event.discard is None else ~(1 << event.discard)
    return replace(
        hand,
        phase=Phase.LAY_OFF if event.result is None else Phase.HAND_OVER,
        to_act=event.defender,
        holdings=_changed(hand.holdings, event.seat, hand.holdings[event.seat] & kept),
        taken=_changed(hand.taken, event.seat, hand.taken[event.seat] & kept),
        drawn_card=None,
        drawn_from=None,
        knock=event,
    )


def _after_end(hand: Hand, rules: Rules, event: HandEvent) -> Hand:
    return ended(hand)


def ended(hand: Hand) -> Hand:
    """Return the hand with nothing left to do."""
    return replace(hand, phase=Phase.HAND_OVER, drawn_card=None, drawn_from=None)


def _changed(by_seat: tuple[Cards, ...], seat: int, cards: Cards) -> tuple[Cards, ...]:
    return (*by_seat[:seat], cards, *by_seat[seat + 1 :])


_EVOLVERS: Final[dict[type, Callable[[Hand, Rules, Any], Hand]]] = {
    Passed: _after_pass,
    Drew: _after_draw,
    Discarded: _after_discard,
    Knocked: _after_knocked,
    LaidOff: _after_end,
    HandDrawn: _after_end,
}
