"""A game: hands until someone reaches the target. Who sits where, who deals, what comes next.

>>> game = begin(Setup("g_1", Rules(), (SeatKind.HUMAN, SeatKind.AI), bytes(32))).game
>>> game.phase, game.next_move
(<Phase.FIRST_UPCARD: 'first_upcard'>, 3)
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from engine import decisions, shuffle
from engine.actions import Action, DealHand, Resign
from engine.cards import Card
from engine.errors import GameNotStarted, GameOver, HandInProgress, HandOver
from engine.events import DealerDrawn, Dealt, Event, Resigned
from engine.hand import Hand, Phase, check_cards, ended, evolve, start
from engine.rules import Rules
from engine.scoring import HandResult
from engine.settlement import GameScore, ScoredHand, scored_hand, settle, winner_of
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
    """What is fixed when a game is made. ``deal_key``: 32 secret bytes, the source of all deals."""

    id: str
    rules: Rules
    seats: tuple[SeatKind, ...]
    deal_key: bytes


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
    """The state of a game. ``hand`` is the present one, or the last until the next is dealt."""

    setup: Setup
    next_move: int = 1
    dealer_draw: tuple[DrawnCard, ...] = ()
    first_dealer: int | None = None
    hand: Hand | None = None
    hands: tuple[ScoredHand, ...] = ()
    last_result: HandResult | None = None
    given_to: int | None = None
    last_move: Move | None = None

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.setup.rules

    @property
    def score(self) -> GameScore:
        """The score as it stands."""
        return settle(self.rules, len(self.setup.seats), self.hands, self.given_to)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        if self.hand is None or not self.hand.over:
            return False
        if self.given_to is not None:
            return True
        return winner_of(self.rules, len(self.setup.seats), self.hands) is not None

    @property
    def phase(self) -> Phase:
        """What is due."""
        if self.hand is None:
            return Phase.WAITING
        if not self.hand.over:
            return self.hand.phase
        return Phase.GAME_OVER if self.over else Phase.HAND_OVER

    @property
    def to_act_seats(self) -> tuple[int, ...]:
        """The seats that are due. Between hands that is every person at the table: any may deal."""
        if self.hand is None:
            return ()
        if not self.hand.over:
            return (self.hand.to_act,)
        return () if self.over else self.dealing_seats

    @property
    def dealing_seats(self) -> tuple[int, ...]:
        """The seats that may ask for a deal: the people, or all where only computers play."""
        seats = range(len(self.setup.seats))
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

    With ``first_dealer: draw`` the seats first draw for the deal, from the same committed seed.
    """
    game = new_game(setup)
    moves: tuple[Move, ...] = ()
    if setup.rules.first_dealer == "draw":
        order = shuffle.draw_order(_deal_of(setup, 1))
        draws, _ = shuffle.draw_for_dealer(order, len(setup.seats))
        game, moves = _record(game, Mover.SERVER, (DealerDrawn(draws),))
    game, dealt = _record(game, Mover.SERVER, (_dealt(game),))
    return Transition(game, moves + dealt)


def apply(game: Game, seat: int, action: Action, by: Mover = Mover.PLAYER) -> Transition:
    """Return the game after ``seat`` did ``action``, and the moves that followed from it.

    :raises IllegalAction: if it may not be done now; the game is as it was.
    """
    return Transition(*_record(game, by, decide(game, seat, action)))


def decide(game: Game, seat: int, action: Action) -> tuple[Event, ...]:
    """Return what follows when ``seat`` does ``action``.

    :raises GameNotStarted: if nothing is dealt yet.
    :raises GameOver: if the game has ended.
    :raises HandInProgress: if a deal is asked for while a hand is played.
    :raises HandOver: if a move of play comes after the end of the hand.
    :raises IllegalAction: for what else the rules of the hand refuse.
    """
    if game.hand is None:
        raise GameNotStarted
    if game.over:
        raise GameOver
    if isinstance(action, Resign):
        winner = _leader_of_others(game, seat)
        return (Resigned(seat, winner, decisions.resigned_result(game.hand, game.rules)),)
    if isinstance(action, DealHand):
        if not game.hand.over:
            raise HandInProgress
        return (_dealt(game),)
    if game.hand.over:
        raise HandOver
    return decisions.decide(game.hand, game.rules, seat, action)


def _leader_of_others(game: Game, seat: int) -> int:
    """Return who has the game when ``seat`` gives it up: the best placed of the others."""
    others = [total for total in game.score.totals if total.seat != seat]
    return max(others, key=lambda total: (total.hand_points, -total.seat)).seat


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
    deal = _deal_of(game.setup, number)
    dealer = next_dealer(game)
    return Dealt(
        hand_number=number,
        dealer=dealer,
        nondealer=_other_seat(dealer),
        deck=shuffle.deck_order(deal),
        seed=deal.seed,
        server_commit=commitment(game.setup, number),
    )


def next_dealer(game: Game) -> int:
    """Return the seat that deals the coming hand (full s3; rules.md row 9).

    The deal alternates after every hand, also one that nobody won. With ``winner`` or ``loser``
    that seat deals, and a drawn hand keeps its dealer.
    """
    if game.hand is None:
        return _first_dealer(game)
    dealer = game.hand.dealer
    if game.rules.next_dealer == "alternate":
        return _other_seat(dealer)
    winner = game.hands[-1].winner
    if winner is None:
        return dealer
    return winner if game.rules.next_dealer == "winner" else _other_seat(winner)


def _first_dealer(game: Game) -> int:
    if game.rules.first_dealer != "draw":
        return int(game.rules.first_dealer.removeprefix("seat"))
    assert game.first_dealer is not None, "the draw for the first dealer comes before the deal"
    return game.first_dealer


def _other_seat(seat: int) -> int:
    return 1 - seat


# --- bookkeeping


def _record(game: Game, by: Mover, events: Iterable[Event]) -> tuple[Game, tuple[Move, ...]]:
    """Return the game after ``events``, each of which becomes a move."""
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
        _, dealer = shuffle.draw_for_dealer(
            (draw.card for draw in event.draws), len(game.setup.seats)
        )
        return replace(game, dealer_draw=event.draws, first_dealer=dealer)
    if isinstance(event, Dealt):
        return replace(game, hand=start(event, len(game.setup.seats), game.rules))
    hand = game.hand
    assert hand is not None, "a hand is dealt before anything happens in it"
    if isinstance(event, Resigned):
        game = replace(game, given_to=event.winner, hand=ended(hand))
    else:
        game = replace(game, hand=evolve(hand, game.rules, event))
    result: HandResult | None = getattr(event, "result", None)
    return game if result is None else _with_result(game, result)


def _with_result(game: Game, result: HandResult) -> Game:
    return replace(game, last_result=result, hands=(*game.hands, scored_hand(result)))


def replay(setup: Setup, moves: Iterable[Move]) -> Game:
    """Return the game that ``moves`` lead to, from the facts alone."""
    game = new_game(setup)
    for move in moves:
        game = evolve_game(game, move.event)
        game = replace(game, next_move=move.number + 1, last_move=move)
    return game
