"""What a portal does with its webhooks: register, change, test, and send again what went wrong."""

from dataclasses import dataclass
from typing import Final
from uuid import uuid4

from service.portal_events import PING
from service.portal_keys import new_id
from service.storage import deliveries, webhooks
from service.storage.deliveries import Delivery
from service.storage.game_lists import Place
from service.storage.pool import Connection
from service.storage.webhooks import Wanted, Webhook
from service.use_cases.do_once import Keep, write_keeping
from service.use_cases.house import House
from service.use_cases.refusals import Refused
from service.webhook_secrets import new_secret

MOST_WEBHOOKS: Final = 10
"""So many webhooks a portal may have."""


@dataclass(frozen=True, slots=True)
class WithSecret:
    """A webhook, and a secret of it that was just made."""

    webhook: Webhook
    secret: bytes


def create_webhook(
    house: House, portal_id: str, wanted: Wanted, keep: Keep[WithSecret] | None = None
) -> WithSecret:
    """Register a webhook. ``keep`` keeps the answer.

    :raises Refused: ``webhook_limit`` if the portal has as many as it may.
    """

    def write(conn: Connection) -> WithSecret:
        with conn.transaction():
            if webhooks.count_locked(conn, portal_id) >= MOST_WEBHOOKS:
                raise Refused("webhook_limit", {"max": MOST_WEBHOOKS})
            secret, webhook_id = new_secret(), new_id("wh")
            made = webhooks.insert(conn, house.codec, webhook_id, portal_id, wanted, secret)
        return WithSecret(made, secret)

    created = write_keeping(house, write, keep)
    assert created is not None
    return created


def webhooks_of_portal(
    house: House, portal_id: str, after: Place | None, limit: int
) -> list[Webhook]:
    """Return at most ``limit`` webhooks of a portal behind ``after``, newest first."""
    with house.store.reading() as conn:
        return webhooks.of_portal(conn, portal_id, after, limit)


def webhook_of(house: House, portal_id: str, webhook_id: str) -> Webhook:
    """Return a webhook.

    :raises Refused: ``not_found``.
    """
    with house.store.reading() as conn:
        return _found(webhooks.load(conn, webhook_id, portal_id))


def change_webhook(house: House, portal_id: str, webhook_id: str, wanted: Wanted) -> Webhook:
    """Change a webhook; what is not ``wanted`` stays.

    Nothing more goes to one that is disabled. One that is enabled again gets what it missed since
    it was disabled by a failure, as far as that was under way, at once.

    :raises Refused: ``not_found``.
    """
    with house.store.writing() as conn, conn.transaction():
        changed = _found(webhooks.change(conn, webhook_id, portal_id, wanted))
        if wanted.enabled is True:
            deliveries.resume(conn, webhook_id)
        if wanted.enabled is False:
            deliveries.pause(conn, webhook_id)
    return changed


def delete_webhook(house: House, portal_id: str, webhook_id: str) -> None:
    """Delete a webhook, with its secrets and the log of its deliveries; again changes nothing.

    :raises Refused: ``not_found`` if there never was one.
    """
    with house.store.writing() as conn:
        if webhooks.delete(conn, webhook_id, portal_id):
            return
        if not webhooks.was_deleted(conn, webhook_id, portal_id):
            raise Refused("not_found")


def rotate_secret(
    house: House, portal_id: str, webhook_id: str, keep: Keep[WithSecret] | None = None
) -> WithSecret:
    """Give a webhook a new secret; the old one signs too for a while. ``keep`` keeps the answer.

    :raises Refused: ``not_found``.
    """

    def write(conn: Connection) -> WithSecret:
        secret = new_secret()
        changed = webhooks.rotate(conn, house.codec, webhook_id, portal_id, secret)
        return WithSecret(_found(changed), secret)

    rotated = write_keeping(house, write, keep)
    assert rotated is not None
    return rotated


# --- deliveries


def ping(
    house: House, portal_id: str, webhook_id: str, keep: Keep[Delivery] | None = None
) -> Delivery:
    """Send a test event to a webhook, also to one that is disabled. ``keep`` keeps the answer.

    :raises Refused: ``not_found``.
    """

    def write(conn: Connection) -> Delivery:
        _found(webhooks.load(conn, webhook_id, portal_id))
        return deliveries.insert(conn, _new("d"), webhook_id, _new("evt"), PING)

    return _made(write_keeping(house, write, keep))


def redeliver(
    house: House,
    portal_id: str,
    webhook_id: str,
    delivery_id: str,
    keep: Keep[Delivery] | None = None,
) -> Delivery:
    """Send the event of a delivery once more, whatever became of it. ``keep`` keeps the answer.

    :raises Refused: ``not_found``, also if the event is kept no longer.
    """

    def write(conn: Connection) -> Delivery:
        _found(webhooks.load(conn, webhook_id, portal_id))
        before = deliveries.load(conn, delivery_id, webhook_id)
        if before is None or not deliveries.event_is_kept(conn, before):
            raise Refused("not_found")
        event = (before.event_id, before.event_type)
        return deliveries.insert(conn, _new("d"), webhook_id, *event)

    return _made(write_keeping(house, write, keep))


def deliveries_of(
    house: House,
    portal_id: str,
    webhook_id: str,
    delivered: bool | None,
    after: Place | None,
    limit: int,
) -> list[Delivery]:
    """Return at most ``limit`` deliveries to a webhook behind ``after``, newest first.

    :raises Refused: ``not_found``.
    """
    with house.store.reading() as conn:
        _found(webhooks.load(conn, webhook_id, portal_id))
        return deliveries.to_webhook(conn, webhook_id, delivered, after, limit)


def _new(prefix: str) -> str:
    return f"{prefix}_{uuid4().hex}"


def _made(delivery: Delivery | None) -> Delivery:
    assert delivery is not None
    return delivery


def _found(webhook: Webhook | None) -> Webhook:
    if webhook is None:
        raise Refused("not_found")
    return webhook
