"""The feed of a portal: what happens in its games, for those who cannot receive webhooks."""

from time import monotonic
from typing import Final

from flask import request
from flask.typing import ResponseReturnValue

from service.blueprints.calls import Pages, portal_for_caller
from service.cursors import Cursors
from service.holding import InThread, Poll, holder_of
from service.incoming import read_query
from service.operations import PORTAL, Blueprint
from service.portal_keys import GAMES_READ
from service.schemas import dump_events
from service.schemas.webhooks import EVENTS_QUERY, EventPage
from service.updates import Full
from service.use_cases.house import House
from service.use_cases.read_feed import FeedPage, read_feed

_HALF: Final = 1 << 16
"""A cursor has a number of four bytes and one of two: together the number of an event."""


def add_to(
    doors: Blueprint, house: House, cursors: Cursors, in_thread: InThread, longest_wait: float
) -> None:
    """Add the operation to those that tell what is new; ``longest_wait`` is in seconds."""

    @doors.operation(
        "GET",
        "/v1/events",
        id="listEvents",
        says=(
            "What happened in your games.\nThe oldest first, from the last 30 days, the same "
            "events that webhooks are sent. `next_cursor` is always there: keep it, and ask again "
            "with it. With `wait` the answer comes as soon as there is an event, or with none "
            "after so many seconds. Needs the scope `games:read`."
        ),
        answer=EventPage,
        query=EVENTS_QUERY,
        who=PORTAL,
        headers=["Link"],
    )
    def list_events() -> ResponseReturnValue:
        begun = monotonic()
        portal = portal_for_caller(house, GAMES_READ)
        query = read_query(EVENTS_QUERY)
        pages = Pages(cursors, f"events|{portal.id}", query)
        first, second = pages.start()
        after = first * _HALF + second
        found = read_feed(house, portal.id, after, pages.limit)
        seconds = min(query["wait"], longest_wait)
        if seconds and not found.events:
            if not _waited(house, in_thread, portal.id, found, seconds, begun):
                return ""  # the connection waits, and this goes nowhere
            found = read_feed(house, portal.id, after, pages.limit)
        last = found.events[-1].number if found.events else after
        items = [dump_events.portal_event(each) for each in found.events]
        return pages.answer_endless(items, divmod(last or after, _HALF))


def _waited(
    house: House, in_thread: InThread, portal_id: str, found: FeedPage, seconds: float, begun: float
) -> bool:
    """Wait for an event; False if the server holds the connection until then."""
    holder = holder_of(request.environ)
    if holder is not None and holder.waited:
        return True
    try:
        watch = house.notifier.watch(portal_id, None, begun)
    except Full:
        return True
    watch.version = found.head
    if holder is not None:
        holder.wish = Poll(watch, seconds)
        return False
    try:
        in_thread.poll(Poll(watch, seconds))
    finally:
        watch.close()
    return True
