"""Pages of games: in order, from one index each, and without a change to what moves write."""

import pytest

from engine.agreements import abandon
from service.storage import game_ends, game_lists, games
from service.storage.game_lists import Wanted
from service.storage.games import Ownership
from tests.service.storage.stored import ADA, BOB, CODEC, NOBODY, begin, new_game, passed, setup_of

MINE = Ownership("p_1", {"a": "b"}, listed=True)


def make(store, game_id, owner=MINE, seats=(ADA, BOB)):
    complete = all(seat.occupied for seat in seats)
    setup = setup_of(game_id, seats)
    game, moves = (begin(setup).game, begin(setup).moves) if complete else (new_game(setup), ())
    with store.writing() as conn:
        code = None if complete else f"code {game_id}"
        return games.insert(conn, CODEC, game, seats, code, moves, owner)


def over(store, stored):
    agreed = abandon(stored.game)
    with store.writing() as conn:
        return game_ends.abandon(conn, CODEC, stored, agreed.change, agreed.game, None)


def page(store, after=None, limit=9, **wanted):
    with store.reading() as conn:
        found = game_lists.of_portal(conn, CODEC, Wanted("p_1", **wanted), after, limit)
    return [one.stored.game.setup.id for one in found]


class TestTheGamesOfAPortal:
    def test_are_merged_by_their_last_change(self, store):
        first, second, third = (make(store, f"g_{at}") for at in range(3))
        make(store, "g_x", Ownership("p_2"))
        make(store, "g_y", Ownership())
        assert page(store) == ["g_2", "g_1", "g_0"]
        over(store, second)
        assert page(store) == ["g_1", "g_2", "g_0"]
        passed(store, first)
        assert page(store) == ["g_0", "g_1", "g_2"]
        over(store, third)
        assert page(store, statuses=["abandoned"]) == ["g_2", "g_1"]

    @pytest.mark.parametrize("limit", [1, 2, 3])
    def test_have_pages_without_a_hole_even_within_one_moment(self, store, limit):
        made = [make(store, f"g_{at}") for at in range(6)]
        for stored in made[::2]:
            over(store, stored)
        with store.writing() as conn:
            conn.execute("UPDATE games SET updated_at = now()")
        found, after = [], None
        while True:
            with store.reading() as conn:
                got = game_lists.of_portal(conn, CODEC, Wanted("p_1"), after, limit)
            if not got:
                break
            found += [one.stored.game.setup.id for one in got]
            after = (got[-1].stored.updated_at, found[-1])
        assert found == [f"g_{at}" for at in (5, 4, 3, 2, 1, 0)]

    def test_that_were_deleted_are_gone(self, store):
        make(store, "g_1")
        over(store, make(store, "g_2"))
        with store.writing() as conn:
            for game_id in ("g_1", "g_2"):
                assert game_ends.forget(conn, game_id, delete=True)
        assert page(store) == []

    def test_are_found_by_indexes(self, store):
        with store.reading() as conn:
            conn.execute("SET enable_seqscan = off")
            values = {
                "portal": "p_1", "statuses": None, "player": None, "after": None,
                "before": "infinity", "id": "", "limit": 20,
            }  # fmt: skip
            rows = conn.execute(f"EXPLAIN {game_lists._OF_PORTAL}", values).fetchall()
            conn.execute("SET enable_seqscan = on")
        plan = "\n".join(row[0] for row in rows)
        assert "games_portal_rested" in plan
        assert "Seq Scan" not in plan


class TestAMove:
    def test_changes_no_indexed_column(self, store):
        """Else every move would write all indexes anew."""
        with store.reading() as conn:
            rows = conn.execute(
                "SELECT DISTINCT a.attname FROM pg_index i JOIN pg_attribute a"
                " ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)"
                " WHERE i.indrelid = 'games'::regclass"
            ).fetchall()
        indexed = {name for (name,) in rows}
        assert {"id", "rested_at", "created_at"} <= indexed
        assert not indexed & {"version", "next_move", "state", "moved_at", "updated_at"}


class TestOpenGames:
    def open_games(self, store, after=None, limit=9):
        with store.reading() as conn:
            return [one.game.setup.id for one in game_lists.open_games(conn, CODEC, after, limit)]

    def test_are_listed_and_have_a_seat_open(self, store):
        make(store, "g_1", seats=(ADA, NOBODY))
        make(store, "g_2")
        make(store, "g_3", Ownership(), seats=(ADA, NOBODY))
        last = make(store, "g_4", Ownership(listed=True), seats=(ADA, NOBODY))
        assert self.open_games(store) == ["g_4", "g_1"]
        assert self.open_games(store, (last.created_at, "g_4")) == ["g_1"]
        assert self.open_games(store, limit=1) == ["g_4"]

    def test_end_with_the_game(self, store):
        over(store, make(store, "g_1", seats=(ADA, NOBODY)))
        make(store, "g_2", seats=(ADA, NOBODY))
        with store.writing() as conn:
            game_ends.forget(conn, "g_2", delete=True)
        assert self.open_games(store) == []
