"""The application: the only place where the parts are joined."""

from collections.abc import Callable
from typing import Any, Final

from flask import Flask
from gunicorn.http.errors import ParseException

from engine.analyses import MOST_ARRANGEMENTS
from engine.kept_sheets import MOST_CHANGES, MOST_HANDS
from service import frame, limits
from service.allowances import Allowances
from service.blueprints import (
    ai,
    endings,
    fairness,
    games,
    hands,
    knocks,
    moves,
    rule_sets,
    sandbox,
    score_sheets,
    scores,
    scoring,
    seats,
    turns,
    updates,
    webhooks,
)
from service.blueprints import service as service_blueprint
from service.blueprints.score_games import MOST_GAME_BYTES
from service.cursors import Cursors
from service.document import API_VERSION, GinApi
from service.duties import Duties
from service.operations import Blueprint
from service.presence import Presence
from service.randomness import Randomness, SystemRandomness
from service.schemas.batches import MOST_BATCH_BYTES, MOST_ITEMS
from service.settings import Settings, for_serving
from service.storage.codec import Codec
from service.storage.errors import Busy, OutcomeUnknown, StorageError, Unavailable
from service.storage.idempotency import KeptAnswers
from service.storage.pool import Store
from service.storage.sealing import Sealer
from service.storage.setup import ready
from service.storage.wakeups import Line
from service.tokens import Tokens
from service.updates import Notifier
from service.use_cases.house import House
from service.use_cases.keep_webhooks import MOST_WEBHOOKS
from service.use_cases.read_log import FURTHEST_BEHIND
from service.web import pages
from service.webhook_addresses import Policy
from service.webhook_sending import Sender
from service.webhooks import Dispatcher

VERSION: Final = "0.1.0"
CAPABILITIES: Final = (
    "games",
    "computer_players",
    "polling",
    "streams",
    "scoring",
    "score_sheets",
    "fair_deal",
    "portals",
    "webhooks",
)
GREATEST_PAGE: Final = 100


def create_house(settings: Settings, randomness: Randomness | None = None) -> House:
    """Return the parts that use cases work with."""
    notifier = Notifier(lambda: Line(settings), settings.followers)
    return House(
        store=Store(settings, notifier.wake),
        codec=Codec(Sealer(settings.secrets)),
        kept=KeptAnswers(settings.secrets, settings.idempotency_seconds),
        tokens=Tokens(settings.secrets),
        randomness=randomness or SystemRandomness(),
        ai_max_ms=settings.ai_max_ms,
        allowances=Allowances(settings.limits),
        notifier=notifier,
        presence=Presence(settings.presence_seconds),
    )


def create_dispatcher(settings: Settings, house: House) -> Dispatcher:
    """Return what sends to webhooks what the house has to tell; it does nothing by itself."""
    policy = Policy(settings.webhook_networks)
    return Dispatcher(house, Sender(policy, settings.webhook_timeout_seconds))


class Application(Flask):
    """The framework's application, all of whose functions are plain ones."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return ``func``: to look whether it is a coroutine takes time in every request."""
        return func


def create_app(settings: Settings, randomness: Randomness | None = None) -> Flask:
    """Return the application for ``settings``; its pool opens at the first request.

    ``randomness`` is the source of chance, the operating system's unless a test fixes it.

    :raises SettingsError: if it cannot serve with these settings.
    """
    house = create_house(for_serving(settings), randomness)
    app = Application("service", static_folder=None)
    frame.install(
        app,
        public_url=settings.public_url,
        max_body_bytes=settings.max_body_bytes,
        refusals=REFUSALS,
    )
    api = GinApi(app)
    counted: dict[str, str] = {}
    for blueprint in _blueprints(settings, house):
        api.register_blueprint(blueprint)
        counted |= blueprint.limits
    limits.install(app, house, settings.trusted_proxies, counted)
    pages.install(app, settings.public_url)
    app.extensions["gin-rummy"] = house
    app.extensions["gin-duties"] = Duties(house, settings)
    if settings.send_webhooks:
        app.extensions["gin-webhooks"] = create_dispatcher(settings, house)
    return app


REFUSALS: dict[type[Exception], str] = {
    Busy: "busy",
    Unavailable: "busy",
    OutcomeUnknown: "outcome_unknown",
    ParseException: "malformed_json",
}
"""The problem that each failure of the storage becomes, and a body that gunicorn cannot read."""


def _blueprints(settings: Settings, house: House) -> list[Blueprint]:
    cursors, policy = Cursors(settings.secrets), Policy(settings.webhook_networks)
    return [
        service_blueprint.blueprint(_info(settings), _keeps_from_playing(house.store)),
        rule_sets.blueprint(),
        games.blueprint(
            house, cursors, anonymous_games=settings.anonymous_games, sandbox=settings.sandbox
        ),
        moves.blueprint(house, cursors),
        turns.blueprint(house, cursors),
        seats.blueprint(house),
        knocks.blueprint(house, cursors),
        hands.blueprint(house, cursors),
        fairness.blueprint(house),
        endings.blueprint(house),
        scores.blueprint(house),
        scoring.blueprint(),
        score_sheets.blueprint(house, cursors),
        ai.blueprint(house),
        updates.blueprint(house, cursors, settings),
        webhooks.blueprint(house, cursors, policy),
        sandbox.blueprint(),
    ]


def _info(settings: Settings) -> dict[str, object]:
    return {
        "name": "Gin Rummy",
        "version": VERSION,
        "api_version": API_VERSION,
        "capabilities": [*CAPABILITIES, *(["sandbox"] if settings.sandbox else [])],
        "limits": {
            "max_body_bytes": settings.max_body_bytes,
            "max_batch_bytes": MOST_BATCH_BYTES,
            "max_batch_items": MOST_ITEMS,
            "max_arrangements": MOST_ARRANGEMENTS,
            "max_page_limit": GREATEST_PAGE,
            "max_moves_behind": FURTHEST_BEHIND,
            "max_wait_seconds": int(settings.longest_wait_seconds),
            "ai_max_ms": settings.ai_max_ms,
            "idempotency_seconds": settings.idempotency_seconds,
            "max_game_score_bytes": MOST_GAME_BYTES,
            "max_game_score_hands": MOST_HANDS,
            "max_score_sheet_hands": MOST_HANDS,
            "max_score_sheet_changes": MOST_CHANGES,
            "max_webhooks": MOST_WEBHOOKS,
            "expire_waiting_days": settings.expire_waiting_days,
            "expire_idle_days": settings.expire_idle_days,
            "archive_days": settings.archive_days,
            "expire_sheet_days": settings.expire_sheet_days,
            **_rate_limits(settings),
        },
        "documentation_url": f"{settings.public_url}/docs",
    }


def _rate_limits(settings: Settings) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, limit in settings.limits.items():
        if limit is not None:
            found[f"rate_{name}_quota"], found[f"rate_{name}_seconds"] = limit
    return found


def _keeps_from_playing(store: Store) -> Callable[[], str | None]:
    """Return what tells the code of the problem that keeps the service from playing games."""

    def code() -> str | None:
        try:
            return None if ready(store) else "maintenance"
        except StorageError:
            return "busy"

    return code
