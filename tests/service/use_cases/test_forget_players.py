"""What is erased is gone: a dump of the whole database does not hold it. The games are there."""

import psycopg
import pytest
from psycopg import sql

from service.storage.errors import NoSuchGame, NoSuchSheet
from service.use_cases.forget_players import forget_game, forget_player, forget_score_sheet
from service.use_cases.verify_games import verify_all
from tests.service.portal import PORTAL
from tests.service.sheets import Sheets, won
from tests.service.table import SCORED, SPECTATOR

CANARY = "canary"
SEATS = (
    {"kind": "human", "name": "canary-ada", "player_ref": "canary-ref-ada"},
    {"kind": "human", "name": "canary-bob", "player_ref": "canary-ref-bob"},
)


def dump(database_url) -> str:
    """Every row of every table, as text; what is sealed is opened by nobody here."""
    with psycopg.connect(database_url) as conn:
        tables = conn.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        query = "SELECT coalesce(string_agg(t::text, chr(10)), '') FROM {} AS t"
        return "\n".join(
            conn.execute(sql.SQL(query).format(sql.Identifier(name))).fetchone()[0]
            for (name,) in tables.fetchall()
        )


@pytest.fixture
def table(portal):
    """A game with a canary wherever somebody can leave something of itself."""
    table = portal.make(*SCORED, seats=SEATS, metadata={"canary-name": "canary-value"})
    for seat in (0, 1):
        table.answering.put(f"{table.path}/notes", {"text": "canary-note"}, table.tokens[seat])
        path = f"{table.path}/seats/{seat}/tokens"
        table.answering.post(path, {"label": "canary-label"}, table.tokens[seat])
    return table


@pytest.fixture
def store(table):
    return table.answering.house.store


def notes_of(table, seat):
    return table.get("/notes", seat).json["text"]


class TestADump:
    def test_holds_the_canaries_before(self, table, database_url):
        said = dump(database_url)
        for canary in ("ada", "bob", "ref-ada", "ref-bob", "name", "value", "label"):
            assert f"canary-{canary}" in said
        assert notes_of(table, 0) == "canary-note"

    def test_holds_none_after_the_game_was_erased(self, table, store, database_url):
        forget_game(store, table.id)
        assert CANARY not in dump(database_url)

    def test_holds_none_after_the_game_was_deleted(self, table, portal, database_url):
        assert portal.ask("DELETE", table.path).status_code == 204
        assert CANARY not in dump(database_url)

    def test_holds_none_after_both_players_were_erased(self, table, store, database_url):
        for ref in ("canary-ref-ada", "canary-ref-bob"):
            assert forget_player(store, ref, "arcade") == 1
        assert CANARY not in dump(database_url)

    def test_holds_none_after_the_portal_said_why_a_game_ends(self, portal, store, database_url):
        other = portal.make(seats=SEATS)
        body = {"reason_code": "canary-reason"}
        assert portal.ask("POST", f"{other.path}/abandonments", body).status_code == 200
        assert "canary-reason" in dump(database_url)
        forget_game(store, other.id)
        assert "canary-reason" not in dump(database_url)


class TestAnErasedGame:
    def test_can_be_played_on_and_replayed(self, table, store):
        version = table.view(0)["version"]
        forget_game(store, table.id)
        view = table.view(SPECTATOR)
        assert view["version"] == version + 1
        assert all("name" not in seat for seat in view["seats"])
        assert notes_of(table, 0) == ""
        table.play("0 deal")
        house = table.answering.house
        assert verify_all(house.store, house.codec).findings == ()

    def test_has_nothing_left_for_its_portal(self, table, store, portal):
        forget_game(store, table.id)
        view = table.view(PORTAL)
        assert view["metadata"] == {}
        assert all("player_ref" not in seat for seat in view["seats"])
        assert [game["id"] for game in portal.list()] == [table.id]

    def test_has_to_be_there(self, store):
        with pytest.raises(NoSuchGame, match="g_none"):
            forget_game(store, "g_none")


class TestAnErasedPlayer:
    def test_leaves_the_other_one(self, table, store):
        assert forget_player(store, "canary-ref-ada", None) == 1
        view = table.view(PORTAL)
        assert [seat.get("name") for seat in view["seats"]] == [None, "canary-bob"]
        assert [seat.get("player_ref") for seat in view["seats"]] == [None, "canary-ref-bob"]
        assert (notes_of(table, 0), notes_of(table, 1)) == ("", "canary-note")

    def test_is_gone_from_every_game_of_its_portal(self, table, portal, portals, store):
        portal.make(seats=SEATS)
        other = portals("other").make(seats=SEATS)
        assert forget_player(store, "canary-ref-ada", "arcade") == 2
        assert forget_player(store, "canary-ref-ada", "arcade") == 0
        assert other.view(PORTAL)["seats"][0]["player_ref"] == "canary-ref-ada"
        assert forget_player(store, "canary-ref-ada", None) == 1

    def test_is_found_in_batches(self, table, portal, store, monkeypatch):
        from service.use_cases import forget_players

        monkeypatch.setattr(forget_players, "BATCH", 2)
        for _ in range(4):
            portal.make(seats=SEATS)
        assert forget_player(store, "canary-ref-ada", "arcade") == 5


@pytest.fixture
def sheet(portal):
    """A score sheet with a canary wherever somebody can leave something of itself."""
    names = ("canary-ada", "canary-bob")
    headers = {"Idempotency-Key": "k" * 22}
    body = {"names": [*names], "metadata": {"canary-name": "canary-value"}}
    answering = portal.answering
    made = answering.post("/v1/score-sheets", body, portal.key, headers=headers)
    assert made.status_code == 201
    sheet = Sheets(answering).known(made.json)
    sheet.enter(won(0, 25, by="canary-ada", reason="canary-reason"), won(1, 9))
    both = {"by": "canary-bob", "confirmed_by": [*names], "reason": "canary-why"}
    assert sheet.put(1, won(0, 26, **both)).status_code == 200
    assert sheet.strike(2, "?by=canary-bob&reason=canary-strike").status_code == 200
    return sheet


class TestAScoreSheet:
    def test_holds_the_canaries_before(self, sheet, database_url):
        said = dump(database_url)
        for canary in ("ada", "bob", "name", "value", "reason", "why", "strike"):
            assert f"canary-{canary}" in said

    def test_holds_none_after_it_was_erased(self, sheet, portal, database_url):
        forget_score_sheet(portal.answering.house.store, sheet.id)
        assert CANARY not in dump(database_url)

    @pytest.mark.parametrize("by_portal", [True, False])
    def test_leaves_none_after_it_was_deleted(self, sheet, portal, database_url, by_portal):
        token = portal.key if by_portal else sheet.edit
        assert portal.answering.send("DELETE", sheet.path, None, token).status_code == 204
        assert CANARY not in dump(database_url)

    def test_keeps_what_was_scored_under_numbers(self, sheet, portal):
        before = sheet.get(token=portal.key).json
        forget_score_sheet(portal.answering.house.store, sheet.id)
        after = sheet.get(token=portal.key).json
        assert (after["names"], after["metadata"]) == (["1", "2"], {})
        assert (after["score"], after["version"]) == (before["score"], before["version"])
        [hand] = after["entries"]
        assert (hand["points"], hand["by"], hand["confirmed_by"]) == (26, "2", ["1", "2"])
        assert "canary" not in str(after)
        assert "canary" not in sheet.get("/csv").text + sheet.get("/pad").text

    def test_is_another_one_for_those_who_saw_it_before(self, sheet, portal):
        seen = sheet.get()
        forget_score_sheet(portal.answering.house.store, sheet.id)
        again = sheet.get(headers={"If-None-Match": seen.headers["ETag"]})
        assert (again.status_code, again.json["names"]) == (200, ["1", "2"])
        answer = sheet.put(2, won(1, 9), etag=seen.json["etag"])
        assert answer.status_code == 412
        assert answer.json["score_sheet"]["etag"] == again.json["etag"] != seen.json["etag"]
        assert sheet.put(2, won(1, 9, by="2"), etag=again.json["etag"]).status_code == 200

    def test_is_made_anew_by_the_request_that_made_it(self, sheet, portal):
        forget_score_sheet(portal.answering.house.store, sheet.id)
        body = {"names": ["canary-ada", "canary-bob"], "metadata": {"canary-name": "canary-value"}}
        again = portal.ask("POST", "/v1/score-sheets", body, headers={"Idempotency-Key": "k" * 22})
        assert again.json["score_sheet"]["id"] != sheet.id

    def test_has_to_be_there(self, sheet, portal):
        with pytest.raises(NoSuchSheet, match="ss_none"):
            forget_score_sheet(portal.answering.house.store, "ss_none")
