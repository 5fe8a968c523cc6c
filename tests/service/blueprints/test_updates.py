"""What happened since a version: for pollers, and for those who come back."""

import pytest

from service.use_cases import read_log
from tests.service.questions import ForViewers
from tests.service.table import ADA, DRAWN, SCORED, SPECTATOR, THROWN


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
