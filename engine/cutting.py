"""The cut: how seats have a share in the shuffle that nobody can reckon with (fairness, GRD1).

A seat commits to a nonce when it sits down. Before the hand is dealt it opens it, and commits to
its next one; that is its cut. The seed of the hand was fixed and committed to before, so that
neither the house nor the opponent, nor both together, choose the cards of a seat that contributes.
None of it is a move: it is said with a :class:`~engine.events.Change`. The deal is a move, and
follows the last cut.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from engine.agreements import Agreed, evolve_change
from engine.dealing import next_deal
from engine.errors import (
    GameNotStarted,
    GameOver,
    NonceCommitReused,
    NonceMismatch,
    NotYourTurn,
    WrongPhase,
)
from engine.events import Change, ChangeKind
from engine.game import Game, Move, Mover, Transition
from engine.hand import Phase
from engine.progress import deal_first, record
from engine.shuffle import NO_SHARES, Cut, nonce_commit


@dataclass(frozen=True, slots=True)
class Seated:
    """The game after somebody sat down or left: the ``changes`` noted, then the ``moves`` made."""

    game: Game
    changes: tuple[Change, ...] = ()
    moves: tuple[Move, ...] = ()


def seated(game: Game, commits: Mapping[int, str | None], *, complete: bool) -> Seated:
    """Return the game after the seats of ``commits`` committed to their first nonces, or to none.

    ``complete`` says that now everybody is there: the first hand is dealt, or the cuts are due.

    :raises NonceCommitReused: if the game has seen one of the commitments before.
    """
    steps: list[Callable[[Game], Agreed]] = [
        partial(commit, seat=seat, commitment=each) for seat, each in commits.items()
    ]
    if complete:
        steps.append(all_seated)
    changes: tuple[Change, ...] = ()
    moves: tuple[Move, ...] = ()
    for step in steps:
        said = step(game)
        game, moves = said.game, said.moves
        if said.change is not None:
            changes = (*changes, said.change)
    return Seated(game, changes, moves)


def commit(game: Game, seat: int, commitment: str | None) -> Agreed:
    """Return the game after ``seat``, which just sat down, committed to its first nonce.

    None takes back what was committed there before, or changes nothing.

    :raises NonceCommitReused: if the game has seen the commitment before.
    """
    committed = {each.seat: each.commit for each in (game.shares or NO_SHARES).commits}
    if committed.get(seat) == commitment:
        return Agreed(game)
    _check_unspent(game, commitment)
    return _changed(game, Change(ChangeKind.COMMITTED, seat, commit=commitment))


def all_seated(game: Game) -> Agreed:
    """Return the game once everybody is there: with its first hand dealt, or waiting for cuts."""
    if game.shares is not None:
        begun = _changed(game, Change(ChangeKind.BEGUN))
        if begun.game.cutting_seats:
            return begun
    dealt = deal_first(game)
    return Agreed(dealt.game, None, dealt.moves)


def cut(game: Game, seat: int, nonce: bytes, next_commit: str | None) -> Agreed:
    """Return the game after ``seat`` opened its nonce; the last cut is followed by the deal.

    Without ``next_commit`` the seat contributes no more. A cut that was made is answered again.

    :raises GameNotStarted: if not everybody is there yet.
    :raises GameOver: if the game has ended.
    :raises WrongPhase: if no cut is due.
    :raises NotYourTurn: if the seat has no share in the coming shuffle, or has cut with another
        commitment for the next hand.
    :raises NonceMismatch: if it had committed to another nonce.
    :raises NonceCommitReused: if the game has seen the next commitment before.
    """
    if game.over:
        raise GameOver
    if game.phase is Phase.WAITING:
        raise GameNotStarted
    shares = game.shares
    if game.phase is not Phase.CUTTING or shares is None:
        raise WrongPhase(game.phase)
    made = Cut(seat, nonce, next_commit)
    if made in shares.cuts:
        return Agreed(game)
    if seat not in game.cutting_seats:
        raise NotYourTurn(game.cutting_seats)
    if nonce_commit(nonce) not in {each.commit for each in shares.commits if each.seat == seat}:
        raise NonceMismatch
    _check_unspent(game, next_commit)
    after = _changed(game, Change(ChangeKind.CUT, seat, commit=next_commit, nonce=nonce))
    if after.game.cutting_seats:
        return after
    dealt = deal_first(after.game) if game.hand is None else _next_dealt(after.game)
    return Agreed(dealt.game, after.change, dealt.moves)


def _next_dealt(game: Game) -> Transition:
    return Transition(*record(game, Mover.SERVER, (next_deal(game),)))


def _check_unspent(game: Game, commitment: str | None) -> None:
    if commitment is not None and commitment in (game.shares or NO_SHARES).spent:
        raise NonceCommitReused


def _changed(game: Game, change: Change) -> Agreed:
    return Agreed(evolve_change(game, change), change)
