"""Let the computer play a seat, one move or a whole turn: its own, or for the person who asks."""

from engine.advice import check_to_move, gives_hints
from engine.errors import GameOver
from engine.game import Game, SeatKind, Transition, dealt_hand
from engine.players.levels import BEST_ADVISOR, Player, player_of
from service.storage.games import StoredGame
from service.storage.log_rows import Sender
from service.use_cases.computer_seats import (
    Thinking,
    due_computer,
    level_of,
    play_seat,
    with_replies,
)
from service.use_cases.house import House
from service.use_cases.make_move import Made, write_move
from service.use_cases.refusals import Refused, check_seat


def play_ai_move(
    house: House,
    stored: StoredGame,
    seat: int,
    move_number: int,
    sender: Sender,
    *,
    whole_turn: bool,
    level: str | None = None,
) -> Made:
    """Let the computer on ``seat`` act now; other computer seats answer after it.

    For the caller's own seat it plays as ``level`` does, or without one as hints advise; that
    counts as a hint for each of its moves.

    :raises Refused: ``hints_disabled`` for the caller's own seat in a game without hints,
        ``not_your_seat`` for another person's, ``unknown_level``, ``game_not_started``,
        ``game_over``, ``no_ai_to_move`` if the seat is not due (a person's: ``hand_over`` or
        ``not_your_turn``), ``stale_move`` as for any move.
    """
    check_ai_seat(stored, seat, sender.seat)
    own = stored.seats[seat].kind is SeatKind.HUMAN
    choose = player_for_own_seat(level) if own else level_of(stored.seats[seat])

    def decide(game: Game) -> Transition:
        if own:
            check_to_move(game, seat)
        else:
            _check_computer(stored, game, seat)
        thinking = Thinking.within(house.ai_max_ms)
        made = play_seat(game, seat, choose, whole_turn=whole_turn, thinking=thinking)
        return with_replies(made, stored.seats, thinking) if whole_turn or own else made

    return write_move(house, stored, decide, move_number, sender)


def _check_computer(stored: StoredGame, game: Game, seat: int) -> None:
    if game.over:
        raise GameOver
    dealt_hand(game)
    if due_computer(game) != seat:
        raise Refused("no_ai_to_move", stored=stored)


def player_for_own_seat(level: str | None) -> Player:
    """Return how the computer plays for a person.

    :raises Refused: ``unknown_level`` if ``level`` names nobody.
    """
    player = player_of(BEST_ADVISOR if level is None else level)
    if player is None:
        raise Refused("unknown_level", pointer="/level")
    return player


def check_ai_seat(stored: StoredGame, seat: int, own: int) -> None:
    """Refuse to let the computer play a person's seat; see :func:`play_ai_move`."""
    check_seat(stored, seat)
    if stored.seats[seat].kind is SeatKind.AI:
        return
    if seat != own:
        raise Refused("not_your_seat")
    check_hints(stored)


def check_hints(stored: StoredGame) -> None:
    """Refuse hints, and to play for a person, in a game that is played without."""
    if not gives_hints(stored.game.rules):
        raise Refused("hints_disabled")
