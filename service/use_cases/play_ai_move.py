"""Let the computer play a seat, one move or a whole turn."""

from engine.errors import GameNotStarted, GameOver
from engine.game import Game, SeatKind, Transition
from service.storage.games import Sender, StoredGame
from service.use_cases.computer_seats import Thinking, due_computer, play_seat, with_replies
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
) -> Made:
    """Let the computer on ``seat`` act now; other computer seats answer after it.

    :raises Refused: ``hints_disabled`` for the caller's own seat, ``not_your_seat`` for another
        person's, ``game_not_started``, ``game_over``, ``no_ai_to_move`` if the seat is not due,
        ``stale_move`` as for any move.
    """
    check_ai_seat(stored, seat, sender.seat)

    def decide(game: Game) -> Transition:
        if game.over:
            raise GameOver
        if game.hand is None:
            raise GameNotStarted
        if due_computer(game) != seat:
            raise Refused("no_ai_to_move", stored=stored)
        thinking = Thinking.within(house.ai_max_ms)
        made = play_seat(game, stored.seats, seat, whole_turn=whole_turn, thinking=thinking)
        return with_replies(made, stored.seats, thinking) if whole_turn else made

    return write_move(house, stored, decide, move_number, sender)


def check_ai_seat(stored: StoredGame, seat: int, own: int) -> None:
    """Refuse to let the computer play a person's seat; see :func:`play_ai_move`."""
    check_seat(stored, seat)
    if stored.seats[seat].kind is SeatKind.AI:
        return
    raise Refused("hints_disabled" if seat == own else "not_your_seat")
