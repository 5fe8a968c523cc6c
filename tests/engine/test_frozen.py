from dataclasses import replace

import pytest

from engine.frozen import with_changes
from tests.tables import play, table


class TestAChangedValue:
    def test_is_what_the_standard_library_makes(self):
        game = play(table(), "0 pass")
        for value, changes in (
            (game, {}),
            (game, {"hand": None, "next_move": 9}),
            (game.hand, {"turn": 7, "stock": ()}),
            (game.last_move, {"seat": None}),
        ):
            assert with_changes(value, **changes) == replace(value, **changes)
            assert type(with_changes(value, **changes)) is type(value)

    def test_leaves_the_other_as_it_was(self):
        game = table()
        assert with_changes(game, next_move=99) != game
        assert game.next_move != 99

    def test_has_no_new_field(self):
        with pytest.raises(TypeError, match="Game has no field stok"):
            with_changes(table(), stok=())
