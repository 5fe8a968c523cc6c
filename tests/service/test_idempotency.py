"""Idempotency-Key: what is a key, how it is written, and what makes two requests the same."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules import PRESETS, STANDARD
from service.idempotency import (
    LONGEST_KEY,
    SHORTEST_ANONYMOUS_KEY,
    KeyMalformed,
    normalised,
    parse_key,
)

VISIBLE = [chr(code) for code in range(0x21, 0x7F)]
KEYS = st.text(st.sampled_from(VISIBLE), min_size=1, max_size=LONGEST_KEY)
PLAIN_KEYS = st.text(
    st.sampled_from([each for each in VISIBLE if each not in '",']),
    min_size=1,
    max_size=LONGEST_KEY,
)


def quoted(key: str) -> str:
    """A String of RFC 9651, section 4.1.6."""
    return '"' + key.replace("\\", "\\\\").replace('"', '\\"') + '"'


class TestAKey:
    @given(KEYS)
    def test_in_quotes_is_read_as_it_was_written(self, key):
        assert parse_key(quoted(key)) == key

    @given(PLAIN_KEYS)
    def test_needs_no_quotes(self, key):
        assert parse_key(key) == key
        assert parse_key(f" \t{key} ") == key

    @given(st.text(st.characters(max_codepoint=255), max_size=300))
    def test_is_visible_ascii_or_refused(self, text):
        try:
            key = parse_key(text)
        except KeyMalformed:
            return
        assert 1 <= len(key) <= LONGEST_KEY
        assert set(key) <= set(VISIBLE)
        assert parse_key(quoted(key)) == key

    def test_may_be_as_long_as_is_said(self):
        assert len(parse_key("k" * 255)) == len(parse_key(quoted('"' * 255))) == 255
        for text in ("k" * 256, quoted('"' * 256)):
            with pytest.raises(KeyMalformed, match="1 to 255"):
                parse_key(text)

    @pytest.mark.parametrize("text", ["", " ", '""'])
    def test_is_not_empty(self, text):
        with pytest.raises(KeyMalformed, match="1 to 255"):
            parse_key(text)

    @pytest.mark.parametrize(
        "text", ['"', '"k', '"k"x', '"k"k"', '"k\\x"', '"k\\"', '"k";a=1', '"k","k"', '"k", "l"']
    )
    def test_in_quotes_that_are_wrong_is_refused(self, text):
        with pytest.raises(KeyMalformed, match="In quotes"):
            parse_key(text)

    @pytest.mark.parametrize("text", ["k,l", "k, k", "k,", ",", 'k"', 'k"l"', 'k,"l"'])
    def test_that_might_be_two_is_refused(self, text):
        with pytest.raises(KeyMalformed, match="once"):
            parse_key(text)

    @pytest.mark.parametrize("text", ["a b", '"a b"', "a\tb", "clé", "a\x7f", "a\x00", '"\x80"'])
    def test_with_what_cannot_be_seen_is_refused(self, text):
        with pytest.raises(KeyMalformed, match="visible"):
            parse_key(text)

    def test_of_128_random_bits_is_long_enough_for_anybody(self):
        assert SHORTEST_ANONYMOUS_KEY * 6 >= 128 > (SHORTEST_ANONYMOUS_KEY - 1) * 6


@dataclass(frozen=True)
class Before:
    rules: object
    name: str | None = None


@dataclass(frozen=True)
class After(Before):
    added: int = 0


After.__name__ = "Before"


class TestTheSameRequest:
    def test_is_the_same_after_a_field_was_added(self):
        for name in (None, "Ada"):
            old, new = Before(STANDARD, name), After(STANDARD, name)
            assert repr(normalised((old, 1))) == repr(normalised((new, 1)))

    @given(st.dictionaries(st.text(max_size=3), st.lists(st.integers()), max_size=5), st.randoms())
    def test_is_the_same_in_any_order_of_names(self, body, rng):
        names = list(body)
        rng.shuffle(names)
        other = {name: tuple(body[name]) for name in names}
        assert repr(normalised({"in": body})) == repr(normalised({"in": other}))

    def test_is_another_if_any_field_is(self):
        said = {
            repr(normalised(each))
            for rules in PRESETS.values()
            for each in (Before(rules), Before(rules, "Ada"), After(rules, added=1), (rules,))
        }
        assert len(said) == 4 * len(PRESETS)
