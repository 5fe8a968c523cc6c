"""Cursors: written for one list, read for no other."""

from datetime import UTC, datetime, timedelta
from string import ascii_letters, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.cursors import BadCursor, Cursors

OLD, NEW = b"o" * 32, b"n" * 32
CURSORS = Cursors([NEW])
scopes = st.text(max_size=40)


class TestACursor:
    @given(scopes, st.integers(0, 2**32 - 1), st.integers(0, 2**16 - 1))
    def test_names_the_place_it_was_written_for(self, scope, first, second):
        assert CURSORS.read(scope, CURSORS.write(scope, first, second)) == (first, second)

    @given(scopes, scopes, st.integers(0, 2**32 - 1))
    def test_is_of_one_list(self, scope, other, first):
        if scope != other:
            with pytest.raises(BadCursor):
                CURSORS.read(other, CURSORS.write(scope, first))

    @given(scopes, st.text())
    def test_is_not_made_up(self, scope, text):
        with pytest.raises(BadCursor):
            CURSORS.read(scope, text)

    def test_of_any_other_letter_is_refused(self):
        good = CURSORS.write("x", 7, 1)
        for place in range(len(good)):
            for letter in "ABab01-_=":
                bad = good[:place] + letter + good[place + 1 :]
                if bad != good:
                    with pytest.raises(BadCursor):
                        CURSORS.read("x", bad)

    def test_needs_no_escaping_in_an_address(self):
        for number in range(1000):
            assert CURSORS.write("x", number).replace("-", "").replace("_", "").isalnum()


class TestRotatedSecrets:
    def test_leave_old_cursors_good(self):
        cursor = Cursors([OLD]).write("x", 7)
        assert Cursors([NEW, OLD]).read("x", cursor) == (7, 0)
        with pytest.raises(BadCursor):
            CURSORS.read("x", cursor)

    def test_write_with_the_first(self):
        assert CURSORS.read("x", Cursors([NEW, OLD]).write("x", 7)) == (7, 0)


class TestACursorOfGames:
    @given(
        scopes,
        st.integers(0, 250_000_000_000_000_000),
        st.from_regex(r"\Ag_[A-Za-z0-9_-]{22}\Z"),
    )
    def test_names_the_moment_and_the_game_it_was_written_for(self, scope, since, game_id):
        at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=since)
        cursor = CURSORS.write_moment(scope, at, game_id)
        assert CURSORS.read_moment(scope, cursor) == (at, game_id)
        assert set(cursor) <= set(ascii_letters + digits + "-_=")

    def test_is_of_one_list_and_not_made_up(self):
        cursor = CURSORS.write_moment("one", datetime.now(UTC), "g_x")
        for text in (cursor[:-1], cursor + "A", cursor[1:], "", "x"):
            with pytest.raises(BadCursor):
                CURSORS.read_moment("one", text)
        with pytest.raises(BadCursor):
            CURSORS.read_moment("other", cursor)

    def test_is_not_one_of_numbers(self):
        with pytest.raises(BadCursor):
            CURSORS.read("x", CURSORS.write_moment("x", datetime.now(UTC), "g_x"))
