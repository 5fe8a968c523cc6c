"""A position of a hand that is played elsewhere: what one seat can know of it.

How the hand came there is left aside. :mod:`engine.position_checks` refuses what cannot be, and
:func:`engine.position_views.position_view` makes of the rest what the seat would see in a game.
"""

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final

from engine.actions import DrawSource, KnockKind
from engine.cards import NO_CARDS, Card, Cards
from engine.hand import HAND_SIZE, Phase
from engine.rules import STANDARD, Rules

MOST_HELD: Final = 22
"""So many cards a seat of a position may hold where several can be picked up at once."""

FIRST_STOCK: Final = 31
"""Cards of the stock before the first draw."""


@dataclass(frozen=True, slots=True)
class Position:
    """What a seat that is to act knows of its hand.

    ``phase`` is one of ``first_upcard``, ``draw``, ``discard`` and ``lay_off``. ``discard_pile``
    goes from bottom to top, and may lack what lies deeper than the seat remembers. Of the seat's
    own ``cards`` the other one saw it take ``known_cards``, and it saw the other take
    ``opponent_known_cards``; both are still held. ``drawn_card`` and ``drawn_from`` come together,
    where a discard is due. ``knocker_melds`` is what the other seat laid out, and
    ``knocker_unmatched`` the rest of its cards, None if that is not told: both for a lay-off.
    ``dealer`` says that this seat dealt, ``turn`` counts the draws of both seats.
    """

    phase: Phase
    cards: Cards
    stock_count: int
    rules: Rules = STANDARD
    upcard: Card | None = None
    discard_pile: tuple[Card, ...] = ()
    known_cards: Cards = NO_CARDS
    opponent_known_cards: Cards = NO_CARDS
    opponent_card_count: int | None = None
    drawn_card: Card | None = None
    drawn_from: DrawSource | None = None
    knocker_melds: tuple[Cards, ...] = ()
    knocker_unmatched: Cards | None = None
    dealer: bool = False
    turn: int | None = None

    @property
    def grows(self) -> bool:
        """Whether what a seat picks up may stay with it (full s6)."""
        return self.rules.multi_pickup and self.rules.multi_pickup_return == "grow"

    @property
    def from_pile(self) -> bool:
        """Whether the seat took its card from the discard pile in this turn."""
        return self.drawn_from is DrawSource.DISCARD_PILE

    @property
    def knocker_cards(self) -> Cards:
        """The cards of the other seat that lie open."""
        return reduce(or_, self.knocker_melds, self.knocker_unmatched or NO_CARDS)

    @property
    def opponent_count(self) -> int:
        """How many cards the other seat holds; after a knock, without the card it threw."""
        if self.opponent_card_count is not None:
            return self.opponent_card_count
        if self.knocker_unmatched is not None:
            return self.knocker_cards.bit_count()
        return HAND_SIZE

    @property
    def knock(self) -> KnockKind:
        """What the other seat called when it laid out its cards."""
        if self.knocker_unmatched != NO_CARDS:
            return KnockKind.KNOCK
        # Where hands grow, all cards in melds are taken for gin with a discard.
        big = self.opponent_count > HAND_SIZE and not self.grows
        return KnockKind.BIG_GIN if big else KnockKind.GIN

    @property
    def room(self) -> int:
        """How many cards there are for the stock and the discard pile together."""
        aside = self.phase is Phase.LAY_OFF and self.knock is not KnockKind.BIG_GIN
        return 52 - self.cards.bit_count() - self.opponent_count - int(aside)

    @property
    def pile_count(self) -> int:
        """How many cards lie on the discard pile, of which not all have to be told."""
        return self.room - self.stock_count

    @property
    def stock_end(self) -> int:
        """With so many cards of the stock left after a discard nobody draws from it any more."""
        return self.rules.stock_end if self.rules.recycle == "never" else 0

    @property
    def at_wall(self) -> bool:
        """Whether this is the last turn, in which the last discard may be taken to knock."""
        if self.rules.last_discard != "knock_only" or self.stock_count > self.stock_end:
            return False
        return self.phase is Phase.DRAW or (self.phase is Phase.DISCARD and self.from_pile)
