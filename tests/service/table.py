"""A table in tests: an application with fixed chance, and games played to any situation over HTTP.

``tables(...)`` makes a game whose deals are known, and a line such as ``0 discard 7H`` plays it.
Every answer is held to the document (see :mod:`tests.service.answering`).
"""

import base64
import re
from collections.abc import Iterator

import pytest

from engine import shuffle
from engine.actions import Claim, Discard, Draw, Knock, LayOffs, Pass, Resign
from engine.cards import CARD_NAMES, card_name, card_names, each_card, rank_of
from engine.notation import parse_action
from service.app import create_app
from tests.service.answering import Answering
from tests.tables import NEAR_GIN, OTHER, deck

SPECTATOR = "spectator"
ADA = {"kind": "human", "name": "Ada"}
BOB = {"kind": "human", "name": "Bob", "seating": "granted"}
PEOPLE = (ADA, BOB)
EASY = {"kind": "ai", "ai": {"level": "easy"}}
ON_REQUEST = {"kind": "ai", "ai": {"level": "easy", "mode": "on_request"}}

SEAT_0_BEGINS = {"first_dealer": "seat1"}
KNOCKS = deck(NEAR_GIN, OTHER)
"""Seat 0 may knock with the king of spades that it draws; seat 1 then lays off 4C and 5C."""
GIN = deck(NEAR_GIN, OTHER, stock="TH QS 4S")
"""Seat 0 draws the ten of hearts, throws that of spades and is gin."""
BIG_GIN = deck(NEAR_GIN.replace("TS", "TH"), OTHER, stock="7D QS 4S")
"""Seat 0 draws a card that makes all eleven lie in melds."""

BOTH = {"confirm_score": "both"}
"""Both seats confirm each score."""

TIMED = {"turn_seconds": 60}
"""A minute for each turn; then the game may be claimed."""

PASSED = ("0 pass", "1 pass")
DRAWN = (*PASSED, "0 draw stock")
THROWN = (*DRAWN, "0 discard KS")
KNOCKED = (*DRAWN, "0 knock KS")
TO_THE_WALL = (
    *PASSED,
    *(
        line
        for turn, card in enumerate(map(card_name, KNOCKS[21:50]))
        for line in (f"{turn % 2} draw stock", f"{turn % 2} discard {card}")
    ),
)
"""Each seat throws what it draws until two cards are left; seat 1 is due."""
SCORED = (*KNOCKED, "1 lay_off")

LINES = {
    "first_upcard": (),
    "draw": PASSED,
    "discard": DRAWN,
    "lay_off": KNOCKED,
    "hand_over": SCORED,
}
"""How a game of KNOCKS gets to each phase."""


class FixedRandomness:
    """Ids, keys and join codes that are the same in each run."""

    def __init__(self) -> None:
        self.count = 0

    def game_id(self) -> str:
        self.count += 1
        return "g_" + base64.urlsafe_b64encode(self.count.to_bytes(16, "big")).decode().rstrip("=")

    def deal_key(self) -> bytes:
        return self.count.to_bytes(32, "big")

    def join_code(self) -> str:
        return f"join{self.count:012}"

    def score_sheet_id(self) -> str:
        return "ss_" + self.game_id().removeprefix("g_")


def meld_of(cards: int) -> dict:
    """Return cards as a meld of a request: a set if all are of one rank, else a run."""
    ranks = {rank_of(card) for card in each_card(cards)}
    return {"kind": "set" if len(ranks) == 1 else "run", "cards": card_names(cards)}


def body_of(words: str) -> dict:
    """Return the body of the generic door for an action in words, without its number."""
    action = parse_action(words)
    match action:
        case Pass() | Resign() | Claim():
            return {"action": words}
        case Draw():
            card = {} if action.card is None else {"card": card_name(action.card)}
            return {"action": "draw", "source": action.source.value, **card}
        case Discard():
            return {"action": "discard", "card": card_name(action.card)}
        case Knock():
            card = {} if action.discard is None else {"card": card_name(action.discard)}
            return {"action": action.kind.value, **card, **_melds(action.melds)}
        case LayOffs():
            made = action.lay_offs
            each = [{"card": card_name(laid.card), "meld": laid.meld} for laid in made or ()]
            laid_off = {} if made is None else {"lay_offs": each}
            return {"action": "lay_off", **laid_off, **_melds(action.melds)}
    raise AssertionError(f"{words} goes through another door")


def _melds(melds) -> dict:
    return {} if melds is None else {"melds": [meld_of(meld) for meld in melds]}


def choice(view: dict) -> dict | None:
    """Return the body with which somebody who only reads ``legal`` goes on, or None to wait."""
    legal = view["you"]["legal"]
    if legal["knocks"]:
        knock = legal["knocks"][0]
        card = {"card": knock["discard"]} if "discard" in knock else {}
        return {"action": knock["kind"], **card}
    if "lay_off" in legal["actions"]:
        return {"action": "lay_off"}
    if legal["discards"]:
        return {"action": "discard", "card": legal["discards"][0]["card"]}
    if "pass" in legal["actions"]:
        return {"action": "pass"}
    if legal["draws"]:
        return {"action": "draw", "source": legal["draws"][0]["source"]}
    return None


class Table:
    """A game over HTTP, with everybody's tokens."""

    def __init__(self, answering: Answering, made: dict) -> None:
        self.answering = answering
        self.made = made
        self.id = made["game"]["id"]
        self.path = f"/v1/games/{self.id}"
        self.tokens = {grant["seat"]: grant["token"] for grant in made["tokens"]}
        self.tokens[SPECTATOR] = made["spectator_token"]
        self.tokens[None] = None
        self.join_code = made.get("join_code")
        self.next_move = made["game"]["next_move"]

    def get(self, path="", who=0, **options):
        return self.answering.get(self.path + path, self.tokens[who], **options)

    def post(self, path, body, who=0, **options):
        answer = self.answering.post(self.path + path, body, self.tokens[who], **options)
        return self._noted(answer)

    def put(self, path, body, who=0, **options):
        answer = self.answering.put(self.path + path, body, self.tokens[who], **options)
        return self._noted(answer)

    def _noted(self, answer):
        if answer.status_code < 300:
            self.next_move = answer.json["game"]["next_move"]
        return answer

    def view(self, who=0) -> dict:
        return self.get(who=who).json

    def send(self, line: str, number=None):
        """Send a line through the generic door, a deal through its own."""
        seat, _, words = line.partition(" ")
        if words == "deal":
            number = number or self.view(int(seat))["hand"]["number"] + 1
            return self.post("/hands", {"hand_number": number}, int(seat))
        body = {**body_of(words), "move_number": number or self.next_move}
        return self.post("/moves", body, int(seat))

    def play(self, *lines: str) -> dict:
        """Play ``lines``, all of which are accepted; return the last update."""
        update = {}
        for line in lines:
            answer = self.send(line)
            assert answer.status_code == 201, (line, answer.json)
            update = answer.json
        return update

    def refused(self, line: str) -> dict:
        """Return the problem with which a line is refused, for a reason of the game."""
        before = self.view(SPECTATOR)["version"]
        answer = self.send(line)
        assert answer.status_code == 409, (line, answer.json)
        assert self.view(SPECTATOR)["version"] == before
        return answer.json

    def time_passes(self, seconds=60):
        """Let the database's clock be so many seconds further, for the time of who is due."""
        with self.answering.house.store.writing() as conn:
            conn.execute(
                "UPDATE games SET turn_deadline = turn_deadline - make_interval(secs => %s)"
                " WHERE id = %s",
                (seconds, self.id),
            )

    def confirm(self, seat):
        """Confirm the score of the last hand."""
        hand = self.view()["hand"]["number"]
        answer = self.put(f"/hands/{hand}/confirmation", None, seat)
        assert answer.status_code == 200, answer.json
        return answer

    def join(self, **body):
        """Join with the code; keep the token."""
        answer = self.post("/joins", {"join_code": self.join_code, **body}, None)
        assert answer.status_code == 201, answer.json
        self.tokens[answer.json["seat"]] = answer.json["token"]
        return answer

    def play_on(self, until=lambda view: view["over"], limit=2000) -> dict:
        """Let everybody play by what is legal until the view of a due seat is as wanted."""
        view = self.view()
        for _ in range(limit):
            if until(view):
                return view
            seat = view["to_act_seats"][0]
            view = self.view(seat) if view["you"]["seat"] != seat else view
            body = choice(view)
            if "confirm" in view["you"]["legal"]["actions"]:
                view = self.confirm(seat).json["game"]
                continue
            if body is None:
                answer = self.post("/hands", {"hand_number": view["next_hand"]["number"]}, seat)
            else:
                answer = self.post("/moves", {**body, "move_number": view["next_move"]}, seat)
            assert answer.status_code == 201, answer.json
            view = answer.json["game"]
        raise AssertionError("this never came")

    def play_on_with_computers(self, limit=3000) -> dict:
        """Play to the end, the people by what is legal; a computer that waits is asked to go on."""
        view = self.view(SPECTATOR)
        asks = min(seat for seat in self.tokens if isinstance(seat, int))
        for _ in range(limit):
            if view["over"]:
                return view
            seat = view["to_act_seats"][0]
            if view["ai_pending"]:
                body = {"seat": seat, "move_number": view["next_move"]}
                answer = self.post("/ai-moves", body, asks)
            else:
                wish = choice(self.view(seat)) if "next_hand" not in view else None
                if wish is None:
                    answer = self.post("/hands", {"hand_number": view["next_hand"]["number"]}, seat)
                else:
                    answer = self.post("/moves", {**wish, "move_number": view["next_move"]}, seat)
            assert answer.status_code == 201, answer.json
            view = answer.json["game"]
        raise AssertionError("this never came")


class Tables:
    """Makes games of known deals."""

    def __init__(self, answering: Answering, decks: list) -> None:
        self.answering = answering
        self._decks = decks

    def __call__(self, *lines, rules=None, seats=PEOPLE, deal=KNOCKS, **body) -> Table:
        """Make a game, seat 1 dealing first, and play ``lines``; without ``deal`` chance deals."""
        self.rig(*([] if deal is None else [deal]))
        asked = {"rules": {**SEAT_0_BEGINS, **(rules or {})}, "seats": list(seats), **body}
        answer = self.answering.post("/v1/games", asked)
        assert answer.status_code == 201, answer.json
        table = Table(self.answering, answer.json)
        table.play(*lines)
        return table

    def rig(self, *decks) -> None:
        """Let the coming hands be dealt from ``decks``, the last one for all after it."""
        self._decks[:] = decks

    def at(self, phase: str) -> Table:
        """Make a game and play it to ``phase``."""
        if phase == "waiting":
            return self(seats=(ADA, {"kind": "human"}))
        if phase == "game_over":
            return self(*SCORED, rules={"target": 10})
        if phase == "late":
            table = self(*THROWN, rules=TIMED)
            table.time_passes()
            return table
        if phase == "confirming":
            return self(*SCORED, rules=BOTH)
        return self(*LINES[phase])


@pytest.fixture(scope="session")
def _randomness():
    return FixedRandomness()


@pytest.fixture(scope="session")
def _session_answering(session_settings, _randomness):
    app = create_app(session_settings, _randomness)
    store = app.extensions["gin-rummy"].store
    store.open()  # or whichever test comes first would say what a first request says
    yield Answering(app)
    store.close()


@pytest.fixture
def answering(_session_answering, _randomness, empty_tables) -> Iterator[Answering]:
    """The application of this worker with fixed chance, on empty tables.

    Games have the same ids in every test. What the process holds of their allowances goes with the
    tables, or a test would find the purse of a game half spent by others. No test may leave
    somebody who waits for news: a thread would look for it every second through all later tests.
    """
    house = _session_answering.house
    _randomness.count = 0
    house.allowances._purses.clear()
    before = len(house.notifier)
    yield _session_answering
    assert len(house.notifier) <= before


@pytest.fixture
def tables(answering, monkeypatch) -> Tables:
    """Makes games whose deals are known."""
    decks: list = []
    by_chance = shuffle.deck_order

    def deck_order(deal):
        if not decks:
            return by_chance(deal)
        return decks[min(deal.hand_number, len(decks)) - 1]

    monkeypatch.setattr(shuffle, "deck_order", deck_order)
    return Tables(answering, decks)


def cards_in(value) -> set[str]:
    """Return every card that stands anywhere in ``value``."""
    return set(CARD_NAMES) & set(re.findall(r"\b[A23456789TJQK][CDHS]\b", str(value)))
