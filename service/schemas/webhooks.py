"""What portals are told, and the webhooks to which it is sent."""

from typing import Any, Final

from marshmallow import fields

from service.portal_events import PING, TYPES
from service.schemas import declare as wire
from service.schemas.fields import Choice, Flag, QueryFlag, QueryWhole, Sequenced, Text
from service.schemas.log import PageQuery
from service.schemas.scores import OUTCOMES, SeatTotal
from service.schemas.shapes import AnswerSchema, RequestSchema
from service.webhook_addresses import LONGEST_URL

LONGEST_WAIT: Final = 25
LONGEST_DESCRIPTION: Final = 200
_TYPES_SAY: Final = f"open: {', '.join(TYPES)}, {PING} (to a webhook alone)"


class PlayerRef(AnswerSchema):
    """The portal's own name for who sits on a seat."""

    seat = wire.seat()
    player_ref = wire.text("as given")


class EventData(AnswerSchema):
    """Public facts only, and who plays as far as the portal said so itself.

    `version` puts the events of one game in order. A ping has nothing here.
    """

    game_id = wire.text(required=False)
    version = wire.number("of the game, when it happened", required=False)
    seat = wire.seat("that was taken or left, or whose time ran out", required=False)
    hand_number = wire.number(required=False)
    outcome = wire.text(OUTCOMES, required=False)
    points = wire.number("what the hand scored", required=False)
    winner_seat = wire.seat("of the hand or the game", required=False)
    winner_team = wire.number("where partners play", required=False)
    totals = wire.many(SeatTotal, "when it happened", required=False)
    rematch_game_id = wire.text(required=False)
    player_refs = wire.many(PlayerRef, "who sits there now", required=False)
    metadata = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=False,
        metadata={"description": "as given"},
    )


class PortalEvent(AnswerSchema):
    """A webhook's body, and an item of the feed."""

    id = wire.text("the same however often it is sent, and to whom")
    type = wire.text(_TYPES_SAY)
    timestamp = wire.time("when it happened")
    data = wire.one(EventData)


class EventPage(AnswerSchema):
    """A page of the feed."""

    items = wire.many(PortalEvent)
    next_cursor = wire.text("always there: keep it, and ask again with it")


class EventsQuery(PageQuery):
    """Which page of the feed."""

    wait = QueryWhole(
        0,
        LONGEST_WAIT,
        load_default=0,
        metadata={"description": "seconds to wait while there is nothing new, default 0"},
    )


class _OfAWebhook(RequestSchema):
    """What can be said of a webhook."""

    event_types = Sequenced(
        Choice("WebhookEventType", TYPES),
        len(TYPES),
        metadata={"description": "all of them if there is none"},
    )
    description = Text(LONGEST_DESCRIPTION)


_URL: Final[dict[str, Any]] = {
    "description": "https, a public host, no user and no fragment; port 443 or from 1024 on",
    "format": "uri",
}


class WebhookRequest(_OfAWebhook):
    """Where events are to be sent, and which."""

    url = Text(LONGEST_URL, required=True, metadata=_URL)
    enabled = Flag(metadata={"description": "default true"})


class WebhookChangeRequest(_OfAWebhook):
    """What is to be changed of a webhook; what is left out stays as it is."""

    url = Text(LONGEST_URL, metadata=_URL)
    enabled = Flag(metadata={"description": "true turns it on again, with the same secret"})


class Webhook(AnswerSchema):
    """A webhook, without its secret."""

    id = wire.text()
    url = wire.text()
    event_types = wire.texts("all of them if there is none")
    enabled = wire.flag()
    disabled_code = wire.text(
        "open: gone (the receiver answered 410), failing (for five days)", required=False
    )
    description = wire.text("as given", required=False)
    created_at = wire.time()


class WebhookWithSecret(AnswerSchema):
    """A webhook, and its new secret."""

    webhook = wire.one(Webhook)
    secret = wire.text("whsec_…, shown this once")


class WebhookPage(AnswerSchema):
    """A page of webhooks."""

    items = wire.many(Webhook)
    next_cursor = wire.text(required=False)


class Delivery(AnswerSchema):
    """An event on its way to a webhook."""

    id = wire.text()
    event_id = wire.text()
    event_type = wire.text(_TYPES_SAY)
    attempt = wire.number("attempts made")
    status_code = wire.number("what the receiver answered last", required=False)
    failure_code = wire.text(
        "open, if there was no answer: url_not_allowed, name_not_resolved, address_not_allowed, "
        "connection_failed, tls_failed, timed_out, no_answer, event_expired, internal",
        required=False,
    )
    delivered = wire.flag()
    next_attempt_at = wire.time("if there will be one", required=False)
    at = wire.time("of the last attempt; before the first, of its making")


class DeliveryPage(AnswerSchema):
    """A page of deliveries."""

    items = wire.many(Delivery)
    next_cursor = wire.text(required=False)


class DeliveriesQuery(PageQuery):
    """Which deliveries, and which page of them."""

    delivered = QueryFlag(metadata={"description": "only those that were, or were not"})


EVENTS_QUERY: Final = EventsQuery()
DELIVERIES_QUERY: Final = DeliveriesQuery()
WEBHOOK_REQUEST: Final = WebhookRequest()
WEBHOOK_CHANGE_REQUEST: Final = WebhookChangeRequest()
