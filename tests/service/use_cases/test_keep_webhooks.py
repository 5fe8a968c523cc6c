"""Webhooks as portals keep them. Over HTTP: :mod:`tests.service.blueprints.test_webhooks`."""

import threading

import pytest

from service.portal_keys import parse_key
from service.storage.webhooks import Wanted
from service.use_cases import keep_webhooks
from service.use_cases.keep_webhooks import MOST_WEBHOOKS
from service.use_cases.know_portal import portal_of
from service.use_cases.refusals import Refused
from tests.service.webhooks_asked import URL, number

WANTED = Wanted(url=URL)


@pytest.fixture
def house(portal):
    return portal.answering.house


@pytest.fixture
def portal_id(portal, house):
    return portal_of(house, parse_key(portal.key)).id


def log(house, portal_id, made):
    return keep_webhooks.deliveries_of(house, portal_id, made.webhook.id, None, None, 99)


class TestTheLimit:
    def test_holds_for_many_who_come_at_once(self, house, portal_id):
        outcomes = []

        def make():
            try:
                keep_webhooks.create_webhook(house, portal_id, WANTED)
                outcomes.append("made")
            except Refused as refused:
                outcomes.append(refused.code)

        threads = [threading.Thread(target=make) for _ in range(MOST_WEBHOOKS + 6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert outcomes.count("made") == MOST_WEBHOOKS
        assert outcomes.count("webhook_limit") == 6

    def test_counts_none_that_was_deleted(self, house, portal_id):
        for _ in range(2 * MOST_WEBHOOKS):
            made = keep_webhooks.create_webhook(house, portal_id, WANTED)
            keep_webhooks.delete_webhook(house, portal_id, made.webhook.id)


class TestAWebhookThatIsDisabled:
    def test_gets_what_was_under_way_once_it_is_enabled(self, portal, house, portal_id):
        made = keep_webhooks.create_webhook(house, portal_id, WANTED)
        portal.make()
        number(portal)
        off, on = Wanted(enabled=False), Wanted(enabled=True)
        keep_webhooks.change_webhook(house, portal_id, made.webhook.id, off)
        assert {each.next_attempt_at for each in log(house, portal_id, made)} == {None}
        portal.make()
        number(portal)
        assert len(log(house, portal_id, made)) == 2
        keep_webhooks.change_webhook(house, portal_id, made.webhook.id, on)
        assert all(each.next_attempt_at for each in log(house, portal_id, made))

    def test_does_not_come_back_by_another_change(self, house, portal_id):
        made = keep_webhooks.create_webhook(house, portal_id, Wanted(url=URL, enabled=False))
        said = Wanted(description="x")
        assert not keep_webhooks.change_webhook(house, portal_id, made.webhook.id, said).enabled


class TestWhatIsNotThere:
    @pytest.mark.parametrize(
        "ask",
        [
            keep_webhooks.webhook_of,
            keep_webhooks.delete_webhook,
            keep_webhooks.rotate_secret,
            keep_webhooks.ping,
            lambda *who: keep_webhooks.change_webhook(*who, WANTED),
            lambda *who: keep_webhooks.deliveries_of(*who, None, None, 9),
            lambda *who: keep_webhooks.redeliver(*who, "d_1"),
        ],
    )
    def test_is_not_found(self, house, portal_id, ask):
        with pytest.raises(Refused) as refused:
            ask(house, portal_id, "wh_0123456789abcdef")
        assert refused.value.code == "not_found"
