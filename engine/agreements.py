"""What is said beside the play of a hand: that its score is right, or that it is void.

A game can also be ended from outside. None of it is a move. It is said with a
:class:`~engine.events.Change`, which the log keeps.
"""

from dataclasses import dataclass, replace

from engine import decisions
from engine.errors import (
    GameNotStarted,
    GameOver,
    HandOver,
    NotYourTurn,
    VoidNotPossible,
    WrongPhase,
)
from engine.events import Change, ChangeKind, HandVoided
from engine.game import Game, Move, Mover, SeatKind, record
from engine.hand import Phase, ended


@dataclass(frozen=True, slots=True)
class Agreed:
    """The game after a seat had its say.

    ``change`` is None where it had said so before; ``moves`` are what followed from it.
    """

    game: Game
    change: Change | None = None
    moves: tuple[Move, ...] = ()


def confirm(game: Game, seat: int) -> Agreed:
    """Return the game after ``seat`` confirmed the score of the last hand (full s5, row 42).

    :raises GameNotStarted: if nothing is dealt yet.
    :raises GameOver: if the game has ended.
    :raises WrongPhase: if no score waits to be confirmed.
    :raises NotYourTurn: if the seat did not play the hand.
    """
    if game.hand is None:
        raise GameOver if game.over else GameNotStarted
    if game.hand.over and seat in game.confirmed_by:
        return Agreed(game)
    if game.over:
        raise GameOver
    if game.phase is not Phase.CONFIRMING:
        raise WrongPhase(game.phase)
    if seat not in game.unconfirmed_seats:
        raise NotYourTurn(game.unconfirmed_seats)
    change = Change(ChangeKind.CONFIRMED, seat)
    return Agreed(evolve_change(game, change), change)


def consent(game: Game, seat: int, *, void: bool) -> Agreed:
    """Return the game after ``seat`` consented to a void of the hand being played, or took it back.

    Once both seats that play the hand consent it is void (full s4, rows 14 and 47). Computers
    never do.

    :raises GameNotStarted: if nothing is dealt yet.
    :raises GameOver: if the game has ended.
    :raises HandOver: if the hand has.
    :raises NotYourTurn: if the seat does not play the hand.
    :raises VoidNotPossible: if a computer plays it.
    """
    hand = game.hand
    if game.over:
        raise GameOver
    if hand is None:
        raise GameNotStarted
    if hand.over:
        raise HandOver
    if seat not in hand.playing_seats:
        raise NotYourTurn(hand.playing_seats)
    if any(game.setup.seats[each] is SeatKind.AI for each in hand.playing_seats):
        raise VoidNotPossible
    if void == (seat in game.void_consents):
        return Agreed(game)
    change = Change(ChangeKind.CONSENTED if void else ChangeKind.WITHDREW, seat)
    changed = evolve_change(game, change)
    if len(changed.void_consents) < len(hand.playing_seats):
        return Agreed(changed, change)
    voided = HandVoided(decisions.void_result(hand, game.rules))
    ended, moves = record(changed, Mover.SERVER, (voided,))
    return Agreed(ended, change, moves)


def abandon(game: Game) -> Agreed:
    """Return the game ended without a winner; one that is over already is as it was.

    A hand that was being played ends with it, without points and without a result.
    """
    if game.over:
        return Agreed(game)
    change = Change(ChangeKind.ABANDONED)
    return Agreed(evolve_change(game, change), change)


def evolve_change(game: Game, change: Change) -> Game:
    """Return the game after ``change``. Never refuses."""
    if change.seat is None:
        hand = game.hand if game.hand is None or game.hand.over else ended(game.hand)
        return replace(game, abandoned=True, hand=hand, void_consents=())
    if change.kind is ChangeKind.CONFIRMED:
        return replace(game, confirmed_by=_with(game.confirmed_by, change.seat))
    if change.kind is ChangeKind.CONSENTED:
        return replace(game, void_consents=_with(game.void_consents, change.seat))
    left = tuple(seat for seat in game.void_consents if seat != change.seat)
    return replace(game, void_consents=left)


def _with(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(sorted({*seats, seat}))
