"""The thread that does what nobody asks for, by one process at a time, whatever goes wrong."""

import logging
import threading
from dataclasses import replace

import pytest

from service import duties as module
from service.app import create_app, create_house
from service.duties import Duties, Duty, duties_of
from service.storage import duties as leases
from service.storage.errors import Unavailable
from service.storage.pool import Store
from service.use_cases.open_game import load
from tests.service.storage.stored import count
from tests.service.table import PASSED, SPECTATOR, TIMED
from tests.service.webhooks_asked import deliver

SOON = 20
FORFEIT = {**TIMED, "timeout_policy": "forfeit"}


def names(settings, **changes):
    with_changes = replace(settings, **changes)
    return [duty.name for duty in duties_of(create_house(with_changes), with_changes)]


class TestTheDuties:
    def test_are_those_that_are_turned_on(self, settings):
        assert names(settings) == ["clocks", "sweep", "tidy", "presence"]
        assert names(settings, presence_seconds=0) == ["clocks", "sweep", "tidy", "presence"]
        assert names(settings, duties=False) == ["presence"]
        assert names(settings, duties=False, presence_seconds=0) == []

    @pytest.mark.parametrize(("seconds", "every"), [(0, 5), (3, 0.5), (30, 5), (3600, 5)])
    def test_look_who_went_soon_enough(self, settings, seconds, every):
        asked = replace(settings, presence_seconds=seconds)
        assert duties_of(create_house(asked), asked)[-1].every == every

    def test_are_those_of_every_worker(self, settings):
        app = create_app(settings)
        assert isinstance(app.extensions["gin-duties"], Duties)
        app.extensions["gin-rummy"].store.close()

    def test_remove_what_portals_were_told_long_ago(self, portal, settings):
        house = portal.answering.house
        portal.make()
        deliver(portal, 204)
        with house.store.writing() as conn:
            conn.execute("UPDATE portal_events SET happened_at = now() - interval '31 days'")
        by_name = {duty.name: duty for duty in duties_of(house, settings)}
        assert not by_name["sweep"].do()
        assert count(house.store, "portal_events") == 0

    def test_let_clocks_act_and_end_games(self, answering, tables, settings):
        overdue, resting = tables(*PASSED, rules=FORFEIT), tables()
        overdue.time_passes()
        with answering.house.store.writing() as conn:
            conn.execute(
                "UPDATE games SET created_at = now() - interval '31 days',"
                " updated_at = now() - interval '31 days' WHERE id = %s",
                (resting.id,),
            )
        for duty in duties_of(answering.house, settings):
            assert not duty.do()
        assert load(answering.house, overdue.id).status == "finished"
        assert load(answering.house, resting.id).status == "abandoned"


@pytest.fixture
def house(answering):
    return answering.house


@pytest.fixture
def worker(house, settings, monkeypatch):
    """Makes threads with duties of the test, which stop in the end."""
    made = []

    def worker(*duties):
        monkeypatch.setattr(module, "duties_of", lambda _house, _settings: duties)
        made.append(Duties(house, settings))
        made[-1].open()
        return made[-1]

    yield worker
    for each in made:
        each.close()


class Counted:
    """A duty that counts how often it is done, and tells when it was often enough."""

    def __init__(self, enough=1, *outcomes) -> None:
        self.count = 0
        self.done = threading.Event()
        self._enough = enough
        self._outcomes = list(outcomes)

    def __call__(self) -> bool:
        self.count += 1
        if self.count >= self._enough:
            self.done.set()
        outcome = self._outcomes.pop(0) if self._outcomes else False
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def soon(self) -> bool:
        return self.done.wait(SOON)


class TestADuty:
    def test_is_done_from_time_to_time(self, worker):
        often = Counted(3)
        worker(Duty("often", 0.01, often))
        assert often.soon()

    def test_is_done_again_at_once_while_there_is_more_to_do(self, worker):
        rarely = Counted(3, True, True)
        worker(Duty("rarely", 3600, rarely))
        assert rarely.soon()

    def test_is_not_done_while_somebody_else_does_it(self, worker, house):
        taken, free = Counted(), Counted(5)
        with house.store.writing() as conn:
            assert leases.take(conn, "taken", 3600)
        worker(Duty("taken", 0.01, taken), Duty("free", 0.01, free))
        assert free.soon()
        assert taken.count == 0

    def test_is_done_by_one_of_many_at_a_time(self, worker):
        inside, together, enough = threading.Lock(), [], threading.Event()

        def do():
            if not inside.acquire(blocking=False):
                together.append(1)
                return False
            try:
                calls.append(1)
                if len(calls) >= 20:
                    enough.set()
                threading.Event().wait(0.005)
            finally:
                inside.release()
            return False

        calls = []
        for _ in range(4):
            worker(Duty("one", 0.001, do))
        assert enough.wait(SOON)
        assert together == []

    @pytest.mark.parametrize("error", [KeyError("a bug"), Unavailable("away")])
    def test_that_fails_is_tried_again_and_stops_no_other(self, worker, error, caplog):
        fails, other = Counted(2, error), Counted(3)
        worker(Duty("fails", 0.01, fails), Duty("other", 0.01, other))
        assert fails.soon()
        assert other.soon()
        assert "fails" in caplog.text

    def test_is_done_once_the_database_is_back(self, worker, monkeypatch, caplog):
        writing, away, asked = Store.writing, threading.Event(), threading.Event()
        away.set()

        def perhaps(store):
            if away.is_set():
                asked.set()
                raise Unavailable("away")
            return writing(store)

        monkeypatch.setattr(Store, "writing", perhaps)
        duty = Counted(2)
        worker(Duty("duty", 0.01, duty))
        assert asked.wait(SOON)
        away.clear()
        assert duty.soon()
        said = [one for one in caplog.records if one.levelno >= logging.WARNING]
        assert len(said) == 1, "it says so once"


class TestTheThread:
    def test_ends_with_the_worker(self, worker):
        duty = Counted()
        made = worker(Duty("duty", 3600, duty))
        assert duty.soon()
        made.close()
        assert not made._thread.is_alive()
        made.close()

    def test_that_never_began_is_closed_all_the_same(self, house, settings):
        Duties(house, settings).close()

    def test_tells_at_once_who_comes(self, worker, house, tables):
        table = tables()
        worker()
        watch = house.notifier.watch(table.id, None, 1e12)
        rung = threading.Event()
        watch.then(rung.set)
        try:
            table.get(who=0)
            assert rung.wait(SOON)
        finally:
            watch.close()
        assert [seat["online"] for seat in table.view(SPECTATOR)["seats"]] == [True, False]
