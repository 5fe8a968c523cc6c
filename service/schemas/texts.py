"""Cards laid out, written as JSON text at once from pieces that were written before.

For answers about thousands of hands: to make objects of each, only to write them out, would cost
more than all else. What is written here is byte for byte what :mod:`service.schemas.dump` makes and
the encoder writes; a test holds both to the same.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final

import orjson

from engine.cards import Cards, card_name, card_names
from engine.layoffs import LayOff
from engine.melds import Meld, melds_of
from service.schemas.dump import meld as _wire_of

REMEMBERED: Final = 4096
_SUIT: Final = (1 << 13) - 1
_TWO_SUITS: Final = (1 << 26) - 1


class _Suit(dict[int, str]):
    """The names of each holding of one suit, every one with a comma behind it."""

    def __init__(self, shift: int) -> None:
        super().__init__()
        self._shift = shift

    def __missing__(self, holding: int) -> str:
        names = card_names(holding << self._shift)
        text = self[holding] = "".join(f'"{name}",' for name in names)
        return text


_CLUBS, _DIAMONDS, _HEARTS, _SPADES = (_Suit(13 * suit) for suit in range(4))


def cards(of: Cards) -> str:
    """Return the names of a set of cards, in card order."""
    low, high = of & _TWO_SUITS, of >> 26
    names = _CLUBS[low & _SUIT] + _DIAMONDS[low >> 13] + _HEARTS[high & _SUIT] + _SPADES[high >> 13]
    return f"[{names[:-1]}]"


@lru_cache(maxsize=REMEMBERED)
def melds(sets: Cards, runs: Cards) -> str:
    """Return the melds that consist of exactly ``sets`` and ``runs``, in their order."""
    return melds_in_order(melds_of(sets, runs))


def melds_in_order(of: Iterable[Meld]) -> str:
    """Return melds, in the order in which lay-offs refer to them."""
    return f"[{','.join(map(_meld, of))}]"


@cache  # there are 329 melds in a deck
def _meld(of: Meld) -> str:
    return orjson.dumps(_wire_of(of)).decode()


def lay_offs(of: Iterable[LayOff]) -> str:
    """Return lay-offs in their order."""
    made = ",".join(f'{{"card":"{card_name(each.card)}","meld":{each.meld}}}' for each in of)
    return f"[{made}]"
