"""What is said beside the play of a hand: that its score is right, or that it is void.

A game can also be ended from outside. None of it is a move. It is said with a
:class:`~engine.events.Change`, which the log keeps.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

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
from engine.game import Game, Move, Mover, SeatKind
from engine.hand import Phase, ended
from engine.hints import counted
from engine.progress import record


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
    """Return the game after ``change``. Never refuses.

    What its player says takes a seat back from the computer that played it by the clock.
    """
    if change.seat is None:
        return _abandoned(game)
    if change.kind in _BY_CLOCK:
        return _BY_CLOCK[change.kind](game, change.seat)
    if change.kind is ChangeKind.HINTED:
        return replace(game, hints=counted(game.hints, change.seat, game.next_move))
    if change.seat in game.away_seats:
        game = replace(game, away_seats=_without(game.away_seats, change.seat))
    if change.kind is ChangeKind.CONFIRMED:
        return _confirmed(game, change.seat)
    if change.kind is ChangeKind.CONSENTED:
        return replace(game, void_consents=_with(game.void_consents, change.seat))
    return replace(game, void_consents=_without(game.void_consents, change.seat))


def _abandoned(game: Game) -> Game:
    hand = game.hand if game.hand is None or game.hand.over else ended(game.hand)
    return replace(game, abandoned=True, hand=hand, void_consents=(), late_seat=None)


def _confirmed(game: Game, seat: int) -> Game:
    return replace(game, confirmed_by=_with(game.confirmed_by, seat))


def _with(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(sorted({*seats, seat}))


def _without(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(each for each in seats if each != seat)


_BY_CLOCK: Final[dict[ChangeKind, Callable[[Game, int], Game]]] = {
    ChangeKind.OUT_OF_TIME: lambda game, seat: replace(game, late_seat=seat),
    ChangeKind.TAKEN_OVER: lambda game, seat: replace(
        game, away_seats=_with(game.away_seats, seat)
    ),
    ChangeKind.CONFIRMED_BY_CLOCK: _confirmed,
}
