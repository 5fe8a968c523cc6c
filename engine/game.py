"""A game: hands until someone reaches the target. Who sits where, who deals, what comes next.

>>> game = begin(Setup("g_1", Rules(), (SeatKind.HUMAN, SeatKind.AI), bytes(32))).game
>>> game.phase, game.next_move
(<Phase.FIRST_UPCARD: 'first_upcard'>, 3)
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from engine import decisions, seating, shuffle
from engine.actions import Action, DealHand, Resign
from engine.cards import Card
from engine.columns import ScoredHand, scored_hand
from engine.errors import ConfirmationPending, GameNotStarted, GameOver, HandInProgress, HandOver
from engine.events import (
    DealerDrawn,
    Dealt,
    Event,
    HandEvent,
    Knocked,
    LaidOff,
    Resigned,
)
from engine.hand import Hand, Phase, check_cards, ended, evolve, start
from engine.rules import Rules
from engine.scoring import SCORED, HandOutcome, HandResult
from engine.seating import Pairing
from engine.settlement import GameScore, best_opponent, is_decided, settle
from engine.shuffle import DrawnCard


class SeatKind(StrEnum):
    """Who plays a seat."""

    HUMAN = "human"
    AI = "ai"


class Mover(StrEnum):
    """Whose doing a move is."""

    PLAYER = "player"
    AI = "ai"
    SERVER = "server"


@dataclass(frozen=True, slots=True)
class Setup:
    """What is fixed when a game is made. ``deal_key``: 32 secret bytes, the source of all deals.

    ``decks`` are those of the first hands of a sandbox game, in the order dealt. The key has no
    part in them, so that the commitments to their seeds prove nothing.
    """

    id: str
    rules: Rules
    seats: tuple[SeatKind, ...]
    deal_key: bytes
    decks: tuple[tuple[Card, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class SeatCount:
    """A number that belongs to a seat."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class After:
    """The table after a move, as everybody sees it."""

    phase: Phase
    to_act_seats: tuple[int, ...]
    stock_count: int
    card_counts: tuple[SeatCount, ...]
    top_discard: Card | None


@dataclass(frozen=True, slots=True)
class Move:
    """One accepted action of a seat or the server: its number in the game, and the fact it made.

    ``turn`` is that of the hand, 0 before the first draw.
    """

    number: int
    hand_number: int
    turn: int
    seat: int | None
    by: Mover
    event: Event
    after: After


@dataclass(frozen=True, slots=True)
class Game:
    """The state of a game. ``hand`` is the present one, or the last until the next is dealt.

    ``void_consents`` are the seats that consent to a void of the hand being played,
    ``confirmed_by`` those that have confirmed the score of the last one. ``abandoned`` says that
    the game was ended from outside, without a winner.
    """

    setup: Setup
    next_move: int = 1
    dealer_draw: tuple[DrawnCard, ...] = ()
    first_dealer: int | None = None
    hand: Hand | None = None
    hands: tuple[ScoredHand, ...] = ()
    last_result: HandResult | None = None
    given_to: int | None = None
    last_move: Move | None = None
    void_consents: tuple[int, ...] = ()
    confirmed_by: tuple[int, ...] = ()
    abandoned: bool = False

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.setup.rules

    @property
    def seat_count(self) -> int:
        """How many seats there are."""
        return len(self.setup.seats)

    @property
    def score(self) -> GameScore:
        """The score as it stands."""
        return settle(self.rules, self.seat_count, self.hands, self.given_to)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        if self.hand is None or not self.hand.over:
            return self.abandoned
        if self.abandoned or self.given_to is not None:
            return True
        if self.unconfirmed_seats:
            return False
        return is_decided(self.rules, self.seat_count, self.hands)

    @property
    def phase(self) -> Phase:
        """What is due."""
        if self.hand is None:
            return Phase.GAME_OVER if self.abandoned else Phase.WAITING
        if not self.hand.over:
            return self.hand.phase
        if self.unconfirmed_seats:
            return Phase.CONFIRMING
        return Phase.GAME_OVER if self.over else Phase.HAND_OVER

    @property
    def to_act_seats(self) -> tuple[int, ...]:
        """The seats that are due. Between hands that is every person at the table: any may deal."""
        if self.hand is None or self.abandoned:
            return ()
        if not self.hand.over:
            return (self.hand.to_act,)
        return self.unconfirmed_seats or (() if self.over else self.dealing_seats)

    @property
    def unconfirmed_seats(self) -> tuple[int, ...]:
        """The seats that have still to confirm the last score, if the hand had one (full s5)."""
        hand, result = self.hand, self.last_result
        if self.rules.confirm_score == "auto" or hand is None or not hand.over:
            return ()
        given_up = self.given_to is not None or self.abandoned
        if given_up or result is None or result.outcome not in SCORED:
            return ()
        return tuple(seat for seat in hand.playing_seats if seat not in self.confirmed_by)

    @property
    def dealing_seats(self) -> tuple[int, ...]:
        """The seats that may ask for a deal: the people, or all where only computers play."""
        seats = range(self.seat_count)
        people = tuple(seat for seat in seats if self.setup.seats[seat] is SeatKind.HUMAN)
        return people or tuple(seats)

    @property
    def next_hand_number(self) -> int:
        """The number of the coming hand, or of the next one while a hand is played."""
        return 1 if self.hand is None else self.hand.number + 1


@dataclass(frozen=True, slots=True)
class Transition:
    """The game after an action, and the moves that it made."""

    game: Game
    moves: tuple[Move, ...]


def new_game(setup: Setup) -> Game:
    """Return a game in which nothing has been dealt yet."""
    return Game(setup)


def begin(setup: Setup) -> Transition:
    """Return the game with its first hand dealt.

    With ``first_dealer: draw`` the seats first draw for the deal, from the same committed seed; of
    partners only the two who play first.
    """
    game = new_game(setup)
    moves: tuple[Move, ...] = ()
    if setup.rules.first_dealer == "draw":
        order = shuffle.draw_order(_deal_of(setup, 1))
        draws, _ = shuffle.draw_for_dealer(order, seating.drawing_seats(game.seat_count))
        game, moves = record(game, Mover.SERVER, (DealerDrawn(draws),))
    game, dealt = record(game, Mover.SERVER, (_dealt(game),))
    return Transition(game, moves + dealt)


def apply(game: Game, seat: int, action: Action, by: Mover = Mover.PLAYER) -> Transition:
    """Return the game after ``seat`` did ``action``, and the moves that followed from it.

    :raises IllegalAction: if it may not be done now; the game is as it was.
    """
    return Transition(*record(game, by, decide(game, seat, action)))


def decide(
    game: Game, seat: int, action: Action, reshuffle: decisions.Reshuffle | None = None
) -> tuple[Event, ...]:
    """Return what follows when ``seat`` does ``action``.

    Discards that are shuffled come in the order of the fair deal, unless ``reshuffle`` has another.

    :raises GameNotStarted: if nothing is dealt yet.
    :raises GameOver: if the game has ended.
    :raises HandInProgress: if a deal is asked for while a hand is played.
    :raises HandOver: if a move of play comes after the end of the hand.
    :raises IllegalAction: for what else the rules of the hand refuse.
    """
    if game.over:
        raise GameOver
    if game.hand is None:
        raise GameNotStarted
    if isinstance(action, Resign):
        winner = best_opponent(game.score, seat)
        return (Resigned(seat, winner, decisions.resigned_result(game.hand, game.rules)),)
    if isinstance(action, DealHand):
        if not game.hand.over:
            raise HandInProgress
        if game.unconfirmed_seats:
            raise ConfirmationPending(game.unconfirmed_seats)
        return (_dealt(game),)
    if game.hand.over:
        raise HandOver
    shuffled = reshuffle or _reshuffle(game.setup, game.hand)
    events = decisions.decide(game.hand, game.rules, seat, action, shuffled)
    return tuple(_with_team(event, game.seat_count) for event in events)


def _reshuffle(setup: Setup, hand: Hand) -> decisions.Reshuffle:
    return lambda times, cards: shuffle.recycled_order(_deal_of(setup, hand.number), times, cards)


def _with_team(event: HandEvent, seats: int) -> HandEvent:
    """Return ``event`` with the team that won the hand by it, where partners play."""
    if not isinstance(event, Knocked | LaidOff) or event.result is None:
        return event
    winner = event.result.winner
    team = None if winner is None else seating.team_of(seats, winner)
    if team is None:
        return event
    return replace(event, result=replace(event.result, winner_team=team))


# --- the deal


def _deal_of(setup: Setup, hand_number: int) -> shuffle.Deal:
    seed = shuffle.hand_seed(setup.deal_key, hand_number)
    return shuffle.Deal(setup.id, hand_number, seed)


def commitment(setup: Setup, hand_number: int) -> str:
    """Return the server's commitment to the seed of a hand, 64 hex digits."""
    return shuffle.server_commit(
        setup.id, hand_number, shuffle.hand_seed(setup.deal_key, hand_number)
    )


def _dealt(game: Game) -> Dealt:
    number = game.next_hand_number
    deal, decks = _deal_of(game.setup, number), game.setup.decks
    pairing = next_pairing(game)
    return Dealt(
        hand_number=number,
        dealer=pairing.dealer,
        nondealer=pairing.nondealer,
        deck=decks[number - 1] if number <= len(decks) else shuffle.deck_order(deal),
        seed=deal.seed,
        server_commit=commitment(game.setup, number),
    )


def next_pairing(game: Game) -> Pairing:
    """Return who deals and who plays the coming hand (see :mod:`engine.seating`).

    A void hand is dealt again by the same dealer to the same seat (full s3).
    """
    if game.hand is None:
        return seating.first_pairing(game.seat_count, _first_dealer(game))
    last = Pairing(game.hand.dealer, game.hand.nondealer)
    played = game.hands[-1]
    if played.outcome is HandOutcome.VOID:
        return last
    return seating.next_pairing(game.rules, game.seat_count, last, played.winner)


def _first_dealer(game: Game) -> int:
    if game.rules.first_dealer != "draw":
        return int(game.rules.first_dealer.removeprefix("seat"))
    assert game.first_dealer is not None, "the draw for the first dealer comes before the deal"
    return game.first_dealer


# --- bookkeeping


def record(game: Game, by: Mover, events: Iterable[Event]) -> tuple[Game, tuple[Move, ...]]:
    """Return the game after ``events``, and the move that each of them becomes."""
    moves: list[Move] = []
    for event in events:
        game = evolve_game(game, event)
        # What follows from a move, such as the end of a drawn hand, is the server's doing.
        move = _move(game, event, Mover.SERVER if moves else _by(by, event))
        game = replace(game, next_move=game.next_move + 1, last_move=move)
        moves.append(move)
    if game.hand is not None:
        check_cards(game.hand)
    return game, tuple(moves)


def _by(by: Mover, event: Event) -> Mover:
    return Mover.SERVER if isinstance(event, DealerDrawn | Dealt) else by


def _move(game: Game, event: Event, by: Mover) -> Move:
    hand = game.hand
    return Move(
        number=game.next_move,
        hand_number=hand.number if hand else 1,
        turn=hand.turn if hand else 0,
        seat=getattr(event, "seat", None),
        by=by,
        event=event,
        after=_after(game),
    )


def _after(game: Game) -> After:
    hand = game.hand
    return After(
        phase=game.phase,
        to_act_seats=game.to_act_seats,
        stock_count=len(hand.stock) if hand else 0,
        card_counts=tuple(
            SeatCount(seat, hand.holdings[seat].bit_count()) for seat in hand.playing_seats
        )
        if hand
        else (),
        top_discard=hand.discard_pile[-1] if hand and hand.discard_pile else None,
    )


def evolve_game(game: Game, event: Event) -> Game:
    """Return the game after ``event``. Never refuses."""
    if isinstance(event, DealerDrawn):
        drawn = (draw.card for draw in event.draws)
        _, dealer = shuffle.draw_for_dealer(drawn, seating.drawing_seats(game.seat_count))
        return replace(game, dealer_draw=event.draws, first_dealer=dealer)
    if isinstance(event, Dealt):
        dealt = start(event, game.seat_count, game.rules)
        return replace(game, hand=dealt, void_consents=(), confirmed_by=())
    hand = game.hand
    assert hand is not None, "a hand is dealt before anything happens in it"
    if isinstance(event, Resigned):
        game = replace(game, given_to=event.winner, hand=ended(hand))
    else:
        game = replace(game, hand=evolve(hand, game.rules, event))
    result: HandResult | None = getattr(event, "result", None)
    return game if result is None else _with_result(game, result)


def _with_result(game: Game, result: HandResult) -> Game:
    hands = (*game.hands, scored_hand(result))
    game = replace(game, last_result=result, hands=hands, void_consents=())
    # Computers confirm at once.
    kinds = game.setup.seats
    at_once = (seat for seat in game.unconfirmed_seats if kinds[seat] is SeatKind.AI)
    return replace(game, confirmed_by=tuple(at_once))
