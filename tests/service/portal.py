"""A portal in tests: a key with all scopes or some, and games that it makes with players' names.

``portals("arcade")`` makes a portal of that name, with a key that has every scope.
"""

import pytest

from service.portal_keys import SCOPES
from service.use_cases.manage_keys import create_key
from tests.service.answering import Answering
from tests.service.table import KNOCKS, SEAT_0_BEGINS, Table, Tables

PORTAL = "portal"
ADA = {"kind": "human", "name": "Ada", "player_ref": "ref-ada"}
BOB = {"kind": "human", "name": "Bob", "player_ref": "ref-bob"}
OPEN = {"kind": "human", "seating": "open"}
METADATA = {"tournament": "spring", "table": "7"}


class Portal:
    """A portal: its key, and all it can ask with it."""

    def __init__(self, tables: Tables, key: str) -> None:
        self.tables = tables
        self.answering: Answering = tables.answering
        self.key = key

    def ask(self, method, path, body=None, **options):
        return self.answering.send(method, path, body, self.key, **options)

    def list(self, query="") -> list[dict]:
        answer = self.ask("GET", f"/v1/games{query}")
        assert answer.status_code == 200, answer.json
        return answer.json["items"]

    def make(self, *lines, seats=(ADA, BOB), rules=None, deal=KNOCKS, **body) -> Table:
        """Make a game of the portal and play ``lines``; its key is a token of the table."""
        self.tables.rig(*([] if deal is None else [deal]))
        asked = {"rules": {**SEAT_0_BEGINS, **(rules or {})}, "seats": list(seats), **body}
        answer = self.ask("POST", "/v1/games", asked)
        assert answer.status_code == 201, answer.json
        table = Table(self.answering, answer.json)
        table.tokens[PORTAL] = self.key
        table.play(*lines)
        return table


@pytest.fixture
def portals(tables):
    """Makes portals with a key each."""

    def make(name="arcade", scopes=SCOPES) -> Portal:
        return Portal(tables, create_key(tables.answering.house.store, name, scopes).key)

    return make


@pytest.fixture
def portal(portals) -> Portal:
    """A portal whose key has every scope."""
    return portals()
