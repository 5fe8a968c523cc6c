"""A portal is counted as one, whichever of its keys and addresses it uses, and apart from games."""

import pytest

from service.portal_keys import SCOPES, new_key
from service.settings import Limit
from service.use_cases.manage_keys import create_key
from tests.service.portal import Portal
from tests.service.table import DRAWN

FEW = Limit(3, 86_400)
FROM = {"environ_base": {"REMOTE_ADDR": "192.0.2.7"}}


@pytest.fixture
def table(portal):
    return portal.make(*DRAWN)


@pytest.fixture
def limit(table, monkeypatch):
    """Set a limit, after a game of the portal was made."""
    allowances = table.answering.house.allowances

    def limit(name, limit=FEW):
        allowances._purses.clear()
        with table.answering.house.store.writing() as conn:
            conn.execute("DELETE FROM rate_buckets")
        monkeypatch.setitem(allowances.limits, name, limit)

    yield limit
    allowances._purses.clear()


def owners(answering) -> set[str]:
    with answering.house.store.reading() as conn:
        return {row[0] for row in conn.execute("SELECT owner FROM rate_buckets")}


READS = {
    "listGames": ("GET", "/v1/games"),
    "getGame": ("GET", "{game}"),
    "listSeatTokens": ("GET", "{game}/seats/0/tokens"),
    "abandonGame": ("POST", "{game}/abandonments"),
    "leaveSeat": ("DELETE", "{game}/seats/0"),
    "deleteGame": ("DELETE", "{game}"),
}


class TestAPortal:
    @pytest.mark.parametrize("name", READS)
    def test_is_counted_by_its_id(self, portal, table, limit, name):
        limit("default")
        method, path = READS[name]
        path = path.format(game=table.path)
        codes = [portal.ask(method, path).status_code for _ in range(4)]
        assert codes[3] == 429
        assert 429 not in codes[:3]
        [owner] = owners(portal.answering)
        assert owner == f"portal:{portal_id(portal)}"

    def test_is_counted_for_the_games_it_makes(self, portal, table, limit):
        limit("creates")
        codes = [portal.ask("POST", "/v1/games", {}).status_code for _ in range(4)]
        assert codes == [201, 201, 201, 429]
        assert portal.answering.post("/v1/games", {}).status_code == 201

    def test_is_one_with_all_its_keys_and_addresses(self, portal, table, limit):
        limit("default")
        store = portal.answering.house.store
        other = Portal(portal.tables, create_key(store, "arcade", SCOPES).key)
        codes = [
            each.ask("GET", "/v1/games", **options).status_code
            for each, options in ((portal, {}), (other, {}), (portal, FROM), (other, FROM))
        ]
        assert codes == [200, 200, 200, 429]

    def test_is_not_stopped_by_another(self, portal, portals, table, limit):
        limit("default")
        for _ in range(4):
            portal.ask("GET", "/v1/games")
        assert portals("second").ask("GET", "/v1/games").status_code == 200

    def test_stops_nobody_who_plays_its_games(self, portal, table, limit):
        for name in ("default", "creates", "ai", "moves"):
            limit(name)
        for _ in range(4):
            portal.ask("GET", table.path)
        assert portal.ask("GET", table.path).status_code == 429
        assert table.get().status_code == 200
        move = {"action": "discard", "card": "KS", "move_number": table.next_move}
        assert table.answering.post(f"{table.path}/moves", move, table.tokens[0]).status_code == 201

    def test_is_refused_without_a_change(self, portal, table, limit):
        limit("default")
        for _ in range(3):
            portal.ask("GET", table.path)
        assert portal.ask("DELETE", table.path).status_code == 429
        assert table.get().status_code == 200


class TestAKeyOfNobody:
    @pytest.mark.parametrize("path", ["/v1/games", "{game}"])
    def test_is_counted_by_its_address(self, portal, table, limit, path):
        limit("default")
        path = path.format(game=table.path)
        guess = [table.answering.get(path, new_key(), **FROM).status_code for _ in range(4)]
        assert guess == [401, 401, 401, 429]
        assert owners(portal.answering) == {"192.0.2.7"}
        assert portal.ask("GET", path).status_code == 200


class TestWhoLeavesASeat:
    def test_is_counted_as_that_seat(self, table, limit):
        limit("default")
        codes = [
            table.answering.send("DELETE", f"{table.path}/seats/0", None, token).status_code
            for token in [table.tokens[0]] * 4 + [table.tokens[1]]
        ]
        assert codes == [409, 409, 409, 429, 403]
        assert owners(table.answering) == {table.id}


def portal_id(portal) -> str:
    with portal.answering.house.store.reading() as conn:
        return conn.execute("SELECT id FROM portals WHERE name = 'arcade'").fetchone()[0]
