"""Streams of what happens, and the tickets that let browsers in."""

import pytest

from service.tickets import Ticket, Tickets
from tests.events import events
from tests.service.blueprints.patience import patient
from tests.service.portal import PORTAL
from tests.service.questions import ForViewers
from tests.service.table import DRAWN, SPECTATOR, THROWN

__all__ = ["patient"]


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
            assert "Content-Type" not in answer.headers
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


class TestAPortal:
    def test_follows_its_games_and_sees_what_a_spectator_sees(self, portal):
        table = portal.make(*DRAWN, metadata={"table": "7"})
        before = f"?after={table.view()['version'] - 1}"
        [event] = streamed(table, before, PORTAL)
        [by_spectator] = streamed(table, before, SPECTATOR)
        assert event.update["moves"] == by_spectator.update["moves"]
        game = event.update["game"]
        assert (game["you"]["viewer"], game["metadata"]) == ("portal", {"table": "7"})
        assert game["etag"] == table.get(who=PORTAL).headers["ETag"]

    def test_needs_a_key_that_reads_games(self, portals):
        table = portals().make()
        for scopes, code in ((["games:write"], "scope_missing"), (["games:read"], None)):
            table.tokens[PORTAL] = portals("arcade", scopes).key
            answer = table.get("/updates/stream", PORTAL)
            assert answer.status_code == (403 if code else 200)
            assert code is None or answer.json["code"] == code

    def test_does_not_follow_the_games_of_others(self, portals):
        table = portals("arcade").make()
        table.tokens[PORTAL] = portals("other").key
        answer = table.get("/updates/stream", PORTAL)
        assert (answer.status_code, answer.json["code"]) == (404, "not_found")

    @pytest.mark.parametrize("door", ["/updates/stream", "/updates", ""])
    @pytest.mark.parametrize(
        ("name", "status", "code"),
        [
            ("ticket", 401, "token_invalid"),
            ("token", 401, "token_missing"),
            ("access_token", 401, "token_missing"),
        ],
    )
    def test_puts_no_key_into_an_address(self, portal, door, name, status, code):
        table = portal.make()
        if door != "/updates/stream":
            code = "token_missing"
        answer = table.answering.client.get(f"{table.path}{door}?{name}={portal.key}")
        assert (answer.status_code, answer.json["code"]) == (status, code)
        assert portal.key not in answer.get_data(as_text=True)

    def test_that_carries_its_key_in_both_places_is_refused(self, portal):
        table = portal.make()
        answer = table.get(f"/updates/stream?ticket={portal.key}", PORTAL)
        assert (answer.status_code, answer.json["code"]) == (422, "validation_failed")

    def test_counts_as_itself(self, portal, tables):
        """What a portal follows with its key is not taken from its players or its address."""
        table = portal.make()
        table.get("/updates/stream", PORTAL)
        with table.answering.house.store.reading() as conn:
            owners = {row[0] for row in conn.execute("SELECT owner FROM rate_buckets")}
        assert any(owner.startswith("portal:") for owner in owners)
