"""The state of one deal, and its bookkeeping: :func:`evolve` never refuses.

What a seat may do, and what follows from it, is decided in :mod:`engine.decisions`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from engine.actions import DrawSource
from engine.cards import DECK, NO_CARDS, Card, Cards, cards_of
from engine.events import (
    Dealt,
    Discarded,
    Drew,
    HandDrawn,
    HandEvent,
    HandVoided,
    Knocked,
    LaidOff,
    Passed,
)
from engine.frozen import with_changes
from engine.rules import Rules
from engine.shuffle import SeatNonce

HAND_SIZE: Final = 10


class Phase(StrEnum):
    """What is due. The phases of a hand, and those of a game between and around its hands."""

    FIRST_UPCARD = "first_upcard"
    DRAW = "draw"
    DISCARD = "discard"
    LAY_OFF = "lay_off"
    CONFIRMING = "confirming"
    HAND_OVER = "hand_over"
    GAME_OVER = "game_over"
    WAITING = "waiting"
    CUTTING = "cutting"


@dataclass(frozen=True, slots=True)
class Hand:
    """The state of one deal.

    ``holdings`` and ``taken`` go by seat of the game; a seat that sits out holds nothing.
    ``stock`` is in the order in which it will be drawn, ``discard_pile`` from bottom to top;
    ``taken`` are the cards that a seat took from the pile and still holds, as far as everybody may
    be shown them: all, or with ``discard_view: top`` those of its last draw.
    ``discards_owed`` counts the cards that the seat to act has to throw; 0 where none is due, and
    in positions that were stored when it was always one. ``recycles`` counts how
    often discards became the stock. ``at_wall`` says that the seat to act plays the last turn, in
    which the last discard may be taken to knock, and nothing else. ``nonces`` are those of
    its two seats that had a share in the shuffle.
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
    discards_owed: int = 0
    recycles: int = 0
    at_wall: bool = False
    nonces: tuple[SeatNonce, ...] = ()

    @property
    def playing_seats(self) -> tuple[int, int]:
        """The two seats that play this hand, in order of their number."""
        return min(self.dealer, self.nondealer), max(self.dealer, self.nondealer)

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self.phase is Phase.HAND_OVER

    @property
    def contributors(self) -> tuple[int, ...]:
        """The seats of the hand that had a share in its shuffle."""
        return tuple(each.seat for each in self.nonces)

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
        nonces=tuple(each for each in dealt.nonces if each.seat in holdings),
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
    if hand.at_wall:
        return _put_back(hand)
    if event.seat == hand.nondealer:
        return with_changes(hand, to_act=hand.dealer)
    return with_changes(
        hand,
        phase=Phase.DRAW,
        to_act=hand.nondealer,
        must_draw_stock=rules.after_double_pass == "stock_only",
    )


def _put_back(hand: Hand) -> Hand:
    """Return the hand with the card taken at the wall, if it was, on the pile again."""
    card = hand.drawn_card
    if card is None:
        return hand
    return with_changes(
        _without(hand, hand.to_act, card),
        phase=Phase.DRAW,
        discard_pile=(*hand.discard_pile, card),
        drawn_card=None,
        drawn_from=None,
        discards_owed=0,
    )


def _after_draw(hand: Hand, rules: Rules, event: Drew) -> Hand:
    from_stock = event.source is DrawSource.STOCK
    cards = event.cards or (event.card,)
    drawn = cards_of(cards)
    owed = len(cards) if rules.multi_pickup_return == "discard_down" else 1
    taken = hand.taken[event.seat] if rules.discard_view == "spread" else NO_CARDS
    if not from_stock:
        taken |= drawn
    return with_changes(
        hand,
        phase=Phase.DISCARD,
        turn=hand.turn + 1,
        holdings=_changed(hand.holdings, event.seat, hand.holdings[event.seat] | drawn),
        taken=_changed(hand.taken, event.seat, taken),
        stock=hand.stock[1:] if from_stock else hand.stock,
        discard_pile=hand.discard_pile if from_stock else hand.discard_pile[: -len(cards)],
        must_draw_stock=False,
        drawn_card=event.card,
        drawn_from=event.source,
        to_act=event.seat,
        discards_owed=owed,
    )


def _after_discard(hand: Hand, rules: Rules, event: Discarded) -> Hand:
    thrown = _without(hand, event.seat, event.card)
    pile = (*hand.discard_pile, event.card)
    if hand.discards_owed > 1:
        return with_changes(thrown, discard_pile=pile, discards_owed=hand.discards_owed - 1)
    return with_changes(
        thrown,
        phase=Phase.DRAW,
        to_act=hand.other(event.seat),
        discard_pile=(event.card,) if event.recycled else pile,
        stock=event.recycled or hand.stock,
        recycles=hand.recycles + bool(event.recycled),
        at_wall=event.wall,
        drawn_card=None,
        drawn_from=None,
        discards_owed=0,
    )


def _without(hand: Hand, seat: int, card: Card) -> Hand:
    kept = ~(1 << card)
    return with_changes(
        hand,
        holdings=_changed(hand.holdings, seat, hand.holdings[seat] & kept),
        taken=_changed(hand.taken, seat, hand.taken[seat] & kept),
    )


def _after_knocked(hand: Hand, rules: Rules, event: Knocked) -> Hand:
    laid_out = hand if event.discard is None else _without(hand, event.seat, event.discard)
    return with_changes(
        laid_out,
        phase=Phase.LAY_OFF if event.result is None else Phase.HAND_OVER,
        to_act=event.defender,
        drawn_card=None,
        drawn_from=None,
        discards_owed=0,
        knock=event,
    )


def _after_end(hand: Hand, rules: Rules, event: HandEvent) -> Hand:
    return ended(hand)


def ended(hand: Hand) -> Hand:
    """Return the hand with nothing left to do."""
    return with_changes(
        hand, phase=Phase.HAND_OVER, drawn_card=None, drawn_from=None, discards_owed=0
    )


def _changed(by_seat: tuple[Cards, ...], seat: int, cards: Cards) -> tuple[Cards, ...]:
    return (*by_seat[:seat], cards, *by_seat[seat + 1 :])


_EVOLVERS: Final[dict[type, Callable[[Hand, Rules, Any], Hand]]] = {
    Passed: _after_pass,
    Drew: _after_draw,
    Discarded: _after_discard,
    Knocked: _after_knocked,
    LaidOff: _after_end,
    HandDrawn: _after_end,
    HandVoided: _after_end,
}
