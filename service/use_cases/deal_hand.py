"""Deal the next hand when somebody at the table asks for it."""

from engine.actions import DealHand
from engine.errors import NotYourTurn
from engine.game import Game, Transition
from engine.progress import apply
from service.storage import games, moves
from service.storage.errors import Busy
from service.storage.games import StoredGame
from service.use_cases.computer_seats import Thinking, with_replies
from service.use_cases.house import House
from service.use_cases.make_move import TRIES, Made, decided, logged, reloaded
from service.use_cases.refusals import Refused


def deal_hand(house: House, stored: StoredGame, seat: int, hand_number: int) -> Made:
    """Deal the hand ``hand_number``, the coming one. One already dealt is answered, for any seat.

    :raises Refused: ``out_of_range`` for a hand beyond the coming one, or the code of the rule
        that forbids the deal now.
    :raises Busy: if others kept changing the game.
    """

    def decide(game: Game) -> Transition:
        if game.phase == "hand_over" and seat not in game.dealing_seats:
            raise NotYourTurn(game.dealing_seats)
        made = apply(game, seat, DealHand())
        return with_replies(made, stored.seats, Thinking.within(house.ai_max_ms))

    for _ in range(TRIES):
        dealt = 0 if stored.game.hand is None else stored.game.hand.number
        if hand_number <= dealt:
            return _dealt_before(house, stored, hand_number)
        made = decided(stored, lambda stored: decide(stored.game))
        if hand_number != dealt + 1:
            raise Refused("out_of_range", {"min": 1, "max": dealt + 1}, pointer="/hand_number")
        with house.store.writing() as conn:
            saved = games.save(conn, house.codec, stored, made.game, made.moves, None)
        if saved is not None:
            return Made(saved, logged(saved, made))
        stored = reloaded(house, stored)
    raise Busy("the game keeps changing")


def _dealt_before(house: House, stored: StoredGame, hand_number: int) -> Made:
    game = stored.game
    last = hand_number if game.hand is None else game.hand.number
    with house.store.reading() as conn:
        since = moves.of_hands(conn, house.codec, game.setup.id, hand_number, last)
    known = [move for move in since if move.move.number < game.next_move]
    return Made(stored, known, replayed=True)
