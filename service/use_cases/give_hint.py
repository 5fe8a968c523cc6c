"""Give a seat a hint for its coming move: no move, but a version, whose count everybody sees."""

from dataclasses import dataclass

from engine.advice import take_hint
from engine.players.levels import ADVISORS, BEST_ADVISOR
from engine.players.suggestions import Suggestion
from engine.views import view
from service.storage import games
from service.storage.errors import Busy
from service.storage.games import StoredGame
from service.use_cases.house import House
from service.use_cases.make_move import TRIES, decided, reloaded
from service.use_cases.refusals import Refused


@dataclass(frozen=True, slots=True)
class Hint:
    """What an advisor says about the move ``for_move``, best first."""

    for_move: int
    level: str
    suggestions: tuple[Suggestion, ...]


def give_hint(house: House, stored: StoredGame, seat: int, level: str | None = None) -> Hint:
    """Return what to do now for ``seat``, which must be due, from nothing but its own view.

    It is counted once for each move, in a guarded write: where somebody else was quicker the game
    is looked at again, so that no move is lost and none advised that is no longer due.

    :raises Refused: ``unknown_level``, or the code of why the seat could make no move now.
    :raises Busy: if others kept changing the game.
    """
    name = BEST_ADVISOR if level is None else level
    if name not in ADVISORS:
        raise Refused("unknown_level", pointer="/level")
    for _ in range(TRIES):
        taken = decided(stored, lambda stored: take_hint(stored.game, seat))
        hint = Hint(taken.game.next_move, name, ADVISORS[name](view(stored.game, seat)))
        if taken.change is None:
            return hint
        with house.store.writing() as conn:
            if games.change(conn, house.codec, stored, (taken.change,), taken.game) is not None:
                return hint
        stored = reloaded(house, stored)
    raise Busy("the game keeps changing")
