"""What a seat may do now, as a capability object that a front end binds to its buttons.

It is complete: whatever stands here will be accepted, and whatever of play does not is refused.
"""

from dataclasses import dataclass
from typing import Final

from engine.actions import DrawSource, KnockKind
from engine.cards import Card, Cards, cards_of
from engine.decisions import buried_pick_up, may_dig, throw_refusal
from engine.game import Game
from engine.hand import Hand, Phase
from engine.layoffs import LayOffChoice, PossibleLayOff, best_lay_offs, possible_lay_offs
from engine.melds import Arrangement, Meld, arrangements_after_each_discard, best_arrangement
from engine.rules import Rules, knock_limit


@dataclass(frozen=True, slots=True)
class DrawOption:
    """A draw; ``card`` is what it gives, where that is known.

    ``cards`` are all that come with a buried card, bottom to top; otherwise there are none.
    """

    source: DrawSource
    card: Card | None = None
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class KnockOption:
    """A knock, with the lay-out it would get.

    ``melds`` and ``unmatched`` are None where no advice is allowed: either tells the other.
    """

    kind: KnockKind
    discard: Card | None
    deadwood: int
    melds: tuple[Meld, ...] | None
    unmatched: Cards | None


@dataclass(frozen=True, slots=True)
class DiscardOption:
    """A discard: the deadwood it leaves, the cards arranged, and the knock it allows.

    ``melds`` and ``unmatched`` are None where no advice is allowed.
    """

    card: Card
    deadwood: int
    melds: tuple[Meld, ...] | None
    unmatched: Cards | None
    knock: KnockOption | None


@dataclass(frozen=True, slots=True)
class BarredCard:
    """A card that the seat holds and may not throw, and the code of the reason."""

    card: Card
    code: str


@dataclass(frozen=True, slots=True)
class LegalLayOffs:
    """The lay-offs that fit, and the best choice of them where the rules allow advice."""

    possible: tuple[PossibleLayOff, ...] = ()
    best: LayOffChoice | None = None


@dataclass(frozen=True, slots=True)
class Legal:
    """What a seat may do now; no actions: wait. Discards and knocks are listed best first."""

    actions: tuple[str, ...] = ()
    draws: tuple[DrawOption, ...] = ()
    discards: tuple[DiscardOption, ...] = ()
    discard_count: int = 0
    barred: tuple[BarredCard, ...] = ()
    knocks: tuple[KnockOption, ...] = ()
    lay_offs: LegalLayOffs = LegalLayOffs()


NOTHING: Final = Legal()


def legal(game: Game, seat: int) -> Legal:  # noqa: PLR0911 - one answer for each phase
    """Return what ``seat`` may do now."""
    hand, phase = game.hand, game.phase
    if phase is Phase.CUTTING:
        return _before_deal(game, seat)
    if hand is None or phase is Phase.GAME_OVER:
        return NOTHING
    if phase is Phase.HAND_OVER:
        return Legal(("deal",)) if seat in game.dealing_seats else NOTHING
    if phase is Phase.CONFIRMING:
        return Legal(("confirm",)) if seat in game.unconfirmed_seats else NOTHING
    if seat != hand.to_act:
        return _claim(game, seat)
    if phase is Phase.FIRST_UPCARD:
        return Legal(("draw", "pass"), draws=(_from_pile(hand),))
    if phase is Phase.DRAW:
        return _before_draw(game.rules, hand)
    if phase is Phase.LAY_OFF:
        return Legal(("lay_off",), lay_offs=_lay_offs(game.rules, hand))
    return _discards(game.rules, hand)


def _before_deal(game: Game, seat: int) -> Legal:
    return Legal(("cut",)) if seat in game.cutting_seats else _claim(game, seat)


def _claim(game: Game, seat: int) -> Legal:
    late = game.late_seat is not None and seat in game.claimants
    return Legal(("claim",)) if late else NOTHING


def _from_pile(hand: Hand) -> DrawOption:
    return DrawOption(DrawSource.DISCARD_PILE, hand.discard_pile[-1])


def _before_draw(rules: Rules, hand: Hand) -> Legal:
    if hand.at_wall:
        return Legal(("draw", "pass"), draws=(_from_pile(hand),))
    draws = (DrawOption(DrawSource.STOCK),) if hand.stock else ()
    if hand.discard_pile and not hand.must_draw_stock:
        draws = (*draws, _from_pile(hand), *_buried(rules, hand))
    return Legal(("draw",), draws=draws)


def _buried(rules: Rules, hand: Hand) -> tuple[DrawOption, ...]:
    """Return the buried discards that may be taken, those nearest to the top first."""
    if not may_dig(hand, rules):
        return ()
    picks = ((card, buried_pick_up(hand, card)) for card in reversed(hand.discard_pile[:-1]))
    return tuple(DrawOption(DrawSource.DISCARD_PILE, card, cards) for card, cards in picks if cards)


def _lay_offs(rules: Rules, hand: Hand) -> LegalLayOffs:
    assert hand.knock is not None
    melds, cards = hand.knock.melds, hand.knock.defender_cards
    best = None if rules.advice == "off" else best_lay_offs(melds, cards)
    return LegalLayOffs(possible_lay_offs(melds, cards), best)


def _discards(rules: Rules, hand: Hand) -> Legal:
    cards = hand.holdings[hand.to_act]
    barred = _barred(hand, rules)
    # A knock throws the last card that is owed; until then no option holds one.
    last = hand.discards_owed < 2
    limit = knock_limit(rules, hand.upcard) if last else -1
    advised = rules.advice != "off"
    kept = cards_of(each.card for each in barred)
    discards = discard_options(cards, kept, limit, advised=advised)
    knocks = tuple(option.knock for option in discards if option.knock)
    if rules.big_gin and last:
        knocks = big_gin_options(cards, advised=advised) + knocks
    knock = ("knock",) if knocks else ()
    if hand.at_wall:
        return Legal((*knock, "pass"), discard_count=1, barred=barred, knocks=knocks)
    return Legal(
        ("discard", *knock),
        discards=discards,
        discard_count=max(1, hand.discards_owed),
        barred=barred,
        knocks=knocks,
    )


def _barred(hand: Hand, rules: Rules) -> tuple[BarredCard, ...]:
    if hand.drawn_card is None:
        return ()
    refusal = throw_refusal(hand, rules, hand.drawn_card)
    return () if refusal is None else (BarredCard(hand.drawn_card, refusal.code),)


def discard_options(
    cards: Cards, barred: Cards, limit: int, *, advised: bool = True
) -> tuple[DiscardOption, ...]:
    """Return what each discard of ``cards`` leaves, the least deadwood first.

    ``barred`` cards may not be thrown; a knock is possible with no more deadwood than ``limit``.
    Where no advice is allowed the options do not say how the rest is laid out.
    """
    after = arrangements_after_each_discard(cards)
    return tuple(
        _discard_option(card, rest, limit, advised)
        for card, rest in sorted(after.items(), key=_deadwood_left)
        if not barred >> card & 1
    )


def _deadwood_left(option: tuple[Card, Arrangement]) -> int:
    return option[1].deadwood


def _discard_option(card: Card, rest: Arrangement, limit: int, advised: bool) -> DiscardOption:
    melds, unmatched = _told(rest, advised)
    knock = None
    if rest.deadwood <= limit:
        kind = KnockKind.KNOCK if rest.deadwood else KnockKind.GIN
        knock = KnockOption(kind, card, rest.deadwood, melds, unmatched)
    return DiscardOption(card, rest.deadwood, melds, unmatched, knock)


def big_gin_options(cards: Cards, *, advised: bool = True) -> tuple[KnockOption, ...]:
    """Return the big gin that ``cards`` make, or nothing."""
    whole = best_arrangement(cards)
    if whole.deadwood:
        return ()
    return (KnockOption(KnockKind.BIG_GIN, None, 0, *_told(whole, advised)),)


def _told(
    arrangement: Arrangement, advised: bool
) -> tuple[tuple[Meld, ...], Cards] | tuple[None, None]:
    """Return the melds and the rest of an arrangement, if they may be told."""
    return (arrangement.melds, arrangement.unmatched) if advised else (None, None)
