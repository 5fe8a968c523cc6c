"""Lists of games: a portal's own, and those that anybody may join."""

import pytest

from engine.cards import card_name
from service.portal_keys import new_key
from tests.service.portal import ADA, BOB, METADATA, OPEN, PORTAL
from tests.service.table import KNOCKS, SCORED, SPECTATOR, cards_in


def code_of(answer):
    return answer.status_code, answer.json["code"]


class TestListGames:
    def test_needs_a_key_with_the_scope(self, portals):
        portal = portals("one", ["games:write"])
        ask = portal.answering.get
        assert code_of(ask("/v1/games")) == (401, "token_missing")
        assert code_of(ask("/v1/games", new_key())) == (401, "token_invalid")
        assert code_of(ask("/v1/games", portal.key)) == (403, "scope_missing")
        table = portal.make()
        for who in (0, SPECTATOR):
            assert code_of(ask("/v1/games", table.tokens[who])) == (403, "scope_missing")

    def test_shows_its_own_games_last_change_first(self, portals):
        portal, other = portals("one"), portals("other")
        first, second = portal.make(), portal.make()
        other.make()
        portal.tables()
        assert [game["id"] for game in portal.list()] == [second.id, first.id]
        first.play("0 pass")
        assert [game["id"] for game in portal.list()] == [first.id, second.id]
        second.play("0 resign")
        assert [game["id"] for game in portal.list()] == [second.id, first.id]
        assert len(other.list()) == 1

    def test_tells_of_each_what_a_table_of_results_needs(self, portal):
        table = portal.make(*SCORED, rules={"target": 10}, metadata=METADATA)
        [shown] = portal.list()
        view = table.view(PORTAL)
        same_names = shown.keys() - {"seats"}
        assert {name: shown[name] for name in same_names} == {
            name: view[name] for name in same_names
        }
        assert (shown["status"], shown["winner_seat"]) == ("finished", 0)
        assert [seat["player_ref"] for seat in shown["seats"]] == ["ref-ada", "ref-bob"]
        assert [seat["score"] for seat in shown["seats"]] == [
            total["total"] for total in view["score"]["totals"]
        ]
        assert cards_in(shown) == set()

    def test_can_be_asked_for_some_of_them(self, portal):
        waiting = portal.make(seats=(ADA, OPEN))
        playing = portal.make(seats=(BOB, {**BOB, "player_ref": "ref-c"}))
        over = portal.make("0 resign", seats=(ADA, BOB))
        cut = over.view(PORTAL)["updated_at"]
        for query, wanted in {
            "?status=waiting": [waiting],
            "?status=playing": [playing],
            "?status=finished": [over],
            "?status=abandoned": [],
            "?player_ref=ref-ada": [over, waiting],
            "?player_ref=ref-c": [playing],
            "?player_ref=ref-": [],
            "?player_ref=ref-bob&status=finished": [over],
            f"?updated_after={cut}": [],
            f"?updated_after={playing.view(PORTAL)['updated_at']}": [over],
            "?updated_after=2020-01-01T00:00:00%2B02:00": [over, playing, waiting],
        }.items():
            assert [game["id"] for game in portal.list(query)] == [one.id for one in wanted], query

    @pytest.mark.parametrize(
        ("query", "code"),
        [
            ("status=dancing", "unknown_value"),
            ("updated_after=yesterday", "wrong_type"),
            ("updated_after=2026-02-30T00:00:00Z", "wrong_type"),
            ("updated_after=2026-02-03T00:00:00", "wrong_type"),
            ("limit=0", "out_of_range"),
            ("cursor=x", "bad_cursor"),
            ("cursor=AAAAAAAAAAAAAAAAAAAA", "bad_cursor"),
            (f"player_ref={'x' * 121}", "too_long"),
            ("of=me", "unknown_field"),
        ],
    )
    def test_refuses_a_query_that_is_wrong(self, portal, query, code):
        answer = portal.ask("GET", f"/v1/games?{query}")
        [fault] = answer.json["errors"]
        assert (answer.status_code, fault["code"]) == (422, code)

    def test_goes_on_where_the_page_before_ended(self, portal):
        made = [portal.make(*([] if at % 2 else ["0 resign"])) for at in range(5)]
        found, address = [], "/v1/games?limit=2&player_ref=ref-ada"
        while address:
            answer = portal.ask("GET", address)
            found += [game["id"] for game in answer.json["items"]]
            link = answer.headers.get("Link")
            assert bool(link) == ("next_cursor" in answer.json)
            address = link and link[1:].partition(">")[0]
        assert found == [table.id for table in reversed(made)]

    def test_takes_no_cursor_of_other_games(self, portals):
        portal, other = portals("one"), portals("other")
        for one in (portal, other):
            one.make(), one.make()
        cursor = portal.ask("GET", "/v1/games?limit=1").json["next_cursor"]
        assert portal.ask("GET", f"/v1/games?cursor={cursor}").status_code == 200
        for ask, query in ((portal, "&status=playing"), (other, "")):
            answer = ask.ask("GET", f"/v1/games?cursor={cursor}{query}")
            assert answer.json["errors"][0]["code"] == "bad_cursor"


class TestListOpenGames:
    def listed(self, answering, query=""):
        answer = answering.get(f"/v1/open-games{query}")
        assert answer.status_code == 200, answer.json
        return answer.json["items"]

    def test_shows_listed_games_with_a_seat_open_the_newest_first(self, portal):
        tables, answering = portal.tables, portal.answering
        seats = ({"kind": "human", "name": "Ada"}, {"kind": "human"})
        first, _, second = (tables(seats=seats, listed=listed) for listed in (True, False, True))
        theirs = portal.make(seats=(ADA, OPEN), listed=True)
        found = self.listed(answering)
        assert [game["game_id"] for game in found] == [theirs.id, second.id, first.id]
        assert [game["join_code"] for game in found] == [
            each.join_code for each in (theirs, second, first)
        ]
        assert "ref-ada" not in str(found)
        assert first.view()["listed"]

    def test_lets_anybody_join_and_then_shows_it_no_more(self, answering, tables):
        table = tables(seats=({"kind": "human"}, {"kind": "human"}), listed=True)
        [game] = self.listed(answering)
        path = f"/v1/games/{game['game_id']}/joins"
        assert answering.post(path, {"join_code": game["join_code"]}).status_code == 201
        assert self.listed(answering) == []
        assert table.view()["status"] == "playing"

    @pytest.mark.parametrize("body", [{"scenario": "can_gin"}, {"deck": "any"}])
    def test_never_shows_a_sandbox_game(self, answering, tables, body):
        if "deck" in body:
            body = {"deck": [card_name(card) for card in KNOCKS]}
        answer = answering.post("/v1/games", {**body, "listed": True})
        [fault] = answer.json["errors"]
        assert (fault["pointer"], fault["code"]) == ("/listed", "field_not_allowed")
        assert answering.post("/v1/games", {**body, "listed": False}).status_code == 201

    def test_has_pages(self, answering, tables):
        made = [tables(seats=(OPEN, OPEN), listed=True).id for _ in range(3)]
        first = answering.get("/v1/open-games?limit=2")
        rest = answering.get(first.headers["Link"][1:].partition(">")[0]).json["items"]
        found = [game["game_id"] for game in first.json["items"] + rest]
        assert found == made[::-1]
