"""What may come, counted over the cards that a seat has not seen.

Each of them is as likely as the others to be drawn next: what the other seat's play tells of its
cards is left aside.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine import bulk
from engine.cards import DECK, Card, Cards, cards_of, each_card
from engine.hand import HAND_SIZE
from engine.views import GameView

Grid: TypeAlias = NDArray[np.int16]
"""Points: a row for each holding that is looked at, a column for each card not seen."""

_WEIGHTS: Final = (1, 4, 16)
"""What a meld counts of which the other seat is known to hold none, one or two cards."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the next card from the stock will do for a holding.

    ``mean_deadwood`` is the mean of the least deadwood after it and the best discard, the chances
    go from 0 to 1, ``helping_cards`` would lie in a meld without loss.
    """

    mean_deadwood: float
    knock_chance: float
    gin_chance: float
    helping_cards: Cards


def known_to_be_theirs(view: GameView) -> Cards:
    """Return the cards that the other seats are known to hold."""
    return cards_of(
        card
        for seat in view.seats
        if seat.seat != view.you.seat
        for card in each_card(seat.known_cards)
    )


def unseen(view: GameView) -> Cards:
    """Return the cards that may lie in the stock, for all that ``view`` tells."""
    hand = view.hand
    assert hand is not None, "a hand is being played"
    seen = view.you.cards | known_to_be_theirs(view) | cards_of(hand.discard_pile)
    if view.rules.recycle == "never":
        seen |= 1 << hand.upcard
    return DECK & ~seen


def outlooks(view: GameView, holdings: Sequence[Cards]) -> list[Outlook]:
    """Return the outlook of each of ``holdings``, which all have as many cards.

    What the seat holds now and not there any more cannot be drawn either.
    """
    assert view.hand is not None, "a hand is being played"
    drawn = list(each_card(unseen(view)))
    kept = np.array(holdings, np.uint64)
    grown = kept[:, None] | np.array([1 << card for card in drawn], np.uint64)
    least = _least_after_a_discard(kept, grown, keeps=view.rules.discard_drawn == "any_drawn")
    melded = bulk.deadwood(grown) <= bulk.deadwood(kept)[:, None]
    return [
        Outlook(
            float(row.mean()),
            float((row <= view.hand.knock_limit).mean()),
            float((row == 0).mean()),
            cards_of(card for card, helps in zip(drawn, helping, strict=True) if helps),
        )
        for row, helping in zip(least, melded, strict=True)
    ]


def _least_after_a_discard(kept: bulk.Hands, grown: bulk.Hands, *, keeps: bool) -> Grid:
    """Return the least deadwood after a discard; ``keeps`` bars the card just drawn from it."""
    size = int(kept[0]).bit_count()
    if size == HAND_SIZE and not keeps:
        return bulk.deadwood_after_best_discard(grown)
    held = np.array([[1 << card for card in each_card(int(cards))] for cards in kept], np.uint64)
    thrown = bulk.deadwood(grown[:, :, None] ^ held[:, None, :]).min(axis=2)
    least: Grid = thrown if keeps else np.minimum(thrown, bulk.deadwood(kept)[:, None])
    return least


def _melds_of_three() -> tuple[Cards, ...]:
    ranks = [[13 * suit + rank for suit in range(4)] for rank in range(13)]
    sets = (
        cards_of(card for card in same if card != left_out) for same in ranks for left_out in same
    )
    runs = (0b111 << 13 * suit + low for suit in range(4) for low in range(11))
    return (*sets, *runs)


TRIOS: Final = _melds_of_three()
"""Every meld of three cards."""

OTHERS: Final = tuple(
    tuple(trio ^ 1 << card for trio in TRIOS if trio >> card & 1) for card in range(52)
)
"""For each card the other two of each meld of three that has it."""


def use_to_them(card: Card, known: Cards, live: Cards) -> int:
    """Return how much ``card`` may be worth to the other seat, which is ``known`` to hold cards.

    It counts the melds of three that can still be made with it of these and of the ``live`` cards,
    those whose other cards are known to be there far more than the others.
    """
    reach = known | live
    return sum(
        _WEIGHTS[(others & known).bit_count()] for others in OTHERS[card] if not others & ~reach
    )
