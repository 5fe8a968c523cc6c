"""What is sent, when, and what came of it: times are those of the database, and made up."""

from datetime import timedelta

import pytest

from service.storage import deliveries, webhooks
from service.storage.deliveries import MOST_ATTEMPTS, RETRY_SECONDS, Outcome
from service.storage.webhooks import Wanted
from tests.service.storage.told import (
    OTHER,
    PORTAL,
    URL,
    feed,
    log,
    numbered,
    rows,
    told,
    webhook,
)

ID = "wh_0000000000000001"
LEASE = timedelta(seconds=60)
WELL = Outcome(True, 204)
BADLY = Outcome(False, 500)


def due(store, webhooks=(), portals=(), limit=99):
    with store.reading() as conn:
        return deliveries.due(conn, webhooks, portals, limit)


def take(store, ids=None):
    with store.writing() as conn:
        ids = [each.id for each in deliveries.due(conn, (), (), 99)] if ids is None else ids
        return deliveries.lease(conn, ids, LEASE)


def record(store, sending, outcome, retry=5.0):
    with store.writing() as conn:
        deliveries.record(conn, sending, outcome, retry)


def later(store, seconds):
    """Let so much time pass for all that is due."""
    for column in ("next_attempt_at", "leased_until"):
        rows(store, f"UPDATE deliveries SET {column} = {column} - make_interval(secs => {seconds})")


def sent(store, kind="hand_dealt"):
    told(store, 1, kind=kind)
    numbered(store)


@pytest.fixture
def taken(store):
    """A delivery that was taken."""
    webhook(store)
    sent(store)
    [sending] = take(store)
    return sending


class TestADelivery:
    def test_is_due_at_once(self, store):
        webhook(store)
        sent(store)
        [found] = due(store)
        assert (found.webhook_id, found.portal_id) == (ID, PORTAL)

    def test_brings_the_event_and_its_address(self, store, taken):
        assert (taken.url, taken.attempt) == (URL, 0)
        assert taken.event == feed(store)[0]

    def test_is_taken_by_one(self, store, taken):
        assert take(store, [taken.id]) == []
        assert due(store) == []

    def test_is_taken_by_one_of_two_who_come_at_once(self, store, settings):
        webhook(store)
        sent(store)
        [found] = due(store)
        with store.writing() as conn, conn.transaction():
            assert len(deliveries.lease(conn, [found.id], LEASE)) == 1
            assert take(store, [found.id]) == []

    def test_is_to_be_had_again_when_its_taker_died(self, store, taken):
        later(store, 59)
        assert due(store) == []
        later(store, 2)
        [again] = take(store)
        assert (again.id, again.attempt) == (taken.id, 0)

    def test_of_who_is_busy_is_left_alone(self, store):
        webhook(store)
        webhook(store, 2)
        webhook(store, 3, OTHER)
        sent(store)
        told(store, 2, portal_id=OTHER)
        numbered(store)
        assert {each.webhook_id[-1] for each in due(store, webhooks=[ID])} == {"2", "3"}
        assert {each.webhook_id[-1] for each in due(store, portals=[PORTAL])} == {"3"}

    def test_whose_event_is_kept_no_longer_has_none(self, store):
        webhook(store)
        sent(store)
        rows(store, "DELETE FROM portal_events")
        assert take(store)[0].event is None


class TestAnOutcome:
    def test_that_is_good_ends_it(self, store, taken):
        record(store, taken, WELL)
        [found] = log(store)
        assert (found.delivered, found.attempt, found.status_code) == (True, 1, 204)
        assert found.next_attempt_at is None
        assert due(store) == []

    def test_that_is_bad_lets_it_come_again_later(self, store, taken):
        record(store, taken, BADLY, 300)
        [found] = log(store)
        assert (found.delivered, found.attempt, found.status_code) == (False, 1, 500)
        assert 299 < (found.next_attempt_at - found.at).total_seconds() < 301
        assert due(store) == []
        later(store, 301)
        assert take(store)[0].attempt == 1

    def test_that_is_no_answer_says_why(self, store, taken):
        record(store, taken, Outcome(False, failure_code="timed_out"))
        [found] = log(store)
        assert (found.status_code, found.failure_code) == (None, "timed_out")

    def test_that_is_bad_for_the_last_time_gives_it_up(self, store, taken):
        record(store, taken, BADLY, None)
        assert log(store)[0].next_attempt_at is None
        later(store, 10**6)
        assert due(store) == []

    def test_that_comes_late_does_not_undo_what_the_next_one_did(self, store, taken):
        later(store, 61)
        [again] = take(store)
        record(store, taken, BADLY, None)
        assert log(store)[0].attempt == 0
        record(store, again, WELL)
        record(store, taken, BADLY, 5)
        assert log(store)[0].delivered

    def test_that_is_good_counts_however_late(self, store, taken):
        later(store, 61)
        take(store)
        record(store, taken, WELL)
        assert log(store)[0].delivered


class TestAReceiver:
    def state(self, store):
        with store.reading() as conn:
            found = webhooks.load(conn, ID, PORTAL)
        return found.enabled, found.disabled_code

    def test_that_is_gone_is_disabled_and_all_that_was_on_its_way_stops(self, store, taken):
        sent(store)
        record(store, taken, Outcome(False, 410))
        assert self.state(store) == (False, "gone")
        assert due(store) == []
        assert [each.next_attempt_at for each in log(store)] == [None, None]

    def test_that_fails_for_five_days_is_disabled(self, store, taken):
        for days, expected in ((0, (True, None)), (4.99, (True, None)), (5.01, (False, "failing"))):
            rows(
                store,
                "UPDATE webhooks SET failing_since = now() - make_interval(secs => %s)",
                days * 86400,
            )
            rows(store, "UPDATE deliveries SET leased_until = %s", taken.leased_until)
            record(store, taken, BADLY)
            assert self.state(store) == expected

    def test_that_fails_for_the_first_time_is_remembered_for_it(self, store, taken):
        record(store, taken, BADLY)
        [(since,)] = rows(store, "SELECT now() - failing_since FROM webhooks")
        assert since < timedelta(minutes=1)

    def test_that_succeeds_once_begins_anew(self, store, taken):
        rows(store, "UPDATE webhooks SET failing_since = now() - interval '4 days'")
        record(store, taken, WELL)
        assert rows(store, "SELECT failing_since FROM webhooks") == [(None,)]

    def test_that_is_enabled_again_gets_what_was_stopped(self, store, taken):
        record(store, taken, Outcome(False, 410))
        with store.writing() as conn:
            webhooks.change(conn, ID, PORTAL, Wanted(enabled=True))
            deliveries.resume(conn, ID)
        assert [each.id for each in due(store)] == [taken.id]

    def test_that_is_enabled_again_does_not_get_what_was_given_up(self, store, taken):
        rows(store, "UPDATE deliveries SET attempt = %s, next_attempt_at = NULL", MOST_ATTEMPTS)
        with store.writing() as conn:
            deliveries.resume(conn, ID)
        assert due(store) == []

    def test_that_is_disabled_gets_what_was_asked_for_by_hand(self, store):
        webhook(store, enabled=False)
        sent(store)
        assert due(store) == []
        with store.writing() as conn:
            deliveries.insert(conn, "d_1", ID, "evt_1", "ping")
        [sending] = take(store)
        assert (sending.event.type, sending.event.id) == ("ping", "evt_1")
        record(store, sending, BADLY)
        assert log(store)[0].next_attempt_at is None
        assert self.state(store) == (False, None)


class TestTheLog:
    def test_is_in_pages_the_newest_first(self, store):
        webhook(store)
        for number in range(5):
            with store.writing() as conn:
                deliveries.insert(conn, f"d_{number}", ID, "evt_1", "ping")
        first = log(store, limit=2)
        place = (first[-1].created_at, first[-1].id)
        assert [each.id for each in first] == ["d_4", "d_3"]
        assert [each.id for each in log(store, after=place)] == ["d_2", "d_1", "d_0"]

    def test_shows_only_what_was_or_was_not_delivered(self, store, taken):
        sent(store)
        record(store, taken, WELL)
        assert [each.id for each in log(store, delivered=True)] == [taken.id]
        assert [each.delivered for each in log(store, delivered=False)] == [False]
        assert len(log(store)) == 2

    def test_is_kept_for_so_long(self, store, taken):
        rows(store, "UPDATE deliveries SET created_at = now() - interval '31 days'")
        sent(store)
        with store.writing() as conn:
            assert deliveries.sweep(conn, timedelta(days=32), 9) == 0
            assert deliveries.sweep(conn, timedelta(days=30), 9) == 1
        assert len(log(store)) == 1


class TestTheSchedule:
    def test_is_that_of_the_documents(self):
        assert RETRY_SECONDS == (5, 300, 1800, 7200, 18_000, 36_000, 36_000)
        assert sum(RETRY_SECONDS) > 24 * 3600  # a receiver that is away for a day loses nothing
