"""Whole games of people who have a share in the shuffle, while workers die; each deal is checked.

``GIN_SWEEP_FAIR_GAMES`` games with no, one and two contributors in turn. What is checked is checked
by a program of its own, which knows nothing but the scheme and public answers.
"""

import contextlib
import hashlib
import hmac
import os
import random
import signal
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from typing import ClassVar

import pytest

from tests.bot import Bot, Wish
from tests.faults.test_once import SECRET, workers_of
from tests.server import READY_SECONDS, Caller, Served, on_database

GAMES = int(os.environ.get("GIN_SWEEP_FAIR_GAMES", "3"))
AT_ONCE = 4
DEADLINE_SECONDS = 60
BETWEEN_DEATHS = 80
"""So many answers are given between two deaths of a worker, whatever the machine can do."""

SHORTEST_TURN = 5
LATENESS_SECONDS = 30
"""After its deadline a game is over for whoever asks."""

CARDS = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
RULES = {"base": "standard", "target": 40}


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def order(proof: dict, nonces: tuple[str, str], prefix: str = "") -> list[str]:
    """The cards in the order that seed and nonces give them."""
    seed, place = bytes.fromhex(proof["seed"]), f"{proof['game_id']}|{proof['hand_number']}"
    head = f"GRD1|deal|{place}|{nonces[0]}|{nonces[1]}|{prefix}"
    return sorted(CARDS, key=lambda card: hmac.digest(seed, (head + card).encode(), "sha256"))


def faults(proof: dict, promised: str, commits: dict[int, str], deal: dict) -> list[str]:
    """What is wrong with a deal: held to what was promised before it, and to what was dealt."""
    opened = {each["seat"]: each["nonce"] for each in proof["nonces"]}
    low, high = deal["deal"]["playing_seats"]
    nonces = opened.get(low, "-"), opened.get(high, "-")
    place = f"{proof['game_id']}|{proof['hand_number']}"
    first, second = proof["deck"][0:20:2], proof["deck"][1:20:2]
    dealt = second if deal["deal"]["dealer_seat"] == 0 else first
    drawn = [each["card"] for each in proof["dealer_draw"]]
    checks = {
        "another seed": sha256(f"GRD1|seed|{place}|{proof['seed']}") == promised,
        "another nonce": {s: sha256(f"GRD1|nonce|{n}") for s, n in opened.items()} == commits,
        "another deck": proof["deck"] == order(proof, nonces),
        "another draw": drawn == order(proof, nonces, "draw|")[: len(drawn)],
        "other cards": sorted(dealt) == sorted(deal["deal"]["cards"]),
        "another upcard": proof["deck"][20] == deal["deal"]["upcard"],
        "others contributed": proof["contributors"] == sorted(commits),
    }
    return [name for name, right in checks.items() if not right]


class Person:
    """Sits at a seat, and derives its nonces from a secret of its own."""

    def __init__(self, seat: int, contributes: bool) -> None:
        self.seat, self.contributes = seat, contributes
        self._secret = os.urandom(16)

    def nonce(self, hand: int) -> str:
        return hmac.new(self._secret, str(hand).encode(), "sha256").hexdigest()

    def commit(self, hand: int) -> str:
        return sha256(f"GRD1|nonce|{self.nonce(hand)}")

    def request(self) -> dict:
        share = {"nonce_commit": self.commit(1)} if self.contributes else {}
        return {"kind": "human", "seating": "granted", **share}


class Match:
    """One game of two people over HTTP, whose requests are sent until they are answered."""

    answered: ClassVar[Counter] = Counter()
    """How many requests were answered, in all games; a few may be lost between threads."""

    def __init__(self, port: int, number: int, **rules) -> None:
        self.port, rng = port, random.Random(number)
        self.people = [Person(seat, seat < number % 3) for seat in (0, 1)]
        if number % 2:
            self.people = [Person(seat, seat >= 2 - number % 3) for seat in (0, 1)]
        body = {"rules": {**RULES, **rules}, "seats": [each.request() for each in self.people]}
        key = {"Idempotency-Key": f"{rng.getrandbits(128):032x}"}
        made = self.ask(None, "POST", "/v1/games", body, key)
        self.tokens = [grant["token"] for grant in made["tokens"]]
        self.path = f"/v1/games/{made['game']['id']}"
        self.game = made["game"]
        self.bots = [Bot(self.path, random.Random(rng.random())) for _ in self.people]
        self.promised: dict[int, str] = {}
        self.commits: dict[int, dict[int, str]] = {1: self._committed(1)}
        self.dealt: dict[int, dict] = {}

    def _committed(self, hand: int) -> dict[int, str]:
        return {each.seat: each.commit(hand) for each in self.people if each.contributes}

    def ask(self, token, method, path, body=None, headers=None) -> dict:
        """Send a request until it is answered, as somebody does whose network fails."""
        last = time.monotonic() + DEADLINE_SECONDS
        while time.monotonic() < last:
            away = (OSError, HTTPException, ValueError)
            with contextlib.suppress(*away), contextlib.closing(Caller(self.port, token)) as call:
                status, told = call(method, path, body, headers)
                if status != 503:
                    assert status in {200, 201}, (method, path, body, told)
                    self.answered["all"] += 1
                    return told
            time.sleep(0.05)
        raise AssertionError(f"{method} {path} is not answered")

    def step(self) -> None:
        """Let who is due act."""
        seat = self.game["to_act_seats"][0]
        view = self.ask(self.tokens[seat], "GET", self.path)
        coming = view.get("next_hand")
        if coming is not None:
            known = self.promised.setdefault(coming["number"], coming["server_commit"])
            assert known == coming["server_commit"], "another seed for the same hand"
        wish = self._wish(seat, view)
        told = self.ask(self.tokens[seat], *wish)
        self.game = told["game"]

    def _wish(self, seat: int, view: dict) -> Wish:
        if "cut" not in view["you"]["legal"]["actions"]:
            wish = self.bots[seat].wish(view)
            assert wish is not None
            return wish
        person, hand = self.people[seat], view["next_hand"]["number"]
        self.commits[hand + 1] = self._committed(hand + 1)
        body = {"nonce": person.nonce(hand), "next_nonce_commit": person.commit(hand + 1)}
        return Wish("PUT", f"{self.path}/hands/{hand}/cut", body)

    def play(self) -> "Match":
        """Play to the end."""
        while not self.game["over"]:
            self.step()
        return self

    def moves(self) -> list[dict]:
        """Read the whole log, page after page."""
        found: list[dict] = []
        query: str | None = "?limit=100"
        while query is not None:
            page = self.ask(self.tokens[0], "GET", f"{self.path}/moves{query}")
            found += page["items"]
            cursor = page.get("next_cursor")
            query = None if cursor is None else f"?limit=100&cursor={cursor}"
        return found

    def checked(self) -> Counter:
        """Check every deal from public answers; return how many there were, by contributors."""
        deals = [move for move in self.moves() if move["action"] == "deal"]
        assert deals
        assert [deal["hand_number"] for deal in deals] == list(range(1, len(deals) + 1))
        found: Counter = Counter()
        for deal in deals:
            hand = deal["hand_number"]
            promised = self.promised.get(hand, deal["deal"]["server_commit"])
            proof = self.ask(self.tokens[0], "GET", f"{self.path}/hands/{hand}/proof")
            commits = self.commits.get(hand, {})
            assert faults(proof, promised, commits, deal) == [], (self.path, hand)
            found[len(proof["contributors"])] += 1
        return found


@pytest.fixture
def served(database_url, tmp_path, empty_tables):
    with Served(tmp_path / "data", on_database(database_url, SECRET)) as service:
        yield service


@contextlib.contextmanager
def workers_dying(service: Served):
    """Kill one worker after the other, as long as this lasts; count them."""
    deaths: Counter = Counter()
    over = threading.Event()

    def kill() -> None:
        due = Match.answered["all"] + BETWEEN_DEATHS
        while not over.wait(0.02):
            if Match.answered["all"] >= due:
                due = Match.answered["all"] + BETWEEN_DEATHS
                for pid in workers_of(service)[:1]:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                        deaths["worker"] += 1

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        yield deaths
    finally:
        over.set()
        killer.join()


@pytest.mark.http
class TestWholeGames:
    def test_have_only_fair_deals_whoever_contributes_and_whatever_dies(self, served):
        with workers_dying(served) as deaths, ThreadPoolExecutor(AT_ONCE) as pool:
            matches = pool.map(lambda number: Match(served.port, number).play(), range(GAMES))
            found = sum((match.checked() for match in matches), Counter())
        assert set(found) == {0, 1, 2}
        assert deaths["worker"] > 0
        verified = served.operate("verify", seconds=READY_SECONDS + GAMES)
        assert verified.stdout == f"{GAMES} games, 0 findings\n"


@pytest.mark.http
class TestWhoWithholdsItsNonce:
    def test_loses_on_time_and_gets_no_other_deal(self, served):
        timed = {"turn_seconds": SHORTEST_TURN, "timeout_policy": "forfeit"}
        match = Match(served.port, 2, **timed)
        assert match.game["to_act_seats"] == [0, 1]
        begun = time.monotonic()
        wish = match._wish(0, match.ask(match.tokens[0], "GET", match.path))
        match.ask(match.tokens[0], *wish)
        while not (game := match.ask(match.tokens[1], "GET", match.path))["over"]:
            assert time.monotonic() < begun + SHORTEST_TURN + LATENESS_SECONDS
            time.sleep(0.2)
        assert (game["winner_seat"], "hand" in game) == (0, False)
        assert [move["action"] for move in match.moves()] == ["resign"]


class TestTheChecker:
    """It finds what is wrong: each part of a right proof, changed."""

    PROMISED = sha256("GRD1|seed|g_1|1|" + "5" * 64)

    def proof(self) -> tuple[dict, dict]:
        bare = {"game_id": "g_1", "hand_number": 1, "seed": "5" * 64}
        deck = order(bare, ("1" * 64, "-"))
        nonces = [{"seat": 0, "nonce": "1" * 64}]
        proof = {
            **bare, "deck": deck, "nonces": nonces, "dealer_draw": [], "contributors": [0],
        }  # fmt: skip
        dealt = {
            "dealer_seat": 1,
            "playing_seats": [0, 1],
            "cards": deck[0:20:2],
            "upcard": deck[20],
        }
        return proof, {"deal": dealt}

    @pytest.mark.parametrize(
        ("changed", "found"),
        [
            ({}, []),
            ({"seed": "6" * 64}, ["another seed", "another deck"]),
            ({"nonces": [{"seat": 0, "nonce": "2" * 64}]}, ["another nonce", "another deck"]),
            ({"contributors": []}, ["others contributed"]),
            ({"dealer_draw": [{"seat": 0, "card": "AC"}]}, ["another draw"]),
        ],
    )
    def test_finds_what_is_wrong(self, changed, found):
        proof, deal = self.proof()
        commits = {0: sha256("GRD1|nonce|" + "1" * 64)}
        assert faults({**proof, **changed}, self.PROMISED, commits, deal) == found

    def test_finds_other_cards(self):
        proof, deal = self.proof()
        deal["deal"]["cards"] = proof["deck"][1:21:2]
        commits = {0: sha256("GRD1|nonce|" + "1" * 64)}
        assert faults(proof, self.PROMISED, commits, deal) == ["other cards"]
