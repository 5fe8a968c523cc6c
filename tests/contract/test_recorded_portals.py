"""More examples of the documents: what portals do with their games, and seats with their tokens.

See :mod:`tests.contract.test_recorded`, which looks after all examples together.
"""

from dataclasses import replace

import pytest

from service.app import create_app
from service.portal_keys import SCOPES
from service.use_cases.keep_seat_tokens import MOST_TOKENS
from service.use_cases.keep_webhooks import MOST_WEBHOOKS
from service.use_cases.manage_keys import create_key
from service.webhooks import Dispatcher
from tests.contract.examples import PUBLIC_URL, record
from tests.contract.stories import FixedChance
from tests.contract.test_recorded import noted, refused
from tests.service.webhooks_asked import MadeUp, drain

TWO = {
    "rules": {"base": "short"},
    "seats": [
        {"kind": "human", "name": "Ada", "player_ref": "user-1815"},
        {"kind": "human", "name": "Grace", "player_ref": "user-1906"},
    ],
    "metadata": {"tournament": "spring", "table": "7"},
}


class Client:
    """Asks with a portal's key, or with any other token."""

    def __init__(self, app) -> None:
        self.house = app.extensions["gin-rummy"]
        self.client = app.test_client()
        self.key = create_key(self.house.store, "arcade", SCOPES).key

    def ask(self, method, path, body=None, token=None, **headers):
        sent = {"Authorization": f"Bearer {token or self.key}", **headers}
        return self.client.open(path, method=method, json=body, headers=sent)

    def make(self, body=TWO):
        made = self.ask("POST", "/v1/games", body)
        assert made.status_code == 201, made.json
        return made, f"/v1/games/{made.json['game']['id']}"


@pytest.fixture
def start(settings, empty_tables):
    """Start the application with the chance of a story; return a client of it."""
    clients = []

    def start(story: str) -> Client:
        app = create_app(replace(settings, public_url=PUBLIC_URL), FixedChance(story))
        clients.append(Client(app))
        return clients[-1]

    yield start
    for client in clients:
        client.house.store.close()


class TestAPortal:
    def test_makes_games_and_lists_them(self, start):
        client = start("portal")
        made, path = client.make()
        record("createGame", "request_portal", TWO)
        record("createGame", "answer_portal", made.json)
        noted("getGame", client.ask("GET", path), kind="answer_portal")
        noted("listGames", client.ask("GET", "/v1/games?status=playing&player_ref=user-1815"))

    def test_ends_them(self, start):
        client = start("ended")
        _, path = client.make()
        wanted = {"reason_code": "player_banned"}
        noted("abandonGame", client.ask("POST", f"{path}/abandonments", wanted), request=wanted)
        mismatch = client.ask("DELETE", path, **{"If-Match": '"1-p-1"'})
        assert mismatch.json["code"] == "version_mismatch"
        assert client.ask("DELETE", path).status_code == 204

    def test_makes_score_sheets_and_lists_them(self, start):
        client = start("sheets of a portal")
        wanted = {"names": ["Ada", "Grace"], "metadata": {"tournament": "spring", "table": "7"}}
        made = client.ask("POST", "/v1/score-sheets", wanted)
        record("createScoreSheet", "request_portal", wanted)
        noted("createScoreSheet", made, kind="answer_portal")
        hands = made.headers["Location"] + "/hands"
        won = {"outcome": "gin", "winner_seat": 1, "points": 41}
        entered = client.ask("PUT", f"{hands}/1", won, **{"If-Match": made.headers["ETag"]})
        assert entered.status_code == 200
        noted("listScoreSheets", client.ask("GET", "/v1/score-sheets?complete=false"))

    def test_is_told_what_its_key_lacks(self, start):
        client = start("scopes")
        _, path = client.make()
        reader = create_key(client.house.store, "arcade", ["games:read"]).key
        refused("scope_missing", client.ask("DELETE", path, token=reader))

    def test_has_games_whose_tokens_end(self, start):
        client = start("archived")
        made, path = client.make()
        with client.house.store.writing() as conn:
            conn.execute("UPDATE games SET archived_at = now()")
        expired = client.ask("GET", path, token=made.json["tokens"][0]["token"])
        assert expired.json["code"] == "token_expired"


class TestWhatAPortalIsTold:
    URL = "https://games.example.org/hooks/gin"

    def test_in_the_feed(self, start):
        client = start("feed")
        made, path = client.make()
        token = made.json["tokens"][0]["token"]
        number = {"move_number": made.json["game"]["next_move"]}
        assert client.ask("POST", f"{path}/resignations", number, token).status_code == 201
        drain(Dispatcher(client.house, MadeUp(204)))
        with_numbers_of_its_own("listEvents", client.ask("GET", "/v1/events"))

    def test_by_webhooks(self, start):
        client = start("webhooks")
        wanted = {"url": self.URL, "event_types": ["hand_ended", "game_ended"]}
        made = client.ask("POST", "/v1/webhooks", wanted)
        noted("createWebhook", made, request=wanted)
        path = f"/v1/webhooks/{made.json['webhook']['id']}"
        noted("getWebhook", client.ask("GET", path))
        noted("listWebhooks", client.ask("GET", "/v1/webhooks"))
        enabled = {"enabled": True}
        noted("putWebhook", client.ask("PUT", path, enabled), request=enabled)
        noted("rotateWebhookSecret", client.ask("POST", f"{path}/secrets"))
        noted("pingWebhook", client.ask("POST", f"{path}/pings"))
        drain(Dispatcher(client.house, MadeUp(503)))
        log = noted("listDeliveries", client.ask("GET", f"{path}/deliveries?delivered=false"))
        again = f"{path}/deliveries/{log.json['items'][0]['id']}/redeliveries"
        noted("redeliver", client.ask("POST", again))

    def test_is_refused_where_it_would_lead_inside(self, start):
        client = start("inside")
        body = {"url": "https://169.254.169.254/latest/meta-data"}
        refused("url_not_allowed", client.ask("POST", "/v1/webhooks", body))
        for _ in range(MOST_WEBHOOKS):
            client.ask("POST", "/v1/webhooks", {"url": self.URL})
        refused("webhook_limit", client.ask("POST", "/v1/webhooks", {"url": self.URL}))


def with_numbers_of_its_own(operation_id, answer):
    """Record a page of the feed; its cursor follows from a number that the database gives."""
    assert answer.status_code == 200
    record(operation_id, "answer", {**answer.json, "next_cursor": "AAAAAAAqZl8zotEdZPJH"})


class TestASeat:
    def test_has_tokens(self, start):
        client = start("seat tokens")
        made, path = client.make()
        token = made.json["tokens"][0]["token"]
        at, wanted = f"{path}/seats/0/tokens", {"label": "phone"}
        given = client.ask("POST", at, wanted, token)
        noted("createSeatToken", given, request=wanted)
        noted("listSeatTokens", client.ask("GET", at, token=token))
        rotated = {"label": "new phone", "rotate": True}
        record("createSeatToken", "request_rotate", rotated)
        assert client.ask("POST", at, rotated, token).status_code == 201
        for _ in range(MOST_TOKENS - 2):
            client.ask("POST", at)
        refused("token_limit", client.ask("POST", at))

    def test_lets_others_watch(self, start):
        client = start("watch")
        made, path = client.make()
        token = made.json["tokens"][0]["token"]
        noted("createSpectatorToken", client.ask("POST", f"{path}/spectator-tokens", token=token))

    def test_plays_once_more(self, start):
        client = start("rematch")
        made, path = client.make()
        first, second = (grant["token"] for grant in made.json["tokens"])
        number = {"move_number": made.json["game"]["next_move"]}
        assert client.ask("POST", f"{path}/resignations", number, first).status_code == 201
        noted("createRematch", client.ask("POST", f"{path}/rematches", token=first))
        again = client.ask("POST", f"{path}/rematches", token=second)
        assert again.status_code == 200
        noted("createRematch", again, kind="answer_sat_down")


class TestAnybody:
    def test_finds_games_to_join(self, start):
        client = start("open")
        body = {"seats": [{"kind": "human", "name": "Ada"}, {"kind": "human"}], "listed": True}
        assert client.client.post("/v1/games", json=body).status_code == 201
        noted("listOpenGames", client.client.get("/v1/open-games"))
