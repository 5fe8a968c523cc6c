"""Hints: who may have one now, and that it counts. Only with ``advice: full`` (full s6, row 48)."""

from engine.agreements import Agreed, evolve_change
from engine.errors import GameOver, HandOver, NotYourTurn
from engine.events import Change, ChangeKind
from engine.game import Game, dealt_hand
from engine.rules import Rules


def gives_hints(rules: Rules) -> bool:
    """Return whether seats may have hints, and be played for."""
    return rules.advice == "full"


def check_to_move(game: Game, seat: int) -> None:
    """Refuse a seat that is not to make a move of play now, for the reasons a move would be.

    :raises GameNotStarted, CutPending: if nothing is dealt yet.
    :raises GameOver: if the game has ended.
    :raises HandOver: if the hand has: a deal and a confirmation need no advice.
    :raises NotYourTurn: if another seat is due.
    """
    if game.over:
        raise GameOver
    hand = dealt_hand(game)
    if hand.over:
        raise HandOver
    if seat != hand.to_act:
        raise NotYourTurn((hand.to_act,))


def take_hint(game: Game, seat: int) -> Agreed:
    """Return the game after ``seat`` got a hint for its coming move; twice for one counts once.

    :raises IllegalAction: as :func:`check_to_move`.
    """
    check_to_move(game, seat)
    change = Change(ChangeKind.HINTED, seat)
    hinted = evolve_change(game, change)
    return Agreed(game) if hinted == game else Agreed(hinted, change)
