"""What happened: the facts that the log of a game stores, one for each move.

A fact holds all that its consequences follow from, so that a later mending of the rules cannot
rewrite a finished game. Which part of it a viewer may see is decided in :mod:`engine.views`.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, TypeAlias

from engine.actions import DrawSource, KnockKind
from engine.cards import Card, Cards
from engine.layoffs import LayOff
from engine.melds import Meld
from engine.scoring import HandResult
from engine.shuffle import DrawnCard, SeatNonce


@dataclass(frozen=True, slots=True)
class DealerDrawn:
    """The seats drew for the first deal."""

    action: ClassVar[str] = "dealer_draw"
    draws: tuple[DrawnCard, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A hand was dealt: ``deck`` are the 52 cards in the order dealt, non-dealer first.

    ``nonces`` are those that seats added to the shuffle, by seat.
    """

    action: ClassVar[str] = "deal"
    hand_number: int
    dealer: int
    nondealer: int
    deck: tuple[Card, ...]
    seed: bytes
    server_commit: str
    nonces: tuple[SeatNonce, ...] = ()


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat refused the upcard, or at the wall the last discard, put back where it was taken."""

    action: ClassVar[str] = "pass"
    seat: int


@dataclass(frozen=True, slots=True)
class Drew:
    """A seat drew ``card`` from the stock or the discard pile.

    ``cards`` are all that it took, bottom to top, where it took a buried card with those above it.
    """

    action: ClassVar[str] = "draw"
    seat: int
    source: DrawSource
    card: Card
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat threw ``card`` on the discard pile.

    ``recycled`` is the new stock, in the order in which it will be drawn, where the discards under
    ``card`` became one. ``wall`` says that the next turn is the last.
    """

    action: ClassVar[str] = "discard"
    seat: int
    card: Card
    recycled: tuple[Card, ...] = ()
    wall: bool = False


@dataclass(frozen=True, slots=True)
class Knocked:
    """A seat ended the play of a hand and laid its cards out; the other seat's are shown too."""

    seat: int
    kind: KnockKind
    discard: Card | None
    melds: tuple[Meld, ...]
    unmatched: Cards
    deadwood: int
    defender: int
    defender_cards: Cards
    result: HandResult | None = None

    @property
    def action(self) -> str:
        """The name of the move: the kind of the knock."""
        return self.kind.value


@dataclass(frozen=True, slots=True)
class LaidOff:
    """The defender laid ``lay_offs`` off, in this order, and the hand was scored."""

    action: ClassVar[str] = "lay_off"
    seat: int
    lay_offs: tuple[LayOff, ...]
    result: HandResult


@dataclass(frozen=True, slots=True)
class HandDrawn:
    """The hand ended without a knock: the stock ran out, or the turns did."""

    action: ClassVar[str] = "hand_drawn"
    result: HandResult


@dataclass(frozen=True, slots=True)
class HandVoided:
    """The hand is void: all its seats consented. Nobody scores, and the same seat deals again."""

    action: ClassVar[str] = "void_hand"
    result: HandResult


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat gave the game up; a hand that was being played ends with it, without points."""

    action: ClassVar[str] = "resign"
    seat: int
    winner: int
    result: HandResult | None


@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat claimed the game, since ``late`` was out of time; the hand ends without points."""

    action: ClassVar[str] = "claim"
    seat: int
    late: int
    winner: int
    result: HandResult | None


HandEvent: TypeAlias = Passed | Drew | Discarded | Knocked | LaidOff | HandDrawn | HandVoided
"""What happens within a hand after the deal."""

Event: TypeAlias = DealerDrawn | Dealt | HandEvent | Resigned | Claimed
"""All that happens in a game."""


class ChangeKind(StrEnum):
    """What was said beside the play of a hand, what a seat got, or what became of its time."""

    CONFIRMED = "confirmed"
    CONSENTED = "consented"
    WITHDREW = "withdrew"
    HINTED = "hinted"
    OUT_OF_TIME = "out_of_time"
    TAKEN_OVER = "taken_over"
    CONFIRMED_BY_CLOCK = "confirmed_by_clock"
    ABANDONED = "abandoned"
    COMMITTED = "committed"
    BEGUN = "begun"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Change:
    """A seat confirmed the score of the last hand, or consented to a void of the present one.

    ``WITHDREW`` takes a consent back; with ``HINTED`` it got a hint for the coming move.
    ``ABANDONED`` ends the game without a winner, and is said by no seat. With ``COMMITTED`` a seat
    that sat down commits to its nonce, or without ``commit`` takes that back; ``BEGUN`` says that
    everybody is there and cuts are due, and with ``CUT`` a seat opens its ``nonce`` and has
    ``commit`` for the next hand. The others are the clock's doing: the seat's turn may be claimed
    against it, a computer plays it, its time to look at the score is over. A change is no move, but
    part of the log like one.
    """

    kind: ChangeKind
    seat: int | None = None
    commit: str | None = None
    nonce: bytes | None = None
