"""What is said beside the play of a hand: that its score is right, or that it is void.

A game can also be ended from outside. None of it is a move. It is said with a
:class:`~engine.events.Change`, which the log keeps.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from engine import decisions
from engine.errors import (
    GameOver,
    HandOver,
    NotYourTurn,
    VoidNotPossible,
    WrongPhase,
)
from engine.events import Change, ChangeKind, HandVoided
from engine.game import Game, Move, Mover, SeatKind, dealt_hand
from engine.hand import Phase, ended
from engine.hints import counted
from engine.progress import record
from engine.shuffle import NO_SHARES, Cut, SeatCommit, Shares


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

    :raises GameNotStarted, CutPending: if nothing is dealt yet.
    :raises GameOver: if the game has ended.
    :raises WrongPhase: if no score waits to be confirmed.
    :raises NotYourTurn: if the seat did not play the hand.
    """
    if dealt_hand(game).over and seat in game.confirmed_by:
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

    :raises GameNotStarted, CutPending: if nothing is dealt yet.
    :raises GameOver: if the game has ended.
    :raises HandOver: if the hand has.
    :raises NotYourTurn: if the seat does not play the hand.
    :raises VoidNotPossible: if a computer plays it.
    """
    if game.over:
        raise GameOver
    hand = dealt_hand(game)
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
    if change.kind in _SAID_BY_PLAYERS and change.seat in game.away_seats:
        game = replace(game, away_seats=_without(game.away_seats, change.seat))
    return _EVOLVERS[change.kind](game, change)


def _abandoned(game: Game, _change: Change) -> Game:
    hand = game.hand if game.hand is None or game.hand.over else ended(game.hand)
    return replace(game, abandoned=True, hand=hand, void_consents=(), late_seat=None)


def _hinted(game: Game, change: Change) -> Game:
    assert change.seat is not None
    return replace(game, hints=counted(game.hints, change.seat, game.next_move))


def _begun(game: Game, _change: Change) -> Game:
    return replace(game, shares=replace(game.shares or NO_SHARES, begun=True))


def _committed(game: Game, change: Change) -> Game:
    shares = game.shares or NO_SHARES
    commits = {each.seat: each for each in shares.commits if each.seat != change.seat}
    if change.commit is not None and change.seat is not None:
        commits[change.seat] = SeatCommit(change.seat, change.commit)
    in_order = tuple(commits[seat] for seat in sorted(commits))
    return replace(game, shares=replace(shares, commits=in_order, spent=_spent(shares, change)))


def _cut(game: Game, change: Change) -> Game:
    """Return the game after a cut; a seat that was late with it has come."""
    shares, seat, nonce = game.shares, change.seat, change.nonce
    assert shares is not None, "who cuts has committed before"
    assert seat is not None, "a cut is a seat's"
    assert nonce is not None, "a cut opens a nonce"
    cuts = (*shares.cuts, Cut(seat, nonce, change.commit))
    in_order = tuple(sorted(cuts, key=lambda each: each.seat))
    shares = replace(shares, cuts=in_order, spent=_spent(shares, change))
    return replace(game, shares=shares, late_seat=None)


def _spent(shares: Shares, change: Change) -> tuple[str, ...]:
    return shares.spent if change.commit is None else (*shares.spent, change.commit)


def _confirmed(game: Game, change: Change) -> Game:
    return replace(game, confirmed_by=_with(game.confirmed_by, change.seat))


def _with(seats: tuple[int, ...], seat: int | None) -> tuple[int, ...]:
    return seats if seat is None else tuple(sorted({*seats, seat}))


def _without(seats: tuple[int, ...], seat: int | None) -> tuple[int, ...]:
    return tuple(each for each in seats if each != seat)


_SAID_BY_PLAYERS: Final = frozenset(
    {ChangeKind.CONFIRMED, ChangeKind.CONSENTED, ChangeKind.WITHDREW, ChangeKind.CUT}
)

_EVOLVERS: Final[dict[ChangeKind, Callable[[Game, Change], Game]]] = {
    ChangeKind.CONFIRMED: _confirmed,
    ChangeKind.CONSENTED: lambda game, change: replace(
        game, void_consents=_with(game.void_consents, change.seat)
    ),
    ChangeKind.WITHDREW: lambda game, change: replace(
        game, void_consents=_without(game.void_consents, change.seat)
    ),
    ChangeKind.HINTED: _hinted,
    ChangeKind.OUT_OF_TIME: lambda game, change: replace(game, late_seat=change.seat),
    ChangeKind.TAKEN_OVER: lambda game, change: replace(
        game, away_seats=_with(game.away_seats, change.seat)
    ),
    ChangeKind.CONFIRMED_BY_CLOCK: _confirmed,
    ChangeKind.ABANDONED: _abandoned,
    ChangeKind.COMMITTED: _committed,
    ChangeKind.BEGUN: _begun,
    ChangeKind.CUT: _cut,
}
