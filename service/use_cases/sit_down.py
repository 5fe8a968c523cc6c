"""What follows when somebody sits down: commitments, and the first deal when everybody is there."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.cutting import seated
from engine.errors import NonceCommitReused
from engine.events import Change
from engine.game import Game, Transition
from service.storage.occupants import Occupant
from service.use_cases.computer_seats import Thinking, with_replies
from service.use_cases.house import House
from service.use_cases.refusals import Refused


@dataclass(frozen=True, slots=True)
class SatDown:
    """The ``changes`` that were noted, then what was ``made`` of the game."""

    made: Transition
    changes: tuple[Change, ...]


def sit_down(
    house: House, game: Game, seats: tuple[Occupant, ...], commits: Mapping[int, str | None]
) -> SatDown:
    """Return what follows now that the ``seats`` are as they are, and computers have replied.

    ``commits`` are the commitments of those who sat down to their first nonces; with None a seat
    has none.

    :raises Refused: ``nonce_commit_reused`` if the game has seen one of them before.
    """
    try:
        here = seated(game, commits, complete=all(seat.occupied for seat in seats))
    except NonceCommitReused as error:
        raise Refused(error.code) from error
    made = Transition(here.game, here.moves)
    return SatDown(with_replies(made, seats, Thinking.within(house.ai_max_ms)), here.changes)
