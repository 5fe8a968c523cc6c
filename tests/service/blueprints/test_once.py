"""Idempotency-Key over HTTP: a lost answer of a create is had by sending it again."""

import base64
import zlib
from dataclasses import replace
from uuid import UUID

import psycopg
import pytest

from engine.cards import card_name
from service.app import create_app
from service.storage.sealing import AnswerSealer
from tests.contract.documents import kept as kept_document
from tests.contract.documents import operations
from tests.service.answering import Answering
from tests.service.table import ADA, SPECTATOR
from tests.tables import NEAR_GIN, OTHER, deck

GAMES = "/v1/games"
OPEN = {"kind": "human"}
KEY = str(UUID(int=0x5EED << 64))
OTHER_KEY = KEY.replace("5eed", "5eee")


def said(answer) -> tuple:
    """All of an answer but what no two have in common."""
    headers = {
        name: value
        for name, value in answer.headers.items()
        if name not in {"Request-Id", "Idempotency-Replayed"}
    }
    return answer.status_code, headers, answer.data


def replayed(answer) -> bool:
    sent = answer.headers.get("Idempotency-Replayed")
    assert sent in {None, "true"}
    return sent == "true"


@pytest.fixture
def post(answering):
    """Post with a key; ``key`` is the header's value."""

    def post(path=GAMES, body=None, key=KEY, **options):
        headers = {} if key is None else {"Idempotency-Key": key}
        return answering.post(path, body if body is not None else {}, headers=headers, **options)

    return post


@pytest.fixture
def rows(answering):
    def rows(table):
        with answering.house.store.reading() as conn:
            return conn.execute(f"SELECT count(*) FROM {table}").fetchone()[0]

    return rows


def code(answer):
    return answer.status_code, answer.json["code"]


class TestAScoreSheet:
    def test_sent_again_is_answered_the_same_to_the_byte(self, tables, rows):
        body = {"names": ["Ada", "Bob"], "rules": {"base": "short"}}
        first, again, other = (
            tables.answering.post(
                "/v1/score-sheets", {**body, **more}, headers={"Idempotency-Key": KEY}
            )
            for more in ({}, {"rules": {"target": 50}}, {"names": ["Ada", "Cy"]})
        )
        assert said(again) == said(first)
        assert (replayed(first), replayed(again), replayed(other)) == (False, True, False)
        assert rows("score_sheets") == 2


class TestACreate:
    def test_sent_again_is_answered_the_same_to_the_byte(self, post, rows):
        first, *others = (post() for _ in range(3))
        assert (first.status_code, replayed(first)) == (201, False)
        for other in others:
            assert said(other) == said(first)
            assert replayed(other)
        assert rows("games") == 1

    def test_is_answered_as_without_a_key(self, post):
        keyed, plain = post(), post(key=None)
        assert dict(keyed.headers).keys() == dict(plain.headers).keys()
        assert keyed.json.keys() == plain.json.keys()
        assert keyed.headers["Content-Type"] == plain.headers["Content-Type"]

    def test_is_answered_as_it_was_then(self, tables, post):
        body = {"seats": [ADA, {**ADA, "name": "Bob", "seating": "granted"}]}
        first = post(body=body)
        token = first.json["tokens"][0]["token"]
        path = first.headers["Location"]
        number = {"move_number": first.json["game"]["next_move"]}
        assert tables.answering.post(f"{path}/resignations", number, token).status_code == 201
        assert said(post(body=body)) == said(first)
        assert first.json["game"]["over"] is False

    def test_under_another_key_or_none_is_another(self, post, rows):
        made = {
            post(key=key).json["game"]["id"] for key in (KEY, OTHER_KEY, KEY.upper(), None, None)
        }
        assert (len(made), rows("games"), rows("idempotency_keys")) == (5, 5, 3)

    def test_has_the_same_key_in_quotes(self, post, rows):
        first = post(key=f'"{KEY}"')
        assert said(post(key=KEY)) == said(first)
        assert rows("games") == 1

    def test_that_asks_for_the_same_in_other_words_is_the_same(self, post, rows):
        cards = deck(NEAR_GIN, OTHER)
        names = [card_name(card) for card in cards]
        odd = [name.lower().replace("t", "10") for name in names]
        first = post(body={"deck": names, "rules": {"base": "short"}})
        assert first.status_code == 201
        for body in (
            {"rules": {"base": "short"}, "deck": odd},
            {"deck": names, "rules": {"target": 50}},
            {"deck": names, "rules": {"base": "short"}, "seats": [{"kind": "human"}] * 2},
            {
                "seats": [
                    {"kind": "human", "seating": "granted"},
                    {"seating": "open", "kind": "human"},
                ],
                "deck": names,
                "rules": {"base": "short", "knock_limit": 10},
            },
        ):
            assert said(post(body=body)) == said(first)
        assert rows("games") == 1

    @pytest.mark.parametrize(
        "body",
        [
            {"rules": {"base": "short"}},
            {"seats": [{"kind": "human", "name": "Ada"}, {"kind": "human"}]},
            {"seats": [{"kind": "human"}, {"kind": "human", "seating": "granted"}]},
            {"scenario": "can_gin"},
        ],
    )
    def test_that_asks_for_something_else_is_another_to_who_has_no_token(self, post, rows, body):
        first, other = post(), post(body=body)
        assert (first.status_code, other.status_code, replayed(other)) == (201, 201, False)
        assert said(post(body=body)) == said(other)
        assert rows("games") == 2

    def test_that_was_refused_is_not_kept(self, post, rows):
        refused = post(body={"seats": [ADA]})
        assert code(refused) == (422, "validation_failed")
        assert rows("idempotency_keys") == 0

    def test_is_made_anew_when_its_time_is_over(self, post, answering):
        first = post()
        with answering.house.store.writing() as conn:
            conn.execute("UPDATE idempotency_keys SET expires_at = now()")
        second = post()
        assert (second.status_code, replayed(second)) == (201, False)
        assert said(second) != said(first)

    def test_is_kept_as_long_as_is_set(self, settings, answering):
        app = create_app(replace(settings, idempotency_seconds=60))
        answer = Answering(app).post(GAMES, {}, headers={"Idempotency-Key": KEY})
        app.extensions["gin-rummy"].store.close()
        assert answer.status_code == 201
        with answering.house.store.reading() as conn:
            query = "SELECT expires_at - now() <= interval '60 s' FROM idempotency_keys"
            assert conn.execute(query).fetchall() == [(True,)]


class TestAJoin:
    @pytest.fixture
    def table(self, tables):
        return tables(seats=(ADA, OPEN))

    def ask(self, post, table, key=KEY, **body):
        return post(f"{table.path}/joins", {"join_code": table.join_code, **body}, key)

    def test_gets_its_token_again_although_the_seat_is_taken(self, post, table):
        first = self.ask(post, table, name="Bob")
        assert (first.status_code, replayed(first)) == (201, False)
        again = self.ask(post, table, name="Bob")
        assert said(again) == said(first)
        assert replayed(again)
        assert table.answering.get(table.path, again.json["token"]).json["you"]["seat"] == 1

    def test_gets_it_as_long_as_the_game_lives(self, post, table, rows):
        first = self.ask(post, table)
        with table.answering.house.store.writing() as conn:
            conn.execute("UPDATE idempotency_keys SET expires_at = now() WHERE game_id IS NULL")
        table.post("/resignations", {"move_number": first.json["game"]["next_move"]}, 0)
        assert said(self.ask(post, table)) == said(first)
        with table.answering.house.store.writing() as conn:
            conn.execute("DELETE FROM games WHERE id = %s", (table.id,))
        assert rows("idempotency_keys") == 0
        assert code(self.ask(post, table)) == (404, "not_found")

    def test_of_somebody_else_does_not(self, post, table):
        self.ask(post, table, name="Bob")
        for key, body in ((OTHER_KEY, {"name": "Bob"}), (KEY, {"name": "Eve"}), (KEY, {})):
            assert code(self.ask(post, table, key, **body)) == (409, "game_full")

    def test_of_another_game_is_another(self, post, table, tables):
        other = tables(seats=(ADA, OPEN))
        body = {"name": "Bob"}
        tokens = {self.ask(post, each, **body).json["token"] for each in (table, other)}
        assert len(tokens) == 2
        wrong = post(f"{other.path}/joins", {"join_code": table.join_code, **body})
        assert code(wrong) == (404, "not_found")

    def test_is_not_the_create_of_the_same_key(self, post, tables, rows):
        made = post()
        path, join_code = made.headers["Location"], made.json["join_code"]
        joined = post(f"{path}/joins", {"join_code": join_code})
        assert (joined.status_code, replayed(joined)) == (201, False)
        assert rows("idempotency_keys") == 2

    def test_with_the_token_of_the_game_is_refused_as_ever(self, post, table):
        first = self.ask(post, table)
        body = {"join_code": table.join_code}
        again = post(f"{table.path}/joins", body, token=first.json["token"])
        assert code(again) == (409, "already_joined")


class TestAKeyThatIsNone:
    @pytest.mark.parametrize(
        ("key", "detail"),
        [
            ("", "1 to 255 characters"),
            ("k" * 21, "at least 22 characters"),
            ('"' + "k" * 21 + '"', "at least 22 characters"),
            ("k" * 256, "1 to 255 characters"),
            ("k" * 22 + " k", "visible ASCII"),
            ("k" * 22 + "\xe9", "visible ASCII"),
            ('"' + "k" * 22, "In quotes"),
            (f'"{KEY}";v=1', "In quotes"),
            (f"{KEY},{OTHER_KEY}", "Send one key, once"),
        ],
    )
    def test_is_refused_with_what_is_wrong(self, post, rows, key, detail):
        answer = post(key=key)
        assert code(answer) == (400, "idempotency_key_invalid")
        assert detail in answer.json["detail"]
        assert rows("games") == 0

    def test_is_refused_when_it_is_sent_twice(self, answering, rows):
        for keys in ((KEY, OTHER_KEY), (f'"{KEY}"', f'"{KEY}"')):
            headers = [("Idempotency-Key", key) for key in keys]
            answer = answering.client.post(GAMES, json={}, headers=headers)
            answering.check("POST", GAMES, answer)
            assert code(answer) == (400, "idempotency_key_invalid")
        assert rows("games") == 0

    def test_is_not_looked_at_before_the_body(self, post):
        assert code(post(body={"seats": [ADA]}, key="x")) == (422, "validation_failed")

    def test_may_be_short_for_who_has_a_credential(self, post, rows, portal):
        first = post(key="k", token=portal.key)
        assert said(post(key='"k"', token=portal.key)) == said(first)
        reused = post(key="k", body={"rules": {"base": "short"}}, token=portal.key)
        assert code(reused) == (422, "idempotency_key_reused")
        assert rows("games") == 1


class TestAnOperation:
    """Whether it takes a key, the document tells."""

    KEYED = frozenset(
        (method, path)
        for method, path, operation in operations(kept_document())
        if any(each["name"] == "Idempotency-Key" for each in operation.get("parameters", ()))
    )

    def test_that_takes_a_key_says_so_everywhere(self):
        for method, path, operation in operations(kept_document()):
            takes = (method, path) in self.KEYED
            answers = operation["responses"]
            good = [answers[status] for status in ("201", "202", "200") if status in answers]
            headers = good[0]["headers"] if good else {}
            assert ("Idempotency-Replayed" in headers) == takes, path
            assert ("Idempotency-Key" in operation["description"]) == takes, path
            for each in ("key_invalid", "in_progress", "key_reused"):
                assert (f"`idempotency_{each}`" in operation["description"]) == takes, path

    def test_is_one_that_creates_and_is_no_move(self):
        assert {("POST", GAMES), ("POST", "/v1/games/{game_id}/joins")} <= self.KEYED
        assert all(method == "POST" for method, _ in self.KEYED)
        assert ("POST", "/v1/games/{game_id}/moves") not in self.KEYED

    def test_that_takes_none_ignores_it(self, tables, rows):
        table = tables.at("discard")
        number = {"move_number": table.next_move}
        for key in ("x", "", KEY):
            headers = {"Idempotency-Key": key}
            assert table.get(headers=headers).status_code == 200
            put = table.answering.put(
                f"{table.path}/notes", {"text": key}, table.tokens[0], headers=headers
            )
            assert put.status_code == 200
        answer = table.post("/resignations", number, headers={"Idempotency-Key": "x"})
        assert answer.status_code == 201
        assert rows("idempotency_keys") == 0


def values(database_url):
    """Every value of every table as bytes, and what unpacks from it wherever it may begin."""
    with psycopg.connect(database_url) as conn:
        tables = conn.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        for (table,) in tables.fetchall():
            for row in conn.execute(f"SELECT * FROM {table}"):
                for value in row:
                    plain = value if isinstance(value, bytes) else str(value).encode()
                    yield plain
                    if isinstance(value, bytes):
                        yield from unpacked(plain)


def unpacked(value: bytes):
    for at in range(32):
        try:
            yield zlib.decompressobj().decompress(value[at:])
        except zlib.error:
            continue


class TestTheDatabase:
    def found(self, database_url, post, tables) -> set[str]:
        """Make, join and replay with a key; return what of it lies in the database."""
        table = tables(seats=(ADA, OPEN))
        made = post(body={"seats": [ADA, OPEN]})
        join = {"join_code": table.join_code, "name": "Bob"}
        joined = post(f"{table.path}/joins", join)
        assert replayed(post(f"{table.path}/joins", join))
        secret = {"key": KEY.encode(), "spectator": made.json["spectator_token"].encode()}
        secret["a view"] = b'"legal":'
        for name, token in (
            ("maker", made.json["tokens"][0]["token"]),
            ("joiner", joined.json["token"]),
            ("watcher", table.tokens[SPECTATOR]),
        ):
            secret[name] = token.encode()
            secret[f"{name}, raw"] = base64.urlsafe_b64decode(token[4:])[-20:]
        lying = list(values(database_url))
        assert len(lying) > 20
        assert any(table.id.encode() in value for value in lying)
        return {name for name, text in secret.items() if any(text in value for value in lying)}

    def test_holds_no_token_and_no_key(self, database_url, post, tables):
        assert self.found(database_url, post, tables) == set()

    def test_would_be_seen_to_hold_them(self, database_url, post, tables, monkeypatch):
        monkeypatch.setattr(AnswerSealer, "seal", lambda _self, _scope, plain: plain)
        monkeypatch.setattr(AnswerSealer, "open", lambda _self, _scope, sealed: sealed)
        found = self.found(database_url, post, tables)
        assert found == {"spectator", "maker", "joiner", "a view"}
