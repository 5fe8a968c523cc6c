"""Who waits is told: by this process, by others, and at the latest by a look at the versions."""

import threading
from dataclasses import replace
from time import monotonic

import psycopg
import pytest

from engine.actions import Pass
from engine.game import SeatKind
from engine.rules import STANDARD
from service import updates
from service.app import create_house
from service.blueprints.calls import sender_of
from service.portal_keys import SCOPES, hash_of
from service.storage import seat_tokens
from service.storage.errors import Unavailable
from service.storage.games import Occupant
from service.storage.pool import Store
from service.storage.wakeups import Line
from service.updates import MOST_ALIKE, Bell, Full, Notifier
from service.use_cases.create_game import create_game
from service.use_cases.make_move import make_move
from service.use_cases.manage_keys import create_key, revoke_key
from service.use_cases.open_game import load
from tests.service.storage.stored import started

SOON = 20
"""Seconds within which everything comes that comes at all."""


class Rung:
    """Waits for a watch to ring, once or again."""

    def __init__(self, watch) -> None:
        self.event = threading.Event()
        watch.then(self.event.set)

    def soon(self) -> bool:
        rang = self.event.wait(SOON)
        self.event.clear()
        return rang


@pytest.fixture
def notifiers(settings):
    made = []

    def make(connect=lambda: Line(settings), most=100) -> Notifier:
        made.append(Notifier(connect, most))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def no_looks(monkeypatch):
    """Nobody looks at versions, so that only calls are heard."""
    monkeypatch.setattr(Notifier, "_look", lambda self, line: None)


def pids(conn) -> list[int]:
    query = "SELECT pid FROM pg_stat_activity WHERE application_name = 'gin-rummy-updates'"
    return [pid for (pid,) in conn.execute(query + " AND datname = current_database()")]


class TestACall:
    def test_reaches_who_waits_in_the_same_process(self, notifiers, no_looks):
        notifier = notifiers()
        notifier.open()
        here, elsewhere = (notifier.watch(game, None, monotonic()) for game in ("g_1", "g_2"))
        rung = Rung(here)
        notifier.wake("g_1")
        assert rung.soon()
        assert not elsewhere.rung

    def test_reaches_who_waits_in_another_process(self, notifiers, no_looks):
        one, other = notifiers(), notifiers()
        one.open()
        other.open()
        rung = Rung(other.watch("g_1", None, monotonic()))
        line_is_there(other, one)
        one.wake("g_1")
        assert rung.soon()

    def test_reaches_who_waits_where_nothing_was_opened(self, notifiers, no_looks):
        notifier = notifiers()
        rung = Rung(notifier.watch("g_1", None, monotonic()))
        notifier.wake("g_1")
        assert rung.soon()

    def test_that_came_between_reading_and_waiting_counts(self, notifiers, no_looks):
        notifier = notifiers()
        read = monotonic()
        notifier.wake("g_1")
        assert notifier.watch("g_1", None, read).rung
        assert not notifier.watch("g_1", None, monotonic()).rung
        assert not notifier.watch("g_2", None, read).rung

    def test_reaches_who_waits_here_though_there_is_no_line(self, notifiers):
        def away():
            raise Unavailable("away")

        notifier = notifiers(away)
        notifier.open()
        rung = Rung(notifier.watch("g_1", None, monotonic()))
        notifier.wake("g_1")
        assert rung.soon()

    def test_is_one_for_all_games_of_a_moment(self, notifiers, settings, no_looks):
        said, first, go_on = [], threading.Event(), threading.Event()

        class Slow(Line):
            def call(self, game_ids):
                said.append(set(game_ids))
                first.set()
                assert go_on.wait(SOON)

        notifier = notifiers(lambda: Slow(settings))
        notifier.open()
        notifier.wake("g_0")
        assert first.wait(SOON)
        for number in range(1, 50):
            notifier.wake(f"g_{number}")
        rung = Rung(notifier.watch("g_49", None, monotonic()))
        go_on.set()
        assert rung.soon()
        notifier.close()
        assert said == [{"g_0"}, {f"g_{number}" for number in range(1, 50)}]

    def test_does_not_wait_for_a_line_that_hangs(self, notifiers, settings):
        hangs, go_on = threading.Event(), threading.Event()

        class Hanging(Line):
            def call(self, game_ids):
                hangs.set()
                assert go_on.wait(SOON)

        notifier = notifiers(lambda: Hanging(settings))
        notifier.open()
        notifier.wake("g_1")
        assert hangs.wait(SOON)
        notifier.wake("g_2")  # comes back although the line does not
        go_on.set()


def line_is_there(listener: Notifier, caller: Notifier) -> None:
    """Wait until calls of one process are heard by the other."""
    rung = threading.Event()
    probe = listener.watch("probe", None, monotonic())
    probe.then(rung.set)
    for _ in range(SOON * 20):
        caller.wake("probe")
        if rung.wait(0.05):
            break
    probe.close()
    assert rung.is_set()


class TestALook:
    @pytest.fixture
    def game(self, store):
        return started(store)

    def test_tells_who_knows_an_old_version(self, notifiers, game):
        notifier = notifiers()
        old, now, unsure = (notifier.watch(game.game.setup.id, None, monotonic()) for _ in "123")
        now.version, old.version = game.version, game.version - 1
        assert Rung(old).soon()
        assert (now.rung, unsure.rung) == (False, False)

    def test_tells_who_follows_a_game_that_is_gone(self, notifiers, store):
        watch = notifiers().watch("g_gone", None, monotonic())
        watch.version = 1
        assert Rung(watch).soon()

    def test_tells_whose_token_may_have_ended(self, notifiers, game, store):
        notifier, game_id = notifiers(), game.game.setup.id
        player, onlooker = (notifier.watch(game_id, seat, monotonic()) for seat in (0, None))
        player.version = onlooker.version = game.version
        with store.writing() as conn:
            seat_tokens.end(conn, game_id, 7)
        assert Rung(player).soon()
        assert not onlooker.rung

    def test_tells_whose_key_was_revoked(self, notifiers, game, store):
        notifier, game_id = notifiers(), game.game.setup.id
        made = [create_key(store, "arcade", SCOPES) for _ in range(2)]
        revoke_key(store, made[0].id)
        ended, good = (
            notifier.watch(game_id, None, monotonic(), hash_of(each.key)) for each in made
        )
        ended.version = good.version = game.version
        assert Rung(ended).soon()
        assert not good.rung

    def test_is_one_statement_for_all_games(self, notifiers, settings, store):
        asked = []

        class Counting(Line):
            def standings(self, game_ids):
                asked.append(set(game_ids))
                return {}

        gate = threading.Event()

        def connect():
            assert gate.wait(SOON)
            return Counting(settings)

        notifier = notifiers(connect)
        watches = [notifier.watch(f"g_{number}", None, monotonic()) for number in range(30)]
        watches[0].version = 1
        gate.set()
        assert Rung(watches[0]).soon()
        assert asked[0] == {f"g_{number}" for number in range(30)}

    def test_follows_at_once_on_a_new_line(self, notifiers, settings, game, monkeypatch):
        monkeypatch.setattr(updates, "RETRY_SECONDS", 0.01)
        monkeypatch.setattr(updates, "LOOK_SECONDS", 3600.0)
        one, other = notifiers(), notifiers()
        one.open()
        other.open()
        watch = other.watch(game.game.setup.id, None, monotonic())
        line_is_there(other, one)
        watch.version = game.version - 1  # it has missed a call
        with psycopg.connect(settings.database_url, autocommit=True) as conn:
            for pid in pids(conn):
                conn.execute("SELECT pg_terminate_backend(%s)", (pid,))
        assert Rung(watch).soon()
        line_is_there(other, one)


class TestAPlace:
    def test_is_left_when_the_watch_is_closed(self, notifiers):
        notifier = notifiers(most=2)
        first, _ = (notifier.watch("g_1", None, monotonic()) for _ in "12")
        with pytest.raises(Full):
            notifier.watch("g_2", None, monotonic())
        first.close()
        first.close()
        assert len(notifier) == 1
        notifier.watch("g_2", None, monotonic())

    def test_is_not_taken_by_one_seat_alone(self, notifiers):
        notifier = notifiers()
        for _ in range(MOST_ALIKE):
            notifier.watch("g_1", 0, monotonic())
        with pytest.raises(Full):
            notifier.watch("g_1", 0, monotonic())
        notifier.watch("g_1", 1, monotonic())
        notifier.watch("g_2", 0, monotonic())

    def test_is_there_for_four_windows_of_a_seat_and_many_spectators(self, notifiers):
        assert MOST_ALIKE >= 4
        notifier = notifiers()
        for _ in range(50):
            notifier.watch("g_1", None, monotonic())

    def test_is_given_to_nobody_who_comes_while_the_process_stops(self, notifiers):
        notifier = notifiers()
        rung = Rung(notifier.watch("g_1", None, monotonic()))
        notifier.drain()
        assert rung.soon()
        with pytest.raises(Full):
            notifier.watch("g_1", None, monotonic())


class TestTheThread:
    def test_ends_when_nobody_waits_any_more(self, notifiers):
        notifier = notifiers()
        watch = notifier.watch("g_1", None, monotonic())
        thread = notifier._thread
        assert thread.is_alive()
        watch.close()
        notifier._bell.ring()
        thread.join(SOON)
        assert not thread.is_alive()
        notifier.watch("g_1", None, monotonic())
        assert notifier._thread.is_alive()

    def test_stays_where_the_process_was_opened(self, notifiers):
        notifier = notifiers()
        notifier.open()
        thread = notifier._thread
        notifier.watch("g_1", None, monotonic()).close()
        notifier.open()
        assert notifier._thread is thread
        notifier.close()
        assert not thread.is_alive()

    def test_survives_what_nobody_expected(self, notifiers, settings, monkeypatch, caplog):
        monkeypatch.setattr(updates, "RETRY_SECONDS", 0.01)
        failed = threading.Event()

        class Odd(Line):
            def heard(self):
                if not failed.is_set():
                    failed.set()
                    raise RuntimeError("odd")
                return super().heard()

        notifier = notifiers(lambda: Odd(settings))
        notifier.open()
        assert failed.wait(SOON)
        rung = Rung(notifier.watch("g_1", None, monotonic()))
        notifier.wake("g_1")
        assert rung.soon()
        assert "odd" in caplog.text


class TestABell:
    def test_is_hushed_though_it_was_not_rung(self):
        bell = Bell()
        bell.hush()
        bell.ring()
        bell.ring()
        bell.hush()
        bell.hush()


class TestAWrite:
    def test_wakes_after_its_commit(self, settings, store):
        """Whatever writes a new version says so by itself; who looks then sees it."""
        seen = []
        house = create_house(settings)
        told = Store(settings, lambda name: seen.append((name, load(house, name).version)))
        watched = replace(house, store=told)
        people = (Occupant(SeatKind.HUMAN, occupied=True), Occupant(SeatKind.HUMAN, occupied=True))
        game = create_game(watched, STANDARD, people).stored
        seat = game.game.to_act_seats[0]
        made = make_move(watched, game, Pass(), game.game.next_move, sender_of(seat, Pass()))
        assert seen == [(game.game.setup.id, made.stored.version)]
        for each in (house, watched):
            each.store.close()
