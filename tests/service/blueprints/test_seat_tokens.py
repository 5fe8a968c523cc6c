"""The tokens of a seat, and the right to leave it."""

import pytest

from service.use_cases import keep_seat_tokens
from service.use_cases.verify_games import verify_game
from tests.service.portal import ADA, OPEN, PORTAL
from tests.service.questions import OfAGame
from tests.service.table import DRAWN, ON_REQUEST, SPECTATOR

NEW = {"kind": "human"}


def code_of(answer):
    return answer.status_code, answer.json["code"]


def tokens_of(table, who=0, seat=0):
    answer = table.get(f"/seats/{seat}/tokens", who)
    assert answer.status_code == 200, answer.json
    return answer.json["items"]


def give(table, who=0, seat=0, body=None):
    token = table.tokens[who]
    return table.answering.post(f"{table.path}/seats/{seat}/tokens", body, token)


def end(table, token_id, who=0, seat=0):
    path = f"{table.path}/seats/{seat}/tokens/{token_id}"
    return table.answering.send("DELETE", path, None, table.tokens[who])


def opens(table, token) -> bool:
    return table.answering.get(table.path, token).status_code == 200


class OfASeat(OfAGame):
    """An operation on a seat: its owner's, and the portal's with the scope ``scope``."""

    scope = "games:write"
    good = 204

    def test_is_for_its_owner_and_the_portal(self, portals):
        table = portals("arcade").make(*DRAWN)
        assert code_of(self.ask(table, table.tokens[1])) == (403, "not_your_seat")
        assert code_of(self.ask(table, table.tokens[SPECTATOR])) == (403, "spectator_read_only")
        others = {"scoring", "games:read", "games:write", "webhooks", "sandbox"} - {self.scope}
        without = portals("arcade", sorted(others))
        answer = self.ask(table, without.key)
        assert code_of(answer) == (403, "scope_missing")
        assert answer.json["params"] == {"scope": self.scope}
        assert self.ask(table, table.tokens[PORTAL]).status_code == self.good

    def test_knows_no_seat_that_the_game_does_not_have(self, portal):
        table = portal.make(*DRAWN)
        path = self.path.replace("/seats/0", "/seats/2")
        for who in (0, PORTAL):
            answer = table.answering.send(
                self.method, table.path + path, self.body(table), table.tokens[who]
            )
            assert code_of(answer) == (404, "not_found")


class TestListSeatTokens(OfASeat):
    path = "/seats/0/tokens"
    scope = "games:read"
    good = 200

    def test_shows_ids_and_labels_and_no_token(self, tables):
        table = tables()
        given = give(table, body={"label": "phone"}).json
        first, second = tokens_of(table)
        assert (first["id"], first["current"]) == ("st_0_0", True)
        assert "label" not in first
        assert first["created_at"] == table.view()["created_at"]
        assert (second["id"], second["label"], second["current"]) == (given["id"], "phone", False)
        text = table.get("/seats/0/tokens").text
        assert given["token"] not in text
        assert "grs_" not in text

    def test_knows_which_one_asks(self, tables):
        table = tables()
        table.tokens["phone"] = give(table).json["token"]
        assert [each["current"] for each in tokens_of(table, "phone")] == [False, True]

    def test_shows_none_as_current_to_the_portal(self, portal):
        table = portal.make()
        assert [each["current"] for each in tokens_of(table, PORTAL)] == [False]

    def test_begins_when_somebody_sat_down(self, tables):
        table = tables(seats=(NEW, NEW))
        table.join()
        joined = table.view()["updated_at"]
        assert tokens_of(table, 1, 1)[0]["created_at"] == joined

    def test_is_of_no_seat_that_nobody_sits_on(self, portal):
        table = portal.make(seats=(ADA, OPEN))
        assert code_of(table.get("/seats/1/tokens", PORTAL)) == (404, "not_found")

    def test_is_of_no_computer_that_plays_with_people(self, portal):
        table = portal.make(seats=(ADA, ON_REQUEST))
        for who in (0, PORTAL):
            assert code_of(table.get("/seats/1/tokens", who)) == (404, "not_found")
        alone = portal.make(seats=(ON_REQUEST, ON_REQUEST))
        assert len(tokens_of(alone)) == 1


class TestCreateSeatToken(OfASeat):
    method = "POST"
    path = "/seats/0/tokens"
    good = 201

    def test_gives_a_token_beside_the_one_there_is(self, tables):
        table = tables(*DRAWN)
        answer = give(table, body={"label": "phone"})
        assert (answer.status_code, answer.json["seat"]) == (201, 0)
        assert answer.headers["Location"] == f"{table.path}/seats/0/tokens/{answer.json['id']}"
        assert answer.json["token"] != table.tokens[0]
        assert opens(table, table.tokens[0])
        table.tokens[0] = answer.json["token"]
        assert table.view()["you"]["seat"] == 0
        table.play("0 discard KS")

    def test_is_no_change_that_anybody_could_see(self, tables):
        table = tables()
        before = table.view(1)["version"]
        give(table)
        assert table.view(1)["version"] == before

    def test_can_end_all_the_others(self, tables):
        table = tables()
        phone = give(table).json["token"]
        first = table.tokens[0]
        new = give(table, body={"rotate": True, "label": "new"}).json
        assert not opens(table, phone)
        assert not opens(table, first)
        assert opens(table, new["token"])
        assert opens(table, table.tokens[1])
        table.tokens[0] = new["token"]
        assert [each["id"] for each in tokens_of(table)] == [new["id"]]
        table.play("0 pass")
        house = table.answering.house
        assert verify_game(house.store, house.codec, table.id) is None

    def test_leaves_none_that_could_still_be_derived(self, tables):
        table = tables()
        new = give(table, body={"rotate": True}).json["token"]
        tokens = table.answering.house.tokens
        for version in range(4):
            assert not opens(table, tokens.seat(table.id, 0, version))
        assert opens(table, new)

    def test_can_be_done_by_the_portal_after_a_loss(self, portal):
        table = portal.make()
        new = give(table, PORTAL, body={"rotate": True}).json["token"]
        assert not opens(table, table.tokens[0])
        assert opens(table, new)

    def test_has_an_end(self, tables, monkeypatch):
        monkeypatch.setattr(keep_seat_tokens, "MOST_TOKENS", 2)
        table = tables()
        give(table), give(table)
        for body in ({}, {"rotate": True}):
            answer = give(table, body=body)
            assert code_of(answer) == (409, "token_limit")
            assert answer.json["params"] == {"max": 2}
        assert opens(table, table.tokens[0])
        assert give(table, 1, 1).status_code == 201

    @pytest.mark.parametrize(
        ("body", "code"),
        [
            ({"label": "x" * 61}, "too_long"),
            ({"label": "a\nb"}, "bad_text"),
            ({"rotate": "yes"}, "wrong_type"),
            ({"rotates": True}, "unknown_field"),
        ],
    )
    def test_says_what_is_wrong(self, tables, body, code):
        answer = give(tables(), body=body)
        assert answer.json["errors"][0]["code"] == code


class TestDeleteSeatToken(OfASeat):
    method = "DELETE"
    path = "/seats/0/tokens/st_0_0"

    def test_ends_one_and_leaves_the_others(self, tables):
        table = tables()
        phone, pad = give(table).json, give(table).json
        assert end(table, phone["id"]).status_code == 204
        assert not opens(table, phone["token"])
        assert opens(table, pad["token"])
        assert opens(table, table.tokens[0])
        assert [each["id"] for each in tokens_of(table)] == ["st_0_0", pad["id"]]

    def test_can_end_the_first_and_ones_own(self, tables):
        table = tables()
        table.tokens["phone"] = give(table).json["token"]
        assert end(table, "st_0_0", "phone").status_code == 204
        assert not opens(table, table.tokens[0])
        assert end(table, "st_0_1", "phone").status_code == 204
        assert not opens(table, table.tokens["phone"])

    def test_again_is_done_already(self, tables):
        table = tables()
        phone = give(table).json
        for _ in range(2):
            answer = end(table, phone["id"])
            assert (answer.status_code, answer.data) == (204, b"")
        table.tokens[0] = give(table, body={"rotate": True}).json["token"]
        assert end(table, "st_0_0").status_code == 204

    @pytest.mark.parametrize("token_id", ["st_0_1", "st_1_0", "st_99999_99999", "x", "st_0_0x"])
    def test_knows_no_token_that_was_never_given(self, tables, token_id):
        assert code_of(end(tables(), token_id)) == (404, "not_found")

    def test_is_no_change_that_anybody_could_see(self, tables):
        table = tables()
        before = table.view(1)["version"]
        end(table, give(table).json["id"])
        assert table.view(1)["version"] == before


class TestLeaveSeat(OfASeat):
    method = "DELETE"
    path = "/seats/0"
    phase = "waiting"

    def leave(self, table, who=0, seat=0, token=None):
        path = f"{table.path}/seats/{seat}"
        return table.answering.send("DELETE", path, None, token or table.tokens[who])

    def test_is_for_its_owner_and_the_portal(self, portals):
        table = portals("arcade").make(seats=(ADA, OPEN, OPEN))
        table.join()
        assert code_of(self.leave(table, 1)) == (403, "not_your_seat")
        assert code_of(self.leave(table, SPECTATOR)) == (403, "spectator_read_only")
        reader = portals("arcade", ["games:read"])
        assert code_of(self.leave(table, token=reader.key)) == (403, "scope_missing")
        assert self.leave(table, PORTAL).status_code == 204

    def test_makes_the_seat_free_for_somebody_else(self, tables):
        table = tables(seats=(NEW, {"kind": "human", "name": "Ada"}, NEW))
        table.join(name="Bob")
        version = table.view()["version"]
        assert self.leave(table, 1, 1).status_code == 204
        view = table.view()
        assert view["version"] == version + 1
        assert not view["seats"][1]["occupied"]
        assert "name" not in view["seats"][1]
        left = table.tokens[1]
        table.join(seat=1, name="Cleo")
        assert table.view()["seats"][1]["name"] == "Cleo"
        assert not opens(table, left)
        assert opens(table, table.tokens[1])
        table.join()
        assert table.view()["status"] == "playing"
        house = table.answering.house
        assert verify_game(house.store, house.codec, table.id) is None

    def test_again_is_done_already(self, portal):
        table = portal.make(seats=(ADA, OPEN))
        for who in (0, 0, PORTAL):
            answer = self.leave(table, who)
            assert (answer.status_code, answer.data) == (204, b"")
        assert not opens(table, table.tokens[0])

    def test_is_for_nobody_who_left_once_somebody_else_came(self, tables):
        table = tables(seats=(NEW, NEW))
        left = table.tokens[0]
        self.leave(table)
        table.join(seat=0)
        assert code_of(self.leave(table, token=left)) == (401, "token_invalid")
        assert opens(table, table.tokens[0])

    def test_takes_notes_and_other_tokens_along(self, tables):
        table = tables(seats=(NEW, NEW))
        path = f"{table.path}/notes"
        table.answering.put(path, {"text": "mine"}, table.tokens[0])
        phone = give(table, body={"label": "phone"}).json["token"]
        self.leave(table)
        table.join(seat=0)
        assert not opens(table, phone)
        assert table.get("/notes").json == {"text": ""}
        assert [each.get("label") for each in tokens_of(table)] == [None]

    def test_is_too_late_once_the_game_has_begun(self, portal):
        table = portal.make()
        for who in (0, PORTAL):
            answer = self.leave(table, who)
            assert code_of(answer) == (409, "game_in_progress")
            assert answer.json["game"]["status"] == "playing"
        table.play("0 resign")
        assert code_of(self.leave(table)) == (409, "game_over")

    def test_has_an_end(self, tables, monkeypatch):
        from service.use_cases import leave_seat

        monkeypatch.setattr(leave_seat, "MOST_LEAVES", 1)
        table = tables(seats=(NEW, NEW))
        assert self.leave(table).status_code == 204
        table.join(seat=0)
        assert code_of(self.leave(table)) == (409, "token_limit")


class TestAnArchivedGame:
    def test_has_no_token_that_is_good(self, portal):
        table = portal.make("0 resign")
        with table.answering.house.store.writing() as conn:
            conn.execute("UPDATE games SET archived_at = now()")
        for who in (0, 1, SPECTATOR):
            answer = table.get(who=who)
            assert code_of(answer) == (401, "token_expired")
            assert answer.headers["WWW-Authenticate"] == "Bearer"
        assert table.view(PORTAL)["status"] == "finished"
