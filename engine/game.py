"""What a game is: its setting, its state, and what the state says of itself.

How a game moves on is told in :mod:`engine.progress`.

>>> game = new_game(Setup("g_1", Rules(), (SeatKind.HUMAN, SeatKind.AI), bytes(32)))
>>> game.phase, game.next_move
(<Phase.WAITING: 'waiting'>, 1)
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from engine import seating
from engine.cards import Card
from engine.columns import ScoredHand
from engine.errors import CutPending, GameNotStarted, GameOver
from engine.events import Event
from engine.hand import Hand, Phase
from engine.hints import HintsUsed
from engine.rules import Rules
from engine.scoring import SCORED, HandOutcome, HandResult
from engine.seating import Pairing, SeatCount, side_of
from engine.settlement import GameScore, is_decided, settle
from engine.shuffle import DrawnCard, Shares


class SeatKind(StrEnum):
    """Who plays a seat."""

    HUMAN = "human"
    AI = "ai"


class Mover(StrEnum):
    """Whose doing a move is."""

    PLAYER = "player"
    AI = "ai"
    SERVER = "server"
    CLOCK = "clock"


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
    ``confirmed_by`` those that have confirmed the score of the last one. ``hints`` has the seats
    that used any, by number. ``late_seat`` is due and out of time, so that the game can be claimed
    against it until it moves; ``away_seats`` are played by a computer since their time ran out (see
    :mod:`engine.clock`). ``abandoned`` says that the game was ended from outside, without a winner.
    ``shares`` is None while no seat ever had a share in the shuffle (see :mod:`engine.cutting`).
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
    hints: tuple[HintsUsed, ...] = ()
    late_seat: int | None = None
    away_seats: tuple[int, ...] = ()
    abandoned: bool = False
    shares: Shares | None = None

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
        if self.abandoned or self.given_to is not None:
            return True
        if self.hand is None or not self.hand.over or self.unconfirmed_seats:
            return False
        return is_decided(self.rules, self.seat_count, self.hands)

    @property
    def phase(self) -> Phase:
        """What is due."""
        if self.hand is None:
            if self.over:
                return Phase.GAME_OVER
            return Phase.CUTTING if self.cutting_seats else Phase.WAITING
        if not self.hand.over:
            return self.hand.phase
        if self.unconfirmed_seats:
            return Phase.CONFIRMING
        if self.over:
            return Phase.GAME_OVER
        return Phase.CUTTING if self.cutting_seats else Phase.HAND_OVER

    @property
    def to_act_seats(self) -> tuple[int, ...]:
        """The seats that are due. Before a hand those are the seats that have still to cut.

        If none has, it is every person at the table: any may deal.
        """
        if self.abandoned:
            return ()
        if self.hand is not None and not self.hand.over:
            return (self.hand.to_act,)
        if self.unconfirmed_seats:
            return self.unconfirmed_seats
        if self.over:
            return ()
        return self.cutting_seats or (() if self.hand is None else self.dealing_seats)

    @property
    def cutting_seats(self) -> tuple[int, ...]:
        """The seats that have still to cut before the coming hand is dealt, by opening their nonce.

        Before the first deal, where it is drawn who deals, that is for all who draw.
        """
        shares = self.shares
        waits = shares is not None and (shares.begun if self.hand is None else self.hand.over)
        if shares is None or not waits:
            return ()
        pairing = next_pairing(self)
        if pairing is None:
            due: Iterable[int] = range(seating.drawing_seats(self.seat_count))
        else:
            due = sorted((pairing.dealer, pairing.nondealer))
        committed = {each.seat for each in shares.commits} - {each.seat for each in shares.cuts}
        return tuple(seat for seat in due if seat in committed)

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
    def claimants(self) -> tuple[int, ...]:
        """The seats that may claim the game once the one that is due in its play is out of time.

        That is the seat that plays against it. Where a computer does, who never claims, and where a
        cut is due it is everybody on another side; but not while more than one seat has to cut.
        """
        if self.rules.timeout_policy != "claim":
            return ()
        hand, kinds = self.hand, self.setup.seats
        if hand is None or hand.over:
            if len(self.cutting_seats) != 1:
                return ()
            [late] = self.cutting_seats
        else:
            late, opponent = hand.to_act, hand.other(hand.to_act)
            if kinds[opponent] is SeatKind.HUMAN:
                return (opponent,)
        others = (seat for seat, kind in enumerate(kinds) if kind is SeatKind.HUMAN)
        side = side_of(self.seat_count, late)
        return tuple(seat for seat in others if side_of(self.seat_count, seat) != side)

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


def dealt_hand(game: Game) -> Hand:
    """Return the hand that is played, or the last one.

    :raises GameOver, GameNotStarted, CutPending: if there is none, because the game ended before,
        somebody is missing, or seats have still to cut.
    """
    if game.hand is not None:
        return game.hand
    if game.over:
        raise GameOver
    if game.cutting_seats:
        raise CutPending(game.cutting_seats)
    raise GameNotStarted


def next_pairing(game: Game) -> Pairing | None:
    """Return who deals and who plays the coming hand (see :mod:`engine.seating`).

    A void hand is dealt again by the same dealer to the same seat (full s3). None while it has to
    be drawn for first.
    """
    if game.hand is None:
        dealer = _first_dealer(game)
        return None if dealer is None else seating.first_pairing(game.seat_count, dealer)
    last = Pairing(game.hand.dealer, game.hand.nondealer)
    played = game.hands[-1]
    if played.outcome is HandOutcome.VOID:
        return last
    return seating.next_pairing(game.rules, game.seat_count, last, played.winner)


def _first_dealer(game: Game) -> int | None:
    if game.rules.first_dealer != "draw":
        return int(game.rules.first_dealer.removeprefix("seat"))
    return game.first_dealer


def new_game(setup: Setup) -> Game:
    """Return a game in which nothing has been dealt yet."""
    return Game(setup)
