"""The feed of a portal: everything in its order, and nothing of others."""

import threading
from dataclasses import replace

import pytest

from service.app import create_app
from service.updates import Notifier
from service.use_cases.forget_players import forget_game, forget_player
from tests.service.answering import Answering
from tests.service.portal import ADA, BOB, METADATA, OPEN
from tests.service.table import KNOCKS, SCORED, cards_in
from tests.service.webhooks_asked import code_of, errors_of, number


def read(portal, query=""):
    answer = portal.ask("GET", f"/v1/events{query}")
    assert answer.status_code == 200, answer.json
    return answer.json


def told(portal):
    number(portal)
    return read(portal, "?limit=100")["items"]


def types(portal):
    return [each["type"] for each in told(portal)]


class TestListEvents:
    def test_needs_a_key_with_the_scope(self, portals):
        lacking = portals("arcade", ["games:write", "webhooks"])
        assert code_of(lacking.answering.get("/v1/events")) == (401, "token_missing")
        answer = lacking.ask("GET", "/v1/events")
        assert code_of(answer) == (403, "scope_missing")
        assert answer.json["params"] == {"scope": "games:read"}

    def test_tells_a_whole_game(self, portal):
        table = portal.make(*SCORED, metadata=METADATA, rules={"target": 10, "game_bonus": 100})
        found = told(portal)
        assert [each["type"] for each in found] == [
            "game_created",
            "hand_dealt",
            "hand_ended",
            "game_ended",
        ]
        view = table.view("portal")
        end = found[-1]["data"]
        assert end["totals"] == view["score"]["totals"]
        assert (end["winner_seat"], end["version"]) == (view["winner_seat"], view["version"])
        for each in found:
            assert each["data"]["game_id"] == table.id
            assert each["data"]["metadata"] == METADATA
            assert [ref["player_ref"] for ref in each["data"]["player_refs"]] == [
                "ref-ada",
                "ref-bob",
            ]

    def test_never_shows_a_card(self, portal):
        portal.make(*SCORED)
        assert cards_in(told(portal)) == set()

    def test_tells_who_comes_and_goes(self, portal):
        table = portal.make(seats=(ADA, OPEN, BOB), deal=None)
        left = portal.ask("DELETE", f"{table.path}/seats/0")
        assert left.status_code == 204
        assert types(portal) == ["game_created", "seat_left"]
        table.join()
        found = told(portal)
        assert [each["type"] for each in found[2:]] == ["seat_joined"]
        assert found[1]["data"]["seat"] == 0
        assert [ref["seat"] for ref in found[1]["data"]["player_refs"]] == [2]

    def test_tells_of_a_game_that_its_portal_ends(self, portal):
        table = portal.make()
        portal.ask("POST", f"{table.path}/abandonments", {"reason_code": "private"})
        assert types(portal)[-1] == "game_abandoned"
        assert "private" not in str(told(portal))

    def test_tells_of_a_rematch(self, portal):
        table = portal.make("0 resign")
        again = portal.answering.post(f"{table.path}/rematches", None, table.tokens[0]).json
        found = told(portal)
        [rematch] = [each for each in found if each["type"] == "rematch_created"]
        assert rematch["data"]["game_id"] == table.id
        assert rematch["data"]["rematch_game_id"] == again["game"]["id"]
        assert [each["type"] for each in found].count("game_created") == 2

    def test_tells_of_time_that_ran_out(self, portal):
        table = portal.make(rules={"turn_seconds": 60, "timeout_policy": "forfeit"})
        with portal.answering.house.store.writing() as conn:
            conn.execute("UPDATE games SET turn_deadline = now()")
        table.get()
        assert types(portal)[-3:] == ["turn_deadline_passed", "hand_ended", "game_ended"]

    def test_has_nothing_of_others(self, portal, portals):
        portals("other").make()
        portal.tables()
        assert told(portal) == []

    def test_has_pages_that_go_on_for_ever(self, portal):
        for _ in range(3):
            portal.make()
        number(portal)
        whole = read(portal, "?limit=100")
        found, cursor = [], None
        for _ in range(4):
            page = read(portal, "?limit=2" + (f"&cursor={cursor}" if cursor else ""))
            found += page["items"]
            cursor = page["next_cursor"]
        assert found == whole["items"]
        assert (page["items"], cursor) == ([], whole["next_cursor"])
        portal.make()
        number(portal)
        later = read(portal, f"?cursor={cursor}")["items"]
        assert [each["type"] for each in later] == ["game_created", "hand_dealt"]

    def test_has_a_cursor_before_there_is_anything(self, portal):
        cursor = read(portal)["next_cursor"]
        portal.make()
        number(portal)
        assert len(read(portal, f"?cursor={cursor}")["items"]) == 2

    def test_goes_on_behind_a_number_beyond_32_bits(self, portal):
        with portal.answering.house.store.writing() as conn:
            conn.execute("ALTER TABLE portal_events ALTER COLUMN number RESTART WITH 9000000000")
        portal.make()
        number(portal)
        first = read(portal, "?limit=1")
        rest = read(portal, f"?limit=1&cursor={first['next_cursor']}")
        assert [each["type"] for each in (*first["items"], *rest["items"])] == [
            "game_created",
            "hand_dealt",
        ]

    @pytest.mark.parametrize(
        ("query", "error"),
        [
            ("cursor=x", ("#query/cursor", "bad_cursor")),
            ("limit=0", ("#query/limit", "out_of_range")),
            ("wait=26", ("#query/wait", "out_of_range")),
            ("after=1", ("#query/after", "unknown_field")),
        ],
    )
    def test_says_what_is_wrong(self, portal, query, error):
        assert errors_of(portal.ask("GET", f"/v1/events?{query}")) == [error]

    def test_takes_no_cursor_of_another_portal(self, portal, portals):
        cursor = read(portals("other"))["next_cursor"]
        answer = portal.ask("GET", f"/v1/events?cursor={cursor}")
        assert errors_of(answer) == [("#query/cursor", "bad_cursor")]


class TestErasure:
    """Whoever is forgotten in a game is forgotten in what was told of it."""

    def test_of_a_player_reaches_the_feed(self, portal):
        portal.make(*SCORED, metadata=METADATA)
        forget_player(portal.answering.house.store, "ref-ada", None)
        assert "ref-ada" not in str(told(portal))
        assert "ref-bob" in str(told(portal))

    def test_of_a_game_reaches_the_feed(self, portal):
        table = portal.make(*SCORED, metadata=METADATA)
        forget_game(portal.answering.house.store, table.id)
        said = str(told(portal))
        assert not any(word in said for word in ("ref-ada", "ref-bob", "spring"))

    def test_of_a_game_that_is_deleted_leaves_what_happened(self, portal):
        table = portal.make(*SCORED, metadata=METADATA)
        before = types(portal)
        assert portal.ask("DELETE", table.path).status_code == 204
        assert types(portal) == before
        assert "ref-ada" not in str(told(portal))


@pytest.fixture
def patient(settings, portal, _randomness):
    """The same portal at an application that lets callers wait, with one connection."""
    app = create_app(replace(settings, longest_wait_seconds=25, pool_size=1), _randomness)
    answering = Answering(app)
    yield lambda path: answering.get(path, portal.key)
    app.extensions["gin-rummy"].notifier.close()
    app.extensions["gin-rummy"].store.close()


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
        return self.answer.json


class TestAWait:
    def test_ends_with_the_next_event(self, portal, patient, waits):
        portal.make()
        number(portal)
        cursor = read(portal)["next_cursor"]
        asking = Asking(lambda: patient(f"/v1/events?wait=25&cursor={cursor}"))
        assert waits.wait(60)
        portal.make(deal=KNOCKS)
        number(portal)  # at another application: as if by another process
        assert [each["type"] for each in asking.answered()["items"]] == [
            "game_created",
            "hand_dealt",
        ]

    def test_of_who_has_had_nothing_yet_ends_with_the_first_event(self, portal, patient, waits):
        asking = Asking(lambda: patient("/v1/events?wait=25"))
        assert waits.wait(60)
        portal.make()
        number(portal)
        assert len(asking.answered()["items"]) == 2

    def test_is_over_with_nothing_to_tell(self, portal):
        page = read(portal, "?wait=25")  # the settings of the tests allow for less
        assert page["items"] == []
        assert page["next_cursor"]

    def test_is_none_where_there_is_something(self, portal, patient, waits):
        portal.make()
        number(portal)
        assert len(patient("/v1/events?wait=25").json["items"]) == 2
        assert not waits.is_set()
