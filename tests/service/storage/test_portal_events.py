"""The feed: numbers are given after the commit, so that a reader by number misses nothing."""

import threading
from datetime import timedelta

from service.local import poll
from service.portal_events import Told
from service.storage import game_ends, games, outbox, portal_events
from service.storage.pool import connect
from tests.service.storage.stored import CODEC, begin, count, setup_of
from tests.service.storage.told import (
    OTHER,
    OWNED,
    PLAYERS,
    PORTAL,
    feed,
    log,
    numbered,
    portal,
    rows,
    told,
    webhook,
)

PATIENCE = 30


class TestNumbering:
    def test_empties_the_outbox_into_the_feed(self, store):
        told(store, 1, 2, 3)
        assert numbered(store) == {PORTAL: 3}
        assert count(store, "outbox") == 0
        found = feed(store)
        assert [each.version for each in found] == [1, 2, 3]
        assert [each.number for each in found] == sorted(each.number for each in found)
        assert len({each.id for each in found}) == 3

    def test_takes_so_many_at_most_the_oldest_first(self, store):
        told(store, 1, 2, 3)
        assert numbered(store, 2) == {PORTAL: 2}
        assert [each.version for each in feed(store)] == [1, 2]
        assert numbered(store) == {PORTAL: 1}
        assert numbered(store) == {}

    def test_says_nothing_twice_after_it_was_cut_off(self, store, settings):
        told(store, 1)
        conn = connect(settings)
        conn.execute("BEGIN")
        assert portal_events.number_outbox(conn, 100) == {PORTAL: 1}
        conn.close()  # as when its process is killed
        assert feed(store) == []
        # Its server process lets go a moment after it hears of that; until then nobody may number.
        assert poll(lambda: numbered(store) == {PORTAL: 1}, PATIENCE)
        assert len(feed(store)) == 1

    def test_is_done_by_one_at_a_time(self, store, settings):
        told(store, 1)
        with connect(settings) as conn:
            conn.execute("BEGIN")
            portal_events.number_outbox(conn, 100)
            told(store, 2)
            assert numbered(store) == {}
            conn.execute("COMMIT")
        assert numbered(store) == {PORTAL: 1}
        assert [each.version for each in feed(store)] == [1, 2]


class TestAReaderByNumber:
    def test_misses_nothing_that_is_committed_late(self, store, settings):
        """An earlier row of another game, still in its transaction, gets a later number."""
        with connect(settings) as late:
            late.execute("BEGIN")
            outbox.tell(late, PORTAL, "g_late", [Told("hand_dealt", 1, {})])
            told(store, 7)
            numbered(store)
            [first] = feed(store)
            late.execute("COMMIT")
        numbered(store)
        [later] = feed(store, after=first.number)
        assert later.game_id == "g_late"

    def test_sees_every_event_once_while_many_write_and_many_number(self, store):
        """Each game has its versions in order, and no number comes up behind the reader."""
        games_there, versions, stop = 4, 25, threading.Event()

        def write(game):
            for version in range(1, versions + 1):
                told(store, version, game_id=f"g_{game}")

        def number():
            while not stop.is_set():
                numbered(store, 7)

        threads = [threading.Thread(target=write, args=(game,)) for game in range(games_there)]
        numbering = [threading.Thread(target=number) for _ in range(2)]
        for thread in (*threads, *numbering):
            thread.start()
        seen, last = [], 0
        while len(seen) < games_there * versions and any(thread.is_alive() for thread in numbering):
            for event in feed(store, after=last, limit=5):
                seen.append((event.game_id, event.version))
                last = event.number
        stop.set()
        for thread in (*threads, *numbering):
            thread.join()
        assert len(set(seen)) == len(seen) == games_there * versions
        for game in range(games_there):
            of_game = [version for game_id, version in seen if game_id == f"g_{game}"]
            assert of_game == list(range(1, versions + 1))


class TestWhoPlays:
    def test_is_read_from_the_game(self, store):
        made = begin(setup_of(seats=PLAYERS))
        with store.writing() as conn:
            games.insert(conn, CODEC, made.game, PLAYERS, None, made.moves, OWNED)
        numbered(store)
        for event in feed(store):
            assert event.player_refs == ((0, "ref-ada"), (1, "ref-bob"))
            assert event.metadata == {"table": "7"}

    def test_is_forgotten_with_the_game(self, store):
        self.test_is_read_from_the_game(store)
        with store.writing() as conn:
            game_ends.forget(conn, "g_1", seats=[0])
        assert {event.player_refs for event in feed(store)} == {((1, "ref-bob"),)}
        assert feed(store)[0].metadata == {}
        with store.writing() as conn:
            game_ends.forget(conn, "g_1", delete=True)
        assert {event.player_refs for event in feed(store)} == {()}

    def test_stands_in_no_table_of_events(self, store):
        self.test_is_read_from_the_game(store)
        webhook(store)
        for table in ("outbox", "portal_events", "deliveries"):
            said = str(rows(store, f"SELECT * FROM {table}"))
            assert not any(word in said for word in ("Ada", "ref-ada", "'table'"))


class TestAFeed:
    def test_is_that_of_one_portal(self, store):
        told(store, 1)
        told(store, 2, portal_id=OTHER)
        numbered(store)
        assert [each.version for each in feed(store)] == [1]
        assert [each.version for each in feed(store, OTHER)] == [2]

    def test_has_a_head(self, store):
        told(store, 1, 2)
        numbered(store)
        with store.reading() as conn:
            heads = portal_events.heads(conn, [PORTAL, OTHER])
        assert heads == {PORTAL: feed(store)[-1].number, OTHER: 0}

    def test_is_kept_for_so_long(self, store):
        told(store, 1, 2)
        numbered(store)
        rows(store, "UPDATE portal_events SET happened_at = now() - interval '31 days'")
        told(store, 3)
        numbered(store)
        with store.writing() as conn:
            assert portal_events.sweep(conn, timedelta(days=32), 9) == 0
            assert portal_events.sweep(conn, timedelta(days=30), 1) == 1
            assert portal_events.sweep(conn, timedelta(days=30), 9) == 1
        assert [each.version for each in feed(store)] == [3]


class TestDeliveries:
    """They are made with the number, in the same transaction."""

    def test_go_to_every_webhook_of_the_portal_that_is_enabled(self, store):
        for number, enabled in ((1, True), (2, True), (3, False)):
            webhook(store, number, enabled=enabled)
        webhook(store, 4, OTHER)
        told(store, 1)
        numbered(store)
        [event] = feed(store)
        for number, wanted in ((1, 1), (2, 1), (3, 0), (4, 0)):
            found = log(store, number)
            assert [each.event_id for each in found] == [event.id] * wanted

    def test_are_of_the_types_that_are_wanted(self, store):
        webhook(store, event_types=("game_ended",))
        told(store, 1)
        told(store, 2, kind="game_ended")
        numbered(store)
        assert [each.event_type for each in log(store)] == ["game_ended"]

    def test_are_in_the_log_in_the_order_of_the_events(self, store):
        webhook(store)
        told(store, *range(1, 20))
        numbered(store)
        newest_first = [each.event_id for each in log(store)]
        assert newest_first == [each.id for each in reversed(feed(store))]

    def test_are_none_without_a_webhook(self, store):
        portal(store)
        told(store, 1)
        numbered(store)
        assert count(store, "deliveries") == 0
