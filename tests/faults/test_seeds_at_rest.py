"""Neither a dump of the database nor the log at its most talkative tells what is still to come."""

import base64
import logging

import psycopg
import pytest

from engine.cards import card_name
from engine.shuffle import hand_seed
from service.storage import games, sealing
from service.use_cases import make_move
from tests.contract.tour_of_cuts import MINE, SEATS
from tests.faults.at_rest import dump, forms, leaks, orders, secrets_of
from tests.service.table import ADA, EASY, PEOPLE, SPECTATOR, Table

KEY = {"Idempotency-Key": "8e03978e-40d5-43dd-bc93-6894a57f9324"}
RULES = {"recycle": "shuffled", "advice": "full", "multi_pickup": True}


@pytest.fixture
def log(caplog):
    """What is logged, at every level."""
    caplog.set_level(logging.DEBUG)
    return caplog


@pytest.fixture
def conn(database_url):
    with psycopg.connect(database_url, autocommit=True) as conn:
        yield conn


def stored(table):
    house = table.answering.house
    with house.store.reading() as conn:
        return games.load(conn, house.codec, table.id).game


def written(conn, log):
    """Everything that is written down."""
    lines = [f"{record.getMessage()} {record.exc_text or ''}" for record in log.records]
    return {**dump(conn), "log": "\n".join(lines).encode()}


def played(tables, seats=PEOPLE, **rules):
    """A game in its second hand, of which much was written: hints, notes, answers, refusals."""
    body = {"seats": list(seats), "rules": {**RULES, **rules}}
    made = tables.answering.post("/v1/games", body, headers=KEY)
    table = Table(tables.answering, made.json)
    view = table.play_on(lambda view: view["phase"] == "hand_over")
    table.post("/hands", {"hand_number": view["next_hand"]["number"]}, 0)
    table.get("/hands/1/proof")
    view = table.play_on(lambda view: view["phase"] in {"draw", "discard"})
    seat = view["to_act_seats"][0]
    table.answering.post(f"{table.path}/hints", {}, table.tokens[seat])
    table.answering.put(f"{table.path}/notes", {"text": "mine"}, table.tokens[seat])
    table.get("/hands/2/proof", SPECTATOR)
    table.send(f"{seat} discard KS", table.next_move + 1)
    return table


def found(conn, log, tables, **rules):
    table = played(tables, **rules)
    game = stored(table)
    assert not game.hand.over
    return leaks(written(conn, log), secrets_of(game))


class TestWhatIsWrittenDown:
    @pytest.mark.parametrize("seats", [PEOPLE, (ADA, EASY)], ids=["people", "computer"])
    @pytest.mark.parametrize("reveal", ["hand", "game"])
    def test_tells_no_key_no_seed_and_no_stock(self, tables, conn, log, seats, reveal):
        assert found(conn, log, tables, seats=seats, reveal=reveal) == set()
        tables_written = dump(conn)
        assert {"games", "moves", "fair_counts", "idempotency_keys"} <= tables_written.keys()
        assert all(tables_written[name] for name in ("games", "moves", "idempotency_keys"))

    def test_tells_what_was_committed_to(self, tables, conn, log):
        """It is what it seems to be: what may be found is found, behind its seal as well."""
        table = played(tables)
        hand, codec = stored(table).hand, table.answering.house.codec
        with table.answering.house.store.reading() as reading:
            columns = "SELECT state FROM games WHERE id = %s"
            [state] = reading.execute(columns, (table.id,), binary=True).fetchone()
        assert hand.server_commit.encode() in codec._open(table.id, "state", state)
        assert table.id.encode() in dump(conn)["games"]


class TestANonceThatIsOpenedButNotDealt:
    """One of two has cut; until the other has, nobody but it may know its nonce."""

    def cut(self, tables):
        table = tables(seats=SEATS, deal=None)
        answer = table.put("/hands/1/cut", {"nonce": MINE}, 0)
        assert (answer.status_code, answer.json["moves"]) == (200, [])
        return {"nonce": forms(bytes.fromhex(MINE)), "key": forms(stored(table).setup.deal_key)}

    def test_stands_nowhere(self, tables, conn, log):
        secrets = self.cut(tables)
        assert leaks(written(conn, log), secrets) == set()

    def test_is_found_where_it_should_be_sealed(self, tables, conn, log, monkeypatch):
        sealed = bytes(sealing.NONCE_BYTES)
        monkeypatch.setattr(sealing, "_sealed", lambda cipher, plain, context: sealed + plain)
        monkeypatch.setattr(sealing, "_opened", lambda ciphers, text, context: text[len(sealed) :])
        tables.answering.house.codec.read_setup.cache_clear()
        secrets = self.cut(tables)
        told = leaks(written(conn, log), secrets)
        tables.answering.house.codec.read_setup.cache_clear()
        assert {("nonce", "games"), ("nonce", "changes")} <= told


def of_seed(number, write):
    """A leak of the seed of a hand, as ``write`` writes it, into a column that all may read."""

    def plant(conn, table):
        secret = hand_seed(stored(table).setup.deal_key, number)
        conn.execute("UPDATE games SET join_code = %s", (write(secret),))

    return plant


def _stock_in_notes(conn, table):
    names = ",".join(map(card_name, stored(table).hand.stock))
    conn.execute("UPDATE games SET abandon_reason = %s", (names,))


PLANTED = {
    "this seed, in hex": (of_seed(2, bytes.hex), "seed 2"),
    "the next seed, in base64": (
        of_seed(3, lambda secret: base64.b64encode(b"x" + secret).decode()),
        "seed 3",
    ),
    "the stock, by names": (_stock_in_notes, "stock"),
}


class TestAPlantedLeak:
    @pytest.mark.parametrize("name", PLANTED)
    def test_into_a_column_is_found(self, tables, conn, log, name):
        plant, secret = PLANTED[name]
        table = played(tables)
        plant(conn, table)
        assert leaks(written(conn, log), secrets_of(stored(table))) == {(secret, "games")}

    def test_of_what_should_be_sealed_is_found(self, tables, conn, log, monkeypatch):
        sealed = bytes(sealing.NONCE_BYTES)
        monkeypatch.setattr(sealing, "_sealed", lambda cipher, plain, context: sealed + plain)
        monkeypatch.setattr(sealing, "_opened", lambda ciphers, text, context: text[len(sealed) :])
        tables.answering.house.codec.read_setup.cache_clear()
        told = found(conn, log, tables)
        tables.answering.house.codec.read_setup.cache_clear()
        assert {("key", "games"), ("seed 2", "moves"), ("stock", "games")} <= told

    def test_into_the_log_is_found(self, tables, conn, log, monkeypatch):
        original = make_move.decided

        def decided(before, decide):
            logging.getLogger("service").debug("%r", before.game.setup)
            logging.getLogger("service").debug("%s", before.game.hand.stock)
            return original(before, decide)

        monkeypatch.setattr(make_move, "decided", decided)
        assert {secret for secret, place in found(conn, log, tables) if place == "log"} == {
            *("key", "stock")
        }


class TestTheForms:
    def test_of_a_secret_are_found_wherever_it_begins(self):
        secret = bytes(range(200, 232))
        for before in range(5):
            text = base64.b64encode(b"x" * before + secret + b"y")
            assert any(form in text for form in forms(secret))

    def test_of_an_order_are_no_others(self):
        text = b"12, 3, 44, 7, 51, 9"
        assert any(form in text for form in orders((12, 3, 44, 7, 51, 9)))
        assert not any(form in text for form in orders((12, 3, 44, 51, 7, 9)))
