"""Who asks for something with a seat's token is there for all to see, and goes without a word."""

import pytest

from service.app import create_app
from service.storage.errors import Unavailable
from service.storage.pool import Store
from service.use_cases.keep_presence import sweep_presence, tell_presence
from service.use_cases.leave_seat import leave_seat, open_to_leave
from service.use_cases.open_game import load
from service.use_cases.verify_games import verify_game
from tests.service.answering import Answering
from tests.service.statements import listening
from tests.service.table import ADA, BOB, EASY, PASSED, SPECTATOR


@pytest.fixture
def house(answering):
    """A house that notes who is seen."""
    answering.house.presence.open(lambda: None)
    yield answering.house
    answering.house.presence.close()


def online(table, who=SPECTATOR):
    return [seat["online"] for seat in table.view(who)["seats"]]


def time_passes(house, seconds):
    with house.store.writing() as conn:
        conn.execute(
            "UPDATE presence SET seen_until = seen_until - make_interval(secs => %s)", (seconds,)
        )


class TestASeat:
    def test_is_offline_until_its_token_is_used(self, house, tables):
        table = tables()
        tell_presence(house)
        assert online(table) == [False, False]
        table.get(who=1)
        tell_presence(house)
        assert online(table) == [False, True]

    @pytest.mark.parametrize("path", ["", "/updates", "/moves", "/score", "/notes"])
    def test_is_there_whatever_it_asks_for(self, house, tables, path):
        table = tables()
        table.get(path, 0)
        tell_presence(house)
        assert online(table) == [True, False]

    def test_is_there_by_a_move_and_by_one_that_is_refused(self, house, tables):
        table = tables("0 pass")
        assert table.send("0 pass").status_code == 409
        tell_presence(house)
        assert online(table) == [True, False]

    def test_goes_once_its_time_is_over(self, house, tables):
        table = tables()
        table.get(who=0)
        tell_presence(house)
        time_passes(house, 29)
        sweep_presence(house)
        assert online(table) == [True, False]
        time_passes(house, 2)
        assert not sweep_presence(house)
        assert online(table) == [False, False]

    def test_is_not_there_for_those_who_only_look_on(self, house, portal):
        table = portal.make()
        table.get(who=SPECTATOR)
        assert portal.ask("GET", table.path).status_code == 200
        tell_presence(house)
        assert online(table) == [False, False]

    def test_is_not_there_by_a_token_that_is_of_no_use(self, house, tables):
        table, other = tables(), tables()
        answer = table.answering.get(table.path, other.tokens[0])
        assert answer.status_code == 404
        tell_presence(house)
        assert online(table) == online(other) == [False, False]

    def test_of_a_computer_is_always_there(self, house, tables):
        table = tables(seats=(ADA, EASY), deal=None)
        version = table.view(SPECTATOR)["version"]
        assert online(table) == [False, True]
        tell_presence(house)
        assert table.view(SPECTATOR)["version"] == version

    def test_with_the_token_of_a_computer_changes_nothing(self, house, tables):
        table = tables(seats=(EASY, EASY), deal=None)
        assert table.get(who=0).status_code == 200
        version = load(house, table.id).version
        tell_presence(house)
        assert load(house, table.id).version == version

    def test_that_was_left_is_not_there(self, house, tables):
        table = tables(seats=(ADA, BOB, {"kind": "human"}))
        table.get(who=1)
        tell_presence(house)
        assert online(table) == [False, True, False]
        leave_seat(house, open_to_leave(house, house.tokens.read(table.tokens[1]), table.id, 1), 1)
        assert online(table) == [False, False, False]

    def test_is_not_there_once_the_game_is_over(self, house, tables):
        table = tables()
        table.get(who=0)
        tell_presence(house)
        view = table.play("0 resign")["game"]
        assert [seat["online"] for seat in view["seats"]] == [False, False]
        table.get(who=1)
        tell_presence(house)
        sweep_presence(house)
        assert table.view()["version"] == view["version"]


class TestAChange:
    def test_is_an_update_without_moves(self, house, tables):
        table = tables(*PASSED)
        before = table.view(SPECTATOR)["version"]
        tell_presence(house)
        update = table.get(f"/updates?after={before}", SPECTATOR).json
        assert (update["moves"], update["reset"]) == ([], False)
        assert update["game"]["version"] == before + 1
        assert (
            update["game"]["etag"] != table.get(f"/updates?after={before}", 0).json["game"]["etag"]
        )
        assert verify_game(house.store, house.codec, table.id) is None

    def test_makes_a_view_another_one(self, house, tables):
        table = tables()
        tag = table.get(who=SPECTATOR).headers["ETag"]
        again = {"If-None-Match": tag}
        assert table.get(who=SPECTATOR, headers=again).status_code == 304
        table.get(who=0)
        tell_presence(house)
        assert table.get(who=SPECTATOR, headers=again).status_code == 200

    def test_is_told_to_those_who_follow(self, house, tables):
        table = tables()
        watch = house.notifier.watch(table.id, None, 1e12)
        try:
            table.get(who=0)
            assert not watch.rung
            tell_presence(house)
            assert watch.rung
        finally:
            watch.close()

    def test_is_in_nobodys_way(self, house, tables):
        """A move is sent, and sent again, with whoever comes and goes in between."""
        table = tables()
        body = {"action": "pass", "move_number": table.next_move}
        tell_presence(house)
        first = table.post("/moves", body)
        assert first.status_code == 201
        tell_presence(house)
        time_passes(house, 60)
        sweep_presence(house)
        again = table.post("/moves", body)
        assert (again.status_code, again.json["replayed"]) == (200, True)
        assert again.json["moves"] == first.json["moves"]
        assert verify_game(house.store, house.codec, table.id) is None

    def test_is_in_nobodys_way_while_a_move_is_decided(self, house, tables, monkeypatch):
        """However often somebody comes between reading and writing, nothing is decided anew."""
        table, writing = tables(), Store.writing
        came = []

        def after_somebody_came(store):
            if len(came) < 5:
                came.append(1)
                with writing(store) as conn:
                    conn.execute(
                        "UPDATE games SET online = 3 - online, version = version + 1,"
                        " sightings = sightings + 1 WHERE id = %s",
                        (table.id,),
                    )
            return writing(store)

        monkeypatch.setattr(Store, "writing", after_somebody_came)
        answer = table.send("0 pass")
        assert (answer.status_code, len(came)) == (201, 1)
        assert answer.json["game"]["version"] == answer.json["moves"][0]["version"]


class TestTelling:
    def test_is_one_statement_for_all_who_stay(self, house, tables):
        made = [tables() for _ in range(5)]
        for table in made:
            table.get(who=0)
        tell_presence(house)
        for table in made:
            table.get(who=0)
        with listening() as said:
            tell_presence(house)
        assert [each.split()[0] for each in said.statements] == ["INSERT"]

    def test_says_nothing_where_nobody_was_seen(self, house):
        with listening() as said:
            tell_presence(house)
        assert said.statements == []

    def test_costs_no_request_a_statement(self, house, tables):
        table = tables()
        table.get(who=0)
        with listening() as said:
            table.get(who=0)
        assert len(said.statements) == 1
        body = {"action": "pass", "move_number": table.next_move}
        with listening() as said:
            assert table.post("/moves", body).status_code == 201
        assert len(said.statements) == 2

    def test_is_done_later_while_the_database_is_away(self, house, tables, monkeypatch):
        table = tables()
        table.get(who=0)

        def away(_store):
            raise Unavailable("away")

        with monkeypatch.context() as broken:
            broken.setattr(Store, "writing", away)
            with pytest.raises(Unavailable):
                tell_presence(house)
        tell_presence(house)
        assert online(table) == [True, False]

    def test_keeps_those_who_follow(self, house, tables):
        table = tables()
        table.get(who=0)
        tell_presence(house)
        watch = house.notifier.watch(table.id, 0, 1e12)
        time_passes(house, 29)
        tell_presence(house)
        watch.close()
        time_passes(house, 29)
        sweep_presence(house)
        assert online(table) == [True, False]


class TestTwoProcesses:
    @pytest.fixture
    def other(self, settings, house):
        answering = Answering(create_app(settings))
        answering.house.presence.open(lambda: None)
        yield answering
        answering.house.store.close()

    def test_hold_a_seat_until_both_have_not_seen_it(self, house, other, tables):
        table = tables()
        table.get(who=0)
        tell_presence(house)
        time_passes(house, 20)
        other.get(table.path, table.tokens[0])
        tell_presence(other.house)
        time_passes(house, 20)
        sweep_presence(house)
        assert online(table) == [True, False]
        time_passes(house, 11)
        sweep_presence(other.house)
        assert online(table) == [False, False]


class TestNobody:
    def test_is_there_where_it_is_turned_off(self, tables, answering):
        table = tables()
        table.get(who=0)
        with listening() as said:
            tell_presence(answering.house)
        assert said.statements == []
        assert online(table) == [False, False]
