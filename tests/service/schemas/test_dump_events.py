from datetime import UTC, datetime

from service.schemas import dump_events
from service.storage.deliveries import Delivery
from service.storage.portal_events import PortalEvent
from service.storage.webhooks import Webhook

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
WIRE_AT = "2026-03-01T12:00:00.000000Z"


class TestAnEvent:
    def test_has_its_facts_in_the_order_of_the_document(self):
        facts = {"winner_seat": 1, "points": 41, "outcome": "gin", "hand_number": 3}
        refs, metadata = ((1, "u93"),), {"table": "7"}
        event = PortalEvent(9, "evt_1", "hand_ended", AT, "g_1", 57, facts, refs, metadata)
        wire = dump_events.portal_event(event)
        assert wire == {
            "id": "evt_1",
            "type": "hand_ended",
            "timestamp": WIRE_AT,
            "data": {
                "game_id": "g_1",
                "version": 57,
                **facts,
                "player_refs": [{"seat": 1, "player_ref": "u93"}],
                "metadata": {"table": "7"},
            },
        }
        names = ["game_id", "version", "hand_number", "outcome", "points", "winner_seat"]
        assert list(wire["data"])[:6] == names

    def test_that_is_a_ping_has_no_data(self):
        event = PortalEvent(None, "evt_1", "ping", AT, None, None, {}, (), {})
        assert dump_events.portal_event(event)["data"] == {}


class TestAWebhook:
    def test_leaves_out_what_it_has_not(self):
        webhook = Webhook("wh_1", "https://x.example/", (), None, True, None, AT)
        assert dump_events.webhook(webhook) == {
            "id": "wh_1",
            "url": "https://x.example/",
            "event_types": [],
            "enabled": True,
            "created_at": WIRE_AT,
        }

    def test_says_why_it_is_disabled(self):
        webhook = Webhook("wh_1", "https://x.example/", ("a",), "mine", False, "gone", AT)
        wire = dump_events.webhook(webhook)
        assert (wire["disabled_code"], wire["description"]) == ("gone", "mine")


class TestADelivery:
    def test_leaves_out_what_it_has_not(self):
        made = Delivery("d_1", "evt_1", "ping", 0, None, None, False, None, AT, AT)
        assert dump_events.delivery(made) == {
            "id": "d_1",
            "event_id": "evt_1",
            "event_type": "ping",
            "attempt": 0,
            "delivered": False,
            "at": WIRE_AT,
        }

    def test_says_what_came_of_it(self):
        made = Delivery("d_1", "evt_1", "ping", 2, 500, "timed_out", False, AT, AT, AT)
        wire = dump_events.delivery(made)
        assert (wire["status_code"], wire["failure_code"]) == (500, "timed_out")
        assert wire["next_attempt_at"] == WIRE_AT
