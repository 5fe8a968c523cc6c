"""Cards, sets of cards, points, and their notation.

A card is a number from 0 to 51: thirteen clubs, then diamonds, hearts and spades, each from ace to
king. A set of cards is an integer with bit ``1 << card`` set for each card it holds, so that
union, difference and membership are single machine operations.

>>> card_name(parse_card("10h"))
'TH'
>>> [card_name(card) for card in each_card(parse_cards(["KS", "AC"]))]
['AC', 'KS']
"""

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from engine.errors import BadCard, DuplicateCard

Card: TypeAlias = int
"""A card: ``13 * suit + rank``, suits C D H S from 0, ranks ace to king from 0."""

Cards: TypeAlias = int
"""A set of cards: bit ``1 << card`` for each of them."""

SuitCards: TypeAlias = int
"""Cards of one suit: bit ``1 << rank`` for each of them, 13 bits."""

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
NO_CARDS: Final[Cards] = 0
DECK: Final[Cards] = (1 << 52) - 1
CARD_NAMES: Final[tuple[str, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
ACES: Final[Cards] = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""The four aces; ``ACES << rank`` are the four cards of that rank."""
POINTS: Final[tuple[int, ...]] = tuple(min(card % 13 + 1, 10) for card in range(52))
"""Deadwood points of each card: ace 1, pip cards their number, jack, queen and king 10."""


def _suit_points() -> tuple[int, ...]:
    sums = [0]
    for value in POINTS[:13]:
        sums += [value + lower for lower in sums]
    return tuple(sums)


SUIT_POINTS: Final[tuple[int, ...]] = _suit_points()
"""Deadwood points of each holding of one suit, all its cards counted."""


def _suit_names(suit: int) -> tuple[tuple[str, ...], ...]:
    names: list[tuple[str, ...]] = [()]
    for name in CARD_NAMES[13 * suit : 13 * suit + 13]:
        names += [(*lower, name) for lower in names]
    return tuple(names)


_CLUBS, _DIAMONDS, _HEARTS, _SPADES = map(_suit_names, range(4))
"""The names of each holding of one suit, in card order."""

_CARD_OF_NAME: Final[dict[str, Card]] = {name: card for card, name in enumerate(CARD_NAMES)}


def rank_of(card: Card) -> int:
    """Return the rank of ``card``, 0 for an ace to 12 for a king."""
    return card % 13


def suit_of(card: Card) -> int:
    """Return the suit of ``card``, 0 to 3 for clubs, diamonds, hearts, spades."""
    return card // 13


def card_name(card: Card) -> str:
    """Return the two letters of ``card``: rank ``A23456789TJQK``, then suit ``CDHS``."""
    return CARD_NAMES[card]


def parse_card(text: str) -> Card:
    """Return the card that ``text`` names; lower case and ``10`` for ``T`` are accepted.

    :raises BadCard: if ``text`` names no card of a 52-card deck.
    """
    card = _CARD_OF_NAME.get(text)
    if card is None:
        spelled = text.upper() if text.isascii() else ""
        card = _CARD_OF_NAME.get(
            spelled.replace("10", "T", 1) if spelled.startswith("10") else spelled
        )
    if card is None:
        raise BadCard(text)
    return card


def parse_cards(texts: Iterable[str]) -> Cards:
    """Return the set of the cards that ``texts`` name.

    :raises BadCard: if one of them names no card.
    :raises DuplicateCard: if a card is named twice.
    """
    cards = NO_CARDS
    for text in texts:
        card = parse_card(text)
        if cards >> card & 1:
            raise DuplicateCard(card)
        cards |= 1 << card
    return cards


def cards_of(members: Iterable[Card]) -> Cards:
    """Return the set of ``members``."""
    cards = NO_CARDS
    for card in members:
        cards |= 1 << card
    return cards


def each_card(cards: Cards) -> Iterator[Card]:
    """Yield the members of ``cards`` in order: clubs, diamonds, hearts, spades, ace to king."""
    while cards:
        lowest = cards & -cards
        yield lowest.bit_length() - 1
        cards ^= lowest


def card_names(cards: Cards) -> list[str]:
    """Return the names of the members of ``cards``, in card order."""
    low = cards & 0x3FFFFFF
    high = cards >> 26
    return [
        *_CLUBS[low & 0x1FFF],
        *_DIAMONDS[low >> 13],
        *_HEARTS[high & 0x1FFF],
        *_SPADES[high >> 13],
    ]


def points(cards: Cards) -> int:
    """Return the sum of the deadwood points of ``cards``."""
    low = cards & 0x3FFFFFF
    high = cards >> 26
    return (
        SUIT_POINTS[low & 0x1FFF]
        + SUIT_POINTS[low >> 13]
        + SUIT_POINTS[high & 0x1FFF]
        + SUIT_POINTS[high >> 13]
    )
