"""What receivers get from a dispatcher, and what their answers lead to."""

import threading
import time

import pytest
from standardwebhooks import Webhook

from service.storage import game_ends
from service.storage.deliveries import MOST_ATTEMPTS, RETRY_SECONDS
from service.storage.webhooks import Wanted
from service.use_cases import keep_webhooks
from service.webhook_secrets import shown
from service.webhook_sending import Sender
from service.webhooks import MOST_FOR_A_WEBHOOK
from tests.service.table import SCORED
from tests.service.webhook_receiver import Receiver
from tests.service.webhooks_asked import drain
from tests.service.webhooks_desk import LOOPBACK, SECONDS, desk, receiver

__all__ = ["desk", "receiver"]


class TestAnEvent:
    def test_arrives_as_it_stands_in_the_feed(self, desk, receiver):
        desk.webhook(receiver)
        desk.portal.make(*SCORED, metadata={"table": "7"})
        drain(desk.dispatcher())
        got = {each.id: each.event for each in receiver.got}
        assert got == {each["id"]: each for each in desk.feed()}
        assert [each["type"] for each in desk.feed()] == [
            "game_created",
            "hand_dealt",
            "hand_ended",
        ]
        said = desk.feed()[2]["data"]
        assert (said["outcome"], said["points"], said["winner_seat"]) == ("knock", 22, 0)
        assert said["metadata"] == {"table": "7"}
        assert said["player_refs"][1] == {"seat": 1, "player_ref": "ref-bob"}

    def test_is_signed_so_that_the_published_library_takes_it(self, desk, receiver):
        webhook = desk.webhook(receiver)
        desk.portal.make()
        drain(desk.dispatcher())
        for got in receiver.got:
            Webhook(shown(webhook.secret)).verify(got.body, got.headers)
            assert got.headers["content-type"] == "application/json"
            assert got.id == got.event["id"]

    def test_is_signed_with_both_secrets_during_a_rotation(self, desk, receiver):
        old = desk.webhook(receiver)
        new = keep_webhooks.rotate_secret(desk.house, desk.id, old.webhook.id)
        desk.portal.make()
        drain(desk.dispatcher())
        for secret in (old.secret, new.secret):
            Webhook(shown(secret)).verify(receiver.got[0].body, receiver.got[0].headers)
        desk.run("UPDATE webhook_secrets SET ends_at = now() WHERE ends_at IS NOT NULL")
        receiver.got.clear()
        desk.portal.make()
        drain(desk.dispatcher())
        assert len(receiver.got[0].headers["webhook-signature"].split()) == 1
        Webhook(shown(new.secret)).verify(receiver.got[0].body, receiver.got[0].headers)

    def test_of_a_game_of_nobody_there_is_none(self, desk, receiver):
        desk.webhook(receiver)
        desk.portal.tables(*SCORED)
        drain(desk.dispatcher())
        assert (receiver.got, desk.feed()) == ([], [])

    def test_brings_nobody_who_was_erased_between_two_attempts(self, desk, receiver):
        desk.webhook(receiver, event_types=("hand_ended",))
        table = desk.portal.make(*SCORED, metadata={"table": "7"})
        receiver.answers = [500]
        dispatcher = desk.dispatcher()
        drain(dispatcher)
        with desk.house.store.writing() as conn:
            game_ends.forget(conn, table.id)
        desk.later(6)
        drain(dispatcher)
        before, after = (each.event["data"] for each in receiver.got)
        assert before["player_refs"]
        assert before["metadata"]
        assert (after["player_refs"], after["metadata"]) == ([], {})
        assert receiver.got[0].id == receiver.got[1].id


class TestARetry:
    def test_comes_after_the_times_of_the_schedule_and_then_never_more(self, desk, receiver):
        webhook = desk.webhook(receiver, event_types=("game_created",))
        receiver.answers = [500] * 20
        desk.portal.make()
        dispatcher = desk.dispatcher()
        waits = []
        for attempt in range(1, MOST_ATTEMPTS + 1):
            drain(dispatcher)
            [found] = desk.log(webhook)
            assert (found.attempt, len(receiver.got)) == (attempt, attempt)
            if found.next_attempt_at is not None:
                waits.append(round((found.next_attempt_at - found.at).total_seconds()))
                desk.later(waits[-1] - 1)
                drain(dispatcher)
                assert len(receiver.got) == attempt  # a second too early
                desk.later(1)
        assert tuple(waits) == RETRY_SECONDS
        assert found.next_attempt_at is None
        assert not found.delivered
        desk.later(10**6)
        drain(dispatcher)
        assert len(receiver.got) == MOST_ATTEMPTS

    def test_keeps_the_id_and_gets_a_new_time(self, desk, receiver):
        webhook = desk.webhook(receiver, event_types=("game_created",))
        receiver.answers = [503, 204]
        desk.portal.make()
        times = iter((time.time(), time.time() + 5))
        dispatcher = desk.dispatcher(clock=lambda: next(times))
        drain(dispatcher)
        desk.later(6)
        drain(dispatcher)
        first, second = receiver.got
        assert first.id == second.id
        assert first.headers["webhook-timestamp"] != second.headers["webhook-timestamp"]
        Webhook(shown(webhook.secret)).verify(second.body, second.headers)
        assert desk.log(webhook)[0].delivered

    @pytest.mark.parametrize(("chance", "factor"), [(0, 0.9), (200, 1.1)])
    def test_has_a_tenth_more_or_less_by_chance(self, desk, receiver, chance, factor):
        webhook = desk.webhook(receiver, event_types=("game_created",))
        desk.run("UPDATE webhooks SET url = 'http://127.0.0.1:1024/'")
        desk.portal.make()
        refused = Sender(LOOPBACK, SECONDS, connect=_refuse)
        drain(desk.dispatcher(refused, chance=lambda most: min(chance, most - 1)))
        [found] = desk.log(webhook)
        wait = (found.next_attempt_at - found.at).total_seconds()
        assert wait == pytest.approx(5 * factor)
        assert found.failure_code == "connection_failed"

    def test_of_a_ping_there_is_none(self, desk, receiver):
        webhook = desk.webhook(receiver)
        receiver.answers = [500]
        keep_webhooks.ping(desk.house, desk.id, webhook.webhook.id)
        drain(desk.dispatcher())
        [found] = desk.log(webhook)
        assert (found.attempt, found.next_attempt_at) == (1, None)
        assert receiver.got[0].event["data"] == {}
        assert desk.feed() == []


def _refuse(*_arguments):
    raise ConnectionRefusedError


class TestAReceiver:
    def test_that_is_slow_does_not_hold_up_the_others(self, desk):
        over = threading.Event()
        with Receiver() as slow, Receiver() as quick:
            slow.answers = [lambda handler: over.wait(60)] * 100
            lazy, eager = desk.webhook(slow), desk.webhook(quick)
            for _ in range(12):
                desk.portal.make()
            dispatcher = desk.dispatcher(Sender(LOOPBACK, 60))
            dispatcher.start()
            quick.wait_for(24)  # two for each game
            assert len(slow.got) <= MOST_FOR_A_WEBHOOK
            assert not any(each.delivered for each in desk.log(lazy))
            over.set()
            dispatcher.stop()
        assert len({each.id for each in quick.got}) == 24
        assert len(desk.log(eager)) == 24

    def test_that_says_410_gets_no_more(self, desk, receiver):
        webhook = desk.webhook(receiver)
        receiver.answers = [410] * 9
        desk.portal.make()
        dispatcher = desk.dispatcher()
        drain(dispatcher)
        sent = len(receiver.got)
        assert sent <= MOST_FOR_A_WEBHOOK
        found = keep_webhooks.webhook_of(desk.house, desk.id, webhook.webhook.id)
        assert (found.enabled, found.disabled_code) == (False, "gone")
        desk.later(10**6)
        desk.portal.make()
        drain(dispatcher)
        assert len(receiver.got) == sent

    def test_that_is_enabled_again_gets_what_it_missed_under_the_same_secret(self, desk, receiver):
        webhook = desk.webhook(receiver)
        receiver.answers = [410, 410]
        desk.portal.make()
        dispatcher = desk.dispatcher()
        drain(dispatcher)
        receiver.got.clear()
        receiver.answers.clear()
        wanted = Wanted(enabled=True)
        keep_webhooks.change_webhook(desk.house, desk.id, webhook.webhook.id, wanted)
        drain(dispatcher)
        assert {each.id for each in receiver.got} == {each["id"] for each in desk.feed()}
        for got in receiver.got:
            Webhook(shown(webhook.secret)).verify(got.body, got.headers)

    def test_that_failed_for_five_days_is_disabled(self, desk, receiver):
        webhook = desk.webhook(receiver, event_types=("game_created",))
        desk.run("UPDATE webhooks SET failing_since = now() - interval '5 days 1 minute'")
        receiver.answers = [500]
        desk.portal.make()
        drain(desk.dispatcher())
        found = keep_webhooks.webhook_of(desk.house, desk.id, webhook.webhook.id)
        assert (found.enabled, found.disabled_code) == (False, "failing")

    def test_is_sent_what_a_portal_asks_for_again(self, desk, receiver):
        webhook = desk.webhook(receiver, event_types=("game_created",))
        desk.portal.make()
        dispatcher = desk.dispatcher()
        drain(dispatcher)
        [first] = desk.log(webhook)
        again = keep_webhooks.redeliver(desk.house, desk.id, webhook.webhook.id, first.id)
        drain(dispatcher)
        assert again.id != first.id
        assert [each.id for each in receiver.got] == [first.event_id] * 2
        assert receiver.got[0].body == receiver.got[1].body
