"""A time that ran out is looked at by whoever comes next, and what follows is written once."""

import threading
from datetime import timedelta
from functools import partial

import pytest

from engine.game import Mover
from service.app import create_app
from service.storage import games
from service.storage.errors import Busy, OutcomeUnknown
from service.tokens import Token, TokenKind
from service.use_cases import expire_overdue as module
from service.use_cases.expire_overdue import (
    TRIES,
    brought_up_to_time,
    expire_all,
    expire_overdue,
)
from service.use_cases.open_game import load, open_game
from service.use_cases.refusals import Refused
from service.use_cases.verify_games import verify_game
from tests.service.answering import Answering
from tests.service.statements import listening
from tests.service.table import PASSED, THROWN, TIMED

FORFEIT = {**TIMED, "timeout_policy": "forfeit"}
AI_PLAYS = {**TIMED, "timeout_policy": "ai_takes_over"}


@pytest.fixture
def house(answering):
    return answering.house


@pytest.fixture(params=[TIMED, FORFEIT, AI_PLAYS], ids=["claim", "forfeit", "ai_takes_over"])
def overdue(tables, request):
    table = tables(*PASSED, rules=request.param)
    table.time_passes()
    return table


def clean(house, table):
    return verify_game(house.store, house.codec, table.id) is None


class TestAnOverdueGame:
    def test_is_brought_up_to_time_once(self, house, overdue):
        before = load(house, overdue.id)
        assert before.overdue
        after = expire_overdue(house, overdue.id)
        assert after.version > before.version
        assert after.game != before.game
        again = expire_overdue(house, overdue.id)
        assert (again.version, again.game) == (after.version, after.game)
        assert clean(house, overdue)

    def test_is_so_for_whoever_opens_it(self, house, overdue):
        token = Token(TokenKind.SPECTATOR, overdue.id, None)
        opened = open_game(house, token, overdue.id)
        assert opened.stored.game == load(house, overdue.id).game
        assert opened.stored.version > 4

    def test_is_so_for_its_portal(self, house, portal):
        table = portal.make(*PASSED, rules=FORFEIT, metadata={"table": "7"})
        table.time_passes()
        seen = portal.ask("GET", table.path).json
        assert (seen["status"], seen["you"]["viewer"]) == ("finished", "portal")
        assert seen["metadata"] == {"table": "7"}
        assert seen["version"] == load(house, table.id).version
        ended = portal.ask("POST", f"{table.path}/abandonments")
        assert (ended.status_code, ended.json["code"]) == (409, "game_over")
        assert clean(house, table)

    def test_has_no_time_left_to_run_once_it_is_abandoned(self, house, portal):
        table = portal.make(*PASSED, rules=TIMED)
        table.time_passes()
        table.get()  # now it can be claimed
        seen = portal.ask("POST", f"{table.path}/abandonments").json
        assert seen["status"] == "abandoned"
        assert not seen.keys() & {"turn_deadline", "claimable_at"}
        stored = load(house, table.id)
        assert (stored.turn_deadline, stored.game.late_seat) == (None, None)
        assert clean(house, table)

    def test_is_written_once_by_two_at_once(self, house, overdue):
        stale = load(house, overdue.id)
        first = brought_up_to_time(house, stale)
        second = brought_up_to_time(house, stale)
        assert (second.version, second.game) == (first.version, first.game)
        assert clean(house, overdue)

    def test_is_left_to_who_was_quicker(self, house, overdue, meanwhile):
        """Somebody expires it between the decision and the write."""
        first = []
        meanwhile(lambda: first.append(expire_overdue(house, overdue.id)))
        second = expire_overdue(house, overdue.id)
        assert (second.version, second.game) == (first[0].version, first[0].game)
        assert clean(house, overdue)

    def test_is_looked_at_again_when_nobody_knows_whether_it_was_written(
        self, house, overdue, monkeypatch
    ):
        change, lost = games.change, []

        def written_and_lost(*arguments):
            change(*arguments)
            if not lost:
                lost.append(1)
                raise OutcomeUnknown("lost")

        monkeypatch.setattr(games, "change", written_and_lost)
        after = expire_overdue(house, overdue.id)
        assert lost
        assert after.game == load(house, overdue.id).game
        assert clean(house, overdue)

    def test_gives_up_when_it_keeps_changing(self, house, overdue, monkeypatch):
        tries = []
        monkeypatch.setattr(games, "change", lambda *_: tries.append(1))
        with pytest.raises(Busy):
            expire_overdue(house, overdue.id)
        assert len(tries) == TRIES

    def test_may_be_gone(self, house):
        with pytest.raises(Refused) as caught:
            expire_overdue(house, "g_none")
        assert caught.value.code == "not_found"


class TestAGameInTime:
    def test_is_left_alone(self, house, tables):
        for rules in ({}, TIMED, FORFEIT, AI_PLAYS):
            table = tables(*PASSED, rules=rules)
            table.time_passes(59)
            before = load(house, table.id)
            assert not before.overdue
            assert expire_overdue(house, table.id).version == before.version

    def test_has_its_deadline_by_the_clock_of_the_database(self, house, tables):
        stored = load(house, tables(*PASSED, rules=TIMED).id)
        assert stored.turn_deadline == stored.updated_at + timedelta(seconds=60)


class TestALateMove:
    def test_that_was_decided_in_time_wins_over_the_clock(self, house, tables):
        """It was read in time and written before anybody looked at the clock."""
        table = tables(*PASSED, rules=FORFEIT)
        stale = load(house, table.id)
        table.play("0 draw stock")
        table.time_passes()
        after = brought_up_to_time(house, stale)  # read before: it was not overdue
        assert after is stale
        assert expire_overdue(house, table.id).game.over
        assert clean(house, table)

    def test_that_meets_an_expiry_is_stale(self, house, tables, meanwhile):
        table = tables(*PASSED, rules=FORFEIT)

        def runs_out():
            table.time_passes()
            expire_overdue(house, table.id)

        meanwhile(runs_out)
        answer = table.send("0 draw stock")
        assert (answer.status_code, answer.json["code"]) == (409, "stale_move")
        assert [move["by"] for move in answer.json["moves"]] == ["clock"]
        assert clean(house, table)

    def test_that_meets_the_mark_of_being_late_is_decided_again(self, house, tables, meanwhile):
        table = tables(*PASSED, rules=TIMED)

        def runs_out():
            table.time_passes()
            expire_overdue(house, table.id)

        meanwhile(runs_out)
        game = table.play("0 draw stock")["game"]
        assert game["turn_deadline"] > game["server_time"]
        assert load(house, table.id).game.late_seat is None
        assert clean(house, table)


@pytest.fixture
def workers(settings, answering):
    """Two more workers on the same database, each with a pool of its own."""
    made = [Answering(create_app(settings)) for _ in range(2)]
    yield made
    for each in made:
        each.house.store.close()


def at_once(*calls):
    """Make the calls at the same moment; return what each led to."""
    barrier, led_to = threading.Barrier(len(calls)), [None] * len(calls)

    def run(index, call):
        barrier.wait(30)
        led_to[index] = call()

    threads = [threading.Thread(target=run, args=each) for each in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return led_to


class TestTwoWorkersAtOnce:
    ROUNDS = 10

    @pytest.mark.parametrize("rules", [TIMED, FORFEIT, AI_PLAYS], ids=["claim", "forfeit", "ai"])
    def test_expire_a_game_once(self, tables, workers, rules):
        for _ in range(self.ROUNDS):
            table = tables(*PASSED, rules=rules)
            table.time_passes()
            told = at_once(*(partial(each.get, table.path, table.tokens[1]) for each in workers))
            views = [{**answer.json, "server_time": ""} for answer in told]
            assert [answer.status_code for answer in told] == [200, 200]
            assert views[0] == views[1]
            assert clean(table.answering.house, table)

    def test_take_a_claim_or_the_late_move_and_not_both(self, tables, workers):
        for _ in range(self.ROUNDS):
            table = tables(*THROWN, rules=TIMED)
            table.time_passes()
            number = {"move_number": table.next_move}
            draw = {"action": "draw", "source": "stock", **number}
            claim, move = at_once(
                partial(workers[0].post, f"{table.path}/claims", number, table.tokens[0]),
                partial(workers[1].post, f"{table.path}/turns", draw, table.tokens[1]),
            )
            statuses = sorted((claim.status_code, move.status_code))
            assert statuses == [201, 409], (claim.json, move.json)
            refused = (claim if claim.status_code == 409 else move).json
            assert refused["code"] in {"stale_move", "not_claimable_yet"}
            assert table.view()["over"] == (claim.status_code == 201)
            log = table.get("/moves?limit=100").json["items"]
            assert [each["number"] for each in log] == list(range(1, len(log) + 1))
            assert log[-1]["action"] == ("claim" if claim.status_code == 201 else "draw")
            assert clean(table.answering.house, table)


class TestWhoPlaysForAnAbsentSeat:
    def test_does_so_by_the_clock(self, house, tables):
        table = tables(*PASSED, rules=AI_PLAYS)
        table.time_passes()
        after = expire_overdue(house, table.id).game
        assert (after.last_move.by, after.last_move.seat, after.away_seats) == (
            Mover.CLOCK,
            0,
            (0,),
        )


class TestAllThatAreOverdue:
    def test_are_brought_up_to_time_though_nobody_asks(self, house, tables):
        policies = (FORFEIT, AI_PLAYS, TIMED)
        made = [tables(*PASSED, rules=rules) for rules in policies]
        calm = tables(*PASSED, rules=FORFEIT)
        version = load(house, calm.id).version
        for table in made:
            table.time_passes()
        assert not expire_all(house)
        forfeit, played, late = (load(house, table.id) for table in made)
        assert forfeit.status == "finished"
        assert played.game.away_seats == (0,)
        assert late.game.late_seat == 0
        assert load(house, calm.id).version == version
        assert all(clean(house, table) for table in made)

    def test_are_not_looked_at_again_while_nothing_is_left_to_follow(self, house, tables):
        table = tables(*PASSED, rules=TIMED)
        table.time_passes()
        expire_all(house)
        after = load(house, table.id)
        assert after.overdue
        with listening() as said:
            expire_all(house)
        assert len(said.statements) == 1
        assert table.view(1)["you"]["legal"]["actions"] == ["claim"]
        assert load(house, table.id).version == after.version

    def test_are_looked_at_again_when_the_next_time_is_over(self, house, tables):
        table = tables(*PASSED, rules=TIMED)
        for line in ("0 draw stock", "0 discard KS"):
            table.time_passes()
            expire_all(house)
            assert load(house, table.id).game.late_seat == 0
            table.play(line)
            assert load(house, table.id).game.late_seat is None

    def test_are_many(self, house, tables, monkeypatch):
        monkeypatch.setattr(module, "BATCH", 2)
        made = [tables(*PASSED, rules=FORFEIT) for _ in range(5)]
        for table in made:
            table.time_passes()
        expire_all(house)
        assert [load(house, table.id).status for table in made] == ["finished"] * 5

    def test_wait_for_others_after_a_while(self, house, tables):
        made = [tables(*PASSED, rules=FORFEIT) for _ in range(2)]
        for table in made:
            table.time_passes()
        assert expire_all(house, 0)
        assert [load(house, table.id).status for table in made] == ["playing"] * 2

    @pytest.mark.parametrize("error", [Busy("busy"), Refused("not_found"), KeyError("a bug")])
    def test_are_not_kept_by_one_that_fails(self, house, tables, monkeypatch, error):
        made = [tables(*PASSED, rules=FORFEIT) for _ in range(3)]
        for table in made:
            table.time_passes()

        def failing(house, game_id):
            if game_id == made[0].id:
                raise error
            return expire_overdue(house, game_id)

        monkeypatch.setattr(module, "expire_overdue", failing)
        expire_all(house)
        assert [load(house, table.id).status for table in made] == [
            "playing",
            "finished",
            "finished",
        ]
