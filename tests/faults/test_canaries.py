"""What no log may hold: tokens, join codes, Idempotency-Keys, the cards of hidden hands.

``GIN_SWEEP_CANARIES`` whole games on a real service of two processes whose loggers all write from
the lowest level on, with every way of going wrong mixed in. All that it says, and all that its
PostgreSQL says, is searched for their secrets in every form.
"""

import base64
import contextlib
import logging
import os
from collections import Counter
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from urllib.parse import quote

import psycopg
import pytest

from service.app import create_house
from service.local import LocalServer
from service.portal_keys import SCOPES
from service.postgres_programs import find_binaries
from service.settings import load
from service.storage import games
from tests.conftest import HASTE
from tests.faults.canaries import Canaries, Leak, cards_in
from tests.faults.mishaps import (
    MISHAPS,
    a_game_that_the_database_refuses,
    a_row_that_the_database_refuses,
    kill_the_workers,
    with_a_key,
)
from tests.faults.telling import APPLICATION, LOG_EVERYTHING
from tests.faults.watched import Client, Table
from tests.server import Served, on_database

GAMES = int(os.environ.get("GIN_SWEEP_CANARIES", "1"))
KILLED_IN = 20
"""In one game of so many the workers are killed."""

SECRET = "a-secret-that-only-the-tests-know-0123456789"
TALKATIVE = {"log_min_messages": "debug1", "log_error_verbosity": "default"}
TALKATIVE |= {"log_min_error_statement": "error", "log_statement": "all"}
"""PostgreSQL as an operator may have it: with details, statements, and all their parameters."""

IN_PLAIN = {"join code", "wrong join code"}
"""What stands in the database as it is; so a database that logs all statements logs it as well."""

SERVICE, DATABASE, ACCESS = range(3)
"""Whose log it is; the last one is there if an operator wishes for it."""


class House:
    """A service on a database of its own, and all that they say."""

    def __init__(self, folder: Path, options: dict[str, str], stack: contextlib.ExitStack) -> None:
        database = LocalServer(folder / "db", find_binaries(load(os.environ).pg_bindir), options)
        url = stack.enter_context(database).url
        environ = {**on_database(url, SECRET), "GIN_LOG_LEVEL": "debug", LOG_EVERYTHING: "1"}
        environ["GUNICORN_CMD_ARGS"] = f"--access-logfile {folder / 'access.log'}"
        self.served = Served(folder / "data", environ, application=APPLICATION)
        stack.enter_context(self.served)
        self._logs = (folder / "db" / "postgres.log", folder / "access.log")
        self.conn = stack.enter_context(psycopg.connect(url, autocommit=True))
        settings = load({key: value for key, value in environ.items() if key != LOG_EVERYTHING})
        self._codec = create_house(settings).codec
        words = ("keys", "create", "--portal", "arcade", "--scopes", ",".join(SCOPES))
        self.key = next(
            word for word in self.served.operate(*words).stdout.split() if word[:4] == "grk_"
        )

    def places(self) -> tuple[int, ...]:
        """How long each log is by now, in bytes."""
        return self.served.said_bytes(), *(log.stat().st_size for log in self._logs)

    def said(self) -> tuple[bytes, ...]:
        """What they said, in three logs: the service, its database, and who asked for what."""
        return self.served.errors().encode(), *(log.read_bytes() for log in self._logs)

    def hidden(self, table: Table) -> None:
        """Look for the cards of a game from now on, and for what tells them."""
        game = games.load(self.conn, self._codec, table.id).game
        table.canaries.add("deal key", game.setup.deal_key)
        for cards in game.hand.holdings if game.hand else ():
            table.canaries.add("cards", str(cards))


def play(house: House, table: Table, ways, tally: Counter) -> None:
    """Play a game to its end, or until it is given up; go wrong twice at each move."""
    while not table.view["over"]:
        for _ in range(2):
            name, way = next(ways)
            way(table)
            tally[name] += 1
        house.hidden(table)
        seat = table.view["to_act_seats"][0]
        wish = table.wish(seat)
        status, told = table.client(wish.method, wish.path, table.tokens[seat], wish.body)
        assert status in {200, 201}, told
        table.view = told["game"]


def played(house: House, number: int) -> tuple[list[tuple[Canaries, tuple[int, ...]]], Counter]:
    """Play so many games; return the secrets of each, from where in the logs on, and what went
    wrong how often.
    """
    ways = cycle({**MISHAPS, "a_portal": with_a_key(house.key)}.items())
    found, tally = [], Counter()
    for index in range(number):
        rng, canaries = Random(f"canaries {index}"), Canaries()
        found.append((canaries, house.places()))
        table = Table(Client(house.served, canaries), rng, house.conn)
        table.join()
        if index % KILLED_IN == 0:
            kill_the_workers(table)
            tally["killed"] += 1
        play(house, table, ways, tally)
    return found, tally


@pytest.fixture
def open_house(tmp_path):
    """Opens a service whose database has the options given."""
    with contextlib.ExitStack() as stack:
        yield lambda **options: House(tmp_path, {**HASTE, **options}, stack)


def leaks(texts: tuple[bytes, ...], found, everywhere: Canaries) -> list[list[Leak]]:
    """Return what each log told of the secrets of a game while it, or the next one, was played."""
    seen: list[list[Leak]] = [[] for _ in texts]
    ends = [places for _, places in found[2:]]
    ends += [[len(text) for text in texts]] * 2
    for (canaries, begins), until in zip(found, ends, strict=False):
        for which, text in enumerate(texts):
            said = text[begins[which] : until[which]].decode(errors="replace")
            seen[which] += canaries.found_in(said) + cards_in(said)
    for which, text in enumerate(texts):
        seen[which] += everywhere.found_in(text.decode(errors="replace"))
    return seen


def said_of(found: list[Leak]) -> str:
    """Return a line for each leak."""
    return "\n".join(f"{leak.kind} ({leak.form}) in: {leak.line}" for leak in found)


@pytest.mark.http
class TestTheLogs:
    def test_hold_no_secret_whatever_goes_wrong(self, open_house):
        house = open_house(**TALKATIVE)
        found, tally = played(house, GAMES)
        assert set(tally) == {*MISHAPS, "a_portal", "killed"}
        code, _ = house.served.interrupt()
        assert code == 0
        texts = house.said()
        assert b"planted" in texts[SERVICE]  # what nobody expected is told
        assert b"[DEBUG]" in texts[SERVICE]
        everywhere = Canaries()
        everywhere.add("portal key", house.key)
        everywhere.add("server secret", SECRET)
        seen = leaks(texts, found, everywhere)
        assert b"GET /v1/invitations/***" in texts[ACCESS]
        assert not seen[SERVICE] + seen[ACCESS], said_of(seen[SERVICE] + seen[ACCESS])
        worse = [leak for leak in seen[DATABASE] if leak.kind not in IN_PLAIN]
        assert not worse, said_of(worse)
        assert seen[DATABASE], "not even what such a database logs was found"
        logging.getLogger(__name__).info(
            "%s games, %s secrets, %s bytes: %s",
            len(found),
            sum(len(canaries.all) for canaries, _ in found),
            tuple(map(len, texts)),
            dict(tally),
        )

    def test_of_the_own_database_hold_not_even_a_join_code(self, open_house):
        """As `make run` starts it: its errors come without rows, statements and parameters."""
        house, canaries = open_house(), Canaries()
        table = Table(Client(house.served, canaries), Random(1), house.conn)
        table.join()
        a_row_that_the_database_refuses(table)
        a_game_that_the_database_refuses(table)
        service, database, _ = (text.decode() for text in house.said())
        assert "planted" in database
        assert canaries.found_in(database) + canaries.found_in(service) == []


class TestTheSearch:
    @pytest.mark.parametrize("before", ["", "a", "ab", "abc"])
    @pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode, bytes.hex])
    def test_finds_what_was_encoded_with_something_around_it(self, before, encode):
        canaries = Canaries()
        canaries.add("key", KEY)
        encoded = encode(f"{before}{KEY}zz".encode())
        text = encoded if isinstance(encoded, str) else encoded.decode()
        [leak] = canaries.found_in(f"first line\nsecond {text} line\nthird")
        assert (leak.kind, leak.line) == ("key", f"second {text} line")
        assert canaries.found_in("first line\nthird") == []

    @pytest.mark.parametrize(
        "write", [str, quote, repr, partial(quote, safe=""), str.encode, ascii]
    )
    def test_finds_what_was_written_in_some_other_way(self, write):
        canaries = Canaries()
        canaries.add("key", KEY)
        assert canaries.found_in(f"x{write(KEY)}x")

    def test_finds_cards(self):
        assert [leak.line for leak in cards_in("a\n{'cards': ['7H', 'TC']}\nb")] != []
        assert cards_in("g_-7H-_a 0x7H %7H 17H 7Hx SELECT 1 AS x") == []


KEY = "k/1+%7E='x;<>&\\\"_-"
