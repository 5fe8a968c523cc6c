"""The table of notes: one text for each seat, sealed in its place."""

import pytest

from service.storage import notes
from service.storage.notes import Notes
from service.storage.sealing import SealBroken
from tests.service.storage.stored import CODEC, count

SECRET = "they hold the queens"


def write(store, text, seat=0, game_id="g_1"):
    with store.writing() as conn:
        return notes.write(conn, CODEC, game_id, seat, text)


def read(store, seat=0, game_id="g_1"):
    with store.reading() as conn:
        return notes.read(conn, CODEC, game_id, seat)


class TestNotes:
    def test_are_empty_before_they_are_written(self, store):
        assert read(store) == Notes("", None)

    def test_are_read_as_they_were_written(self, store):
        written = write(store, "ä\n♠")
        assert read(store) == written == Notes("ä\n♠", written.updated_at)

    def test_are_one_row_for_each_seat(self, store):
        for seat, text in ((0, "one"), (0, "two"), (1, "three")):
            write(store, text, seat)
        assert (read(store, 0).text, read(store, 1).text) == ("two", "three")
        assert count(store, "notes") == 2

    def test_lie_sealed(self, store):
        write(store, SECRET)
        with store.reading() as conn:
            (stored,) = conn.execute("SELECT text FROM notes").fetchone()
        assert SECRET.encode() not in bytes(stored)

    def test_open_in_no_other_place(self, store):
        write(store, SECRET)
        with store.writing() as conn:
            conn.execute("UPDATE notes SET seat = 1")
        with pytest.raises(SealBroken):
            read(store, 1)
