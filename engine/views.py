"""All that one viewer may know of a game. Nothing else leaves the engine.

A viewer is a seat, or a spectator. Computer players, answers, events and logs get these objects and
never a :class:`~engine.hand.Hand`. What a viewer cannot know does not influence them in any way.
"""

from dataclasses import dataclass, replace

from engine.actions import DrawSource
from engine.cards import NO_CARDS, Card, Cards
from engine.dealing import commitment
from engine.game import Game, SeatKind
from engine.hand import Hand, Phase
from engine.legal import NOTHING, Legal, legal
from engine.melds import Arrangement, best_arrangement
from engine.move_views import (
    SPECTATOR,
    KnockView,
    MoveView,
    Viewer,
    hides_discards,
    knock_view,
    seen,
)
from engine.rules import Rules, knock_limit, multiplier
from engine.scoring import HandResult
from engine.seating import SeatCount, team_of
from engine.settlement import GameScore
from engine.shuffle import NO_SHARES, DrawnCard, SeatCommit


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat as everybody sees it; ``known_cards`` it took from the pile and still holds.

    With ``discard_view: top`` these are only what it took in its last turn, or in the present one.
    ``away`` says that a computer plays it since its time ran out.
    """

    seat: int
    kind: SeatKind
    team: int | None
    sits_out: bool
    dealer: bool
    card_count: int
    known_cards: Cards
    away: bool


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
    contributors: tuple[int, ...]
    knock: KnockView | None


@dataclass(frozen=True, slots=True)
class NextHand:
    """The coming hand, committed to before it is dealt.

    ``nonce_commits`` are those of the seats that will have a share in its shuffle, or in a later
    one; ``cuts`` are the seats that have cut. What they opened nobody sees before the deal.
    """

    number: int
    server_commit: str
    nonce_commits: tuple[SeatCommit, ...] = ()
    cuts: tuple[int, ...] = ()


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
    hints_used: tuple[SeatCount, ...]


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
        hints_used=tuple(SeatCount(each.seat, each.count) for each in game.hints),
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
        away=seat in game.away_seats,
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
        contributors=hand.contributors,
        knock=None
        if hand.knock is None
        else knock_view(hand.number, hand.knock, _result_of(game, hand)),
    )


def _result_of(game: Game, hand: Hand) -> HandResult | None:
    """Return the result of the present hand; a game that was abandoned may have ended within it."""
    result = game.last_result
    known = hand.over and result is not None and result.hand_number == hand.number
    return result if known else None


def next_hand(game: Game) -> NextHand | None:
    """Return the coming hand while it waits to be dealt, or for a score to be confirmed."""
    confirming = game.phase is Phase.CONFIRMING and not game.score.complete
    if not confirming and game.phase not in (Phase.CUTTING, Phase.HAND_OVER):
        return None
    number, shares = game.next_hand_number, game.shares or NO_SHARES
    cuts = tuple(each.seat for each in shares.cuts)
    return NextHand(number, commitment(game.setup, number), shares.commits, cuts)


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


def view_beside_computer(game: Game, seat: int) -> GameView:
    """Return the view of who lets the computer play ``seat``: a spectator's who may deal."""
    shown = view(game, SPECTATOR)
    options = legal(game, seat)
    return replace(shown, you=You(None, legal=options if "deal" in options.actions else NOTHING))
