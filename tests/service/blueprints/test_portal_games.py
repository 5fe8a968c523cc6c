"""Games of a portal: made with its key, seen by it as by a spectator, listed, ended and deleted."""

from dataclasses import replace

import pytest

from service.app import create_app
from service.portal_keys import SCOPES, new_key
from service.use_cases.verify_games import verify_game
from tests.service.answering import Answering
from tests.service.portal import ADA, METADATA, OPEN, PORTAL
from tests.service.questions import UNKNOWN, same
from tests.service.table import DRAWN, KNOCKED, ON_REQUEST, PASSED, SCORED, SPECTATOR, cards_in

HOUR = {"base": "short"}


def code_of(answer):
    return answer.status_code, answer.json["code"]


class TestAGameOfAPortal:
    def test_grants_all_seats_unless_they_are_said_to_be_open(self, portal):
        made = portal.make().made
        assert [grant["seat"] for grant in made["tokens"]] == [0, 1]
        assert made["game"]["status"] == "playing"
        waiting = portal.make(seats=(ADA, OPEN)).made
        assert [grant["seat"] for grant in waiting["tokens"]] == [0]
        assert waiting["game"]["status"] == "waiting"
        assert "join_code" in waiting

    def test_is_shown_to_its_maker_without_cards(self, portal):
        made = portal.make(metadata=METADATA).made
        view = made["game"]
        assert (view["you"]["viewer"], view["you"]["cards"]) == ("portal", [])
        assert all(move.get("deal", {}).get("cards", []) == [] for move in made["moves"])
        assert view["metadata"] == METADATA

    def test_is_made_by_a_key_that_may(self, portals):
        reader = portals("reader", ["games:read"])
        answer = reader.ask("POST", "/v1/games", {})
        assert code_of(answer) == (403, "scope_missing")
        assert answer.json["params"] == {"scope": "games:write"}
        assert code_of(reader.answering.post("/v1/games", {}, new_key())) == (401, "token_invalid")

    def test_has_chosen_cards_with_the_scope_for_it_alone(self, portals):
        without = portals("one", ["games:write"])
        for body in ({"scenario": "can_knock"}, {"deck": ["AC"]}):
            answer = without.ask("POST", "/v1/games", body)
            if "deck" in body:
                assert answer.status_code == 422
                continue
            assert code_of(answer) == (403, "scope_missing")
            assert answer.json["params"] == {"scope": "sandbox"}
        with_it = portals("two", ["games:write", "sandbox"])
        made = with_it.ask("POST", "/v1/games", {"scenario": "can_knock"})
        assert (made.status_code, made.json["game"]["sandbox"]) == (201, True)

    def test_needs_no_leave_for_anybody_to_make_games(self, portal, settings):
        app = create_app(replace(settings, anonymous_games=False, sandbox=False))
        strict = Answering(app)
        assert code_of(strict.post("/v1/games", {})) == (401, "token_missing")
        body = {"scenario": "can_knock"}
        assert strict.post("/v1/games", body, portal.key).status_code == 201
        app.extensions["gin-rummy"].store.close()

    @pytest.mark.parametrize(
        ("body", "pointer"),
        [
            ({"metadata": METADATA}, "/metadata"),
            ({"seats": [{"kind": "human"}, ADA]}, "/seats/1/player_ref"),
        ],
    )
    def test_alone_has_what_only_a_portal_could_read(self, answering, body, pointer):
        answer = answering.post("/v1/games", body)
        [fault] = answer.json["errors"]
        assert (fault["pointer"], fault["code"]) == (pointer, "field_not_allowed")

    @pytest.mark.parametrize(
        ("metadata", "pointer", "code"),
        [
            ({str(number): "" for number in range(21)}, "/metadata", "too_long"),
            ({"a": "x" * 501}, "/metadata/a", "too_long"),
            ({"x" * 61: ""}, f"/metadata/{'x' * 61}", "too_long"),
            ({"a": 1}, "/metadata/a", "wrong_type"),
            ({"a/b": None}, "/metadata/a~1b", "wrong_type"),
            ({"a": "\n"}, "/metadata/a", "bad_text"),
            ([], "/metadata", "wrong_type"),
        ],
    )
    def test_keeps_metadata_within_limits(self, portal, metadata, pointer, code):
        answer = portal.ask("POST", "/v1/games", {"metadata": metadata})
        assert [(e["pointer"], e["code"]) for e in answer.json["errors"]] == [(pointer, code)]

    def test_keeps_as_much_as_it_may(self, portal):
        most = {f"{number:060}": "ä" * 500 for number in range(20)}
        assert portal.make(metadata=most).view(PORTAL)["metadata"] == most


class TestWhatAPortalSees:
    def test_is_what_a_spectator_sees_and_what_it_keeps_there(self, portal):
        table = portal.make(*DRAWN, metadata=METADATA)
        mine, theirs = table.view(PORTAL), table.view(SPECTATOR)
        assert mine["metadata"] == METADATA
        assert [seat["player_ref"] for seat in mine["seats"]] == ["ref-ada", "ref-bob"]
        for seat in mine["seats"]:
            del seat["player_ref"]
        assert mine.pop("you") == {**theirs.pop("you"), "viewer": "portal"}
        for view in (mine, theirs):
            del view["server_time"], view["etag"]
        assert mine == {**theirs, "metadata": METADATA}

    def test_is_seen_by_nobody_else(self, portal):
        table = portal.make(*SCORED, metadata=METADATA)
        for who in (0, 1, SPECTATOR):
            for path in ("", "/moves", "/hands/1", "/updates?after=1", "/score", "/turns"):
                said = table.get(path, who).text
                assert "ref-" not in said
                assert "spring" not in said
        assert "ref-ada" in table.get("/updates?after=1", PORTAL).text

    def test_has_an_etag_of_its_own(self, portal):
        table = portal.make()
        answer = table.get(who=PORTAL)
        version = answer.json["version"]
        assert answer.headers["ETag"] == answer.json["etag"] == f'"{version}-p-1"'
        tag = {"If-None-Match": answer.headers["ETag"]}
        assert table.get(who=PORTAL, headers=tag).status_code == 304
        assert table.get(who=SPECTATOR, headers=tag).status_code == 200

    def test_is_no_card_of_a_hand_in_play(self, portal):
        table = portal.make(*DRAWN)
        lawful = cards_in(table.get(who=SPECTATOR).text)
        for path in ("", "/moves", "/moves/2", "/hands", "/hands/1", "/turns", "/updates?after=1"):
            assert cards_in(table.get(path, PORTAL).text) <= lawful, path
        assert code_of(table.get("/notation", PORTAL)) == (409, "game_in_progress")

    def test_needs_the_scope_for_reading(self, portals):
        table = portals("arcade").make()
        key = portals("arcade", ["games:write", "scoring", "webhooks", "sandbox"]).key
        answer = table.answering.get(table.path, key)
        assert code_of(answer) == (403, "scope_missing")
        assert answer.json["params"] == {"scope": "games:read"}

    def test_ends_with_its_key(self, portals):
        from service.use_cases.manage_keys import list_keys, revoke_key

        table = portals().make()
        store = table.answering.house.store
        assert table.get(who=PORTAL).status_code == 200
        revoke_key(store, list_keys(store)[0].id)
        assert code_of(table.get(who=PORTAL)) == (401, "token_invalid")

    @pytest.mark.parametrize("path", ["", "/moves", "/score", "/updates", "/seats/0/tokens"])
    def test_is_no_game_of_another_portal(self, portals, path):
        mine, other = portals("mine").make(), portals("other").make()
        nobodys = portals("mine").tables()
        for strange in (other, nobodys):
            seen = mine.answering.get(strange.path + path, mine.tokens[PORTAL])
            unknown = mine.answering.get(f"/v1/games/{UNKNOWN}{path}", mine.tokens[PORTAL])
            assert same(seen) == same(unknown)
            assert seen.data.replace(strange.id.encode(), UNKNOWN.encode()) == unknown.data
            assert code_of(seen) == (404, "not_found")


class TestWhatAPortalDoesNot:
    def test_is_to_play(self, portal):
        table = portal.make()
        body = {"action": "pass", "move_number": table.next_move}
        assert code_of(table.post("/moves", body, PORTAL)) == (403, "spectator_read_only")
        assert code_of(table.get("/notes", PORTAL)) == (403, "spectator_read_only")

    def test_is_to_play_for_a_person(self, portal):
        table = portal.make(seats=(ADA, ON_REQUEST))
        body = {"seat": 0, "move_number": table.next_move}
        assert code_of(table.post("/ai-moves", body, PORTAL)) == (403, "not_your_seat")


class TestLettingAComputerPlay:
    def test_is_for_a_portal_that_may_write(self, portals):
        portal = portals("arcade")
        table = portal.make("0 pass", seats=(ADA, ON_REQUEST))
        body = {"seat": 1, "until": "move", "move_number": table.next_move}
        reader = portals("arcade", ["games:read"])
        assert code_of(reader.ask("POST", f"{table.path}/ai-moves", body))[1] == "scope_missing"
        made = table.post("/ai-moves", body, PORTAL)
        assert (made.status_code, made.json["moves"][0]["by"]) == (201, "ai")
        assert made.json["game"]["you"]["viewer"] == "portal"
        again = table.answering.post(f"{table.path}/ai-moves", body, portal.key)
        assert (again.status_code, again.json["replayed"]) == (200, True)
        seat = table.answering.post(f"{table.path}/ai-moves", body, table.tokens[0])
        assert code_of(seat) == (409, "stale_move")


class TestAbandonGame:
    def abandon(self, table, body=None):
        return table.answering.post(f"{table.path}/abandonments", body, table.tokens[PORTAL])

    @pytest.mark.parametrize("lines", [(), DRAWN, KNOCKED, SCORED])
    def test_ends_it_without_a_winner(self, portal, lines):
        table = portal.make(*lines)
        ended = self.abandon(table, {"reason_code": "player_banned"})
        assert ended.status_code == 200
        view = ended.json
        assert (view["status"], view["over"], view["phase"]) == ("abandoned", True, "game_over")
        assert "winner_seat" not in view
        assert view["to_act_seats"] == []
        assert view["abandon_reason_code"] == "player_banned"
        assert view["you"]["viewer"] == "portal"
        for who in (0, 1):
            assert table.view(who)["you"]["legal"]["actions"] == []
            assert table.refused(f"{who} pass")["code"] == "game_over"
        house = portal.answering.house
        assert verify_game(house.store, house.codec, table.id) is None

    def test_ends_a_game_that_waits_and_nobody_can_join(self, portal):
        table = portal.make(seats=(ADA, OPEN), listed=True)
        assert self.abandon(table).json["status"] == "abandoned"
        answer = table.post("/joins", {"join_code": table.join_code}, None)
        assert code_of(answer) == (404, "not_found")
        invited = table.answering.get(f"/v1/invitations/{table.join_code}")
        assert code_of(invited) == (404, "not_found")
        assert portal.answering.get("/v1/open-games").json["items"] == []
        assert table.refused("0 pass")["code"] == "game_over"
        assert table.send("0 deal", 1).json["code"] == "game_over"

    def test_leaves_what_was_scored(self, portal):
        table = portal.make(*SCORED)
        before = table.view(SPECTATOR)
        self.abandon(table)
        after = table.view(SPECTATOR)
        assert (after["score"], after["last_hand"]) == (before["score"], before["last_hand"])

    def test_shows_in_a_hand_that_was_cut_off_no_result_of_another(self, portal):
        table = portal.make(*SCORED, "0 deal", *(f"1{PASSED[0][1:]}", "0 pass"))
        self.abandon(table)
        view = table.view(SPECTATOR)
        assert "knock" not in view["hand"]
        assert view["last_hand"]["hand_number"] == 1
        hand = table.get("/hands/2", SPECTATOR).json
        assert hand["complete"]
        assert "result" not in hand

    def test_again_changes_nothing(self, portal):
        table = portal.make()
        first = self.abandon(table, {"reason_code": "a"}).json
        answer = self.abandon(table, {"reason_code": "b"})
        again = answer.json
        assert answer.status_code == 200
        del first["server_time"], again["server_time"]
        assert again == first

    def test_is_too_late_when_it_is_over(self, portal):
        table = portal.make("0 resign")
        answer = self.abandon(table)
        assert code_of(answer) == (409, "game_over")
        assert answer.json["game"]["you"]["viewer"] == "portal"

    def test_is_for_the_portal_alone(self, portals):
        table = portals("arcade").make()
        reader = portals("arcade", ["games:read"])
        path = f"{table.path}/abandonments"
        for token in (table.tokens[0], table.tokens[SPECTATOR], reader.key):
            answer = table.answering.post(path, {}, token)
            assert code_of(answer) == (403, "scope_missing")
            assert answer.json["params"] == {"scope": "games:write"}

    def test_is_told_as_a_change_without_a_move(self, portal):
        table = portal.make()
        version = table.view()["version"]
        self.abandon(table)
        update = table.get(f"/updates?after={version}").json
        assert (update["moves"], update["game"]["version"]) == ([], version + 1)
        assert update["game"]["over"]

    def test_says_what_is_wrong_with_a_reason(self, portal):
        table = portal.make()
        answer = self.abandon(table, {"reason_code": "x" * 61})
        assert answer.json["errors"][0]["code"] == "too_long"
        assert table.view()["status"] == "playing"


class TestDeleteGame:
    def delete(self, table, who=PORTAL, **options):
        return table.answering.send("DELETE", table.path, None, table.tokens[who], **options)

    def test_lets_nobody_open_it_any_more(self, portal):
        table = portal.make(*DRAWN)
        assert self.delete(table).status_code == 204
        for who in (0, 1, SPECTATOR, PORTAL):
            for path in ("", "/moves", "/updates"):
                assert code_of(table.get(path, who)) == (404, "not_found")
        assert code_of(table.send("0 discard KS")) == (404, "not_found")
        assert portal.list() == []

    def test_again_is_done_already(self, portal):
        table = portal.make()
        for _ in range(2):
            answer = self.delete(table)
            assert (answer.status_code, answer.data) == (204, b"")
        assert self.delete(table, headers={"If-Match": '"1-p-1"'}).status_code == 204

    def test_again_is_no_game_to_others(self, portals):
        table, other = portals("one").make(), portals("other")
        self.delete(table)
        gone = other.ask("DELETE", table.path)
        unknown = other.ask("DELETE", f"/v1/games/{UNKNOWN}")
        assert same(gone) == same(unknown)
        assert gone.data.replace(table.id.encode(), UNKNOWN.encode()) == unknown.data

    def test_is_for_the_portal_alone(self, portals):
        table = portals("arcade").make()
        reader = portals("arcade", ["games:read"])
        table.tokens["reader"] = reader.key
        for who in (0, SPECTATOR, "reader"):
            assert code_of(self.delete(table, who)) == (403, "scope_missing")
        self.delete(table)
        assert code_of(self.delete(table, "reader")) == (403, "scope_missing")
        assert code_of(self.delete(table, 0)) == (404, "not_found")

    def test_can_be_held_to_what_was_seen(self, portal):
        table = portal.make()
        seen = table.get(who=PORTAL).headers["ETag"]
        table.play("0 pass")
        answer = self.delete(table, headers={"If-Match": seen})
        assert code_of(answer) == (412, "version_mismatch")
        version = table.view(PORTAL)["version"]
        assert answer.json["params"] == {"expected_version": version}
        of_others = {"If-Match": table.view(SPECTATOR)["etag"]}
        assert self.delete(table, headers=of_others).status_code == 412
        weak = {"If-Match": f"W/{table.view(PORTAL)['etag']}"}
        assert self.delete(table, headers=weak).status_code == 412
        now = {"If-Match": f'"x", {table.view(PORTAL)["etag"]}'}
        assert self.delete(table, headers=now).status_code == 204

    def test_takes_any_version_for_a_star(self, portal):
        assert self.delete(portal.make(), headers={"If-Match": "*"}).status_code == 204

    def test_keeps_moves_that_lead_to_the_same_game(self, portal):
        table = portal.make(*SCORED)
        self.delete(table)
        house = portal.answering.house
        assert verify_game(house.store, house.codec, table.id) is None


class TestTheScopes:
    def test_are_those_of_the_document(self):
        assert SCOPES == ("scoring", "games:read", "games:write", "webhooks", "sandbox")
