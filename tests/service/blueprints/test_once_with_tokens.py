"""Idempotency-Key of callers who have a token or a portal's key, and what is left of it at last."""

import pytest

from service.use_cases.forget_players import forget_game
from service.use_cases.manage_keys import create_key, list_keys, rotate_key
from tests.service.portal import ADA, BOB, OPEN, Portal
from tests.service.table import DRAWN

KEY = "once"
SEATS = {"seats": [ADA, BOB], "metadata": {"table": "7"}}


def once(key=KEY):
    return {"headers": {"Idempotency-Key": key}}


def code(answer):
    return answer.status_code, answer.json["code"]


def replayed(answer, first) -> bool:
    """Return whether ``answer`` says what ``first`` said, because it was kept."""
    again = answer.headers.get("Idempotency-Replayed") == "true"
    assert not again or (answer.status_code, answer.data) == (first.status_code, first.data)
    return again


@pytest.fixture
def kept(answering):
    """Counts the answers that are kept, of one game or of all."""

    def kept(game_id=None):
        query = (
            "SELECT count(*) FROM idempotency_keys WHERE %(id)s::text IS NULL OR game_id = %(id)s"
        )
        with answering.house.store.reading() as conn:
            return conn.execute(query, {"id": game_id}).fetchone()[0]

    return kept


@pytest.fixture
def over(portal):
    return portal.make("0 resign")


class TestAGameOfAPortal:
    def test_is_made_once(self, portal):
        first, again = (portal.ask("POST", "/v1/games", SEATS, **once()) for _ in "12")
        assert first.status_code == 201
        assert replayed(again, first)
        assert again.json["game"]["metadata"] == {"table": "7"}
        assert len(portal.list()) == 1

    @pytest.mark.parametrize(
        "other", [{"metadata": {"table": "8"}}, {"seats": [ADA, OPEN]}, {"listed": True}]
    )
    def test_of_another_body_is_no_use_of_the_same_key(self, portal, other):
        portal.ask("POST", "/v1/games", SEATS, **once())
        answer = portal.ask("POST", "/v1/games", {**SEATS, **other}, **once())
        assert code(answer) == (422, "idempotency_key_reused")
        assert len(portal.list()) == 1

    def test_is_the_same_for_the_next_key_of_the_portal(self, portal):
        first = portal.ask("POST", "/v1/games", SEATS, **once())
        store = portal.answering.house.store
        later = Portal(portal.tables, rotate_key(store, list_keys(store)[-1].id).key)
        assert replayed(later.ask("POST", "/v1/games", SEATS, **once()), first)

    def test_is_not_that_of_another_portal_or_of_nobody(self, portal, portals):
        first = portal.ask("POST", "/v1/games", SEATS, **once("o" * 22))
        second = portals("second").ask("POST", "/v1/games", SEATS, **once("o" * 22))
        plain = portal.answering.post("/v1/games", {}, **once("o" * 22))
        ids = {answer.json["game"]["id"] for answer in (first, second, plain)}
        assert len(ids) == 3

    def test_is_refused_to_a_key_that_may_not_make_one(self, portal):
        portal.ask("POST", "/v1/games", SEATS, **once())
        store = portal.answering.house.store
        weak = Portal(portal.tables, create_key(store, "arcade", ["games:read"]).key)
        assert code(weak.ask("POST", "/v1/games", SEATS, **once())) == (403, "scope_missing")


class TestARematch:
    def test_is_answered_the_same_to_who_asked_for_it(self, over):
        path = f"{over.path}/rematches"
        first, again = (over.answering.post(path, None, over.tokens[0], **once()) for _ in "12")
        assert (first.status_code, again.status_code) == (201, 201)
        assert replayed(again, first)

    def test_is_another_answer_for_the_other_seat(self, over):
        path = f"{over.path}/rematches"
        first = over.answering.post(path, None, over.tokens[0], **once())
        second = over.answering.post(path, None, over.tokens[1], **once())
        assert not replayed(second, first)
        assert (second.status_code, second.json["seat"]) == (200, 1)

    def test_that_was_made_before_is_found_with_a_key_as_well(self, over, kept):
        path = f"{over.path}/rematches"
        first = over.answering.post(path, None, over.tokens[0])
        found = over.answering.post(path, None, over.tokens[0], **once())
        assert found.status_code == 200
        assert found.json["token"] == first.json["token"]
        assert kept() == 0


class TestATokenOfASeat:
    def test_is_given_once(self, portal):
        table = portal.make(*DRAWN)
        path, body = f"{table.path}/seats/0/tokens", {"label": "phone"}
        first, again = (table.answering.post(path, body, table.tokens[0], **once()) for _ in "12")
        assert replayed(again, first)
        assert len(table.answering.get(path, table.tokens[0]).json["items"]) == 2

    def test_of_another_label_is_another_request(self, portal):
        path = f"{portal.make(*DRAWN).path}/seats/0/tokens"
        portal.ask("POST", path, {"label": "phone"}, **once())
        answer = portal.ask("POST", path, {"label": "pad"}, **once())
        assert code(answer) == (422, "idempotency_key_reused")

    def test_that_ended_all_others_does_so_once(self, portal):
        table = portal.make(*DRAWN)
        path, body = f"{table.path}/seats/0/tokens", {"rotate": True}
        first, again = (portal.ask("POST", path, body, **once()) for _ in "12")
        assert replayed(again, first)
        assert table.answering.get(table.path, again.json["token"]).status_code == 200


class TestATokenToWatch:
    def test_is_answered_the_same(self, portal):
        path = f"{portal.make(*DRAWN).path}/spectator-tokens"
        first, again = (portal.ask("POST", path, **once()) for _ in "12")
        assert first.status_code == 201
        assert replayed(again, first)


class TestAnEnd:
    def test_is_answered_as_it_was(self, portal):
        path, body = f"{portal.make(*DRAWN).path}/abandonments", {"reason_code": "stuck"}
        first, again = (portal.ask("POST", path, body, **once()) for _ in "12")
        assert first.json["status"] == "abandoned"
        assert replayed(again, first)
        other = portal.ask("POST", path, {"reason_code": "x"}, **once())
        assert code(other) == (422, "idempotency_key_reused")


class TestASeatThatWasLeft:
    def test_is_not_had_again_by_the_answer_of_the_join(self, portal):
        table = portal.make(seats=(ADA, OPEN, OPEN))
        body = {"join_code": table.join_code, "name": "Cy"}
        path, key = f"{table.path}/joins", once("k" * 22)
        joined = portal.answering.post(path, body, **key)
        seat, token = joined.json["seat"], joined.json["token"]
        left = portal.answering.send("DELETE", f"{table.path}/seats/{seat}", None, token)
        assert left.status_code == 204
        again = portal.answering.post(path, body, **key)
        assert replayed(again, joined)
        assert code(portal.answering.get(table.path, again.json["token"])) == (401, "token_invalid")


class TestAGameThatIsForgotten:
    def play(self, portal):
        """Make a game, and keep an answer of each operation about it."""
        made = portal.ask("POST", "/v1/games", {"seats": [ADA, OPEN]}, **once()).json
        path = f"/v1/games/{made['game']['id']}"
        body = {"join_code": made["join_code"], "name": "Cy"}
        portal.answering.post(f"{path}/joins", body, **once("k" * 22))
        portal.ask("POST", f"{path}/seats/0/tokens", **once())
        portal.ask("POST", f"{path}/spectator-tokens", **once())
        portal.ask("POST", f"{path}/abandonments", **once())
        return path, made["game"]["id"]

    def test_takes_every_answer_about_it_along(self, portal, kept):
        _, game_id = self.play(portal)
        other = portal.ask("POST", "/v1/games", SEATS, **once("other"))
        assert (kept(game_id), kept()) == (5, 6)
        forget_game(portal.answering.house.store, game_id)
        assert (kept(game_id), kept()) == (0, 1)
        again = portal.ask("POST", "/v1/games", SEATS, **once("other"))
        assert replayed(again, other)

    def test_takes_them_along_if_its_portal_deletes_it(self, portal, kept):
        path, _ = self.play(portal)
        assert portal.ask("DELETE", path).status_code == 204
        assert kept() == 0

    def test_takes_that_of_its_rematch_along_with_the_rematch(self, portal, kept, over):
        path = f"{over.path}/rematches"
        made = over.answering.post(path, None, over.tokens[0], **once()).json
        assert kept(made["game"]["id"]) == 1
        forget_game(portal.answering.house.store, made["game"]["id"])
        assert kept() == 0

    def test_keeps_others_no_longer_than_they_are_kept(self, portal, kept):
        self.play(portal)
        with portal.answering.house.store.reading() as conn:
            query = "SELECT count(*) FROM idempotency_keys WHERE expires_at IS NULL"
            assert conn.execute(query).fetchone()[0] == 1, "that of the join lives with the game"
