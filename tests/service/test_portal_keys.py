"""Portal keys: made of chance, and told from any other text."""

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.portal_keys import PortalKey, hash_of, new_id, new_key, parse_key


class TestAKey:
    def test_shows_its_kind_and_holds_256_bits(self):
        assert re.fullmatch(r"grk_[A-Za-z0-9_-]{43}", new_key())

    def test_is_another_one_each_time(self):
        assert len({new_key() for _ in range(1000)}) == 1000

    def test_is_known_by_its_sha_256(self):
        key = new_key()
        assert parse_key(key) == PortalKey(hashlib.sha256(key.encode()).digest())
        assert parse_key(key).hash == hash_of(key)

    def test_is_not_shown_by_what_is_read_from_it(self):
        key = new_key()
        assert key not in repr(parse_key(key))


class TestAnotherText:
    @given(st.text())
    def test_is_no_key(self, text):
        assert parse_key(text) is None
        assert parse_key(f"grk_{text}") is None or len(text) == 43

    @pytest.mark.parametrize("change", ["{}A", "A{}", "{} ", "{}\n", "{}="])
    def test_around_a_key_is_no_key(self, change):
        assert parse_key(change.format(new_key())) is None

    def test_of_another_prefix_is_no_key(self):
        assert parse_key("grs_" + new_key()[4:]) is None


class TestAnId:
    def test_has_its_prefix_and_no_secret(self):
        assert re.fullmatch(r"k_[0-9a-f]{16}", new_id("k"))
        assert new_id("p") != new_id("p")
