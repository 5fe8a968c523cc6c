"""Why a use case is refused, as codes of the problem catalogue, with what the caller may look at."""

from collections.abc import Mapping

from service.storage.games import LoggedMove, StoredGame


class Refused(Exception):  # noqa: N818 - the word of the field
    """A use case that changed nothing.

    ``stored`` is the game as it stands and ``moves`` what happened since the caller's move number;
    both are shown to the caller as it may see them. ``pointer`` says where a wrong input stands.
    """

    def __init__(
        self,
        code: str,
        params: Mapping[str, object] | None = None,
        *,
        stored: StoredGame | None = None,
        moves: list[LoggedMove] | None = None,
        pointer: str | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.params = dict(params or {})
        self.stored = stored
        self.moves = moves
        self.pointer = pointer
