"""Keys and the games they open, without any HTTP."""

import os

import pytest

from service.storage import games, portals
from service.storage.errors import StatementRefused
from service.storage.games import Ownership
from tests.service.statements import listening
from tests.service.storage.stored import ADA, BOB, CODEC, begin, setup_of

HASH, OTHER = os.urandom(32), os.urandom(32)


@pytest.fixture
def portal(store):
    with store.writing() as conn:
        portals.add_key(conn, ("p_1", "arcade"), "k_1", HASH, ["scoring"])
    return store


def make(store, game_id, portal_id, metadata=None):
    made = begin(setup_of(game_id))
    owner = Ownership(portal_id, metadata)
    with store.writing() as conn:
        return games.insert(conn, CODEC, made.game, (ADA, BOB), None, made.moves, owner)


def load(store, key_hash, game_id):
    with store.reading() as conn:
        return portals.load_game(conn, CODEC, key_hash, game_id)


class TestAGameOfThePortal:
    def test_is_loaded_with_what_the_portal_keeps_there(self, portal):
        made = make(portal, "g_1", "p_1", {"a": "b"})
        owner, found = load(portal, HASH, "g_1")
        assert (owner.id, owner.scopes) == ("p_1", {"scoring"})
        assert (found.stored.game, found.metadata) == (made.game, {"a": "b"})
        assert found.stored.portal_id == "p_1"

    def test_has_nothing_kept_there_if_nothing_was(self, portal):
        make(portal, "g_1", "p_1")
        assert load(portal, HASH, "g_1")[1].metadata == {}

    def test_is_loaded_with_its_key_in_one_statement(self, portal):
        make(portal, "g_1", "p_1")
        with listening() as said:
            load(portal, HASH, "g_1")
        assert len(said.statements) == 1


class TestAnotherGame:
    @pytest.mark.parametrize("owner", ["p_2", None])
    def test_is_none_like_one_that_there_is_not(self, portal, owner):
        make(portal, "g_1", owner)
        for game_id in ("g_1", "g_none"):
            found, game = load(portal, HASH, game_id)
            assert (found.id, game) == ("p_1", None)


class TestAnotherKey:
    def test_opens_nothing(self, portal):
        make(portal, "g_1", "p_1")
        assert load(portal, OTHER, "g_1") == (None, None)

    def test_is_stored_whole_or_not_at_all(self, portal):
        with pytest.raises(StatementRefused), portal.writing() as conn:
            portals.add_key(conn, ("p_2", "other"), "k_2", HASH, ["scoring"])
        with portal.reading() as conn:
            assert [key.portal for key in portals.keys(conn)] == ["arcade"]


class TestARevokedKey:
    def test_opens_nothing_from_that_moment_on(self, portal):
        make(portal, "g_1", "p_1")
        with portal.writing() as conn:
            portals.revoke_key(conn, "k_1")
            assert portals.by_key(conn, HASH) is None
        assert load(portal, HASH, "g_1") == (None, None)


class TestASeat:
    def test_pays_nothing_for_the_keys_of_portals(self, tables):
        table = tables()
        with listening() as said:
            table.view()
        assert len(said.statements) == 1
        assert not [one for one in said.statements if "portal_keys" in one]
