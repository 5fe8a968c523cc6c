"""Cursors: written for one list, read for no other."""

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
