"""Keys in the hands of the operator: made, rotated, revoked; never to be seen again."""

import re

import pytest

from service.portal_keys import SCOPES, hash_of, parse_key
from service.storage.errors import NoSuchKey
from service.use_cases import manage_keys
from service.use_cases.know_portal import portal_of
from service.use_cases.manage_keys import (
    UnknownScope,
    create_key,
    list_keys,
    revoke_key,
    rotate_key,
)
from service.use_cases.refusals import Refused


@pytest.fixture
def house(answering):
    return answering.house


@pytest.fixture
def store(house):
    return house.store


def opens(house, key):
    try:
        return portal_of(house, parse_key(key)).scopes
    except Refused as refused:
        return refused.code


class TestANewKey:
    def test_opens_what_its_scopes_say(self, house, store):
        made = create_key(store, "arcade", ["games:write", "games:read"])
        assert opens(house, made.key) == {"games:read", "games:write"}

    def test_is_of_the_portal_of_that_name_which_is_made_with_the_first(self, house, store):
        keys = [create_key(store, name, ["scoring"]).key for name in ("one", "two", "one")]
        first, other, again = (portal_of(house, parse_key(key)).id for key in keys)
        assert first == again != other

    def test_is_stored_as_its_hash_alone(self, store):
        made = create_key(store, "arcade", SCOPES)
        with store.reading() as conn:
            rows = conn.execute("SELECT k.*, p.* FROM portal_keys k, portals p").fetchall()
        assert hash_of(made.key) in rows[0]
        assert made.key[4:] not in str(rows)

    @pytest.mark.parametrize("scopes", [["games"], [], ["games:read", "god"]])
    def test_has_no_scope_that_there_is_not(self, store, scopes):
        with pytest.raises(UnknownScope, match="the scopes are scoring, games:read"):
            create_key(store, "arcade", scopes)
        assert list_keys(store) == []


class TestTheList:
    def test_names_every_key_and_shows_none(self, store):
        made = [create_key(store, name, ["scoring"]) for name in ("b", "a")]
        listed = list_keys(store)
        assert [(key.portal, key.id) for key in listed] == [("a", made[1].id), ("b", made[0].id)]
        assert [key.scopes for key in listed] == [("scoring",)] * 2
        assert not re.search(r"grk_", str(listed))


class TestARotatedKey:
    def test_and_its_successor_are_good_at_the_same_time(self, house, store):
        old = create_key(store, "arcade", ["games:read", "sandbox"])
        new = rotate_key(store, old.id)
        assert opens(house, old.key) == opens(house, new.key) == {"games:read", "sandbox"}
        assert portal_of(house, parse_key(old.key)) == portal_of(house, parse_key(new.key))
        assert [key.replaces for key in list_keys(store)] == [None, old.id]

    def test_has_one_living_successor(self, store):
        old = create_key(store, "arcade", ["scoring"])
        new = rotate_key(store, old.id)
        with pytest.raises(NoSuchKey, match="without a successor"):
            rotate_key(store, old.id)
        revoke_key(store, new.id)
        assert rotate_key(store, old.id).id != new.id

    def test_has_one_whoever_asks_at_the_same_moment(self, store, monkeypatch):
        old = create_key(store, "arcade", ["scoring"])
        store_rotated = manage_keys.portals.rotate_key
        made = []

        def late(conn, *values):
            monkeypatch.setattr(manage_keys.portals, "rotate_key", store_rotated)
            made.append(rotate_key(store, old.id))
            return store_rotated(conn, *values)

        monkeypatch.setattr(manage_keys.portals, "rotate_key", late)
        with pytest.raises(NoSuchKey):
            rotate_key(store, old.id)
        assert len(list_keys(store)) == 2

    def test_has_to_be_there_and_good(self, store):
        old = create_key(store, "arcade", ["scoring"])
        revoke_key(store, old.id)
        for key_id in (old.id, "k_none"):
            with pytest.raises(NoSuchKey):
                rotate_key(store, key_id)


class TestARevokedKey:
    def test_opens_nothing_and_leaves_the_others_good(self, house, store):
        old = create_key(store, "arcade", ["scoring"])
        new = rotate_key(store, old.id)
        revoke_key(store, old.id)
        assert opens(house, old.key) == "token_invalid"
        assert opens(house, new.key) == {"scoring"}

    def test_may_be_revoked_again(self, store):
        made = create_key(store, "arcade", ["scoring"])
        revoke_key(store, made.id)
        first = list_keys(store)
        revoke_key(store, made.id)
        assert list_keys(store) == first
        assert first[0].revoked_at is not None

    def test_has_to_be_there(self, store):
        with pytest.raises(NoSuchKey, match="no key k_none"):
            revoke_key(store, "k_none")
