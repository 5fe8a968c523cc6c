"""What happened since a version: for pollers, for those who come back, and as a stream."""

import threading
from dataclasses import replace
from time import monotonic

import pytest

from service.app import create_app
from service.tickets import Ticket, Tickets
from service.updates import MOST_ALIKE, Notifier
from service.use_cases import read_log
from tests.events import events
from tests.service.answering import Answering
from tests.service.questions import ForViewers
from tests.service.table import ADA, DRAWN, SCORED, SPECTATOR, THROWN, Table


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
def patient(settings, tables, _randomness):
    """The same tables at an application whose polls wait for long, with one connection for all."""
    waiting = replace(settings, longest_wait_seconds=25, stream_seconds=300, pool_size=1)
    app = create_app(waiting, _randomness)

    def at(table) -> Table:
        return Table(
            Answering(app),
            {
                **table.made,
                "tokens": [
                    {"seat": seat, "token": token}
                    for seat, token in table.tokens.items()
                    if isinstance(seat, int)
                ],
            },
        )

    yield at
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


class TestStreamUpdates(ForViewers):
    path = "/updates/stream"

    def test_is_not_to_be_kept_or_collected_on_the_way(self, tables):
        answer = tables().get(self.path)
        assert answer.content_type == "text/event-stream"
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Accel-Buffering"] == "no"

    def test_is_what_a_browser_accepts(self, tables):
        table = tables()
        answer = table.get(self.path, headers={"Accept": "text/event-stream"})
        assert answer.status_code == 200
        answer = table.get(self.path, headers={"Accept": "text/html"})
        assert (answer.status_code, answer.json["code"]) == (406, "not_acceptable")

    def test_has_headers_for_who_asks_for_them_alone(self, tables):
        table = tables()
        answer = table.answering.send("HEAD", table.path + self.path, token=table.tokens[0])
        assert (answer.status_code, answer.data) == (200, b"")
        assert len(table.answering.house.notifier) == 0


def streamed(table, query="", who=0, **headers):
    """The events of a whole stream, which the settings of the tests end soon."""
    answer = table.get(f"/updates/stream{query}", who, headers=headers)
    assert answer.status_code == 200, answer.json
    assert answer.data.startswith(b"retry: 2000\n\n")
    return events(answer.data)


class TestTheFirstEvent:
    def test_holds_everything_after_a_version(self, tables):
        table = tables(*THROWN)
        now = table.view()["version"]
        for headers, query in ((now - 2, ""), (None, f"?after={now - 2}"), (now - 2, "?after=1")):
            sent = {} if headers is None else {"Last-Event-ID": str(headers)}
            [event] = streamed(table, query, **sent)
            assert event.id == str(now)
            assert [move["version"] for move in event.update["moves"]] == [now - 1, now]
            assert not event.update["reset"]

    @pytest.mark.parametrize("headers", [{}, {"Last-Event-ID": "9999"}, {"Last-Event-ID": "x"}])
    def test_is_the_game_for_who_has_no_version_that_is_known(self, tables, headers):
        [event] = streamed(tables(*DRAWN), **headers)
        assert (event.update["moves"], event.update["reset"]) == ([], True)

    def test_is_none_for_who_knows_everything(self, tables):
        table = tables(*DRAWN)
        assert streamed(table, f"?after={table.view()['version']}") == []

    def test_shows_what_its_viewer_may_see(self, tables):
        table = tables(*DRAWN)
        before = f"?after={table.view()['version'] - 1}"
        drawn = {
            who: streamed(table, before, who)[0].update["moves"][0]
            for who in table.tokens
            if who is not None
        }
        assert drawn[0]["card"] == "KS"
        assert "card" not in drawn[1]
        assert drawn[1] == drawn[SPECTATOR]


class TestTheLastEvent:
    def test_is_followed_by_nothing(self, tables, patient):
        table = patient(tables.at("game_over"))
        [event] = streamed(table)
        assert event.update["game"]["over"]

    def test_once_told_is_the_end_for_good(self, tables):
        table = tables.at("game_over")
        now = table.view()["version"]
        for query, headers in ((f"?after={now}", {}), ("", {"Last-Event-ID": str(now)})):
            answer = table.get(f"/updates/stream{query}", headers=headers)
            assert (answer.status_code, answer.data) == (204, b"")
        [event] = streamed(table, f"?after={now - 1}")
        assert event.update["game"]["over"]


class TestANewMove:
    def test_comes_over_the_stream(self, tables, patient):
        table = tables()
        path = f"{table.path}/updates/stream?after={table.view()['version']}"
        headers = {"Authorization": f"Bearer {table.tokens[1]}"}
        answer = patient(table).answering.client.get(path, headers=headers)
        parts = iter(answer.response)
        assert next(parts) == b"retry: 2000\n\n"
        for line in DRAWN:
            table.play(line)
            [event] = events(next(parts))
            assert [move["action"] for move in event.update["moves"]] == [line.split()[1]]
        answer.close()


class TestTooManyStreams:
    def test_are_refused_until_one_is_closed(self, tables):
        table = tables()
        headers = {"Authorization": f"Bearer {table.tokens[0]}"}
        path = f"{table.path}/updates/stream"
        opened = [table.answering.client.get(path, headers=headers) for _ in range(4)]
        assert all(answer.status_code == 200 for answer in opened)
        answer = table.get("/updates/stream")
        assert (answer.status_code, answer.json["code"]) == (503, "stream_capacity")
        assert answer.headers["Retry-After"] == "1"
        for each in opened:
            each.close()
        assert table.get("/updates/stream").status_code == 200


class TestCreateStreamTicket(ForViewers):
    method = "POST"
    path = "/stream-tickets"

    def test_is_private_to_its_viewer(self, tables):
        table = tables.at(self.phase)
        made = {self.ask(table, table.tokens[who]).json["ticket"] for who in (0, 1, SPECTATOR)}
        assert len(made) == 3

    def test_says_how_long_it_is_good(self, tables):
        table = tables()
        answer = self.ask(table, table.tokens[0])
        assert answer.headers["Location"] == f"{table.path}/updates/stream"
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.json["use_before"] < answer.json["valid_until"]


class TestATicket:
    def ticket(self, table, who=0):
        return table.answering.post(f"{table.path}/stream-tickets", None, table.tokens[who]).json[
            "ticket"
        ]

    @pytest.mark.parametrize("who", [0, 1, SPECTATOR])
    def test_opens_the_stream_of_its_maker(self, tables, who):
        table = tables(*DRAWN)
        [by_ticket] = streamed(table, f"?ticket={self.ticket(table, who)}", None)
        [by_token] = streamed(table, who=who)
        assert by_ticket.update["game"]["you"] == by_token.update["game"]["you"]

    def test_opens_it_again_and_again(self, tables):
        table = tables(*DRAWN)
        query = f"?after=1&ticket={self.ticket(table)}"
        [event] = streamed(table, query, None)
        assert streamed(table, query, None, **{"Last-Event-ID": event.id}) == []

    @pytest.mark.parametrize(
        ("age", "begins", "goes_on"), [(59, 200, 200), (61, 401, 200), (86_401, 401, 401)]
    )
    def test_opens_it_by_the_clock_of_the_database(self, tables, settings, age, begins, goes_on):
        table = tables()
        token = table.answering.house.tokens.read(table.tokens[0])
        with table.answering.house.store.reading() as conn:
            at = conn.execute("SELECT now() - make_interval(secs => %s)", (age,)).fetchone()[0]
        sent = Tickets(settings.secrets).write(Ticket(token, at))
        for status, headers in ((begins, {}), (goes_on, {"Last-Event-ID": "1"})):
            answer = table.get(f"/updates/stream?ticket={sent}", None, headers=headers)
            assert answer.status_code == status
            assert status == 200 or answer.json["code"] == "token_expired"

    def test_opens_nothing_else(self, tables):
        table = tables()
        sent = self.ticket(table)
        for path in ("", "/updates", "/moves"):
            answer = table.get(f"{path}?ticket={sent}", None)
            assert (answer.status_code, answer.json["code"]) == (401, "token_missing")
            answer = table.answering.get(table.path + path, sent)
            assert (answer.status_code, answer.json["code"]) == (401, "token_invalid")

    def test_opens_no_other_game(self, tables):
        table, other = tables(), tables()
        answer = other.get(f"/updates/stream?ticket={self.ticket(table)}", None)
        assert (answer.status_code, answer.json["code"]) == (404, "not_found")

    def test_is_none_if_it_was_not_made_here(self, tables):
        table = tables()
        sent = self.ticket(table)
        for forged in ("", "x", "grt_x", sent[:-1], sent[:-1] + "~", table.tokens[0]):
            answer = table.get(f"/updates/stream?ticket={forged}", None)
            assert (answer.status_code, answer.json["code"]) == (401, "token_invalid"), forged

    def test_may_stand_beside_a_token_which_counts(self, tables):
        table = tables(*DRAWN)
        [event] = streamed(table, f"?ticket={self.ticket(table, 0)}", 1)
        assert event.update["game"]["you"]["seat"] == 1
