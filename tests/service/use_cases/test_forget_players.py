"""What is erased is gone: a dump of the whole database does not hold it. The games are there."""

import psycopg
import pytest
from psycopg import sql

from service.storage.errors import NoSuchGame
from service.use_cases.forget_players import forget_game, forget_player
from service.use_cases.verify_games import verify_all
from tests.service.portal import PORTAL
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
