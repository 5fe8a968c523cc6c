"""Rate limits over HTTP: whose requests are counted, against what, and what answers tell."""

import math
import re
from dataclasses import replace

import pytest

from service.app import create_app
from service.limits import address_of
from service.operations import LIMITS
from service.settings import Limit
from tests.contract.documents import operations
from tests.service.answering import Answering
from tests.service.statements import listening
from tests.service.table import ADA, FixedRandomness

FEW = Limit(3, 86_400)
PEOPLE = {"seats": [ADA, {"kind": "human", "seating": "granted"}]}
COMPUTERS = {"seats": [ADA, {"kind": "ai", "ai": {"level": "easy", "mode": "on_request"}}]}
FREE = {"getLiveness", "getReadiness", "listProblems", "getProblem"}


@pytest.fixture
def start(answering, empty_tables, monkeypatch):
    """Set limits, by ``limit_`` and a name; every answer is held to the document."""
    allowances = answering.house.allowances

    def start(trusted_proxies=0, **limits) -> Answering:
        for name, limit in limits.items():
            monkeypatch.setitem(allowances.limits, name.removeprefix("limit_"), limit)
        monkeypatch.setitem(answering.app.config, "TRUSTED_PROXIES", trusted_proxies)
        return answering

    return start


@pytest.fixture
def away(settings):
    """The service without its database."""
    without = {"database_url": "postgresql:///none?host=/nowhere", "pool_timeout_seconds": 0.05}
    app = create_app(replace(settings, **without), FixedRandomness())
    yield app.test_client()
    app.extensions["gin-rummy"].store.close()


class Game:
    """A game as its callers address it."""

    def __init__(self, answering: Answering, body: dict = PEOPLE) -> None:
        made = answering.post("/v1/games", body).json
        self._answering = answering
        self.at = f"/v1/games/{made['game']['id']}"
        self.number = made["game"]["next_move"]
        self.tokens = [grant["token"] for grant in made["tokens"]]
        self.watcher = made["spectator_token"]

    def move(self, seat=0, number=10**6):
        """Send a move that comes much too late, so that nothing changes."""
        body = {"action": "pass", "move_number": number}
        return self._answering.post(f"{self.at}/moves", body, self.tokens[seat])

    def read(self, token, path="", **options):
        return self._answering.get(self.at + path, token, **options)


def limited(answer) -> bool:
    """Return whether an answer is the refusal of one request too many."""
    refused = answer.status_code == 429
    if refused:
        assert answer.json["code"] == "rate_limited"
    return refused


def policy_of(answer) -> str:
    return re.match(r'"([a-z]+)";q=3;w=86400$', answer.headers["RateLimit-Policy"])[1]


def make(answering, **options):
    return answering.post("/v1/games", PEOPLE, **options)


ASKED = {
    "default": lambda answering: answering.get("/v1/rule-sets"),
    "scoring": lambda answering: answering.post("/v1/rule-sets/resolutions", {}),
    "creates": make,
}

OF_A_SEAT = {
    "default": lambda answering, game: game.read(game.tokens[0]),
    "moves": lambda answering, game: game.move(),
    "ai": lambda answering, game: answering.post(
        f"{game.at}/ai-moves", {"seat": 1, "move_number": 10**6}, game.tokens[0]
    ),
}


class TestEachLimit:
    """Three are let through, the fourth is not."""

    @pytest.mark.parametrize("name", ASKED)
    def test_of_an_address(self, start, name):
        answering = start(**{f"limit_{name}": FEW})
        answers = [ASKED[name](answering) for _ in range(5)]
        assert [limited(answer) for answer in answers] == [False] * 3 + [True] * 2
        assert {policy_of(answer) for answer in answers} == {name}

    @pytest.mark.parametrize("name", OF_A_SEAT)
    def test_of_a_seat(self, start, name):
        answering = start(**{f"limit_{name}": FEW})
        game = Game(answering, COMPUTERS)
        answers = [OF_A_SEAT[name](answering, game) for _ in range(5)]
        assert [limited(answer) for answer in answers] == [False] * 3 + [True] * 2
        assert {policy_of(answer) for answer in answers} == {name}

    def test_can_be_switched_off(self, start):
        game = Game(start())
        answering = start(**{f"limit_{name}": None for name in LIMITS})
        mine = {"Authorization": f"Bearer {game.tokens[0]}"}
        for path in ("/v1/rule-sets", game.at):
            answer = answering.client.get(path, headers=mine)
            assert answer.status_code == 200
            assert not {"RateLimit", "RateLimit-Policy"} & set(answer.headers.keys())


class TestARefusal:
    def test_says_when_to_come_back(self, start):
        answering = start(limit_creates=Limit(3, 600))
        refused = [make(answering) for _ in range(4)][-1]
        assert (refused.status_code, refused.json["retryable"]) == (429, True)
        assert refused.json["params"]["policy"] == "creates"
        wait = refused.json["params"]["retry_after_seconds"]
        assert refused.headers["Retry-After"] == str(wait)
        assert refused.headers["RateLimit"] == f'"creates";r=0;t={wait}'
        assert 190 <= wait <= 200

    def test_changes_nothing(self, start):
        game = Game(start(limit_moves=FEW))
        number = game.number
        for _ in range(3):
            game.move()
        assert limited(game.move(number=number))
        assert game.read(game.tokens[0]).json["next_move"] == number

    def test_ends_when_there_is_one_more(self, start):
        answering = start(limit_creates=Limit(2, 1))
        answers = [make(answering) for _ in range(40)]
        assert not limited(answers[0])
        assert sum(map(limited, answers)) < 40


class TestWhatAnAnswerTells:
    def test_is_the_limit_and_what_is_left(self, start):
        answering = start(limit_creates=FEW)
        answers = [make(answering) for _ in range(4)]
        assert [answer.headers["RateLimit"].split(";t=")[0] for answer in answers] == [
            '"creates";r=2',
            '"creates";r=1',
            '"creates";r=0',
            '"creates";r=0',
        ]

    def test_is_told_by_errors_and_by_not_modified_as_well(self, start):
        game = Game(start(limit_moves=FEW, limit_default=FEW))
        assert policy_of(game.move()) == "moves"
        answer = game.read(game.tokens[0], headers={"If-None-Match": "*"})
        assert answer.status_code == 304
        assert policy_of(answer) == "default"
        missing = game.read(game.tokens[0], "/hands/9")
        assert (missing.status_code, policy_of(missing)) == (404, "default")

    def test_is_nothing_where_nothing_was_counted(self, start):
        game = Game(start(limit_default=FEW))
        for answer in (game.read("grs_forged"), game.read(game.tokens[0], "/hands/x")):
            assert answer.status_code in {401, 404}
            assert "RateLimit" not in answer.headers


class TestNobodyIsStopped:
    """By what others do."""

    def exhausted(self, answering, **options):
        return [make(answering, **options).status_code for _ in range(4)] == [201] * 3 + [429]

    def test_not_one_address_by_another(self, start):
        answering = start(limit_creates=FEW)
        for address in ("198.51.100.1", "198.51.100.2", "2001:db8::1", "2001:db8:0:1::1"):
            assert self.exhausted(answering, environ_base={"REMOTE_ADDR": address})

    def test_but_by_who_has_the_same_network_of_version_six(self, start):
        answering = start(limit_creates=FEW)
        assert self.exhausted(answering, environ_base={"REMOTE_ADDR": "2001:db8::1"})
        assert limited(make(answering, environ_base={"REMOTE_ADDR": "2001:db8::2:1"}))

    def test_not_by_a_header_that_anybody_can_send(self, start):
        answering = start(limit_creates=FEW)
        for number in range(3):
            make(answering, headers={"X-Forwarded-For": f"198.51.100.{number}"})
        assert limited(make(answering, headers={"X-Forwarded-For": "198.51.100.9"}))

    def test_by_what_the_others_behind_a_proxy_do(self, start):
        answering = start(limit_creates=FEW, trusted_proxies=1)
        for address in ("198.51.100.1", "198.51.100.2"):
            assert self.exhausted(answering, headers={"X-Forwarded-For": f"10.0.0.1, {address}"})

    def test_not_one_seat_by_another(self, start):
        game = Game(start(limit_moves=FEW))
        assert [limited(game.move(0)) for _ in range(4)][-1]
        assert not limited(game.move(1))

    def test_not_one_game_by_another(self, start):
        answering = start(limit_moves=FEW)
        first, second = Game(answering), Game(answering)
        assert [limited(first.move()) for _ in range(4)][-1]
        assert not limited(second.move())

    def test_not_who_plays_by_who_watches_or_makes_games(self, start):
        answering = start(limit_default=FEW, limit_creates=FEW)
        game = Game(answering)
        assert self.exhausted(answering) is False  # the game was one of the three
        assert [limited(game.read(game.watcher)) for _ in range(4)][-1]
        assert not limited(game.move())
        assert not limited(game.read(game.tokens[0]))

    def test_not_one_who_watches_by_another(self, start):
        game = Game(start(limit_default=FEW))
        assert [limited(game.read(game.watcher)) for _ in range(4)][-1]
        elsewhere = {"environ_base": {"REMOTE_ADDR": "198.51.100.1"}}
        assert not limited(game.read(game.watcher, **elsewhere))

    def test_not_by_who_has_no_token(self, start):
        game = Game(start(limit_default=FEW))
        for _ in range(5):
            game.read("grs_forged")
            game.read(None)
        assert not limited(game.read(game.tokens[0]))


class TestWhatIsFree:
    def test_stays_so_for_whoever_has_used_everything_up(self, start):
        answering = start(**{f"limit_{name}": Limit(1, 86_400) for name in LIMITS})
        answering.get("/v1/rule-sets")
        assert limited(answering.get("/v1/rule-sets"))
        free = ("/health/live", "/health/ready", "/v1/problems", "/v1/problems/busy")
        for path in free:
            for _ in range(2):
                answer = answering.get(path)
                assert answer.status_code == 200
                assert "RateLimit" not in answer.headers
        preflight = {"Access-Control-Request-Method": "GET"}
        for _ in range(2):
            answer = answering.client.options("/v1/rule-sets", headers=preflight)
            assert answer.status_code == 204

    def test_is_what_the_document_says(self, start):
        document = start().client.get("/openapi.json").json
        counted = {
            operation["operationId"]: re.findall(r"Rate limit: `(\w+)`", operation["description"])
            for *_, operation in operations(document)
        }
        assert {name for name, limits in counted.items() if not limits} == FREE
        assert all(limits[0] in LIMITS for limits in counted.values() if limits)


class TestTheDocument:
    @pytest.fixture
    def document(self, start):
        return start().client.get("/openapi.json").json

    def test_names_the_headers_of_each_answer_that_is_counted(self, document):
        for *_, operation in operations(document):
            free = operation["operationId"] in FREE
            for status, response in operation["responses"].items():
                if status != "default":
                    told = {"RateLimit", "RateLimit-Policy"} & response["headers"].keys()
                    assert len(told) == (0 if free else 2)
            assert ("`rate_limited`" in operation["description"]) is not free
        problem = document["components"]["responses"]["Problem"]["headers"]
        assert {"RateLimit", "RateLimit-Policy", "Retry-After"} <= problem.keys()

    def test_counts_moves_as_moves(self, document):
        moves = {
            operation["operationId"]
            for *_, operation in operations(document)
            if "Rate limit: `moves`" in operation["description"]
        }
        assert moves >= {"makeMove", "putMove", "playTurn", "knock", "layOff", "resign", "dealHand"}

    def test_says_which_limits_there_are(self, start):
        told = start().get("/").json["limits"]
        for name in LIMITS:
            assert (told[f"rate_{name}_quota"], told[f"rate_{name}_seconds"]) == (1_000_000, 1)

    def test_says_nothing_of_a_limit_that_is_off(self, settings):
        app = create_app(replace(settings, limit_ai=None))
        told = app.test_client().get("/").json["limits"]
        assert "rate_moves_quota" in told
        assert "rate_ai_quota" not in told
        app.extensions["gin-rummy"].store.close()


class TestWhatItCosts:
    def test_is_no_statement_of_a_move(self, start):
        answering = start(limit_moves=Limit(100, 86_400))
        game = Game(answering)
        seat = answering.get(game.at, game.tokens[0]).json["to_act_seats"][0]
        with listening() as said:
            answer = game.move(seat, game.number)
        assert answer.status_code == 201
        assert len(said.statements) == 2
        assert "rate_buckets" in said.statements[0]

    @pytest.mark.parametrize("due", [False, True], ids=["old buckets just swept", "sweep due"])
    def test_is_seldom_a_statement_of_a_request_that_needs_no_game(self, start, monkeypatch, due):
        answering = start(limit_default=Limit(3000, 86_400))
        allowances = answering.house.allowances
        monkeypatch.setattr(allowances, "_clock", lambda: 1000.0)
        monkeypatch.setattr(allowances, "_swept", -math.inf if due else 1000.0)
        with listening() as said:
            for _ in range(15 * 4):
                answering.get("/v1/rule-sets")
        claims = [each for each in said.statements if each.startswith("INSERT INTO rate_buckets")]
        sweeps = [each for each in said.statements if each.startswith("DELETE FROM rate_buckets")]
        assert (len(claims), len(sweeps), len(said.statements)) == (4, int(due), 4 + due)


class TestWithoutADatabase:
    def test_what_needs_none_is_answered_and_not_counted(self, away):
        for _ in range(3):
            answer = away.get("/v1/rule-sets")
            assert answer.status_code == 200
            assert "RateLimit" not in answer.headers

    def test_what_needs_one_fails_as_it_would(self, away, start):
        game = Game(start())
        mine = {"Authorization": f"Bearer {game.tokens[0]}"}
        for answer in (away.post("/v1/games", json=PEOPLE), away.get(game.at, headers=mine)):
            assert (answer.status_code, answer.json["code"]) == (503, "busy")


class TestTheAddress:
    @pytest.mark.parametrize(
        ("peer", "forwarded", "proxies", "counted"),
        [
            ("192.0.2.1", None, 0, "192.0.2.1"),
            ("192.0.2.1", "198.51.100.7", 0, "192.0.2.1"),
            ("192.0.2.1", "198.51.100.7", 1, "198.51.100.7"),
            ("192.0.2.1", "6.6.6.6, 198.51.100.7", 1, "198.51.100.7"),
            ("192.0.2.1", "6.6.6.6,198.51.100.7 , 10.0.0.1", 2, "198.51.100.7"),
            ("192.0.2.1", None, 1, "192.0.2.1"),
            ("192.0.2.1", "198.51.100.7", 2, "192.0.2.1"),
            ("192.0.2.1", "unknown", 1, "192.0.2.1"),
            ("192.0.2.1", "198.51.100.7:4711", 1, "192.0.2.1"),
            ("2001:db8:1:2:3:4:5:6", None, 0, "2001:db8:1:2::/64"),
            ("::ffff:192.0.2.1", None, 0, "192.0.2.1"),
            ("192.0.2.1", "2001:db8::1", 1, "2001:db8::/64"),
            ("", None, 0, ""),
            ("", "198.51.100.7", 1, "198.51.100.7"),
        ],
    )
    def test_is_the_peers_or_what_our_own_proxies_say(self, peer, forwarded, proxies, counted):
        environ = {"REMOTE_ADDR": peer}
        if forwarded is not None:
            environ["HTTP_X_FORWARDED_FOR"] = forwarded
        assert address_of(environ, proxies) == counted
