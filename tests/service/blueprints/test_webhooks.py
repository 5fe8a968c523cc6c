"""Webhooks over HTTP. That something is really sent: :mod:`tests.service.test_webhooks`."""

import re

import pytest

from service.use_cases.keep_webhooks import MOST_WEBHOOKS
from tests.cases.inner_addresses import URLS
from tests.service.webhooks_asked import URL, code_of, deliver, errors_of

BODY = {"url": URL}


@pytest.fixture
def make(portal):
    """Registers a webhook and returns it with its secret."""

    def make(asking=portal, **body):
        answer = asking.ask("POST", "/v1/webhooks", {**BODY, **body})
        assert answer.status_code == 201, answer.json
        return answer.json

    return make


def path_of(made) -> str:
    return f"/v1/webhooks/{made['webhook']['id']}"


def once(key="once"):
    return {"headers": {"Idempotency-Key": key}}


OPERATIONS = (
    ("GET", ""),
    ("PUT", ""),
    ("POST", "/secrets"),
    ("POST", "/pings"),
    ("GET", "/deliveries"),
    ("POST", "/deliveries/d_" + "0" * 32 + "/redeliveries"),
    ("DELETE", ""),
)


class TestCreateWebhook:
    def test_shows_the_secret_once(self, portal, make):
        made = make(event_types=["game_ended"], description="results")
        assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", made["secret"])
        shown = portal.ask("GET", path_of(made)).json
        assert shown == made["webhook"]
        assert made["secret"] not in str(shown)
        assert (shown["url"], shown["enabled"]) == (URL, True)
        assert (shown["event_types"], shown["description"]) == (["game_ended"], "results")
        assert "disabled_code" not in shown

    def test_says_where_it_is(self, portal):
        answer = portal.ask("POST", "/v1/webhooks", BODY)
        assert answer.headers["Location"] == path_of(answer.json)

    def test_is_done_once_with_a_key(self, portal):
        first, again = (portal.ask("POST", "/v1/webhooks", BODY, **once()) for _ in "12")
        assert again.data == first.data
        assert again.headers["Idempotency-Replayed"] == "true"
        assert len(portal.ask("GET", "/v1/webhooks").json["items"]) == 1
        other = portal.ask("POST", "/v1/webhooks", {**BODY, "enabled": False}, **once())
        assert code_of(other) == (422, "idempotency_key_reused")

    def test_is_done_so_often_and_no_more(self, portal, make, portals):
        made = [make() for _ in range(MOST_WEBHOOKS)]
        refused = portal.ask("POST", "/v1/webhooks", BODY)
        assert code_of(refused) == (409, "webhook_limit")
        assert refused.json["params"] == {"max": MOST_WEBHOOKS}
        make(portals("another"))
        portal.ask("DELETE", path_of(made[0]))
        make()

    @pytest.mark.parametrize("url", URLS)
    def test_takes_no_address_that_leads_inside(self, portal, url):
        answer = portal.ask("POST", "/v1/webhooks", {"url": url})
        assert errors_of(answer)[0] in {("/url", "url_not_allowed"), ("/url", "bad_text")}

    @pytest.mark.parametrize(
        ("body", "error"),
        [
            ({}, ("/url", "required")),
            ({"url": 1}, ("/url", "wrong_type")),
            ({"url": URL + "x" * 2000}, ("/url", "too_long")),
            ({**BODY, "event_types": ["game_endde"]}, ("/event_types/0", "unknown_value")),
            ({**BODY, "event_types": ["ping"]}, ("/event_types/0", "unknown_value")),
            ({**BODY, "event_types": "all"}, ("/event_types", "wrong_type")),
            ({**BODY, "event_types": ["game_ended"] * 10}, ("/event_types", "too_long")),
            ({**BODY, "description": "x" * 201}, ("/description", "too_long")),
            ({**BODY, "enabled": "yes"}, ("/enabled", "wrong_type")),
            ({**BODY, "secret": "whsec_mine"}, ("/secret", "unknown_field")),
        ],
    )
    def test_says_what_is_wrong(self, portal, body, error):
        assert errors_of(portal.ask("POST", "/v1/webhooks", body)) == [error]

    def test_may_make_one_that_is_not_enabled_yet(self, make):
        assert make(enabled=False)["webhook"]["enabled"] is False


class TestAKey:
    @pytest.mark.parametrize("scopes", [["games:read", "games:write", "scoring", "sandbox"]])
    def test_needs_the_scope(self, portals, scopes, portal, make):
        lacking = portals("arcade", scopes)
        path = path_of(make())
        for method, below in (("GET", None), ("POST", None), *OPERATIONS):
            at = "/v1/webhooks" if below is None else path + below
            body = BODY if method in {"PUT", "POST"} and below in {None, ""} else None
            answer = lacking.ask(method, at, body)
            assert code_of(answer) == (403, "scope_missing"), (method, at)
            assert answer.json["params"] == {"scope": "webhooks"}

    def test_of_another_portal_finds_nothing(self, portals, make):
        other = portals("other")
        path = path_of(make())
        for method, below in OPERATIONS:
            body = BODY if method == "PUT" else None
            assert code_of(other.ask(method, path + below, body)) == (404, "not_found"), below
        assert other.ask("GET", "/v1/webhooks").json["items"] == []


class TestListWebhooks:
    def test_has_pages_the_newest_first(self, portal, make):
        made = [make()["webhook"]["id"] for _ in range(5)]
        found, query = [], "?limit=2"
        while query:
            page = portal.ask("GET", f"/v1/webhooks{query}")
            found += [each["id"] for each in page.json["items"]]
            cursor = page.json.get("next_cursor")
            assert ("Link" in page.headers) == bool(cursor)
            query = cursor and f"?limit=2&cursor={cursor}"
        assert found == made[::-1]

    def test_takes_no_cursor_of_another_portal(self, portal, portals, make):
        other = portals("other")
        for _ in range(2):
            make(other)
        cursor = other.ask("GET", "/v1/webhooks?limit=1").json["next_cursor"]
        answer = portal.ask("GET", f"/v1/webhooks?cursor={cursor}")
        assert errors_of(answer) == [("#query/cursor", "bad_cursor")]


class TestPutWebhook:
    def test_changes_what_is_sent_alone(self, portal, make):
        made = make(event_types=["game_ended"], description="results")
        path = path_of(made)
        changed = portal.ask("PUT", path, {"enabled": False}).json
        assert changed == {**made["webhook"], "enabled": False}
        moved = portal.ask("PUT", path, {"url": URL + "/2", "event_types": []}).json
        assert (moved["url"], moved["event_types"], moved["enabled"]) == (URL + "/2", [], False)
        assert portal.ask("PUT", path, {"enabled": True}).json == {**moved, "enabled": True}
        assert portal.ask("PUT", path, {}).json == {**moved, "enabled": True}

    def test_turns_on_again_what_failures_had_turned_off(self, portal, make):
        path = path_of(make())
        with portal.answering.house.store.writing() as conn:
            conn.execute("UPDATE webhooks SET enabled = false, disabled_code = 'failing'")
        assert portal.ask("GET", path).json["disabled_code"] == "failing"
        assert "disabled_code" not in portal.ask("PUT", path, {"enabled": True}).json

    def test_takes_no_address_that_leads_inside(self, portal, make):
        answer = portal.ask("PUT", path_of(make()), {"url": "https://169.254.169.254/"})
        assert errors_of(answer) == [("/url", "url_not_allowed")]


class TestDeleteWebhook:
    def test_is_done_and_may_be_repeated(self, portal, make):
        made = make()
        for _ in range(2):
            assert portal.ask("DELETE", path_of(made)).status_code == 204
        for method, below in OPERATIONS[:-1]:
            body = BODY if method == "PUT" else None
            assert code_of(portal.ask(method, path_of(made) + below, body)) == (404, "not_found")
        assert portal.ask("GET", "/v1/webhooks").json["items"] == []

    def test_finds_none_that_never_was(self, portal):
        answer = portal.ask("DELETE", "/v1/webhooks/wh_0123456789abcdef")
        assert code_of(answer) == (404, "not_found")


class TestRotateWebhookSecret:
    def test_gives_a_new_one(self, portal, make):
        made = make()
        answer = portal.ask("POST", f"{path_of(made)}/secrets")
        assert answer.status_code == 201
        assert answer.json["webhook"] == made["webhook"]
        assert answer.json["secret"] != made["secret"]

    def test_is_done_once_with_a_key(self, portal, make):
        path = f"{path_of(make())}/secrets"
        first, again = (portal.ask("POST", path, **once()) for _ in "12")
        assert again.data == first.data
        assert again.headers["Idempotency-Replayed"] == "true"


class TestDeliveries:
    def test_of_a_ping_can_be_watched(self, portal, make):
        path = path_of(make())
        asked = portal.ask("POST", f"{path}/pings")
        assert asked.status_code == 202
        assert (asked.json["event_type"], asked.json["attempt"]) == ("ping", 0)
        assert asked.json["delivered"] is False
        deliver(portal, 204)
        [shown] = portal.ask("GET", f"{path}/deliveries").json["items"]
        assert (shown["delivered"], shown["status_code"], shown["attempt"]) == (True, 204, 1)
        assert "next_attempt_at" not in shown

    def test_of_a_ping_is_one_for_each_key(self, portal, make):
        path = path_of(make())
        for _ in range(2):
            portal.ask("POST", f"{path}/pings", **once())
        assert len(portal.ask("GET", f"{path}/deliveries").json["items"]) == 1

    def test_can_be_asked_for_by_what_became_of_them(self, portal, make):
        path = path_of(make())
        portal.make()
        deliver(portal, 500)
        portal.ask("POST", f"{path}/pings")
        deliver(portal, 204)
        failed = portal.ask("GET", f"{path}/deliveries?delivered=false").json["items"]
        assert {each["event_type"] for each in failed} == {"game_created", "hand_dealt"}
        assert {each["status_code"] for each in failed} == {500}
        assert all("next_attempt_at" in each for each in failed)
        [well] = portal.ask("GET", f"{path}/deliveries?delivered=true").json["items"]
        assert well["event_type"] == "ping"
        answer = portal.ask("GET", f"{path}/deliveries?delivered=no")
        assert errors_of(answer) == [("#query/delivered", "wrong_type")]

    def test_have_pages(self, portal, make):
        path = f"{path_of(make())}/deliveries"
        made = [portal.ask("POST", f"{path[:-11]}/pings").json["id"] for _ in range(3)]
        page = portal.ask("GET", f"{path}?limit=2").json
        rest = portal.ask("GET", f"{path}?limit=2&cursor={page['next_cursor']}").json
        assert [each["id"] for each in (*page["items"], *rest["items"])] == made[::-1]
        other = portal.ask("GET", f"{path}?delivered=true&cursor={page['next_cursor']}")
        assert errors_of(other) == [("#query/cursor", "bad_cursor")]

    def test_can_be_sent_again(self, portal, make):
        path = path_of(make(event_types=["game_created"]))
        portal.make()
        deliver(portal, 204)
        [first] = portal.ask("GET", f"{path}/deliveries").json["items"]
        again = portal.ask("POST", f"{path}/deliveries/{first['id']}/redeliveries")
        assert again.status_code == 202
        assert again.json["event_id"] == first["event_id"]
        assert again.json["id"] != first["id"]
        unknown = portal.ask("POST", f"{path}/deliveries/d_{'0' * 32}/redeliveries")
        assert code_of(unknown) == (404, "not_found")

    def test_cannot_be_sent_again_once_the_event_is_gone(self, portal, make):
        path = path_of(make(event_types=["game_created"]))
        portal.make()
        deliver(portal, 204)
        [first] = portal.ask("GET", f"{path}/deliveries").json["items"]
        with portal.answering.house.store.writing() as conn:
            conn.execute("DELETE FROM portal_events")
        gone = portal.ask("POST", f"{path}/deliveries/{first['id']}/redeliveries")
        assert code_of(gone) == (404, "not_found")

    def test_to_one_webhook_are_not_found_at_another(self, portal, make):
        path, other = path_of(make()), path_of(make())
        made = portal.ask("POST", f"{path}/pings").json["id"]
        answer = portal.ask("POST", f"{other}/deliveries/{made}/redeliveries")
        assert code_of(answer) == (404, "not_found")
