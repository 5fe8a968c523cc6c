"""The dispatcher, on a real database and with receivers on the loopback interface."""

import threading
import time
from dataclasses import replace
from ipaddress import ip_network
from itertools import pairwise

import pytest
from standardwebhooks import Webhook

from service import webhooks as dispatching
from service.portal_keys import parse_key
from service.schemas import dump_events
from service.storage import deliveries, game_ends
from service.storage.deliveries import MOST_ATTEMPTS, RETRY_SECONDS, Outcome
from service.storage.errors import Unavailable
from service.storage.webhooks import Wanted
from service.use_cases import keep_webhooks
from service.use_cases.know_portal import portal_of
from service.use_cases.read_feed import read_feed
from service.webhook_addresses import Policy
from service.webhook_secrets import shown
from service.webhook_sending import Sender
from service.webhooks import MOST_AT_ONCE, MOST_FOR_A_WEBHOOK, Dispatcher
from tests.service.table import PASSED, SCORED
from tests.service.webhook_receiver import Receiver
from tests.service.webhooks_asked import drain

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
            dispatcher = desk.dispatcher()
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


class TestSeveralProcesses:
    def test_send_each_event_once_together(self, desk, receiver):
        desk.webhook(receiver)
        for _ in range(10):
            desk.portal.make()
        for _ in range(3):
            desk.dispatcher().start()
        receiver.wait_for(20)
        for dispatcher in desk.dispatchers:
            dispatcher.stop()
        assert sorted(each.id for each in receiver.got) == sorted(
            each["id"] for each in desk.feed()
        )

    def test_take_over_what_one_that_died_had_taken(self, desk, receiver):
        webhook = desk.webhook(receiver, event_types=("game_created",))
        desk.portal.make()
        dead = desk.dispatcher()
        dead._number()
        with desk.house.store.writing() as conn:
            found = deliveries.due(conn, (), (), 9)
            deliveries.lease(conn, [each.id for each in found], dead._lease)
        living = desk.dispatcher()
        drain(living)
        assert receiver.got == []
        desk.later(dead._lease.total_seconds() + 1)
        drain(living)
        assert len(receiver.got) == 1
        assert desk.log(webhook)[0].delivered

    def test_restore_the_order_of_a_game_from_its_versions(self, desk, receiver):
        desk.webhook(receiver)
        desk.portal.make(*SCORED)
        drain(desk.dispatcher())
        versions = [each["data"]["version"] for each in desk.feed()]
        assert all(one < other for one, other in pairwise(versions))
        got = sorted(receiver.got, key=lambda each: each.event["data"]["version"])
        assert [each.id for each in got] == [each["id"] for each in desk.feed()]


class TestTheDispatcher:
    def test_holds_no_connection_while_it_sends(self, desk, receiver):
        reached, over = threading.Event(), threading.Event()

        def hang(_handler):
            reached.set()
            over.wait(30)

        receiver.answers = [hang]
        desk.webhook(receiver, event_types=("game_created",))
        desk.portal.make()
        dispatcher = desk.dispatcher()
        dispatcher.turn()
        assert reached.wait(30)
        pool = desk.house.store._pool
        stats = pool.get_stats()
        assert stats["pool_available"] == stats["pool_size"]
        with desk.house.store.reading() as conn:
            busy = conn.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND state LIKE 'idle in transaction%'"
            ).fetchone()
        assert busy == (0,)
        over.set()
        drain(dispatcher)

    def test_has_so_much_on_its_way_and_no_more(self, desk):
        over, lock, now, most = threading.Event(), threading.Lock(), [0], [0]

        class Counting:
            seconds = SECONDS

            def post(self, *_arguments):
                with lock:
                    now[0] += 1
                    most[0] = max(most[0], now[0])
                over.wait(30)
                with lock:
                    now[0] -= 1
                return Outcome(True, 204)

        with Receiver() as receiver:
            for number in range(6):
                desk.webhook(receiver, f"/{number}")
            for _ in range(5):
                desk.portal.make()
            dispatcher = desk.dispatcher(Counting())
            while dispatcher.turn():
                continue
            assert len(dispatcher) == dispatching.MOST_FOR_A_PORTAL <= MOST_AT_ONCE
            over.set()
            drain(dispatcher)
        assert most[0] <= dispatching.MOST_FOR_A_PORTAL

    def test_lives_on_when_the_database_is_away(self, desk, receiver, monkeypatch):
        desk.webhook(receiver, event_types=("game_created",))
        desk.portal.make()
        dispatcher = desk.dispatcher()
        turn, failed = Dispatcher.turn, threading.Event()

        def away(self):
            if not failed.is_set():
                failed.set()
                raise Unavailable("away")
            return turn(self)

        monkeypatch.setattr(Dispatcher, "turn", away)
        dispatcher.start()
        receiver.wait_for(1)
        assert failed.is_set()

    def test_writes_down_what_it_could_not_write_down_before(self, desk, receiver, monkeypatch):
        webhook = desk.webhook(receiver, event_types=("game_created",))
        desk.portal.make()
        dispatcher = desk.dispatcher()
        record, failing = deliveries.record, [True]

        def away(*arguments):
            if failing.pop() if failing else False:
                raise Unavailable("away")
            return record(*arguments)

        monkeypatch.setattr(deliveries, "record", away)
        dispatcher.turn()
        receiver.wait_for(1)
        assert dispatcher._wake.wait(30)
        with pytest.raises(Unavailable):
            dispatcher.turn()
        assert not desk.log(webhook)[0].delivered
        drain(dispatcher)
        assert desk.log(webhook)[0].delivered
        assert len(receiver.got) == 1

    def test_says_so_when_an_event_or_a_secret_is_gone(self, desk, receiver):
        webhook = desk.webhook(receiver, event_types=("game_created",))
        desk.portal.make()
        dispatcher = desk.dispatcher()
        dispatcher._number()
        desk.run("UPDATE webhook_secrets SET secret = 'broken'")
        drain(dispatcher)
        assert desk.log(webhook)[0].failure_code == "internal"
        desk.run("DELETE FROM portal_events")
        desk.later(6)
        drain(dispatcher)
        [found] = desk.log(webhook)
        assert (found.failure_code, found.next_attempt_at) == ("event_expired", None)
        assert receiver.got == []

    def test_waits_a_little_for_what_is_on_its_way_when_it_stops(self, desk, receiver):
        webhook = desk.webhook(receiver, event_types=("game_created",))
        reached = threading.Event()

        def slowly(handler):
            reached.set()
            time.sleep(0.3)
            handler.send_response(204)
            handler.end_headers()

        receiver.answers = [slowly]
        desk.portal.make()
        dispatcher = desk.dispatcher()
        dispatcher.start()
        assert reached.wait(30)
        dispatcher.stop()
        assert desk.log(webhook)[0].delivered

    def test_of_an_application_does_nothing_unless_it_is_started(self, portal):
        dispatcher = portal.answering.app.extensions["gin-webhooks"]
        assert isinstance(dispatcher, Dispatcher)
        assert dispatcher._thread is None

    def test_does_not_touch_the_games(self, desk, receiver):
        desk.webhook(receiver)
        table = desk.portal.make(*PASSED)
        before = table.get().json["version"]
        drain(desk.dispatcher())
        assert table.get().json["version"] == before

    def test_makes_no_connection_that_the_policy_forbids(self, desk, receiver):
        webhook = desk.webhook(receiver, event_types=("game_created",))
        desk.portal.make()
        strict = replace(Sender(Policy(), SECONDS), connect=_never)
        drain(desk.dispatcher(strict))
        assert desk.log(webhook)[0].failure_code == "url_not_allowed"
        assert receiver.got == []


def _never(*_arguments):
    raise AssertionError("a connection was tried")
