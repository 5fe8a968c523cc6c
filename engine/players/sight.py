"""What a seat goes by, in columns: one row is one view, a thousand rows a thousand tables.

The same policies play a seat of a game, from its view, and whole tables at once in training. A row
tells what its seat may know and nothing else.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.actions import DrawSource
from engine.cards import Card, cards_of
from engine.players.outlook import known_to_be_theirs, unseen
from engine.rules import Rules
from engine.views import GameView

Masks: TypeAlias = NDArray[np.int64]
"""Sets of cards, one each row."""

Column: TypeAlias = NDArray[np.int64]
"""A number, one each row."""

Flags: TypeAlias = NDArray[np.bool_]

NO_CARD: Final = -1

LATELY: Final = (1, 3, 5)
"""How deep in the pile, from its top, the other side's throws lie where nobody took any."""

ENDLESS: Final = 31
"""So many draws are left at most, as far as players count; where discards come back, always."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What the seats of many tables see. Each field is a column.

    ``cards`` the seat holds; ``theirs`` are those that the other side is known to hold, ``unseen``
    those that may lie in the stock or be theirs. ``top`` is the top of the discard pile and
    ``barred`` a card that may not be thrown, either ``NO_CARD`` where there is none. ``lately`` has
    three cards each row: what the other side threw last, and the two times before (see
    :func:`thrown_lately`). ``left`` counts the draws that may still come of the
    stock, ``turn`` those of both seats with the present one once its card is drawn. The rest are
    the rules that change what is best.
    """

    cards: Masks
    theirs: Masks
    unseen: Masks
    top: Column
    barred: Column
    lately: Column
    left: Column
    turn: Column
    limit: Column
    gin_bonus: Column
    undercut_bonus: Column

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.cards)

    def rows(self, chosen: NDArray[Any]) -> Self:
        """Return the rows that ``chosen`` picks, by number or by flag, in that order."""
        columns = (getattr(self, field.name)[chosen] for field in fields(self))
        return type(self)(*columns)


def sight_of(view: GameView) -> Sight:
    """Return the one row of the seat whose ``view`` it is."""
    hand, you = view.hand, view.you
    assert hand is not None, "a hand is being played"
    pile = hand.discard_pile
    barred = cards_of(each.card for each in you.legal.barred)
    numbers = (
        you.cards,
        known_to_be_theirs(view),
        unseen(view),
        pile[-1] if pile else NO_CARD,
        barred.bit_length() - 1,
        thrown_lately(_pile_before_the_draw(view), hand.upcard),
        min(draws_left(view.rules, hand.stock_count), max(0, view.rules.max_turns - hand.turn)),
        hand.turn,
        hand.knock_limit,
        view.rules.gin_bonus,
        view.rules.undercut_bonus,
    )
    return Sight(*(np.array([number], np.int64) for number in numbers))


def _pile_before_the_draw(view: GameView) -> tuple[Card, ...]:
    hand, you = view.hand, view.you
    assert hand is not None, "a hand is being played"
    if you.drawn_from is not DrawSource.DISCARD_PILE or you.drawn_card is None:
        return hand.discard_pile
    return (*hand.discard_pile, you.drawn_card)


def thrown_lately(pile: Sequence[Card], upcard: Card) -> tuple[int, ...]:
    """Return what the other side threw last, and the two times before, of a seat about to draw.

    The pile does not tell who threw which card. Only the last one is sure; the others lie two and
    four below it where each seat drew from the stock in between. The upcard nobody threw.
    ``NO_CARD`` stands for those that are not there.
    """
    lowest = 1 if pile and pile[0] == upcard else 0
    return tuple(pile[-deep] if deep <= len(pile) - lowest else NO_CARD for deep in LATELY)


def draws_left(rules: Rules, stock_count: int) -> int:
    """Return how many cards can still be drawn from a stock of so many."""
    if rules.recycle != "never":
        return ENDLESS
    return min(max(0, stock_count - rules.stock_end), ENDLESS)


def with_card(sight: Sight, cards: Column, *, keeps: bool = False) -> Sight:
    """Return each row with one of ``cards`` drawn from the stock in hand.

    Where the rules say that it ``keeps`` the card, it may not throw it in this turn.
    """
    bits = np.left_shift(1, cards)
    return replace(
        sight,
        cards=sight.cards | bits,
        unseen=sight.unseen & ~bits,
        barred=cards if keeps else np.full_like(sight.barred, NO_CARD),
        left=np.maximum(sight.left - 1, 0),
        turn=sight.turn + 1,
    )


def with_top(sight: Sight) -> Sight:
    """Return each row with the top of the discard pile in hand, which may not be thrown again."""
    bits = np.left_shift(1, sight.top)
    return replace(sight, cards=sight.cards | bits, barred=sight.top, turn=sight.turn + 1)
