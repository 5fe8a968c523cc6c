"""Who opens a score sheet, and who deletes it: the holders of its tokens, and its portal."""

import pytest

from engine.rules import STANDARD
from service.allowances import Charge
from service.portal_keys import SCOPES, SCORING, PortalKey, hash_of, new_key, parse_key
from service.settings import Limit
from service.storage.score_sheets import SheetOwnership
from service.tokens import SheetToken, TokenKind
from service.use_cases.keep_score_sheet import create_score_sheet
from service.use_cases.know_portal import portal_of
from service.use_cases.manage_keys import create_key, list_keys, revoke_key
from service.use_cases.open_score_sheet import (
    check_may_write,
    delete_score_sheet,
    load_sheet,
    open_score_sheet,
)
from service.use_cases.refusals import Refused

NAMES = ("Ada", "Bob")


@pytest.fixture
def house(answering):
    return answering.house


@pytest.fixture
def key_of(house):
    """Makes keys of portals."""

    def make(portal="arcade", *scopes) -> PortalKey:
        return parse_key(create_key(house.store, portal, scopes or SCOPES).key)

    return make


@pytest.fixture
def key(key_of):
    return key_of()


@pytest.fixture
def stored(house, key):
    owner = SheetOwnership(portal_of(house, key).id, {"table": "7"})
    return create_score_sheet(house, NAMES, STANDARD, owner=owner).stored


def token(stored, kind=TokenKind.SHEET_EDITOR):
    return SheetToken(kind, stored.id)


def refused(code):
    return pytest.raises(Refused, match=code)


class TestASheet:
    def test_is_opened_by_its_own_tokens(self, house, stored):
        other = create_score_sheet(house, NAMES, STANDARD).stored
        for kind in (TokenKind.SHEET_EDITOR, TokenKind.SHEET_READER):
            opened = open_score_sheet(house, token(stored, kind), stored.id)
            assert (opened.stored, opened.portal) == (stored, None)
        with refused("not_found"):
            open_score_sheet(house, token(other), stored.id)

    def test_is_opened_by_every_key_of_its_portal_with_the_scope(self, house, key_of, key, stored):
        for one in (key, key_of("arcade", SCORING)):
            opened = open_score_sheet(house, one, stored.id)
            assert opened.stored == stored
            assert opened.portal.id == stored.owner.portal_id
        with refused("scope_missing"):
            open_score_sheet(house, key_of("arcade", "games:read", "games:write"), stored.id)

    def test_is_not_there_for_another_portal_nor_one_of_nobody_for_any(self, house, key_of, stored):
        nobodys = create_score_sheet(house, NAMES, STANDARD).stored
        for sheet in (stored, nobodys):
            with refused("not_found"):
                open_score_sheet(house, key_of("other"), sheet.id)

    def test_is_closed_to_a_key_that_was_ended_or_never_was(self, house, key, stored):
        revoke_key(house.store, list_keys(house.store)[0].id)
        for one in (key, PortalKey(hash_of(new_key()))):
            with refused("token_invalid"):
                open_score_sheet(house, one, stored.id)

    def test_is_opened_for_a_portal_that_is_counted(self, house, key, stored, monkeypatch):
        counted = []

        def charge(portal):
            counted.append(portal.id)
            return house.allowances.charge("scoring", f"portal:{portal.id}", "")

        monkeypatch.setitem(house.allowances.limits, "scoring", Limit(1, 60))
        open_score_sheet(house, key, stored.id, charge)
        assert isinstance(charge(portal_of(house, key)), Charge)
        with refused("rate_limited"):
            open_score_sheet(house, key, stored.id, charge)
        assert set(counted) == {stored.owner.portal_id}


class TestWriting:
    def test_is_for_all_but_those_who_only_look(self, key, stored):
        check_may_write(key)
        check_may_write(token(stored))
        with refused("share_token_read_only"):
            check_may_write(token(stored, TokenKind.SHEET_READER))


class TestDeleting:
    @pytest.mark.parametrize("by_portal", [True, False])
    def test_is_done_once_or_more_by_either(self, house, key, stored, by_portal):
        for caller in (key, token(stored)) if by_portal else (token(stored), key):
            for _ in range(2):
                delete_score_sheet(house, caller, stored.id)
            with refused("not_found"):
                open_score_sheet(house, caller, stored.id)

    def test_is_not_for_readers_or_strangers(self, house, key_of, stored):
        other = create_score_sheet(house, NAMES, STANDARD).stored
        for caller, code in (
            (token(stored, TokenKind.SHEET_READER), "share_token_read_only"),
            (token(other), "not_found"),
            (key_of("other"), "not_found"),
            (key_of("arcade", "games:write"), "scope_missing"),
        ):
            with refused(code):
                delete_score_sheet(house, caller, stored.id)
        assert load_sheet(house, stored.id) == stored

    def test_tells_another_portal_nothing_of_a_sheet_that_is_gone(self, house, key_of, key, stored):
        delete_score_sheet(house, key, stored.id)
        with refused("not_found"):
            delete_score_sheet(house, key_of("other"), stored.id)
        with refused("scope_missing"):
            delete_score_sheet(house, key_of("arcade", "games:write"), stored.id)
