"""A move, a deal and a knock as one viewer may see them; see :mod:`engine.views`."""

from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Final, TypeAlias, TypedDict

from engine.actions import DrawSource, KnockKind
from engine.cards import DECK, NO_CARDS, Card, Cards, cards_of
from engine.events import (
    Claimed,
    DealerDrawn,
    Dealt,
    Discarded,
    Drew,
    Event,
    HandDrawn,
    HandVoided,
    Knocked,
    LaidOff,
    Passed,
    Resigned,
)
from engine.game import After, Game, Move, Mover
from engine.hand import HAND_SIZE, dealt_cards
from engine.layoffs import LayOff
from engine.melds import Meld
from engine.rules import Rules, knock_limit, multiplier
from engine.scoring import HandResult
from engine.shuffle import DrawnCard, SeatNonce

Viewer: TypeAlias = int | None
"""A seat, or None for somebody who only watches."""

SPECTATOR: Final[Viewer] = None


@dataclass(frozen=True, slots=True)
class KnockView:
    """A knock: the lay-out, both seats' cards, and once it is scored the lay-offs and result."""

    hand_number: int
    seat: int
    kind: KnockKind
    discard: Card | None
    melds: tuple[Meld, ...]
    unmatched: Cards
    deadwood: int
    defender: int
    defender_cards: Cards
    lay_offs: tuple[LayOff, ...]
    result: HandResult | None


@dataclass(frozen=True, slots=True)
class SeatCards:
    """Cards of a seat."""

    seat: int
    cards: Cards


@dataclass(frozen=True, slots=True)
class DealView:
    """A deal; ``cards`` are the viewer's own."""

    dealer: int
    playing_seats: tuple[int, ...]
    cards: Cards
    upcard: Card
    knock_limit: int
    multiplier: int
    server_commit: str
    nonces: tuple[SeatNonce, ...]


@dataclass(frozen=True, slots=True)
class MoveView:
    """A move as a viewer may see it: a card drawn from the stock is absent for all but its seat."""

    number: int
    hand_number: int
    turn: int
    seat: int | None
    by: Mover
    action: str
    after: After
    source: DrawSource | None = None
    card: Card | None = None
    cards: tuple[Card, ...] = ()
    dealer_draw: tuple[DrawnCard, ...] | None = None
    deal: DealView | None = None
    knock: KnockView | None = None
    lay_offs: tuple[LayOff, ...] | None = None
    result: HandResult | None = None


def seen(move: Move, viewer: Viewer, game: Game, *, revealed: bool = False) -> MoveView:
    """Return ``move`` of ``game`` as ``viewer`` may see it, as ``game`` stands now.

    ``revealed`` says that its hand is over, so that what was drawn and dealt in it is open.

    With ``discard_view: top`` and while its hand is played, the log names a discard, a card that
    was taken from the pile, or the top of the pile after a move, only if that card lies on top of
    the pile now, or was taken from it in the last turn of a seat, or in the present one, and is
    still held. All others are left out, for the seats that threw or took them, too. What a seat
    holds, was dealt and drew from the stock stays known to it; the initial upcard stands in the
    deal. When the hand is over all discards are open, ``revealed`` or not.
    """
    event, after = move.event, move.after
    named = _named_discards(game, move.hand_number)
    if named != DECK:
        after = replace(after, top_discard=_within(named, after.top_discard))
    if isinstance(event, Drew) and event.source is DrawSource.STOCK:
        named = DECK if revealed or event.seat == viewer else NO_CARDS
    return MoveView(
        number=move.number,
        hand_number=move.hand_number,
        turn=move.turn,
        seat=move.seat,
        by=move.by,
        action=event.action,
        after=after,
        **_told(event, move.hand_number, viewer, named, game.rules),
    )


class _Told(TypedDict, total=False):
    """What a kind of fact tells beside itself; the names are those of :class:`MoveView`."""

    source: DrawSource
    card: Card | None
    cards: tuple[Card, ...]
    dealer_draw: tuple[DrawnCard, ...]
    deal: DealView
    knock: KnockView
    lay_offs: tuple[LayOff, ...]
    result: HandResult | None


def _told(  # noqa: PLR0911 - one answer for each kind of fact
    event: Event, hand_number: int, viewer: Viewer, named: Cards, rules: Rules
) -> _Told:
    """Return what ``event`` tells ``viewer``, a single card only if it is one of ``named``."""
    match event:
        case Drew():
            card = _within(named, event.card)
            return {"source": event.source, "card": card, "cards": event.cards}
        case Discarded():
            return {"card": _within(named, event.card)}
        case DealerDrawn():
            return {"dealer_draw": event.draws}
        case Dealt():
            return {"deal": deal_view(event, viewer, rules)}
        case Knocked():
            return {"knock": knock_view(hand_number, event, None), "result": event.result}
        case LaidOff():
            return {"lay_offs": event.lay_offs, "result": event.result}
        case HandDrawn() | HandVoided() | Resigned() | Claimed():
            return {"result": event.result}
        case Passed():
            return {}


def _named_discards(game: Game, hand_number: int) -> Cards:
    """Return the cards that the log of a hand may name where it tells of discards."""
    hand = game.hand
    if hand is None or hand.number != hand_number or not hides_discards(game):
        return DECK
    return cards_of(hand.discard_pile[-1:]) | reduce(or_, hand.taken)


def _within(cards: Cards, card: Card | None) -> Card | None:
    return card if card is not None and cards >> card & 1 else None


def deal_view(dealt: Dealt, viewer: Viewer, rules: Rules) -> DealView:
    """Return a deal as ``viewer`` saw it."""
    upcard = dealt.deck[2 * HAND_SIZE]
    return DealView(
        dealer=dealt.dealer,
        playing_seats=tuple(sorted((dealt.dealer, dealt.nondealer))),
        cards=dealt_cards(dealt).get(viewer, NO_CARDS) if viewer is not None else NO_CARDS,
        upcard=upcard,
        knock_limit=knock_limit(rules, upcard),
        multiplier=multiplier(rules, upcard),
        server_commit=dealt.server_commit,
        nonces=dealt.nonces,
    )


def seen_holdings(dealt: Dealt, viewer: Viewer, *, revealed: bool) -> tuple[SeatCards, ...]:
    """Return the cards dealt to each seat as far as ``viewer`` may know them.

    Those are its own; all of them once the hand is over (``revealed``).
    """
    return tuple(
        SeatCards(seat, cards)
        for seat, cards in sorted(dealt_cards(dealt).items())
        if revealed or seat == viewer
    )


def hides_discards(game: Game) -> bool:
    """Return whether what lies under the top of the pile is hidden now (full s3; rules.md row 48).

    It is with ``discard_view: top``, until the hand is over.
    """
    return game.rules.discard_view == "top" and game.hand is not None and not game.hand.over


def knock_view(hand_number: int, knocked: Knocked, result: HandResult | None) -> KnockView:
    """Return what everybody sees of a knock; ``result`` is that of its hand, once there is one."""
    result = knocked.result or result
    lay_offs: tuple[LayOff, ...] = ()
    if result is not None:
        lay_offs = next(side.lay_offs for side in result.sides if side.seat == knocked.defender)
    return KnockView(
        hand_number=hand_number,
        seat=knocked.seat,
        kind=knocked.kind,
        discard=knocked.discard,
        melds=knocked.melds,
        unmatched=knocked.unmatched,
        deadwood=knocked.deadwood,
        defender=knocked.defender,
        defender_cards=knocked.defender_cards,
        lay_offs=lay_offs,
        result=result,
    )
