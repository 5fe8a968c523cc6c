"""What a portal does with its webhooks, and the log of what went there."""

from typing import Any

from flask.typing import ResponseReturnValue

from service.blueprints.calls import (
    Answer,
    Pages,
    credential_of,
    done,
    portal_for_caller,
    refusing,
)
from service.blueprints.once import answer_once
from service.cursors import Cursors
from service.errors import field_error, invalid
from service.incoming import read_body, read_query
from service.operations import PORTAL, Blueprint
from service.portal_keys import WEBHOOKS
from service.schemas import dump_events
from service.schemas.log import PAGE_QUERY
from service.schemas.webhooks import (
    DELIVERIES_QUERY,
    WEBHOOK_CHANGE_REQUEST,
    WEBHOOK_REQUEST,
    Delivery,
    DeliveryPage,
    Webhook,
    WebhookPage,
    WebhookWithSecret,
)
from service.storage.deliveries import Delivery as StoredDelivery
from service.storage.portals import Portal
from service.storage.webhooks import Wanted
from service.use_cases import keep_webhooks
from service.use_cases.house import House
from service.use_cases.keep_webhooks import WithSecret
from service.webhook_addresses import Policy, UrlNotAllowed
from service.webhook_secrets import shown


def blueprint(house: House, cursors: Cursors, policy: Policy) -> Blueprint:
    """Return the operations on webhooks; ``policy`` says which addresses they may have."""
    doors = Blueprint("webhooks")
    _add_lists(doors, house, cursors)
    _add_changes(doors, house, policy)
    _add_secrets(doors, house, policy)
    _add_log(doors, house, cursors)
    _add_sending(doors, house)
    return doors


def _caller(house: House) -> Portal:
    return portal_for_caller(house, WEBHOOKS)


def _wanted(body: dict[str, Any], policy: Policy) -> Wanted:
    """Return what a body asks for.

    :raises Refusal: ``validation_failed`` with ``url_not_allowed``.
    """
    wanted = Wanted(**body)
    if wanted.url is not None:
        try:
            policy.target(wanted.url)
        except UrlNotAllowed:
            raise invalid([field_error("/url", "url_not_allowed")]) from None
    return wanted


def _add_lists(doors: Blueprint, house: House, cursors: Cursors) -> None:
    @doors.operation(
        "GET",
        "/v1/webhooks",
        id="listWebhooks",
        says="List your webhooks.\nThe newest first. Needs the scope `webhooks`, as all of these.",
        answer=WebhookPage,
        query=PAGE_QUERY,
        who=PORTAL,
        headers=["Link"],
    )
    def list_webhooks() -> ResponseReturnValue:
        portal = _caller(house)
        pages = Pages(cursors, f"webhooks|{portal.id}", read_query(PAGE_QUERY))
        found = keep_webhooks.webhooks_of_portal(
            house, portal.id, pages.start_of_games(), pages.limit + 1
        )
        return pages.answer_games(found, dump_events.webhook, lambda of: (of.created_at, of.id))

    @doors.operation(
        "GET",
        "/v1/webhooks/<webhook:webhook_id>",
        id="getWebhook",
        says="Get a webhook.\nIf it was disabled by failures, `disabled_code` says so.",
        answer=Webhook,
        who=PORTAL,
    )
    def get(webhook_id: str) -> ResponseReturnValue:
        portal = _caller(house)
        with refusing(None):
            found = keep_webhooks.webhook_of(house, portal.id, webhook_id)
        return dump_events.webhook(found), 200, {}


def _add_changes(doors: Blueprint, house: House, policy: Policy) -> None:
    @doors.operation(
        "PUT",
        "/v1/webhooks/<webhook:webhook_id>",
        id="putWebhook",
        says=(
            'Change, disable or enable a webhook.\nWhat is left out stays, so `{"enabled": true}` '
            "turns it on again with the same secret; what was under way when it was disabled is "
            "sent then."
        ),
        answer=Webhook,
        body=WEBHOOK_CHANGE_REQUEST,
        who=PORTAL,
        codes=["outcome_unknown"],
    )
    def put(webhook_id: str) -> ResponseReturnValue:
        portal = _caller(house)
        with refusing(None):
            keep_webhooks.webhook_of(house, portal.id, webhook_id)
            wanted = _wanted(read_body(WEBHOOK_CHANGE_REQUEST), policy)
            changed = keep_webhooks.change_webhook(house, portal.id, webhook_id, wanted)
        return dump_events.webhook(changed), 200, {}

    @doors.operation(
        "DELETE",
        "/v1/webhooks/<webhook:webhook_id>",
        id="deleteWebhook",
        says=(
            "Delete a webhook.\nIts secrets and the log of its deliveries go with it. Again: 204."
        ),
        answer=None,
        empty=True,
        who=PORTAL,
        codes=["outcome_unknown"],
    )
    def delete(webhook_id: str) -> ResponseReturnValue:
        portal = _caller(house)
        with refusing(None):
            keep_webhooks.delete_webhook(house, portal.id, webhook_id)
        return done()


def _add_secrets(doors: Blueprint, house: House, policy: Policy) -> None:
    @doors.operation(
        "POST",
        "/v1/webhooks",
        id="createWebhook",
        limit="creates",
        says=(
            "Register an address for events.\nThey are posted there as Standard Webhooks says: "
            "`webhook-id` is the event's, `webhook-timestamp`, and `webhook-signature` over both "
            "and the body, made with the `secret`, which is shown this once. Answer 2xx within "
            "ten seconds; else it is tried again, up to eight times in 28 hours, and 410 disables "
            "the webhook. Events come at least once and in any order: `data.version` is the "
            "order of a game. With an `Idempotency-Key` it is answered the same again."
        ),
        answer=WebhookWithSecret,
        body=WEBHOOK_REQUEST,
        who=PORTAL,
        codes=["webhook_limit", "outcome_unknown"],
        created=True,
        keyed=True,
    )
    def create() -> ResponseReturnValue:
        portal = _caller(house)
        wanted = _wanted(read_body(WEBHOOK_REQUEST), policy)
        with refusing(None):
            return answer_once(
                house,
                wanted,
                lambda keep: keep_webhooks.create_webhook(house, portal.id, wanted, keep),
                _with_secret,
                credential=credential_of(portal),
            )

    @doors.operation(
        "POST",
        "/v1/webhooks/<webhook:webhook_id>/secrets",
        id="rotateWebhookSecret",
        says=(
            "Make a new secret for a webhook.\nThe old one signs too for 24 hours, so that the "
            "receiver can change over at any time. With an `Idempotency-Key` it is answered the "
            "same again."
        ),
        answer=WebhookWithSecret,
        who=PORTAL,
        codes=["outcome_unknown"],
        created=True,
        keyed=True,
    )
    def rotate(webhook_id: str) -> ResponseReturnValue:
        portal = _caller(house)
        with refusing(None):
            return answer_once(
                house,
                (),
                lambda keep: keep_webhooks.rotate_secret(house, portal.id, webhook_id, keep),
                _with_secret,
                credential=credential_of(portal),
            )


def _with_secret(of: WithSecret) -> Answer:
    body = {"webhook": dump_events.webhook(of.webhook), "secret": shown(of.secret)}
    return body, 201, {"Location": f"/v1/webhooks/{of.webhook.id}"}


def _add_log(doors: Blueprint, house: House, cursors: Cursors) -> None:
    @doors.operation(
        "GET",
        "/v1/webhooks/<webhook:webhook_id>/deliveries",
        id="listDeliveries",
        says=(
            "List what was sent to a webhook.\nThe newest first, of the last 30 days; with "
            "`delivered=false` what did not arrive, or not yet."
        ),
        answer=DeliveryPage,
        query=DELIVERIES_QUERY,
        who=PORTAL,
        headers=["Link"],
    )
    def list_deliveries(webhook_id: str) -> ResponseReturnValue:
        portal = _caller(house)
        with refusing(None):
            keep_webhooks.webhook_of(house, portal.id, webhook_id)
            query = read_query(DELIVERIES_QUERY)
            delivered = query.get("delivered")
            pages = Pages(cursors, f"deliveries|{webhook_id}|{delivered}", query)
            found = keep_webhooks.deliveries_of(
                house, portal.id, webhook_id, delivered, pages.start_of_games(), pages.limit + 1
            )
        return pages.answer_games(found, dump_events.delivery, lambda of: (of.created_at, of.id))


def _add_sending(doors: Blueprint, house: House) -> None:
    @doors.operation(
        "POST",
        "/v1/webhooks/<webhook:webhook_id>/pings",
        id="pingWebhook",
        says=(
            "Send a test event.\nOnce, of the type `ping`, also to a webhook that is disabled. "
            "What came of it stands in listDeliveries. With an `Idempotency-Key` it is sent once."
        ),
        answer=Delivery,
        who=PORTAL,
        codes=["outcome_unknown"],
        accepted=True,
        keyed=True,
    )
    def ping(webhook_id: str) -> ResponseReturnValue:
        portal = _caller(house)
        with refusing(None):
            return answer_once(
                house,
                (),
                lambda keep: keep_webhooks.ping(house, portal.id, webhook_id, keep),
                _accepted,
                credential=credential_of(portal),
            )

    @doors.operation(
        "POST",
        "/v1/webhooks/<webhook:webhook_id>/deliveries/<delivery:delivery_id>/redeliveries",
        id="redeliver",
        says=(
            "Send an event once more.\nWhatever became of the delivery, and also to a webhook that "
            "is disabled; the event keeps its `id`. With an `Idempotency-Key` it is sent once."
        ),
        answer=Delivery,
        who=PORTAL,
        codes=["outcome_unknown"],
        accepted=True,
        keyed=True,
    )
    def redeliver(webhook_id: str, delivery_id: str) -> ResponseReturnValue:
        portal = _caller(house)
        with refusing(None):
            return answer_once(
                house,
                (),
                lambda keep: keep_webhooks.redeliver(
                    house, portal.id, webhook_id, delivery_id, keep
                ),
                _accepted,
                credential=credential_of(portal),
            )


def _accepted(of: StoredDelivery) -> Answer:
    return dump_events.delivery(of), 202, {}
