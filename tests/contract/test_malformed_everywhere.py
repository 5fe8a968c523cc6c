"""Every malformed request of the corpus against every operation of the whole service.

Each is refused as it has to be, and nothing that is stored changes. What gunicorn refuses before
the application sees it is tried over HTTP.
"""

import socket
import threading

import psycopg
import pytest
from psycopg import sql

from service.app import create_app
from service.frame import MAX_BODY_BYTES
from service.portal_keys import SCOPES
from service.use_cases.manage_keys import create_key
from tests.cases.fair_deals import FULL
from tests.contract.authorisation import DRAW
from tests.contract.documents import METHODS, kept, operations
from tests.contract.malformed import Good, cases, fault_of
from tests.server import Served

GRANTED = {"kind": "human", "seating": "granted"}
ON_REQUEST = {"kind": "ai", "ai": {"level": "easy", "mode": "on_request"}}
COUNTED = {"kind": "knock", "knocker": {"deadwood": 3}, "defender": {"deadwood": 9}}
SCORED = {"winner_seat": 0, "points": 25}
ALL_OPERATIONS = sorted(operation["operationId"] for *_, operation in operations(kept()))


@pytest.fixture
def client(settings, empty_tables):
    app = create_app(settings)
    yield app.test_client()
    app.extensions["gin-rummy"].store.close()


def a_sheet_with(client, hand) -> dict:
    """A score sheet of two with one hand, its address, and its tokens."""
    made = client.post("/v1/score-sheets", json={"names": ["Ada", "Bob"]}).get_json()
    at = f"/v1/score-sheets/{made['score_sheet']['id']}"
    headers = {"Authorization": f"Bearer {made['edit_token']}", "If-Match": '"1-e-1"'}
    assert client.put(f"{at}/hands/1", json=hand, headers=headers).status_code == 200
    return {**made, "at": at}


def _of_hands(game: str, token: str) -> dict[str, Good]:
    """The requests about the hands of ``game``."""
    return {
        "listHands": Good(f"{game}/hands", None, token),
        "dealHand": Good(f"{game}/hands", {"hand_number": 2}, token),
        "getHand": Good(f"{game}/hands/1", None, token),
        "confirmHand": Good(f"{game}/hands/1/confirmation", None, token),
        "cutDeck": Good(f"{game}/hands/1/cut", {"nonce": "0" * 64}, token),
        "consentVoid": Good(f"{game}/hands/1/void-consent", {"consent": False}, token),
    }


def _of_portals(client, game: str, token: str) -> dict[str, Good]:
    """The requests about what portals brought; ``token`` is that of a seat of ``game``."""
    key = create_key(client.application.extensions["gin-rummy"].store, "arcade", SCOPES).key
    of_portal = {"headers": {"Authorization": f"Bearer {key}"}}
    kept_games = [
        client.post("/v1/games", json=body, **of_portal).get_json()
        for body in ({"seats": [GRANTED, GRANTED]}, {"seats": [GRANTED, GRANTED]}, {}, {})
    ]
    mine, deleted, left, ended = (f"/v1/games/{each['game']['id']}" for each in kept_games)
    return {
        **_of_webhooks(client),
        "listGames": Good("/v1/games", None, key),
        "listOpenGames": Good("/v1/open-games"),
        "listScoreSheets": Good("/v1/score-sheets", None, key),
        "deleteGame": Good(deleted, None, key),
        "abandonGame": Good(f"{ended}/abandonments", {"reason_code": "x"}, key),
        "createSpectatorToken": Good(f"{game}/spectator-tokens", None, token),
        "createRematch": Good(f"{game}/rematches", {}, token),
        "listSeatTokens": Good(f"{mine}/seats/0/tokens", None, key),
        "createSeatToken": Good(f"{mine}/seats/0/tokens", {"label": "x"}, key),
        "deleteSeatToken": Good(f"{mine}/seats/0/tokens/st_0_0", None, key),
        "leaveSeat": Good(f"{left}/seats/0", None, key),
    }


def _of_webhooks(client) -> dict[str, Good]:
    key = create_key(client.application.extensions["gin-rummy"].store, "hooked", SCOPES).key
    of_portal = {"headers": {"Authorization": f"Bearer {key}"}}
    body = {"url": "https://receiver.example.org/", "event_types": ["game_ended"]}
    made, deleted = (
        client.post("/v1/webhooks", json=body, **of_portal).get_json()["webhook"]["id"]
        for _ in "12"
    )
    path = f"/v1/webhooks/{made}"
    sent = client.post(f"{path}/pings", **of_portal).get_json()["id"]
    return {
        "listEvents": Good("/v1/events", None, key),
        "listWebhooks": Good("/v1/webhooks", None, key),
        "createWebhook": Good("/v1/webhooks", {**body, "description": "x"}, key),
        "getWebhook": Good(path, None, key),
        "putWebhook": Good(path, {"enabled": True}, key),
        "deleteWebhook": Good(f"/v1/webhooks/{deleted}", None, key),
        "rotateWebhookSecret": Good(f"{path}/secrets", None, key),
        "pingWebhook": Good(f"{path}/pings", None, key),
        "listDeliveries": Good(f"{path}/deliveries", None, key),
        "redeliver": Good(f"{path}/deliveries/{sent}/redeliveries", None, key),
    }


def _of_streams_and_deals(game: str, token: str) -> dict[str, Good]:
    return {
        "streamUpdates": Good(f"{game}/updates/stream", None, token),
        "createStreamTicket": Good(f"{game}/stream-tickets", None, token),
        "getHandProof": Good(f"{game}/hands/1/proof", None, token),
        "verifyDeal": Good("/v1/fairness/verifications", FULL),
        "getFairnessStats": Good("/v1/fairness/stats"),
    }


def _of_scoring() -> dict[str, Good]:
    return {
        "analyseCards": Good("/v1/scoring/analyses", {"cards": ["AC"]}),
        "analyseCardsBatch": Good("/v1/scoring/analyses/batch", {"items": [{"cards": ["AC"]}]}),
        "findLayOffs": Good("/v1/scoring/lay-offs", {"knocker_melds": [], "cards": ["AC"]}),
        "scoreHand": Good("/v1/scoring/hands", COUNTED),
        "scoreHandsBatch": Good("/v1/scoring/hands/batch", {"items": [COUNTED]}),
        "findLayOffsBatch": Good(
            "/v1/scoring/lay-offs/batch", {"items": [{"knocker_melds": [], "cards": ["AC"]}]}
        ),
        "checkMelds": Good("/v1/scoring/melds/checks", {"melds": []}),
        "checkMeldsBatch": Good("/v1/scoring/melds/checks/batch", {"items": [{"melds": []}]}),
        "scoreGame": Good("/v1/scoring/games", {"hands": [SCORED]}),
    }


@pytest.fixture
def good(client) -> dict[str, Good]:
    """A request for each operation that is accepted, or refused for the game's state alone."""
    asked = {"seats": [GRANTED, GRANTED], "rules": {"advice": "full"}}
    table = client.post("/v1/games", json=asked).get_json()
    waiting = client.post("/v1/games", json={}).get_json()
    [code, token] = waiting["join_code"], table["tokens"][table["game"]["to_act_seats"][0]]["token"]
    number = {"move_number": table["game"]["next_move"]}
    watched = client.post("/v1/games", json={"seats": [ON_REQUEST, ON_REQUEST]}).get_json()
    game, of_computers = (f"/v1/games/{each['game']['id']}" for each in (table, watched))
    passing = {"action": "pass", **number}
    sheet, struck, deleted = (a_sheet_with(client, SCORED) for _ in "123")
    seen = {"If-Match": '"2-e-1"'}
    computers = {"seat": watched["game"]["to_act_seats"][0], **number, "until": "move"}
    return {
        "getService": Good("/"),
        "getLiveness": Good("/health/live"),
        "getReadiness": Good("/health/ready"),
        "listProblems": Good("/v1/problems"),
        "getProblem": Good("/v1/problems/stale_move"),
        "listRuleSets": Good("/v1/rule-sets"),
        "getRuleSet": Good("/v1/rule-sets/standard"),
        "resolveRules": Good("/v1/rule-sets/resolutions", {"base": "short"}),
        **_of_scoring(),
        "createGame": Good("/v1/games", {"rules": {"base": "short"}}),
        "getGame": Good(game, None, token),
        "getInvitation": Good(f"/v1/invitations/{code}"),
        "joinGame": Good(f"/v1/games/{waiting['game']['id']}/joins", {"join_code": code}),
        "listMoves": Good(f"{game}/moves", None, token),
        "makeMove": Good(f"{game}/moves", passing, token),
        "getMove": Good(f"{game}/moves/1", None, token),
        "putMove": Good(f"{game}/moves/{number['move_number']}", passing, token),
        "listTurns": Good(f"{game}/turns", None, token),
        "playTurn": Good(f"{game}/turns", passing, token),
        "listKnocks": Good(f"{game}/knocks", None, token),
        "knock": Good(f"{game}/knocks", {"discard": "AS", **number}, token),
        "layOff": Good(f"{game}/knocks/1/lay-offs", {"lay_offs": [], **number}, token),
        "getKnock": Good(f"{game}/knocks/1", None, token),
        **_of_hands(game, token),
        "getNotes": Good(f"{game}/notes", None, token),
        "putNotes": Good(f"{game}/notes", {"text": "x"}, token),
        "checkGameMelds": Good(f"{game}/melds/checks", {"melds": []}, token),
        "getNotation": Good(f"{game}/notation", None, token),
        "listScenarios": Good("/v1/sandbox/scenarios"),
        "resign": Good(f"{game}/resignations", number, token),
        "claimWin": Good(f"{game}/claims", number, token),
        "getScore": Good(f"{game}/score", None, token),
        "createScoreSheet": Good("/v1/score-sheets", {"names": ["Ada", "Bob"]}),
        "getScoreSheet": Good(sheet["at"], None, sheet["share_token"]),
        "getScoreSheetCsv": Good(f"{sheet['at']}/csv", None, sheet["share_token"]),
        "getScoreSheetPad": Good(f"{sheet['at']}/pad", None, sheet["share_token"]),
        "deleteScoreSheet": Good(deleted["at"], None, deleted["edit_token"]),
        "putScoreSheetHand": Good(f"{sheet['at']}/hands/2", SCORED, sheet["edit_token"], seen),
        "deleteScoreSheetHand": Good(f"{struck['at']}/hands/1", None, struck["edit_token"], seen),
        "listAiLevels": Good("/v1/ai/levels"),
        "playAiMove": Good(f"{of_computers}/ai-moves", computers, watched["tokens"][0]["token"]),
        "createHint": Good(f"{game}/hints", {"level": "plain"}, token),
        "suggestMove": Good("/v1/ai/suggestions", DRAW),
        "getHandAnalysis": Good(f"{game}/hands/1/analysis", None, token),
        "getGameAnalysis": Good(f"{game}/analysis", None, token),
        "getUpdates": Good(f"{game}/updates", None, token),
        **_of_portals(client, game, token),
        **_of_streams_and_deals(game, token),
    }


def stored(database_url: str) -> dict[str, str | None]:
    """A checksum of every table but that of rate limits, where a refused request counts, too."""
    with psycopg.connect(database_url) as conn:
        tables = conn.execute(
            "SELECT tablename FROM pg_tables"
            " WHERE schemaname = 'public' AND tablename <> 'rate_buckets'"
        )
        query = "SELECT md5(string_agg(t::text, chr(10) ORDER BY t::text)) FROM {} AS t"
        return {
            name: conn.execute(sql.SQL(query).format(sql.Identifier(name))).fetchone()[0]
            for (name,) in tables.fetchall()
        }


class TestTheCorpus:
    def test_has_a_good_request_for_every_operation(self, good):
        assert sorted(good) == ALL_OPERATIONS

    @pytest.mark.parametrize("operation_id", ALL_OPERATIONS)
    def test_is_refused_and_changes_nothing(self, client, good, database_url, operation_id):
        document = kept()
        document["paths"] = {
            path: {method: item[method]}
            for path, item in document["paths"].items()
            for method in METHODS
            if item.get(method, {}).get("operationId") == operation_id
        }
        before = stored(database_url)
        faults, count = [], 0
        for case in cases(document, good):
            answer = client.open(
                case.path, method=case.method, headers=case.headers, data=case.body
            )
            faults.append(fault_of(case, answer.status_code, answer.content_type, answer.data))
            count += 1
        assert [fault for fault in faults if fault] == []
        assert count >= 7
        assert stored(database_url) == before

    def test_would_not_be_refused_for_its_form_if_it_were_good(self, client, good):
        document = {each["operationId"]: method for method, _, each in operations(kept())}
        for operation_id, right in good.items():
            headers = {"Authorization": f"Bearer {right.token}"} if right.token else {}
            headers |= right.headers
            answer = client.open(
                right.path, method=document[operation_id], headers=headers, json=right.body
            )
            known = {"getKnock": 404}  # nobody has knocked yet
            expected = {200, 201, 202, 204, 409, known.get(operation_id)}
            assert answer.status_code in expected, operation_id

    def test_does_change_something_if_it_is_good(self, client, good, database_url):
        before = stored(database_url)
        client.post(good["createGame"].path, json=good["createGame"].body)
        after = stored(database_url)
        assert after.keys() == before.keys() > {"games", "moves"}
        assert after["games"] != before["games"]


def status_of(port: int, *parts: bytes) -> int:
    """Send the parts of a request one after another until there is an answer; return its status."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        sending = threading.Thread(target=_send, args=(connection, parts))
        sending.start()
        head = connection.makefile("rb").readline()
        sending.join(60)
    return int(head.split()[1])


def _send(connection: socket.socket, parts: tuple[bytes, ...]) -> None:
    try:
        for part in parts:
            connection.sendall(part)
    except OSError:
        return  # it has heard enough


HEAD = b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


@pytest.mark.http
class TestAnUnreasonableRequest:
    def test_line_is_refused(self, served: Served):
        line = b"GET /v1/games/" + b"g" * 8192 + b" HTTP/1.1\r\nHost: x\r\n\r\n"
        assert status_of(served.port, line) == 414

    def test_number_of_headers_is_refused(self, served: Served):
        many = b"".join(b"X-%d: x\r\n" % number for number in range(101))
        assert status_of(served.port, b"GET / HTTP/1.1\r\nHost: x\r\n" + many + b"\r\n") == 431

    def test_length_is_refused_before_the_body_is_sent(self, served: Served):
        head = HEAD + b"Content-Length: %d\r\n\r\n" % (MAX_BODY_BYTES + 1)
        assert status_of(served.port, head) == 413

    def test_endless_body_in_chunks_is_refused(self, served: Served):
        chunk = b"8000\r\n" + b" " * 0x8000 + b"\r\n"
        head = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
        assert status_of(served.port, head, *[chunk] * 64) == 413

    def test_length_that_is_none_is_refused(self, served: Served):
        assert status_of(served.port, HEAD + b"Content-Length: -1\r\n\r\n") == 400
