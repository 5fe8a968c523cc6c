"""Read what happened in the games of a portal, and remove what is too old to be told."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from service.storage import deliveries, portal_events, webhooks
from service.storage.pool import Store
from service.storage.portal_events import PortalEvent
from service.use_cases.house import House

KEPT: Final = timedelta(days=30)
"""So long events and deliveries are kept."""

BATCH: Final = 500


@dataclass(frozen=True, slots=True)
class FeedPage:
    """Events behind a number, oldest first; ``head`` is the number of the newest one of all."""

    events: list[PortalEvent]
    head: int


def read_feed(house: House, portal_id: str, after: int, limit: int) -> FeedPage:
    """Return at most ``limit`` events of a portal behind the number ``after``."""
    with house.store.reading() as conn:
        head = portal_events.heads(conn, [portal_id])[portal_id]
        return FeedPage(portal_events.feed(conn, portal_id, after, limit), head)


def sweep_events(store: Store, batch: int = BATCH) -> int:
    """Remove events and deliveries that are too old; return how many there were.

    Safe to run from several machines at once, in small statements.
    """
    removed = 0
    for sweep in (portal_events.sweep, deliveries.sweep, webhooks.sweep_deleted):
        count = batch
        while count == batch:
            with store.writing() as conn:
                count = sweep(conn, KEPT, batch)
            removed += count
    return removed
