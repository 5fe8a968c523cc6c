"""Leaks to a portal, by what it is told; see :mod:`tests.contract.leaks`."""

from dataclasses import replace

from engine.melds import deadwood
from service import portal_events
from service.blueprints import portal_feed
from service.storage import game_lists, games
from service.use_cases import keep_webhooks
from service.webhooks import Dispatcher
from tests.contract.leaks import hidden_from, leak, seat_0
from tests.contract.leaks_following import LEAKS

__all__ = ["LEAKS"]


def of_a_portal(number):
    """Seat 0 looks on in a game that a portal made, and so does the portal."""
    plot = seat_0(number)
    return replace(plot, seed=plot.seed | 1)


def _secret(house) -> int:
    """Return a number that follows from what seat 1 holds in the games that there are."""
    with house.store.reading() as conn:
        ids = game_lists.ids_after(conn, "", 9)
        found = [games.load(conn, house.codec, each) for each in ids]
    return sum(deadwood(hidden_from(each.game, 0)) for each in found)


@leak(of_a_portal)
def fact_of_an_event(patch):
    """An event says what the cards of a seat are worth that was just dealt."""
    original = portal_events._of_moves

    def of_moves(game, moves, version):
        points = deadwood(hidden_from(game, 0))
        for each in original(game, moves, version):
            yield replace(each, facts={**each.facts, "points": points})

    patch.setattr(portal_events, "_of_moves", of_moves)


@leak(of_a_portal)
def item_of_the_feed(patch):
    """The feed alone tells more than what happened."""
    original = portal_feed.read_feed

    def read_feed(house, *arguments):
        page = original(house, *arguments)
        facts = {"points": _secret(house)}
        return replace(page, events=[replace(each, facts=facts) for each in page.events])

    patch.setattr(portal_feed, "read_feed", read_feed)


@leak(of_a_portal)
def body_of_a_webhook(patch):
    """Only what is sent away tells more than what happened."""
    original = Dispatcher._send

    def send(self, sending, sealed):
        event = replace(sending.event, facts={"points": _secret(self._house)})
        original(self, replace(sending, event=event), sealed)

    patch.setattr(Dispatcher, "_send", send)


@leak(of_a_portal)
def log_of_deliveries(patch):
    """The log of what was sent has a number that it should not have."""
    original = keep_webhooks.deliveries_of

    def deliveries_of(house, *arguments):
        found = original(house, *arguments)
        return [replace(each, attempt=_secret(house)) for each in found]

    patch.setattr(keep_webhooks, "deliveries_of", deliveries_of)
