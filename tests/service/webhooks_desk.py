"""A portal with webhooks in tests, and dispatchers that send to the loopback interface alone."""

from ipaddress import ip_network

import pytest

from service.portal_keys import parse_key
from service.schemas import dump_events
from service.storage.webhooks import Wanted
from service.use_cases import keep_webhooks
from service.use_cases.know_portal import portal_of
from service.use_cases.read_feed import read_feed
from service.webhook_addresses import Policy
from service.webhook_sending import Sender
from service.webhooks import Dispatcher
from tests.service.webhook_receiver import Receiver

LOOPBACK = Policy((ip_network("127.0.0.0/8"),))
SECONDS = 3.0
MIDDLE = 100
"""The chance that adds nothing and takes nothing away."""


class Desk:
    """A portal with webhooks, and dispatchers."""

    def __init__(self, portal) -> None:
        self.portal = portal
        self.house = portal.answering.house
        self.id = portal_of(self.house, parse_key(portal.key)).id
        self.dispatchers = []

    def dispatcher(self, sender=None, **more) -> Dispatcher:
        sender = sender or Sender(LOOPBACK, SECONDS)
        made = Dispatcher(self.house, sender, **{"chance": lambda _: MIDDLE, **more})
        self.dispatchers.append(made)
        return made

    def webhook(self, receiver, path="", **wanted):
        wanted = Wanted(url=receiver.url + path, **wanted)
        return keep_webhooks.create_webhook(self.house, self.id, wanted)

    def log(self, webhook, delivered=None):
        webhook_id = webhook.webhook.id
        return keep_webhooks.deliveries_of(self.house, self.id, webhook_id, delivered, None, 100)

    def feed(self):
        events = read_feed(self.house, self.id, 0, 100).events
        return [dump_events.portal_event(each) for each in events]

    def later(self, seconds):
        """Let so much time pass for all that is due."""
        for column in ("next_attempt_at", "leased_until"):
            self.run(
                f"UPDATE deliveries SET {column} = {column} - make_interval(secs => {seconds})"
            )

    def run(self, query, *values):
        with self.house.store.writing() as conn:
            conn.execute(query, values)


@pytest.fixture
def desk(portal):
    desk = Desk(portal)
    yield desk
    for dispatcher in desk.dispatchers:
        dispatcher.stop()


@pytest.fixture
def receiver():
    with Receiver() as receiver:
        yield receiver
