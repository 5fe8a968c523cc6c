"""What happened since a version: for pollers, and for those who come back."""

import threading
from time import monotonic

import pytest

from service.updates import MOST_ALIKE, Notifier
from service.use_cases import read_log
from tests.service.blueprints.patience import patient
from tests.service.questions import ForViewers
from tests.service.table import ADA, DRAWN, SCORED, SPECTATOR, THROWN

__all__ = ["patient"]


class TestGetUpdates(ForViewers):
    path = "/updates"

    def test_is_not_kept_without_asking(self, tables):
        answer = tables(*DRAWN).get("/updates")
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert answer.headers["Vary"] == "Authorization, Origin"
        assert "ETag" not in answer.headers


def since(table, after=None, who=0, **headers):
    query = "" if after is None else f"?after={after}"
    return table.get(f"/updates{query}", who, headers=headers).json


class TestSinceAVersion:
    def test_come_all_moves_after_it(self, tables):
        table = tables()
        version = table.view()["version"]
        table.play(*THROWN)
        update = since(table, version)
        assert [move["action"] for move in update["moves"]] == ["pass", "pass", "draw", "discard"]
        assert [move["version"] for move in update["moves"]] == list(
            range(version + 1, version + 5)
        )
        assert (update["reset"], update["replayed"]) == (False, False)
        assert update["game"]["version"] == version + 4

    def test_every_version_leads_to_the_present(self, tables):
        table = tables(*SCORED)
        now = table.view()["version"]
        for version in range(1, now + 1):
            update = since(table, version)
            made = [move["version"] for move in update["moves"]]
            assert made == [v for v in range(version + 1, now + 1) if v > 1]
            assert not update["reset"]

    def test_that_is_the_present_come_none(self, tables):
        table = tables(*DRAWN)
        update = since(table, table.view()["version"])
        assert (update["moves"], update["reset"]) == ([], False)

    @pytest.mark.parametrize("after", [None, 0, 9, 999_999_999])
    def test_that_is_none_or_unknown_the_game_is_drawn_afresh(self, tables, after):
        table = tables(*DRAWN)
        assert table.view()["version"] < 9
        update = since(table, after)
        assert (update["moves"], update["reset"]) == ([], True)
        assert update["game"]["version"] == table.view()["version"]

    def test_may_stand_in_last_event_id(self, tables):
        table = tables(*DRAWN)
        version = table.view()["version"]
        update = since(table, None, **{"Last-Event-ID": str(version - 1)})
        assert [move["action"] for move in update["moves"]] == ["draw"]
        update = since(table, version, **{"Last-Event-ID": str(version - 1)})
        assert update["moves"] == []
        for nonsense in ("x", "-1", "1.5", "9" * 30, "", "٣"):
            update = since(table, None, **{"Last-Event-ID": nonsense.encode().decode("latin-1")})
            assert update["reset"]

    def test_shows_what_its_viewer_may_see(self, tables):
        table = tables(*DRAWN)
        before = table.view()["version"] - 1
        drawn = {who: since(table, before, who)["moves"][0] for who in (0, 1, SPECTATOR)}
        assert drawn[0]["card"] == "KS"
        assert drawn[1] == drawn[SPECTATOR]
        assert "card" not in drawn[1]

    def test_gives_a_join_as_a_newer_game_without_a_move(self, tables):
        table = tables(seats=({"kind": "human"}, {"kind": "human", "seating": "open"}))
        assert table.view()["version"] == 1
        table.join(name="Bob")
        update = since(table, 1)
        assert [move["version"] for move in update["moves"]] == [3]
        assert update["game"]["version"] == 3
        assert update["game"]["seats"][1]["name"] == "Bob"

    @pytest.mark.parametrize(
        ("query", "code"),
        [
            ("after=x", "wrong_type"),
            ("after=-1", "out_of_range"),
            ("after=1000000000", "out_of_range"),
            ("after=1&after=2", "wrong_type"),
            ("since=1", "unknown_field"),
        ],
    )
    def test_has_to_be_a_number(self, tables, query, code):
        answer = tables(*DRAWN).get(f"/updates?{query}")
        assert [each["code"] for each in answer.json["errors"]] == [code]


class TestFarBehind:
    def test_is_more_than_200_moves(self):
        assert read_log.FURTHEST_BEHIND == 200

    def test_means_to_draw_the_game_afresh(self, tables, monkeypatch):
        monkeypatch.setattr(read_log, "FURTHEST_BEHIND", 3)
        table = tables(*THROWN)
        now = table.view()["version"]
        assert len(since(table, now - 3)["moves"]) == 3
        update = since(table, now - 4)
        assert (update["moves"], update["reset"]) == ([], True)
        assert update["game"]["version"] == now

    def test_is_so_for_a_whole_long_game(self, tables):
        table = tables(deal=None, rules={"target": 100})
        table.play_on(lambda view: view["version"] > 205)
        now = table.view()["version"]
        assert len(since(table, now - 200)["moves"]) == 200
        assert since(table, now - 201)["reset"]


class TestAWaitingGame:
    def test_has_nothing_to_tell(self, tables):
        table = tables(seats=(ADA, {"kind": "human"}))
        assert since(table, 1)["moves"] == []
        assert not since(table, 1)["reset"]


@pytest.fixture
def waits(monkeypatch):
    """Is set when somebody has begun to wait."""
    begun = threading.Event()
    watch = Notifier.watch

    def watching(notifier, *arguments):
        made = watch(notifier, *arguments)
        then = made.then

        def waiting(call):
            then(call)
            begun.set()

        made.then = waiting
        return made

    monkeypatch.setattr(Notifier, "watch", watching)
    return begun


class Asking(threading.Thread):
    """Asks in a thread of its own."""

    def __init__(self, ask) -> None:
        super().__init__(daemon=True)
        self._ask = ask
        self.answer = None
        self.start()

    def run(self) -> None:
        self.answer = self._ask()

    def answered(self):
        self.join(60)
        assert not self.is_alive()
        return self.answer


class TestAWait:
    def test_ends_with_the_next_move(self, tables, patient, waits):
        table = tables()
        version = table.view()["version"]
        asking = Asking(lambda: since(patient(table), f"{version}&wait=25", 1))
        assert waits.wait(60)
        table.play("0 pass")  # at another application: as if by another process
        update = asking.answered()
        assert [move["action"] for move in update["moves"]] == ["pass"]
        assert update["game"]["version"] == version + 1

    def test_ends_after_its_time_with_no_moves_and_the_same_version(self, tables):
        table = tables(*DRAWN)
        version = table.view()["version"]
        update = since(table, f"{version}&wait=25")  # the settings of the tests allow for less
        assert (update["moves"], update["reset"]) == ([], False)
        assert update["game"]["version"] == version

    def test_holds_no_connection_to_the_database(self, tables, patient, waits):
        table = tables()
        waiting = patient(table)
        version = table.view()["version"]
        asking = Asking(lambda: since(waiting, f"{version}&wait=25"))
        assert waits.wait(60)
        assert waiting.view(1)["version"] == version  # by the one connection that there is
        table.play("0 pass")
        asking.answered()

    @pytest.mark.parametrize("after", ["", "after=1&", "after=9999&"])
    def test_is_none_where_there_is_something_to_tell(self, tables, patient, after):
        table = patient(tables(*DRAWN))
        begun = monotonic()
        table.get(f"/updates?{after}wait=25")
        assert monotonic() - begun < 25

    def test_is_none_once_the_game_is_over(self, tables, patient):
        table = patient(tables.at("game_over"))
        begun = monotonic()
        since(table, f"{table.view()['version']}&wait=25")
        assert monotonic() - begun < 25

    def test_is_none_where_nobody_more_can_wait(self, tables, patient):
        table = patient(tables())
        notifier = table.answering.house.notifier
        watches = [notifier.watch(table.id, 0, monotonic()) for _ in range(MOST_ALIKE)]
        begun = monotonic()
        assert since(table, f"{table.view()['version']}&wait=25")["moves"] == []
        assert monotonic() - begun < 25
        for watch in watches:
            watch.close()

    def test_is_not_begun_by_who_only_asks_for_the_headers(self, tables):
        table = tables()
        path = f"/updates?after={table.view()['version']}&wait=25"
        assert (
            table.answering.client.head(
                table.path + path, headers={"Authorization": f"Bearer {table.tokens[0]}"}
            ).status_code
            == 200
        )

    @pytest.mark.parametrize(
        ("query", "code"),
        [("wait=26", "out_of_range"), ("wait=-1", "out_of_range"), ("wait=x", "wrong_type")],
    )
    def test_is_of_whole_seconds_up_to_25(self, tables, query, code):
        answer = tables().get(f"/updates?{query}")
        assert [each["code"] for each in answer.json["errors"]] == [code]
