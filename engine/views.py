"""All that one viewer may know of a game. Nothing else leaves the engine.

A viewer is a seat, or a spectator. Computer players, answers, events and logs get these objects and
never a :class:`~engine.hand.Hand`. What a viewer cannot know does not influence them in any way.
"""

from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Final, TypeAlias, TypedDict

from engine.actions import DrawSource, KnockKind
from engine.cards import DECK, NO_CARDS, Card, Cards, cards_of
from engine.events import (
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
from engine.game import After, Game, Move, Mover, SeatKind, commitment
from engine.hand import HAND_SIZE, Hand, Phase, dealt_cards
from engine.layoffs import LayOff
from engine.legal import NOTHING, Legal, legal
from engine.melds import Arrangement, Meld, best_arrangement
from engine.rules import Rules, knock_limit, multiplier
from engine.scoring import HandResult
from engine.seating import team_of
from engine.settlement import GameScore
from engine.shuffle import DrawnCard

Viewer: TypeAlias = int | None
"""A seat, or None for somebody who only watches."""

SPECTATOR: Final[Viewer] = None


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat as everybody sees it; ``known_cards`` it took from the pile and still holds.

    With ``discard_view: top`` these are only what it took in its last turn, or in the present one.
    """

    seat: int
    kind: SeatKind
    team: int | None
    sits_out: bool
    dealer: bool
    card_count: int
    known_cards: Cards


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
class HandView:
    """What lies on the table; of the pile with ``discard_view: top`` its top, until the end."""

    number: int
    dealer: int
    playing_seats: tuple[int, ...]
    turn: int
    upcard: Card
    discard_pile: tuple[Card, ...]
    stock_count: int
    knock_limit: int
    multiplier: int
    server_commit: str
    knock: KnockView | None


@dataclass(frozen=True, slots=True)
class NextHand:
    """The coming hand, committed to before it is dealt."""

    number: int
    server_commit: str


@dataclass(frozen=True, slots=True)
class You:
    """What only this viewer knows, and may do. A spectator holds nothing and may do nothing."""

    seat: Viewer
    cards: Cards = NO_CARDS
    drawn_card: Card | None = None
    drawn_from: DrawSource | None = None
    best: Arrangement | None = None
    deadwood_after_best_discard: int | None = None
    legal: Legal = NOTHING


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


@dataclass(frozen=True, slots=True)
class GameView:
    """Everything one viewer may know of a game."""

    id: str
    next_move: int
    phase: Phase
    over: bool
    rules: Rules
    seats: tuple[SeatView, ...]
    to_act_seats: tuple[int, ...]
    hand: HandView | None
    next_hand: NextHand | None
    you: You
    last_move: MoveView | None
    last_hand: HandResult | None
    score: GameScore
    winner: int | None
    winner_team: int | None
    dealer_draw: tuple[DrawnCard, ...]
    void_consents: tuple[int, ...]
    confirmed_by: tuple[int, ...]


def view(game: Game, viewer: Viewer) -> GameView:
    """Return all that ``viewer`` may know of ``game``."""
    score = game.score
    phase = game.phase
    decided = phase is Phase.GAME_OVER and not game.abandoned
    return GameView(
        id=game.setup.id,
        next_move=game.next_move,
        phase=phase,
        over=phase is Phase.GAME_OVER,
        rules=game.rules,
        seats=_seats(game),
        to_act_seats=game.to_act_seats,
        hand=_hand_view(game),
        next_hand=next_hand(game),
        you=_you(game, viewer),
        last_move=None if game.last_move is None else seen(game.last_move, viewer, game),
        last_hand=game.last_result,
        score=score,
        winner=score.winner if decided else None,
        winner_team=score.winner_team if decided else None,
        dealer_draw=game.dealer_draw,
        void_consents=game.void_consents,
        confirmed_by=game.confirmed_by,
    )


def _seats(game: Game) -> tuple[SeatView, ...]:
    return tuple(_seat(game, seat, kind) for seat, kind in enumerate(game.setup.seats))


def _seat(game: Game, seat: int, kind: SeatKind) -> SeatView:
    hand = game.hand
    return SeatView(
        seat=seat,
        kind=kind,
        team=team_of(game.seat_count, seat),
        sits_out=hand is not None and seat not in hand.playing_seats,
        dealer=hand is not None and seat == hand.dealer,
        card_count=hand.holdings[seat].bit_count() if hand else 0,
        known_cards=hand.taken[seat] if hand else NO_CARDS,
    )


def _hand_view(game: Game) -> HandView | None:
    hand = game.hand
    if hand is None:
        return None
    return HandView(
        number=hand.number,
        dealer=hand.dealer,
        playing_seats=hand.playing_seats,
        turn=hand.turn,
        upcard=hand.upcard,
        discard_pile=hand.discard_pile[-1:] if hides_discards(game) else hand.discard_pile,
        stock_count=len(hand.stock),
        knock_limit=knock_limit(game.rules, hand.upcard),
        multiplier=multiplier(game.rules, hand.upcard),
        server_commit=hand.server_commit,
        knock=None
        if hand.knock is None
        else knock_view(hand.number, hand.knock, _result_of(game, hand)),
    )


def _result_of(game: Game, hand: Hand) -> HandResult | None:
    """Return the result of the present hand; a game that was abandoned may have ended within it."""
    result = game.last_result
    known = hand.over and result is not None and result.hand_number == hand.number
    return result if known else None


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


def next_hand(game: Game) -> NextHand | None:
    """Return the coming hand while it waits to be dealt, or for a score to be confirmed."""
    confirming = game.phase is Phase.CONFIRMING and not game.score.complete
    if not confirming and game.phase is not Phase.HAND_OVER:
        return None
    number = game.next_hand_number
    return NextHand(number, commitment(game.setup, number))


def _you(game: Game, viewer: Viewer) -> You:
    hand = game.hand
    if viewer is None:
        return You(None)
    if hand is None or viewer not in hand.playing_seats:
        return You(viewer, legal=legal(game, viewer))
    cards = hand.holdings[viewer]
    options = legal(game, viewer)
    drew = viewer == hand.to_act and hand.drawn_card is not None
    return You(
        seat=viewer,
        cards=cards,
        drawn_card=hand.drawn_card if drew else None,
        drawn_from=hand.drawn_from if drew else None,
        best=None if game.rules.advice == "off" else best_arrangement(cards),
        deadwood_after_best_discard=options.discards[0].deadwood if options.discards else None,
        legal=options,
    )


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
        case HandDrawn() | HandVoided() | Resigned():
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


def view_beside_computer(game: Game, seat: int) -> GameView:
    """Return the view of who lets the computer play ``seat``: a spectator's who may deal."""
    shown = view(game, SPECTATOR)
    options = legal(game, seat)
    return replace(shown, you=You(None, legal=options if "deal" in options.actions else NOTHING))
