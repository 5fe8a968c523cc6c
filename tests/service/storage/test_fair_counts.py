"""The public counts: in the statement that writes what is counted, and in no other."""

import threading
from datetime import UTC, datetime

from engine.actions import Resign
from engine.agreements import abandon
from engine.events import Change, ChangeKind
from engine.fair_counts import FairCounts
from engine.progress import apply, begin
from service.storage import fair_counts, game_ends, games
from service.storage.fair_counts import STRIPES
from tests.service.statements import listening
from tests.service.storage.stored import ADA, BOB, CODEC, loaded, passed, setup_of, started


def counted(store):
    with store.reading() as conn:
        return fair_counts.totals(conn).counts


def resigned(store, stored):
    made = apply(stored.game, 0, Resign())
    with store.writing() as conn:
        return games.save(conn, CODEC, stored, made.game, made.moves, None)


class TestTheCounts:
    def test_begin_with_nothing_when_the_table_was_made(self, store):
        with store.reading() as conn:
            totals = fair_counts.totals(conn)
        assert totals.counts == FairCounts()
        assert totals.since <= datetime.now(UTC)

    def test_come_with_a_game_and_with_its_end(self, store):
        stored = started(store)
        assert counted(store) == FairCounts(hands_dealt=1)
        resigned(store, stored)
        assert counted(store) == FairCounts(hands_dealt=1, seeds_revealed=1)

    def test_come_with_an_end_that_is_no_move(self, store):
        stored = started(store)
        with store.writing() as conn:
            ended = abandon(stored.game).game
            change = Change(ChangeKind.ABANDONED)
            game_ends.abandon(conn, CODEC, stored, change, ended, None)
        assert counted(store) == FairCounts(hands_dealt=1, seeds_revealed=1)

    def test_do_not_come_with_a_write_that_somebody_else_was_quicker_than(self, store):
        stored = started(store)
        passed(store, stored)
        assert resigned(store, stored) is None
        assert counted(store) == FairCounts(hands_dealt=1)

    def test_do_not_come_with_what_is_taken_back(self, store):
        stored = started(store)
        with store.writing() as conn, conn.transaction(force_rollback=True):
            made = apply(stored.game, 0, Resign())
            games.save(conn, CODEC, stored, made.game, made.moves, None)
        assert counted(store) == FairCounts(hands_dealt=1)

    def test_cost_no_statement_of_their_own(self, store):
        made = begin(setup_of())
        with listening() as said, store.writing() as conn:
            games.insert(conn, CODEC, made.game, (ADA, BOB), None, made.moves)
        [counting] = [one for one in said.statements if "fair_counts" in one]
        assert "INSERT INTO moves" in counting
        stored = loaded(store)
        with listening() as said:
            resigned(store, stored)
        assert len([one for one in said.statements if "fair_counts" in one]) == 1
        assert len([one for one in said.statements if one.startswith("WITH saved")]) == 1

    def test_are_no_part_of_an_ordinary_move(self, store):
        stored = started(store)
        with listening() as said:
            passed(store, stored)
        assert not [one for one in said.statements if "fair_counts" in one]

    def test_are_spread_over_rows_that_the_game_chooses(self, store):
        for number in range(3 * STRIPES):
            started(store, f"g_{number}")
        with store.reading() as conn:
            rows = conn.execute("SELECT stripe, hands_dealt FROM fair_counts").fetchall()
        assert {stripe for stripe, _ in rows} <= set(range(STRIPES))
        assert len(rows) > STRIPES / 2
        assert counted(store).hands_dealt == 3 * STRIPES

    def test_of_many_who_write_at_once_are_all_there(self, store):
        """All of one stripe, so that every write waits for those before it."""
        ids = [f"g_{number}" for number in range(5000)]
        stripe = [each for each in ids if fair_counts.stripe_of(each) == 0][:24]

        def play(mine):
            for game_id in mine:
                resigned(store, started(store, game_id))

        threads = [threading.Thread(target=play, args=(stripe[each::6],)) for each in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert counted(store) == FairCounts(hands_dealt=24, seeds_revealed=24)
