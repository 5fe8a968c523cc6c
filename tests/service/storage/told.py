"""Portals, events and webhooks put into the database without any HTTP."""

from dataclasses import replace

from service.portal_events import Told
from service.storage import deliveries, outbox, portal_events, webhooks
from service.storage.games import Ownership
from service.storage.webhooks import Wanted
from tests.service.storage.stored import ADA, BOB, CODEC

URL = "https://receiver.example.org/hook"
PORTAL = "p_0000000000000001"
OTHER = "p_0000000000000002"
OWNED = Ownership(PORTAL, {"table": "7"})
PLAYERS = (replace(ADA, player_ref="ref-ada"), replace(BOB, player_ref="ref-bob"))


def portal(store, portal_id=PORTAL):
    with store.writing() as conn:
        conn.execute(
            "INSERT INTO portals (id, name) VALUES (%s, %s) ON CONFLICT DO NOTHING",
            (portal_id, portal_id),
        )
    return portal_id


def webhook(store, number=1, portal_id=PORTAL, **wanted):
    portal(store, portal_id)
    wanted = Wanted(**{"url": URL, **wanted})
    with store.writing() as conn:
        webhook_id = f"wh_{number:016x}"
        return webhooks.insert(conn, CODEC, webhook_id, portal_id, wanted, bytes([number]) * 32)


def told(store, *versions, portal_id=PORTAL, game_id="g_1", kind="hand_dealt"):
    """Write events into the outbox."""
    events = [Told(kind, version, {"hand_number": version}) for version in versions]
    with store.writing() as conn:
        outbox.tell(conn, portal_id, game_id, events)


def numbered(store, most=100):
    with store.writing() as conn:
        return portal_events.number_outbox(conn, most)


def feed(store, portal_id=PORTAL, after=0, limit=100):
    with store.reading() as conn:
        return portal_events.feed(conn, portal_id, after, limit)


def log(store, number=1, delivered=None, after=None, limit=100):
    """The deliveries to a webhook, newest first."""
    with store.reading() as conn:
        return deliveries.to_webhook(conn, f"wh_{number:016x}", delivered, after, limit)


def rows(store, query, *values):
    with store.writing() as conn:
        cursor = conn.execute(query, values)
        return cursor.fetchall() if cursor.description else []
