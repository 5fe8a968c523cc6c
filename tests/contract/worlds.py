"""Two worlds that somebody cannot tell apart: one application, played twice, and all it answers.

The requests recorded in one world (:mod:`tests.contract.plots`) are sent again in another one, in
which the cards that the observer cannot know lie elsewhere (:mod:`tests.contract.swaps`). Status,
headers, body and log have to be equal, byte by byte. Ids, secrets, seeds and commitments are the
same in both worlds, so only times are replaced; what a seed would tell is therefore not seen here.
"""

import base64
import logging
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random

import psycopg
from flask import Flask
from psycopg import sql

from engine.game import Game
from service.document import api_of
from service.portal_keys import SCOPES, parse_key
from service.storage import games, moves
from service.storage.webhooks import Wanted
from service.tickets import Ticket, Tickets
from service.use_cases.keep_webhooks import create_webhook
from service.use_cases.know_portal import portal_of
from service.use_cases.manage_keys import create_key
from service.webhooks import Dispatcher
from tests.contract.plots import PORTAL
from tests.contract.probes import Probes, Request
from tests.contract.swaps import Dealer, Decks, Story
from tests.service.webhooks_asked import URL, MadeUp, drain

TIME = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
TICKET = re.compile(rb"grt_[A-Za-z0-9_-]+")
"""It is made of a time, too."""

ADDRESS = re.compile(r"0x[0-9a-f]+")
JSON = (("Content-Type", "application/json"),)
NAMELESS = {"Date", "Request-Id"}


EVENT = re.compile(rb"(evt|d)_[0-9a-f]{32}")
"""Ids of events and deliveries are drawn by the database."""

PLACE = re.compile(r'(cursor=|"next_cursor":")[A-Za-z0-9_-]+')
"""A cursor of deliveries is made of the time and the id of one."""

FORGOTTEN = (
    *("moves", "changes", "notes", "seat_tokens", "idempotency_keys", "fair_counts", "games"),
    *("outbox", "portal_events", "deliveries"),
)
"""The tables that a world begins without; an answer kept in another one would be given again."""


NUMBERED = ("outbox", "portal_events")
RESTART = "SELECT setval(pg_get_serial_sequence(%s, 'number'), 1, false)"


class Chance:
    """The source of chance of the service: the same in both worlds."""

    def __init__(self) -> None:
        self.rng = Random()

    def game_id(self) -> str:
        """Return the next id of a game."""
        return "g_" + base64.urlsafe_b64encode(self.rng.randbytes(16)).decode().rstrip("=")

    def deal_key(self) -> bytes:
        """Return the next secret of a game."""
        return self.rng.randbytes(32)

    def join_code(self) -> str:
        """Return the next join code."""
        return base64.b32encode(self.rng.randbytes(10)).decode().lower()

    def score_sheet_id(self) -> str:
        """Return the next id of a score sheet."""
        return "ss_" + self.game_id().removeprefix("g_")


def _timeless(body: bytes) -> bytes:
    return EVENT.sub(rb"\1_T", TICKET.sub(b"grt_T", TIME.sub(b"T", body)))


@dataclass(frozen=True)
class Answer:
    """All that came of a request: what the caller got, and what was written to the log."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    log: tuple[str, ...]


RECEIVED = "WHAT A WEBHOOK RECEIVED"
"""No request, but what was sent to the portal's own server since the last time."""

CLOCK, TIME_RUNS_OUT = "clock", "TIME RUNS OUT"
"""Who lets the time of the seat that is due be over, and how."""


@dataclass(frozen=True)
class Exchange:
    """A request and its answer; ``heard`` if the observer, or one who knows no more, got it."""

    request: Request
    answer: Answer
    heard: bool


class Listening(logging.Handler):
    """Keeps what this thread logs, at every level; other threads look after connections."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self._thread = threading.get_ident()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one line."""
        if record.thread == self._thread:
            line = f"{record.name} {record.levelname} {record.getMessage()} {record.exc_text or ''}"
            self.lines.append(ADDRESS.sub("0x", TIME.sub(b"T", line.encode()).decode()))

    def taken(self) -> tuple[str, ...]:
        """Return what was kept since the last time."""
        lines, self.lines = tuple(self.lines), []
        return lines


class Stage:
    """One application on one database, where one world is played after the other."""

    def __init__(
        self,
        app: Flask,
        chance: Chance,
        dealer: Dealer,
        conn: psycopg.Connection,
        secrets: Sequence[bytes],
    ) -> None:
        self.house = app.extensions["gin-rummy"]
        self.probes = Probes(api_of(app).document())
        self.dealer = dealer
        self.portal_key = create_key(self.house.store, "arcade", SCOPES).key
        self.webhook_id, self.received = self._webhook(), MadeUp(204)
        self._client = app.test_client()
        self._chance = chance
        self._conn = conn
        self._log = Listening()
        self._tickets = Tickets(secrets)
        self._made_at = datetime.now(UTC)

    def _webhook(self) -> str:
        portal = portal_of(self.house, parse_key(self.portal_key))
        made = create_webhook(self.house, portal.id, Wanted(url=URL))
        return made.webhook.id

    @contextmanager
    def open(self, seed: int, decks: Decks) -> Iterator[None]:
        """Begin a world: no games, the chance of ``seed``, the order of each hand's deck."""
        self._forget()
        self._chance.rng.seed(seed)
        self.dealer.game_id, self.dealer.decks = self._chance.game_id(), decks
        self._chance.rng.seed(seed)
        root = logging.getLogger()
        level = root.level
        root.addHandler(self._log)
        root.setLevel(logging.DEBUG)
        try:
            yield
        finally:
            root.removeHandler(self._log)
            root.setLevel(level)

    def close(self) -> None:
        """Leave the database empty, and let go of it."""
        self._forget()
        self.house.store.close()

    def _forget(self) -> None:
        with self._conn.transaction():
            for table in FORGOTTEN:
                self._conn.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))
            for table in NUMBERED:
                self._conn.execute(RESTART, (table,))
        self.received.posted.clear()

    def ask(self, request: Request) -> Answer:
        """Send a request; :data:`TIME_RUNS_OUT` is none, but something that happens."""
        if request.method == TIME_RUNS_OUT:
            past = "UPDATE games SET turn_deadline = now() WHERE id = %s"
            self._conn.execute(past, (request.path,))
            return Answer(200, (), b"", ())
        if request.who == PORTAL:
            drain(Dispatcher(self.house, self.received))
        if request.method == RECEIVED:
            bodies = sorted(_timeless(body) for _, body, _ in self.received.posted)
            self.received.posted.clear()
            return Answer(200, (), b"\n".join(bodies), ())
        self._log.taken()
        got = self._client.open(
            request.path,
            method=request.method,
            headers=[*request.headers, *(JSON if request.body is not None else ())],
            data=request.body,
        )
        headers = tuple(pair for pair in got.headers if pair[0] not in NAMELESS)
        body = _timeless(got.data)
        if request.path.partition("?")[0].endswith("/deliveries"):
            headers = tuple((name, PLACE.sub(r"\1T", value)) for name, value in headers)
            body = PLACE.sub(r"\1T", body.decode()).encode()
        return Answer(got.status_code, headers, body, self._log.taken())

    def ticket(self, token: str) -> str:
        """Return a stream ticket of who has ``token``, for a stream that was begun."""
        return self._tickets.write(Ticket(self.house.tokens.read(token), self._made_at))

    def game(self) -> Game:
        """Return the true state of the game."""
        with self.house.store.reading() as conn:
            return games.load(conn, self.house.codec, self.dealer.game_id).game

    def story(self) -> Story:
        """Return what truly happened so far."""
        with self.house.store.reading() as conn:
            log = moves.numbered_from(conn, self.house.codec, self.dealer.game_id, 1)
        return Story(self.game(), tuple(logged.move for logged in log))


@dataclass
class Recording:
    """The requests and answers of a world, what truly happened in it, and which operations
    ``main`` called after each command.
    """

    seed: int
    exchanges: list[Exchange] = field(default_factory=list)
    called: list[set[str]] = field(default_factory=list)
    story: Story | None = None


@dataclass(frozen=True)
class Comparison:
    """The first difference that was seen, or None; then also the other world's story, and how
    many answers that nobody who looked on got were different.
    """

    seen: str | None
    story: Story | None = None
    unseen: int = 0


def compare(stage: Stage, recording: Recording, decks: Decks) -> Comparison:
    """Send the recorded requests in another world and compare what those who look on get.

    :raises AssertionError: if a player's request had another outcome: this is no second world.
    """
    unseen = 0
    with stage.open(recording.seed, decks):
        for exchange in recording.exchanges:
            answer = stage.ask(exchange.request)
            if exchange.heard and answer != exchange.answer:
                return Comparison(_told(exchange, answer))
            if answer.log != exchange.answer.log:
                return Comparison(f"log: {_told(exchange, answer)}")
            assert answer.status == exchange.answer.status, _told(exchange, answer)
            unseen += answer != exchange.answer
        return Comparison(None, stage.story(), unseen)


def _told(exchange: Exchange, other: Answer) -> str:
    sent, one = exchange.request, exchange.answer
    pairs = enumerate(zip(one.body, other.body, strict=False))
    shorter = min(len(one.body), len(other.body))
    at = next((place for place, (a, b) in pairs if a != b), shorter)
    near = slice(max(0, at - 80), at + 80)
    return "\n".join(
        (
            f"{sent.who}: {sent.method} {sent.path} {sent.body!r}",
            f"{one.status} / {other.status}",
            f"{set(one.headers) ^ set(other.headers)} {set(one.log) ^ set(other.log)}",
            f"{one.body[near]!r}",
            f"{other.body[near]!r}",
        )
    )
