"""The dispatcher, on a real database. What receivers get: :mod:`test_webhooks_received`."""

import threading
import time
from dataclasses import replace
from itertools import pairwise

import pytest

from service import webhooks as dispatching
from service.storage import deliveries
from service.storage.deliveries import Outcome
from service.storage.errors import Unavailable
from service.webhook_addresses import Policy
from service.webhook_sending import Sender
from service.webhooks import MOST_AT_ONCE, Dispatcher
from tests.service.table import PASSED, SCORED
from tests.service.webhook_receiver import Receiver
from tests.service.webhooks_asked import drain
from tests.service.webhooks_desk import SECONDS, desk, receiver

__all__ = ["desk", "receiver"]


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

    def test_lives_on_after_a_fault(self, desk, receiver, monkeypatch, caplog):
        monkeypatch.setattr(dispatching, "PAUSE_SECONDS", 0.01)
        desk.webhook(receiver, event_types=("game_created",))
        desk.portal.make()
        number = Dispatcher._number
        faults = [RuntimeError("a bug")]

        def faulty(self):
            if faults:
                raise faults.pop()
            return number(self)

        monkeypatch.setattr(Dispatcher, "_number", faulty)
        desk.dispatcher().start()
        receiver.wait_for(1)
        assert "webhooks failed" in caplog.text

    def test_tries_again_what_found_no_thread(self, desk, receiver, monkeypatch):
        webhook = desk.webhook(receiver, event_types=("game_created",))
        desk.portal.make()
        dispatcher = desk.dispatcher()

        def none_left(_thread):
            raise RuntimeError("can't start new thread")

        with monkeypatch.context() as patch:
            patch.setattr(threading.Thread, "start", none_left)
            drain(dispatcher)
        [found] = desk.log(webhook)
        assert (found.failure_code, found.attempt, len(dispatcher)) == ("internal", 1, 0)
        desk.later(6)
        drain(dispatcher)
        assert desk.log(webhook)[0].delivered

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
