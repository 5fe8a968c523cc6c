"""From what a portal is told to what goes over the wire: the same in the feed and to webhooks."""

from typing import Final

from service.schemas import dump
from service.schemas.dump_scores import Wire
from service.schemas.webhooks import EventData
from service.storage.deliveries import Delivery
from service.storage.portal_events import PortalEvent
from service.storage.webhooks import Webhook

_IN_ORDER: Final = tuple(EventData().fields)
"""The facts in the order of the document; the database keeps none."""


def portal_event(of: PortalEvent) -> Wire:
    """Return an event."""
    data: Wire = {}
    if of.game_id is not None:
        refs = [{"seat": seat, "player_ref": ref} for seat, ref in of.player_refs]
        facts = {name: of.facts[name] for name in _IN_ORDER if name in of.facts}
        data = {"game_id": of.game_id, "version": of.version, **facts}
        data |= {"player_refs": refs, "metadata": of.metadata}
    return {"id": of.id, "type": of.type, "timestamp": dump.time(of.happened_at), "data": data}


def webhook(of: Webhook) -> Wire:
    """Return a webhook, without its secret."""
    wire: Wire = {
        "id": of.id,
        "url": of.url,
        "event_types": list(of.event_types),
        "enabled": of.enabled,
        "created_at": dump.time(of.created_at),
    }
    optional = {"disabled_code": of.disabled_code, "description": of.description}
    return wire | {name: value for name, value in optional.items() if value is not None}


def delivery(of: Delivery) -> Wire:
    """Return a delivery."""
    wire: Wire = {
        "id": of.id,
        "event_id": of.event_id,
        "event_type": of.event_type,
        "attempt": of.attempt,
        "delivered": of.delivered,
        "at": dump.time(of.at),
    }
    optional = {"status_code": of.status_code, "failure_code": of.failure_code}
    if of.next_attempt_at is not None:
        optional["next_attempt_at"] = dump.time(of.next_attempt_at)
    return wire | {name: value for name, value in optional.items() if value is not None}
