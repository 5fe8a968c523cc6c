"""List the score sheets of a portal."""

from service.storage import sheet_lists
from service.storage.game_lists import Place
from service.storage.sheet_lists import SheetSummary, WantedSheets
from service.use_cases.house import House


def sheets_of_portal(
    house: House, wanted: WantedSheets, after: Place | None, limit: int
) -> list[SheetSummary]:
    """Return at most ``limit`` sheets of a portal behind the place ``after``, last change first."""
    with house.store.reading() as conn:
        return sheet_lists.of_portal(conn, wanted, after, limit)
