"""What cards are worth that somebody holds elsewhere, and what may be done with them."""

from dataclasses import dataclass
from typing import Final

from engine.cards import NO_CARDS, Card, Cards
from engine.errors import CardNotInHand, UpcardNeeded, WrongCardCount
from engine.hand import HAND_SIZE
from engine.hand_scores import MOST_CARDS, Mistold
from engine.lay_outs import first_lay_outs
from engine.legal import DiscardOption, KnockOption, big_gin_options, discard_options
from engine.melds import Arrangement
from engine.rules import Rules, knock_limit, multiplier

MOST_ARRANGEMENTS: Final = 50


@dataclass(frozen=True, slots=True)
class CardsAnalysis:
    """What cards are worth. ``deadwood`` counts all of them.

    ``arrangements`` begins with the best, ``more`` says that there are others. Who holds eleven
    cards or more has to throw one: ``discards`` and ``knocks`` say what that leaves, best first;
    with fewer cards there are none.
    """

    cards: Cards
    arrangements: tuple[Arrangement, ...]
    more: bool
    knock_limit: int
    multiplier: int
    knocks: tuple[KnockOption, ...]
    discards: tuple[DiscardOption, ...]

    @property
    def deadwood(self) -> int:
        """The least deadwood, all cards counted."""
        return self.arrangements[0].deadwood

    @property
    def deadwood_after_best_discard(self) -> int | None:
        """The least deadwood that a discard leaves, None if none is due."""
        return self.discards[0].deadwood if self.discards else None


def analyse(
    cards: Cards,
    rules: Rules,
    upcard: Card | None = None,
    taken_from_discard: Card | None = None,
    max_arrangements: int = 1,
) -> CardsAnalysis:
    """Return what ``cards`` are worth under ``rules``.

    ``taken_from_discard`` is the card just taken, which may not be thrown. ``upcard`` is the first
    card that lay face up.

    :raises Mistold: if there are more cards than one seat may hold, if the card taken is not among
        them, or if the rules make the limit or the score depend on an upcard that is missing.
    """
    check_count(cards, rules, HAND_SIZE + 1)
    taken = NO_CARDS if taken_from_discard is None else 1 << taken_from_discard
    if taken_from_discard is not None and not cards & taken:
        raise Mistold(CardNotInHand(taken_from_discard), "taken_from_discard")
    if upcard is None and (rules.knock_mode == "oklahoma" or rules.spade_doubles != "off"):
        raise Mistold(UpcardNeeded(), "upcard")
    limit = knock_limit(rules, upcard)
    knocks, discards = _options(cards, rules, taken, limit)
    arrangements, more = first_lay_outs(cards, max_arrangements)
    factor = multiplier(rules, upcard)
    return CardsAnalysis(cards, arrangements, more, limit, factor, knocks, discards)


def check_count(cards: Cards, rules: Rules, most: int) -> None:
    """Refuse no cards, and more than ``most``, which is ten or, before a discard, eleven.

    Where several cards may be picked up there may be more before the discards, and after them
    where hands grow (full s6).

    :raises Mistold: with ``wrong_card_count``.
    """
    if rules.multi_pickup and (most > HAND_SIZE or rules.multi_pickup_return == "grow"):
        most = MOST_CARDS + most - HAND_SIZE
    if not 1 <= cards.bit_count() <= most:
        raise Mistold(WrongCardCount(1, most), "cards")


def _options(
    cards: Cards, rules: Rules, barred: Cards, limit: int
) -> tuple[tuple[KnockOption, ...], tuple[DiscardOption, ...]]:
    count = cards.bit_count()
    if count <= HAND_SIZE:
        return (), ()
    # Where more than one discard is owed, nobody can knock yet.
    last = count == HAND_SIZE + 1 or rules.multi_pickup_return == "grow"
    discards = discard_options(cards, barred, limit if last else -1)
    knocks = tuple(option.knock for option in discards if option.knock)
    if rules.big_gin and last:
        knocks = big_gin_options(cards) + knocks
    return knocks, discards
