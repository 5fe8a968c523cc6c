"""Whose a key is."""

import pytest

from service.portal_keys import new_key, parse_key
from service.storage import portals as stored
from service.use_cases.know_portal import portal_of
from service.use_cases.refusals import Refused


class TestAKey:
    def test_is_that_of_its_portal(self, portals):
        one, other = portals("one", ["scoring"]), portals("other")
        house = one.answering.house
        assert portal_of(house, parse_key(one.key)).scopes == {"scoring"}
        assert portal_of(house, parse_key(one.key)).id != portal_of(house, parse_key(other.key)).id

    def test_that_nobody_has_is_none(self, portal):
        with pytest.raises(Refused) as caught:
            portal_of(portal.answering.house, parse_key(new_key()))
        assert caught.value.code == "token_invalid"

    def test_is_compared_in_a_time_that_tells_nothing(self, portal, monkeypatch):
        compared = []

        def compare(one, other):
            compared.append((one, other))
            return False

        monkeypatch.setattr(stored.hmac, "compare_digest", compare)
        with pytest.raises(Refused):
            portal_of(portal.answering.house, parse_key(portal.key))
        assert compared == [(parse_key(portal.key).hash,) * 2]
