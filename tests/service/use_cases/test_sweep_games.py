"""Ending what nobody goes on with, from one machine or several."""

import threading
from datetime import timedelta

import pytest

from engine.rules import STANDARD
from service.settings import load as settings_of
from service.use_cases import sweep_games as module
from service.use_cases.abandon_game import try_to_abandon
from service.use_cases.keep_score_sheet import create_score_sheet
from service.use_cases.open_game import load
from service.use_cases.open_score_sheet import load_sheet
from service.use_cases.refusals import Refused
from service.use_cases.sweep_games import Expiry, Swept, expiry_of, sweep_games
from service.use_cases.verify_games import verify_all
from tests.service.table import SPECTATOR, TIMED

OPEN = {"kind": "human", "seating": "open"}
DAY = timedelta(days=1)
EXPIRY = Expiry(DAY, 30 * DAY, 90 * DAY, 365 * DAY)


@pytest.fixture
def house(answering):
    return answering.house


def aged(table, days):
    with table.answering.house.store.writing() as conn:
        conn.execute(
            "UPDATE games SET created_at = created_at - %s, updated_at = updated_at - %s"
            " WHERE id = %s",
            (days * DAY, days * DAY, table.id),
        )


class TestTheTimes:
    def test_are_settings(self):
        assert expiry_of(settings_of({})) == EXPIRY
        asked = {"GIN_EXPIRE_WAITING_DAYS": "2", "GIN_EXPIRE_IDLE_DAYS": "3"}
        asked |= {"GIN_ARCHIVE_DAYS": "4", "GIN_EXPIRE_SHEET_DAYS": "5"}
        assert expiry_of(settings_of(asked)) == Expiry(2 * DAY, 3 * DAY, 4 * DAY, 5 * DAY)


class TestAGame:
    def test_that_waits_for_a_day_is_abandoned(self, house, tables):
        table = tables(seats=(OPEN, {"kind": "human", "seating": "granted"}))
        assert sweep_games(house, EXPIRY) == Swept(0, 0)
        aged(table, 1.01)
        assert sweep_games(house, EXPIRY) == Swept(1, 0)
        view = table.view(SPECTATOR)
        assert (view["status"], view["abandon_reason_code"]) == ("abandoned", "waiting_expired")

    def test_that_rests_for_thirty_days_is_abandoned(self, house, tables):
        idle, played = tables(), tables()
        for table in (idle, played):
            aged(table, 31)
        played.play("0 pass")
        assert sweep_games(house, EXPIRY) == Swept(1, 0)
        assert idle.view()["abandon_reason_code"] == "idle_expired"
        assert played.view()["status"] == "playing"
        assert verify_all(house.store, house.codec).findings == ()

    @pytest.mark.parametrize("policy", ["forfeit", "ai_takes_over"])
    def test_that_rests_because_nobody_looked_at_its_clock_goes_by_the_clock(
        self, house, tables, policy
    ):
        table = tables("0 pass", "1 pass", rules={**TIMED, "timeout_policy": policy})
        aged(table, 31)
        table.time_passes(31 * DAY.total_seconds())
        assert sweep_games(house, EXPIRY) == Swept(0, 0)
        stored = load(house, table.id)
        assert stored.status == ("finished" if policy == "forfeit" else "playing")
        assert stored.game.score.winner == (1 if policy == "forfeit" else None)
        assert verify_all(house.store, house.codec).findings == ()

    def test_that_nobody_claims_for_thirty_days_is_abandoned(self, house, tables):
        table = tables("0 pass", "1 pass", rules=TIMED)
        table.time_passes()
        table.view(1)  # who is late was noted
        aged(table, 31)
        assert sweep_games(house, EXPIRY) == Swept(1, 0)
        assert table.view()["abandon_reason_code"] == "idle_expired"

    @pytest.mark.parametrize("lines", [("0 resign",), ()])
    def test_that_is_over_for_ninety_days_is_archived(self, house, tables, lines):
        table = tables(*lines)
        if not lines:
            try_to_abandon(house, load(house, table.id), None)
        aged(table, 89)
        assert sweep_games(house, EXPIRY) == Swept(0, 0)
        aged(table, 2)
        assert sweep_games(house, EXPIRY) == Swept(0, 1)
        for who in (0, 1, SPECTATOR):
            answer = table.get(who=who)
            assert (answer.status_code, answer.json["code"]) == (401, "token_expired")
        assert sweep_games(house, EXPIRY) == Swept(0, 0)

    def test_that_somebody_goes_on_with_at_that_moment_goes_on(self, house, tables, monkeypatch):
        found_late, decided_late = tables(), tables()
        for table in (found_late, decided_late):
            aged(table, 31)
        loading = module.load

        def played_before_it_is_read(house, game_id):
            if game_id == found_late.id:
                found_late.play("0 pass")
            return loading(house, game_id)

        def played_before_it_is_written(*values):
            decided_late.play("0 pass")
            return try_to_abandon(*values)

        monkeypatch.setattr(module, "load", played_before_it_is_read)
        monkeypatch.setattr(module, "try_to_abandon", played_before_it_is_written)
        assert sweep_games(house, EXPIRY) == Swept(0, 0)
        for table in (found_late, decided_late):
            assert table.view()["status"] == "playing"


def kept(house, days, count=1):
    """Score sheets that nobody changed for so many days."""
    made = [create_score_sheet(house, ("Ada", "Bob"), STANDARD).stored.id for _ in range(count)]
    with house.store.writing() as conn:
        old = "UPDATE score_sheets SET updated_at = updated_at - %s WHERE id = ANY(%s)"
        conn.execute(old, (days * DAY, made))
    return made


class TestAScoreSheet:
    def test_that_nobody_changed_for_a_year_is_deleted(self, house):
        [old], [young] = kept(house, 365.01), kept(house, 364.99)
        assert sweep_games(house, EXPIRY) == Swept(0, 0, 1)
        assert load_sheet(house, young).id == young
        with pytest.raises(Refused, match="not_found"):
            load_sheet(house, old)
        assert sweep_games(house, EXPIRY) == Swept(0, 0, 0)

    def test_is_one_of_many_that_go_in_batches(self, house, monkeypatch):
        monkeypatch.setattr(module, "SHEETS", 2)
        kept(house, 400, count=5)
        assert sweep_games(house, EXPIRY) == Swept(0, 0, 5)

    def test_is_deleted_once_by_several_sweepers(self, house, monkeypatch):
        monkeypatch.setattr(module, "SHEETS", 2)
        kept(house, 400, count=8)
        swept, together = [], threading.Barrier(3)

        def sweep():
            together.wait(10)
            swept.append(sweep_games(house, EXPIRY).sheets)

        threads = [threading.Thread(target=sweep) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert sum(swept) + sweep_games(house, EXPIRY).sheets == 8


class TestManyGames:
    def test_are_ended_in_batches(self, house, tables):
        made = [tables() for _ in range(5)]
        for table in made:
            aged(table, 31)
        assert sweep_games(house, EXPIRY, batch=2) == Swept(5, 0)
        for table in made:
            aged(table, 91)
        assert sweep_games(house, EXPIRY, batch=2) == Swept(0, 5)

    def test_are_ended_once_by_several_sweepers(self, house, tables):
        for _ in range(6):
            aged(tables(), 31)
        swept, together = [], threading.Barrier(3)

        def sweep():
            together.wait(10)
            swept.append(sweep_games(house, EXPIRY, batch=2))

        threads = [threading.Thread(target=sweep) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert sum(one.abandoned for one in swept) == 6
        assert verify_all(house.store, house.codec).findings == ()

    def test_are_so_many_at_a_time(self, house, tables):
        for _ in range(5):
            aged(tables(), 31)
        assert sweep_games(house, EXPIRY, batch=2, most=3) == Swept(3, 0)
        assert sweep_games(house, EXPIRY, batch=2, most=3) == Swept(2, 0)

    def test_behind_one_that_fails_are_ended(self, house, tables, monkeypatch, caplog):
        made = [tables() for _ in range(3)]
        for at, table in enumerate(made):
            aged(table, 40 - at)

        def failing(house, stored, reason):
            if stored.game.setup.id == made[0].id:
                raise KeyError("a bug")
            return try_to_abandon(house, stored, reason)

        monkeypatch.setattr(module, "try_to_abandon", failing)
        assert sweep_games(house, EXPIRY, batch=1) == Swept(2, 0)
        assert made[0].id in caplog.text

    def test_behind_one_that_cannot_be_ended_are_ended(self, house, tables, monkeypatch):
        made = [tables() for _ in range(3)]
        for at, table in enumerate(made):
            aged(table, 40 - at)
        monkeypatch.setattr(
            module,
            "try_to_abandon",
            lambda house, stored, reason: (
                None
                if stored.game.setup.id == made[0].id
                else try_to_abandon(house, stored, reason)
            ),
        )
        assert sweep_games(house, EXPIRY, batch=1) == Swept(2, 0)
