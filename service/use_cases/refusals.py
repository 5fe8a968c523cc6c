"""Why a use case is refused: a code of the catalogue, and what the caller may look at."""

from collections.abc import Mapping

from service.storage.games import LoggedMove, StoredGame
from service.storage.score_sheets import StoredSheet


class Refused(Exception):
    """A use case that changed nothing.

    ``stored`` is the game as it stands and ``moves`` what happened since the caller's move number;
    both are shown to the caller as it may see them. ``sheet`` is the score sheet as it stands.
    ``pointer`` says where a wrong input stands.
    """

    def __init__(
        self,
        code: str,
        params: Mapping[str, object] | None = None,
        *,
        stored: StoredGame | None = None,
        moves: list[LoggedMove] | None = None,
        sheet: StoredSheet | None = None,
        pointer: str | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.params = dict(params or {})
        self.stored = stored
        self.moves = moves
        self.sheet = sheet
        self.pointer = pointer


def check_seat(stored: StoredGame, seat: int) -> None:
    """Refuse ``seat`` with ``out_of_range`` if the game does not have it."""
    if seat >= len(stored.seats):
        limits = {"min": 0, "max": len(stored.seats) - 1}
        raise Refused("out_of_range", limits, pointer="/seat")
