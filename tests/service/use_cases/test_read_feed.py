"""Reading the feed, and removing what is too old. Over HTTP: blueprints/test_portal_feed.py."""

from datetime import timedelta

from service.portal_keys import parse_key
from service.storage.webhooks import Wanted
from service.use_cases import keep_webhooks
from service.use_cases.know_portal import portal_of
from service.use_cases.read_feed import KEPT, read_feed, sweep_events
from tests.service.webhooks_asked import URL, deliver


def run(house, query):
    with house.store.writing() as conn:
        conn.execute(query)


class TestTheFeed:
    def test_tells_how_far_it_goes(self, portal):
        house = portal.answering.house
        portal_id = portal_of(house, parse_key(portal.key)).id
        assert read_feed(house, portal_id, 0, 9).head == 0
        portal.make()
        deliver(portal, 204)
        page = read_feed(house, portal_id, 0, 1)
        assert len(page.events) == 1
        assert page.head == page.events[0].number + 1


class TestSweeping:
    def test_removes_what_is_older_than_thirty_days_in_small_steps(self, portal):
        house = portal.answering.house
        portal_id = portal_of(house, parse_key(portal.key)).id
        made, gone = (
            keep_webhooks.create_webhook(house, portal_id, Wanted(url=URL)).webhook.id for _ in "12"
        )
        for _ in range(3):
            portal.make()
        deliver(portal, 204)
        keep_webhooks.delete_webhook(house, portal_id, gone)
        assert sweep_events(house.store) == 0
        run(house, "UPDATE portal_events SET happened_at = now() - interval '31 days'")
        run(house, "UPDATE deliveries SET created_at = now() - interval '31 days'")
        run(house, "UPDATE webhooks SET deleted_at = deleted_at - interval '31 days'")
        portal.make()
        deliver(portal, 204)
        assert sweep_events(house.store, batch=2) == 6 + 6 + 1
        assert len(read_feed(house, portal_id, 0, 99).events) == 2
        assert len(keep_webhooks.deliveries_of(house, portal_id, made, None, None, 99)) == 2
        assert sweep_events(house.store) == 0

    def test_keeps_what_the_documents_promise(self):
        assert timedelta(days=30) == KEPT
