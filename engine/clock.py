"""What follows when the time of who is due has run out, and how long that time is.

There is no clock here: whoever has one says when. ``turn_seconds`` is for a whole turn, from the
draw (or the choice of the upcard) through the discard, and likewise for a lay-off, and for a look
at the score that both have to confirm. When it is over, in a turn the ``timeout_policy`` says what
follows:

* ``claim``: the seat is late. Until it moves, whoever plays against it may claim the game, which
  then ends as if the late seat had resigned.
* ``forfeit``: the seat resigns by the clock.
* ``ai_takes_over``: a computer plays the turn, and from then on each turn of the seat, all by the
  clock. It leaves the player :data:`AWAY_SECONDS` for each of them. The player has its seat back
  with the first move of its own that is accepted in that time, or as soon as it confirms a score,
  consents to a void or takes a consent back. Looking at the game gives nothing back, nor does
  asking for a deal, which is nobody's move.

A cut that is not made loses like a move not made, and nobody can make it for the seat; see
:func:`_uncut`. In the other phases nobody loses by the clock: the best lay-offs are made, the score
counts as confirmed, and the last discard at the wall is passed. Computers have no clock, and
between hands none runs otherwise (rules.md, Time controls).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Final

from engine.actions import Action, LayOffs, Pass, Resign
from engine.agreements import evolve_change
from engine.events import Change, ChangeKind
from engine.game import Game, Move, Mover, SeatKind
from engine.hand import Hand, Phase
from engine.progress import apply
from engine.rules import SHORTEST_TURN_SECONDS

AWAY_SECONDS: Final = SHORTEST_TURN_SECONDS
"""How long a turn waits for a player whose seat a computer plays, so that it can come back."""

_OF_PLAY: Final = (Phase.FIRST_UPCARD, Phase.DRAW, Phase.DISCARD)


@dataclass(frozen=True, slots=True)
class Expired:
    """The game after the time ran out: the ``changes`` that were noted, then the ``moves`` made.

    A computer has now to play the turn of ``plays_for``, if that is a seat.
    """

    game: Game
    changes: tuple[Change, ...] = ()
    moves: tuple[Move, ...] = ()
    plays_for: int | None = None


def seconds_for(game: Game) -> int | None:
    """Return how many seconds who is due has in all, or None if no clock runs."""
    seconds = game.rules.turn_seconds
    hand = game.hand
    if seconds == 0 or game.over:
        return None
    if game.cutting_seats:
        return seconds
    if hand is None or (hand.over and not game.unconfirmed_seats):
        return None
    due = game.to_act_seats
    if any(game.setup.seats[seat] is SeatKind.AI for seat in due):
        return None
    return AWAY_SECONDS if set(due) <= set(game.away_seats) else seconds


def time_goes_on(before: Game, after: Game) -> bool:
    """Return whether the time that ran in ``before`` still runs in ``after``, which followed.

    A draw does not begin it anew for the discard. It begins anew for a seat that was late and
    moves, so that it is not late again at once, and where a computer takes a seat over or the
    player takes it back.
    """
    if after.cutting_seats:
        return bool(before.cutting_seats) and before.next_hand_number == after.next_hand_number
    one, other = before.hand, after.hand
    if one is None or other is None or one.number != other.number:
        return False
    if before.away_seats != after.away_seats or (before.late_seat, after.late_seat) == (
        one.to_act,
        None,
    ):
        return False
    if before.next_move == after.next_move:
        return before.phase is after.phase
    same_seat = other.phase is Phase.DISCARD and one.to_act == other.to_act
    return same_seat and one.phase in _OF_PLAY and _turn(one) == _turn(other)


def _turn(hand: Hand) -> int:
    """Return the number of the turn that is being played, also before its draw."""
    return hand.turn if hand.phase is Phase.DISCARD else hand.turn + 1


def claimable(game: Game) -> bool:
    """Return whether somebody may claim the game as soon as the time that runs is over."""
    return _by_policy(game) and seconds_for(game) is not None and bool(game.claimants)


def _by_policy(game: Game) -> bool:
    """Return whether the policy decides: in a turn, the one at the wall apart, and for a cut."""
    hand = game.hand
    if game.cutting_seats:
        return True
    return hand is not None and hand.phase in _OF_PLAY and not hand.at_wall


def expire(game: Game) -> Expired | None:
    """Return what follows now that the time of who is due has run out.

    None if nothing does: no clock runs, or what follows has happened already.
    """
    hand = game.hand
    if seconds_for(game) is None:
        return None
    if game.cutting_seats:
        return _uncut(game)
    assert hand is not None, "before the first hand nothing but a cut has a clock"
    if hand.over:
        return _noted(game, ChangeKind.CONFIRMED_BY_CLOCK, *game.unconfirmed_seats)
    if _by_policy(game):
        return _POLICIES[game.rules.timeout_policy](game, hand.to_act)
    return _moved(game, hand.to_act, LayOffs() if hand.phase is Phase.LAY_OFF else Pass())


def _uncut(game: Game) -> Expired | None:
    """Return what follows if seats have not cut in time.

    One alone loses: by a claim where the policy says so, otherwise at once; a computer cannot open
    its nonce for it. Of several nobody can tell who stayed away first: where they can be claimed
    against they have the time until one of them cuts, otherwise the game ends without a winner.
    """
    late, by_claim = game.cutting_seats, game.rules.timeout_policy == "claim"
    if len(late) == 1:
        return _late(game, late[0]) if by_claim else _moved(game, late[0], Resign())
    return None if by_claim else _noted(game, ChangeKind.ABANDONED, None)


def _noted(
    game: Game, kind: ChangeKind, *seats: int | None, plays_for: int | None = None
) -> Expired:
    changes = tuple(Change(kind, seat) for seat in seats)
    return Expired(reduce(evolve_change, changes, game), changes, plays_for=plays_for)


def _moved(game: Game, seat: int, action: Action) -> Expired:
    made = apply(game, seat, action, Mover.CLOCK)
    return Expired(made.game, moves=made.moves)


def _late(game: Game, seat: int) -> Expired | None:
    return None if game.late_seat == seat else _noted(game, ChangeKind.OUT_OF_TIME, seat)


def _taken_over(game: Game, seat: int) -> Expired:
    if seat in game.away_seats:
        return Expired(game, plays_for=seat)
    return _noted(game, ChangeKind.TAKEN_OVER, seat, plays_for=seat)


_POLICIES: Final[dict[str, Callable[[Game, int], Expired | None]]] = {
    "claim": _late,
    "ai_takes_over": _taken_over,
    "forfeit": lambda game, seat: _moved(game, seat, Resign()),
}
