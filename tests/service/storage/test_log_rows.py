"""Changes in the log: what they tell beside kind and seat is sealed, and comes back."""

import hashlib

from engine.cutting import cut, seated
from engine.events import Change, ChangeKind
from engine.game import new_game
from service.storage import games, moves
from service.storage.log_rows import insert_change
from tests.service.storage.stored import ADA, BOB, CODEC, loaded, setup_of

NONCE = bytes(range(32))
COMMIT = hashlib.sha256(b"GRD1|nonce|" + NONCE.hex().encode()).hexdigest()
NEXT = "5" * 64


def cutting(store):
    here = seated(new_game(setup_of()), {0: COMMIT}, complete=True)
    with store.writing() as conn:
        return games.insert(conn, CODEC, here.game, (ADA, BOB), None, (), changes=here.changes)


class TestChangesOfAShuffle:
    def test_come_back_as_they_were_with_their_versions(self, store):
        stored = cutting(store)
        said = cut(stored.game, 0, NONCE, NEXT)
        with store.writing() as conn:
            saved = games.change(conn, CODEC, stored, (said.change,), said.game, *said.moves)
        with store.reading() as conn:
            found = moves.changes(conn, CODEC, "g_1")
        assert [(each.version, each.change) for each in found] == [
            (1, None),
            (2, Change(ChangeKind.COMMITTED, 0, commit=COMMIT)),
            (3, Change(ChangeKind.BEGUN)),
            (4, Change(ChangeKind.CUT, 0, commit=NEXT, nonce=NONCE)),
        ]
        assert loaded(store).game == saved.game

    def test_are_in_no_column_in_clear(self, store):
        stored = cutting(store)
        said = cut(stored.game, 0, NONCE, NEXT)
        with store.writing() as conn:
            games.change(conn, CODEC, stored, (said.change,), said.game, *said.moves)
        with store.reading() as conn:
            rows = conn.execute("SELECT g::text, c::text FROM games AS g, changes AS c").fetchall()
        text = repr(rows)
        assert NONCE.hex() not in text
        assert COMMIT not in text


class TestOtherChanges:
    def test_have_nothing_to_seal(self, store):
        with store.writing() as conn:
            insert_change(conn, "g_1", 1, "joined", 0)
            [row] = conn.execute("SELECT kind, seat, fact FROM changes").fetchall()
        assert row == ("joined", 0, None)
