"""Let a seat confirm the score of a hand, or consent to its void. Neither is a move."""

from collections.abc import Callable

from engine.agreements import Agreed, confirm, consent
from engine.errors import HandOver
from engine.events import HandVoided
from engine.game import Game, Transition
from engine.scoring import HandOutcome
from service.storage import games, moves
from service.storage.errors import Busy
from service.storage.games import LoggedMove, StoredGame
from service.use_cases.house import House
from service.use_cases.make_move import TRIES, Made, decided, logged, reloaded
from service.use_cases.refusals import Refused


def confirm_hand(house: House, stored: StoredGame, seat: int, hand_number: int) -> Made:
    """Let ``seat`` confirm the score of a hand. What is confirmed already is answered again.

    :raises Refused: ``not_found`` for a hand that was not dealt, or the code of what forbids it.
    :raises Busy: if others kept changing the game.
    """

    def say(stored: StoredGame) -> Made | Agreed:
        if hand_number < _dealt(stored.game):
            return Made(stored, [], replayed=True)
        return confirm(stored.game, seat)

    return _agree(house, stored, hand_number, say)


def consent_void(
    house: House, stored: StoredGame, seat: int, hand_number: int, *, void: bool
) -> Made:
    """Let ``seat`` consent to a void of a hand, or take its consent back.

    When both seats of the hand consent it is void. To a hand that is void already consent is
    answered again, with all moves since.

    :raises Refused: ``not_found`` for a hand that was not dealt, ``hand_over`` for one that ended
        otherwise, or the code of what forbids it.
    :raises Busy: if others kept changing the game.
    """

    def say(stored: StoredGame) -> Made | Agreed:
        game = stored.game
        if void and _is_void(game, hand_number):
            return Made(stored, _since_void(house, stored, hand_number), replayed=True)
        if hand_number < _dealt(game):
            raise HandOver
        return consent(game, seat, void=void)

    return _agree(house, stored, hand_number, say)


def _agree(
    house: House,
    stored: StoredGame,
    hand_number: int,
    say: Callable[[StoredGame], Made | Agreed],
) -> Made:
    for _ in range(TRIES):
        dealt = _dealt(stored.game)
        if dealt and hand_number > dealt:
            raise Refused("not_found")
        said = decided(stored, say)
        if isinstance(said, Made):
            return said
        if said.change is None:
            return Made(stored, [], replayed=True)
        with house.store.writing() as conn:
            saved = games.change(conn, house.codec, stored, (said.change,), said.game, *said.moves)
        if saved is not None:
            return Made(saved, logged(saved, Transition(said.game, said.moves)))
        stored = reloaded(house, stored)
    raise Busy("the game keeps changing")


def _dealt(game: Game) -> int:
    return 0 if game.hand is None else game.hand.number


def _is_void(game: Game, hand_number: int) -> bool:
    return any(
        hand.hand_number == hand_number and hand.outcome is HandOutcome.VOID for hand in game.hands
    )


def _since_void(house: House, stored: StoredGame, hand_number: int) -> list[LoggedMove]:
    game = stored.game
    with house.store.reading() as conn:
        found = moves.of_hands(conn, house.codec, game.setup.id, hand_number, _dealt(game))
    known = [each for each in found if each.move.number < game.next_move]
    first = next(at for at, each in enumerate(known) if isinstance(each.move.event, HandVoided))
    return known[first:]
