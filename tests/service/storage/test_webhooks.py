"""Webhooks and their secrets."""

from datetime import timedelta

import pytest

from service.storage import webhooks
from service.storage.codec import Codec
from service.storage.sealing import SealBroken, Sealer
from service.storage.webhooks import MOST_SECRETS, Wanted
from tests.service.storage.stored import CODEC, count
from tests.service.storage.told import OTHER, PORTAL, URL, log, numbered, rows, told, webhook

ID = "wh_0000000000000001"


def load(store, webhook_id=ID, portal_id=PORTAL):
    with store.reading() as conn:
        return webhooks.load(conn, webhook_id, portal_id)


def change(store, portal_id=PORTAL, **wanted):
    with store.writing() as conn:
        return webhooks.change(conn, ID, portal_id, Wanted(**wanted))


def secrets(store, codec=CODEC):
    with store.reading() as conn:
        found = webhooks.secrets_of(conn, [ID]).get(ID, ())
    return [each.opened(codec) for each in found]


def rotate(store, byte, portal_id=PORTAL):
    with store.writing() as conn:
        return webhooks.rotate(conn, CODEC, ID, portal_id, bytes([byte]) * 32)


def delete(store, portal_id=PORTAL):
    with store.writing() as conn:
        return webhooks.delete(conn, ID, portal_id)


class TestAWebhook:
    def test_is_read_as_it_was_stored(self, store):
        made = webhook(store, event_types=("game_ended",), description="mine")
        assert load(store) == made
        assert (made.url, made.event_types, made.description) == (URL, ("game_ended",), "mine")
        assert (made.enabled, made.disabled_code) == (True, None)

    def test_is_that_of_one_portal(self, store):
        webhook(store)
        assert load(store, portal_id=OTHER) is None
        assert change(store, OTHER, enabled=False) is None
        assert rotate(store, 2, OTHER) is None
        assert not delete(store, OTHER)
        assert load(store).enabled

    def test_is_changed_in_what_is_said_alone(self, store):
        made = webhook(store, event_types=("game_ended",), description="mine")
        assert change(store) == made
        assert change(store, url=URL + "2").description == "mine"
        assert change(store, event_types=()).event_types == ()
        assert change(store, description="").description is None
        assert change(store, enabled=False).enabled is False
        assert load(store).url == URL + "2"

    def test_forgets_why_it_was_disabled_when_somebody_says_whether_it_is(self, store):
        webhook(store)
        rows(
            store,
            "UPDATE webhooks SET enabled = false, disabled_code = 'gone', failing_since = now()",
        )
        assert change(store, description="x").disabled_code == "gone"
        changed = change(store, enabled=True)
        assert (changed.enabled, changed.disabled_code) == (True, None)
        assert rows(store, "SELECT failing_since FROM webhooks") == [(None,)]

    def test_is_in_a_list_the_newest_first(self, store):
        for number in (1, 2, 3):
            webhook(store, number)
        webhook(store, 4, OTHER)
        with store.reading() as conn:
            first = webhooks.of_portal(conn, PORTAL, None, 2)
            last = (first[-1].created_at, first[-1].id)
            second = webhooks.of_portal(conn, PORTAL, last, 2)
        assert [each.id[-1] for each in (*first, *second)] == ["3", "2", "1"]


class TestADeletedWebhook:
    def test_is_gone_with_all_that_was_kept_of_it(self, store):
        webhook(store, description="mine")
        told(store, 1)
        numbered(store)
        assert len(log(store)) == 1
        assert delete(store)
        assert load(store) is None
        assert (count(store, "deliveries"), count(store, "webhook_secrets")) == (0, 0)
        assert rows(store, "SELECT url, description FROM webhooks") == [("", None)]

    def test_is_remembered_for_a_while(self, store):
        webhook(store)
        delete(store)
        assert not delete(store)
        with store.writing() as conn:
            assert webhooks.was_deleted(conn, ID, PORTAL)
            assert not webhooks.was_deleted(conn, ID, OTHER)
            assert webhooks.sweep_deleted(conn, timedelta(days=1), 9) == 0
            assert webhooks.sweep_deleted(conn, timedelta(0), 9) == 1
            assert not webhooks.was_deleted(conn, ID, PORTAL)

    def test_gets_no_new_secret(self, store):
        webhook(store)
        delete(store)
        assert rotate(store, 2) is None
        assert secrets(store) == []


class TestSecrets:
    def test_are_sealed(self, store):
        webhook(store)
        [(sealed,)] = rows(store, "SELECT secret FROM webhook_secrets")
        assert bytes([1]) * 8 not in sealed
        assert secrets(store) == [bytes([1]) * 32]
        with pytest.raises(SealBroken):
            secrets(store, Codec(Sealer([b"another secret" * 3])))

    def test_cannot_be_put_in_the_place_of_others(self, store):
        webhook(store)
        webhook(store, 2)
        rows(
            store,
            "UPDATE webhook_secrets SET secret = (SELECT secret FROM webhook_secrets"
            " WHERE webhook_id <> %s) WHERE webhook_id = %s",
            ID,
            ID,
        )
        with pytest.raises(SealBroken):
            secrets(store)

    def test_sign_together_after_a_rotation_the_new_one_first(self, store):
        webhook(store)
        rotate(store, 2)
        assert secrets(store) == [bytes([2]) * 32, bytes([1]) * 32]

    def test_end_a_day_later(self, store):
        webhook(store)
        rotate(store, 2)
        [(hours,)] = rows(
            store,
            "SELECT extract(epoch FROM ends_at - now()) / 3600 FROM webhook_secrets"
            " WHERE ends_at IS NOT NULL",
        )
        assert 23.9 < hours <= 24
        rows(store, "UPDATE webhook_secrets SET ends_at = now() WHERE ends_at IS NOT NULL")
        assert secrets(store) == [bytes([2]) * 32]

    def test_go_on_after_a_second_rotation_whose_answer_was_lost(self, store):
        webhook(store)
        rotate(store, 2)
        rotate(store, 3)
        assert secrets(store) == [bytes([byte]) * 32 for byte in (3, 2, 1)]

    def test_are_not_more_than_some(self, store):
        webhook(store)
        for byte in range(2, 9):
            rotate(store, byte)
        assert secrets(store) == [bytes([byte]) * 32 for byte in (8, 7, 6, 5)]
        assert count(store, "webhook_secrets") == MOST_SECRETS
