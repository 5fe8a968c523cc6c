"""Let a seat cut before a hand: open its nonce and commit to the next one. It is no move."""

from engine.agreements import Agreed
from engine.cutting import cut
from engine.errors import BadInput
from engine.events import Dealt
from engine.game import Game, Transition
from service.storage import games, moves
from service.storage.errors import Busy
from service.storage.games import StoredGame
from service.use_cases.computer_seats import Thinking, with_replies
from service.use_cases.house import House
from service.use_cases.make_move import TRIES, Made, decided, logged, reloaded
from service.use_cases.refusals import Refused


def cut_for_hand(
    house: House,
    stored: StoredGame,
    seat: int,
    hand_number: int,
    nonce: bytes,
    next_commit: str | None,
) -> Made:
    """Let ``seat`` open its nonce for the coming hand; after the last cut that is dealt.

    A cut that was made is answered again, once the hand is dealt with its deal and all since.

    :raises Refused: ``not_found`` for a hand beyond the coming one, ``nonce_mismatch`` for another
        nonce than the seat has committed to, ``nonce_commit_reused``, or the code of what forbids a
        cut now.
    :raises Busy: if others kept changing the game.
    """
    for _ in range(TRIES):
        game = stored.game
        if hand_number < game.next_hand_number:
            return _cut_before(house, stored, seat, hand_number, nonce)
        if hand_number > game.next_hand_number:
            raise Refused("not_found")
        said = decided(stored, lambda stored: _said(stored.game, seat, nonce, next_commit))
        if said.change is None:
            return Made(stored, [], replayed=True)
        dealt = Transition(said.game, said.moves)
        made = with_replies(dealt, stored.seats, Thinking.within(house.ai_max_ms))
        with house.store.writing() as conn:
            saved = games.change(conn, house.codec, stored, (said.change,), made.game, *made.moves)
        if saved is not None:
            return Made(saved, logged(saved, made))
        stored = reloaded(house, stored)
    raise Busy("the game keeps changing")


def _said(game: Game, seat: int, nonce: bytes, next_commit: str | None) -> Agreed:
    try:
        return cut(game, seat, nonce, next_commit)
    except BadInput as error:
        raise Refused(error.code) from error


def _cut_before(
    house: House, stored: StoredGame, seat: int, hand_number: int, nonce: bytes
) -> Made:
    """Answer a cut of a hand that is dealt, if it is the one that the seat had made."""
    game = stored.game
    with house.store.reading() as conn:
        since = moves.of_hands(
            conn, house.codec, game.setup.id, hand_number, game.next_hand_number - 1
        )
    known = [each for each in since if each.move.number < game.next_move]
    opened = [
        share.nonce
        for each in known
        if isinstance(each.move.event, Dealt) and each.move.hand_number == hand_number
        for share in each.move.event.nonces
        if share.seat == seat
    ]
    if not opened:
        raise Refused("wrong_phase", {"phase": game.phase}, stored=stored)
    if opened != [nonce]:
        raise Refused("nonce_mismatch")
    return Made(stored, known, replayed=True)
