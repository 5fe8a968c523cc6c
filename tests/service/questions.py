"""The questions that every operation on a game has to answer alike. Test classes inherit them."""

import pytest

from service.tokens import Tokens
from tests.service.table import ADA, ON_REQUEST, SPECTATOR, Table

UNKNOWN = "g_" + "Z" * 21 + "A"


def forged(table: Table) -> dict[str, str]:
    """Return headers that look like one with a seat's token, and are none of this service's."""
    token = table.tokens[0]
    other = "A" if token[20] != "A" else "B"
    return {
        "nothing": "",
        "one word": "Bearer",
        "no prefix": f"Bearer {token[4:]}",
        "another prefix": f"Bearer grv_{token[4:]}",
        "an unknown prefix": f"Bearer grk_{token[4:]}",
        "another letter": f"Bearer {token[:20]}{other}{token[21:]}",
        "one letter less": f"Bearer {token[:-1]}",
        "one letter more": f"Bearer {token}A",
        "another alphabet": f"Bearer {token[:20]}+{token[21:]}",
        "another scheme": f"Basic {token}",
        "twice": f"Bearer {token} {token}",
        "another secret": f"Bearer {Tokens([b'x' * 32]).seat(table.id, 0, 0)}",
        "an ended version": f"Bearer {table.answering.house.tokens.seat(table.id, 0, 1)}",
        "no such seat": f"Bearer {table.answering.house.tokens.seat(table.id, 2, 0)}",
    }


def same(answer) -> tuple:
    """Return all of an answer that must not differ between two that say the same."""
    headers = [pair for pair in answer.headers if pair[0] != "Request-Id"]
    return answer.status_code, headers


class OfAGame:
    """An operation below ``/v1/games/{game_id}``: its method, its path there, and a good body."""

    method = "GET"
    path = ""
    phase = "discard"
    who = 0

    def body(self, table: Table):
        return None

    def ask(self, table: Table, token, path=None, **options):
        path = (path or table.path) + self.path
        return table.answering.send(self.method, path, self.body(table), token, **options)

    def test_needs_a_token(self, tables):
        answer = self.ask(tables.at(self.phase), None)
        assert (answer.status_code, answer.json["code"]) == (401, "token_missing")
        assert answer.headers["WWW-Authenticate"] == "Bearer"

    def test_takes_no_forged_token(self, tables):
        table = tables.at(self.phase)
        for name, header in forged(table).items():
            answer = self.ask(table, None, headers={"Authorization": header})
            code = "token_missing" if name == "nothing" else "token_invalid"
            assert (answer.status_code, answer.json["code"]) == (401, code), name
            assert answer.headers["WWW-Authenticate"] == "Bearer"

    def test_takes_no_token_in_the_address(self, tables):
        table = tables.at(self.phase)
        path = f"{table.path}{self.path}?token={table.tokens[0]}"
        answer = table.answering.send(self.method, path, self.body(table))
        assert answer.json["code"] == "token_missing"

    def test_shows_a_strange_game_no_otherwise_than_none(self, tables):
        mine, other = tables.at(self.phase), tables.at(self.phase)
        strange = self.ask(mine, mine.tokens[self.who], path=other.path)
        unknown = self.ask(mine, mine.tokens[self.who], path=f"/v1/games/{UNKNOWN}")
        assert same(strange) == same(unknown)
        assert strange.data.replace(other.id.encode(), UNKNOWN.encode()) == unknown.data
        assert (unknown.status_code, unknown.json["code"]) == (404, "not_found")


class ForViewers(OfAGame):
    """An operation that shows something to everybody who has a token of the game."""

    def test_is_private_to_its_viewer(self, tables):
        table = tables.at(self.phase)
        for who in (0, 1, SPECTATOR):
            answer = self.ask(table, table.tokens[who])
            assert answer.status_code == 200
            assert "Cache-Control" in answer.headers
            assert "public" not in answer.headers["Cache-Control"]


class Conditional(ForViewers):
    """An operation whose answer a client may keep, and ask whether it is still good.

    ``mark`` ends the tag of what does not follow from the version alone.
    """

    mark = ""

    def test_has_a_tag_of_version_and_viewer(self, tables):
        table = tables.at(self.phase)
        version = table.view()["version"]
        for who, viewer in ((0, "0"), (1, "1"), (SPECTATOR, "s")):
            answer = self.ask(table, table.tokens[who])
            assert answer.headers["ETag"] == f'"{version}-{viewer}-1{self.mark}"'
            assert answer.headers["Vary"] == "Authorization, Origin"
            assert answer.headers["Cache-Control"] == "private, no-cache"

    def test_is_not_sent_again_to_who_has_it(self, tables):
        table = tables.at(self.phase)
        tag = self.ask(table, table.tokens[0]).headers["ETag"]
        for sent in (tag, f"W/{tag}", f'"x", {tag}', "*"):
            answer = self.ask(table, table.tokens[0], headers={"If-None-Match": sent})
            assert (answer.status_code, answer.data) == (304, b""), sent
            assert answer.headers["ETag"] == tag
            assert answer.headers["Vary"] == "Authorization, Origin"
            assert "Content-Type" not in answer.headers

    def test_is_sent_to_who_has_another(self, tables):
        table = tables.at(self.phase)
        others = self.ask(table, table.tokens[1]).headers["ETag"]
        for sent in (others, '"x"', "nonsense"):
            answer = self.ask(table, table.tokens[0], headers={"If-None-Match": sent})
            assert answer.status_code == 200, sent


class Paged(ForViewers):
    """A list in pages. ``everything`` is a game with several items; ``place`` tells them apart."""

    def everything(self, tables) -> Table:
        raise AssertionError("each list says which game has several items")

    def place(self, item):
        return item["number"]

    def test_goes_on_where_the_page_before_ended(self, tables):
        table = self.everything(tables)
        whole = table.get(self.path).json["items"]
        assert len(whole) > 2
        assert [self.place(item) for item in whole] == sorted(self.place(item) for item in whole)
        found, address = [], f"{table.path}{self.path}?limit=1"
        while address:
            answer = table.answering.get(address, table.tokens[0])
            found += answer.json["items"]
            assert len(answer.json["items"]) == 1
            cursor = answer.json.get("next_cursor")
            link = f'<{table.path}{self.path}?limit=1&cursor={cursor}>; rel="next"'
            assert answer.headers.get("Link") == (link if cursor else None)
            address = cursor and answer.headers["Link"][1:].partition(">")[0]
        assert found == whole

    def test_has_no_next_page_when_all_fits(self, tables):
        table = self.everything(tables)
        count = len(table.get(self.path).json["items"])
        answer = table.get(f"{self.path}?limit={count}")
        assert "next_cursor" not in answer.json
        assert "Link" not in answer.headers

    @pytest.mark.parametrize(
        ("query", "code"),
        [
            ("limit=0", "out_of_range"),
            ("limit=101", "out_of_range"),
            ("limit=x", "wrong_type"),
            ("cursor=x", "bad_cursor"),
            ("cursor=", "bad_cursor"),
            ("cursor=AAAAAAAAAAAAAAAAAAAA", "bad_cursor"),
            ("cursors=x", "unknown_field"),
        ],
    )
    def test_refuses_a_query_that_is_wrong(self, tables, query, code):
        answer = tables.at(self.phase).get(f"{self.path}?{query}")
        (fault,) = answer.json["errors"]
        assert (answer.status_code, fault["code"]) == (422, code)
        assert fault["pointer"] == f"#query/{query.partition('=')[0]}"

    def test_takes_no_cursor_of_another_list(self, tables):
        table = self.everything(tables)
        mine = table.get(f"{self.path}?limit=1").json["next_cursor"]
        for path in {"/moves", "/turns", "/hands", "/knocks"} - {self.path}:
            answer = table.get(f"{path}?cursor={mine}")
            assert answer.json["errors"][0]["code"] == "bad_cursor", path
        answer = tables.at(self.phase).get(f"{self.path}?cursor={mine}")
        assert answer.json["errors"][0]["code"] == "bad_cursor"


class ForSeats(OfAGame):
    """An operation by which a seat acts on a game."""

    method = "POST"

    def test_makes_a_move_and_says_where_it_is(self, tables):
        table = tables.at(self.phase)
        number = table.next_move
        answer = self.ask(table, table.tokens[self.who])
        assert answer.status_code == 201
        assert answer.headers["Location"] == f"{table.path}/moves/{number}"
        assert "ETag" not in answer.headers
        body = answer.json
        assert (body["replayed"], body["reset"]) == (False, False)
        assert [move["number"] for move in body["moves"]] == list(
            range(number, body["game"]["next_move"])
        )
        assert body["game"] == {
            **table.view(self.who), "server_time": body["game"]["server_time"]
        }  # fmt: skip
        assert table.get(f"/moves/{number}", self.who).json["number"] == number

    def test_refuses_spectators_whatever_they_send(self, tables):
        table = tables.at(self.phase)
        for data in (None, b"{", b"{}"):
            options = {"data": data, "content_type": "application/json"} if data else {}
            body = self.body(table) if data is None else None
            answer = table.answering.send(
                self.method, table.path + self.path, body, table.tokens[SPECTATOR], **options
            )
            assert (answer.status_code, answer.json["code"]) == (403, "spectator_read_only")
            assert "game" not in answer.json

    def test_needs_its_fields_and_takes_no_others(self, tables):
        table = tables.at(self.phase)
        good = self.body(table)
        for body, code in (({}, "required"), ({**good, "seats": 1}, "unknown_field")):
            answer = table.answering.send(
                self.method, table.path + self.path, body, table.tokens[self.who]
            )
            assert answer.status_code == 422
            assert code in {error["code"] for error in answer.json["errors"]}

    def test_needs_json(self, tables):
        table = tables.at(self.phase)
        path, token = table.path + self.path, table.tokens[self.who]
        answer = table.answering.send(
            self.method, path, None, token, data=b"{", content_type="application/json"
        )
        assert (answer.status_code, answer.json["code"]) == (400, "malformed_json")
        answer = table.answering.send(self.method, path, None, token, data=b"{}")
        assert (answer.status_code, answer.json["code"]) == (415, "unsupported_media_type")
        answer = table.answering.send(
            self.method, path, None, token, data=b" " * 65_537, content_type="application/json"
        )
        assert (answer.status_code, answer.json["code"]) == (413, "too_large")

    def test_writes_the_move_once_for_the_same_request(self, tables):
        table = tables.at(self.phase)
        body, path = self.body(table), table.path + self.path
        first, again = (
            table.answering.send(self.method, path, body, table.tokens[self.who]) for _ in range(2)
        )
        assert (first.status_code, again.status_code) == (201, 200)
        assert "Location" not in again.headers
        assert again.json == {
            **first.json,
            "replayed": True,
            "game": {**first.json["game"], "server_time": again.json["game"]["server_time"]},
        }


class ForPlayers(ForSeats):
    """An operation by which a person plays: ``line`` in words; ``instead`` is another move."""

    line = ""
    instead = "resign"

    def test_lets_nobody_play_for_a_computer(self, tables):
        table = tables(seats=(ON_REQUEST, ON_REQUEST))
        answer = self.ask(table, table.tokens[0])
        assert (answer.status_code, answer.json["code"]) == (403, "not_your_seat")

    def test_refuses_who_is_not_due(self, tables):
        table = tables.at(self.phase)
        answer = self.ask(table, table.tokens[1 - self.who])
        assert (answer.status_code, answer.json["code"]) == (409, "not_your_turn")
        assert answer.json["params"] == {"to_act_seats": [self.who]}
        assert answer.json["game"]["you"]["seat"] == 1 - self.who
        assert answer.json["game"]["you"]["legal"]["actions"] == []

    def test_is_the_same_move_through_every_door(self, tables):
        table = tables.at(self.phase)
        body, number = self.body(table), table.next_move
        first = self.ask(table, table.tokens[self.who])
        assert first.status_code == 201
        again = table.send(f"{self.who} {self.line}", number)
        assert again.status_code == 200
        assert again.json["moves"] == first.json["moves"]
        assert table.answering.send(
            self.method, table.path + self.path, body, table.tokens[self.who]
        ).json["replayed"]

    def test_is_stale_when_another_move_was_made_of_it(self, tables):
        table = tables.at(self.phase)
        stale = self.body(table)
        number = table.next_move
        made = table.play(f"{self.who} {self.instead}")
        answer = table.answering.send(
            self.method, table.path + self.path, stale, table.tokens[self.who]
        )
        assert (answer.status_code, answer.json["code"]) == (409, "stale_move")
        assert answer.json["params"] == {"expected_move": number + 1}
        assert answer.json["moves"] == made["moves"]
        assert answer.json["game"]["next_move"] == number + 1

    def test_is_over_with_the_game(self, tables):
        table = tables.at("game_over")
        answer = self.ask(table, table.tokens[self.who])
        assert (answer.status_code, answer.json["code"]) == (409, "game_over")
        assert answer.json["game"]["over"]

    def test_waits_for_the_deal(self, tables):
        table = tables(seats=(ADA, {"kind": "human"}))
        answer = self.ask(table, table.tokens[0])
        code = "not_found" if "lay-offs" in self.path else "game_not_started"
        assert answer.json["code"] == code


class ForAPerson(OfAGame):
    """An operation by which a person does something at its seat that is no move."""

    def test_refuses_spectators_whatever_they_send(self, tables):
        table = tables.at(self.phase)
        for data in (None, b"{", b"{}"):
            options = {"data": data, "content_type": "application/json"} if data else {}
            body = self.body(table) if data is None else None
            answer = table.answering.send(
                self.method, table.path + self.path, body, table.tokens[SPECTATOR], **options
            )
            assert (answer.status_code, answer.json["code"]) == (403, "spectator_read_only")

    def test_lets_nobody_do_it_for_a_computer(self, tables):
        table = tables(seats=(ON_REQUEST, ON_REQUEST))
        answer = self.ask(table, table.tokens[0])
        assert (answer.status_code, answer.json["code"]) == (403, "not_your_seat")

    def test_needs_its_fields_and_takes_no_others(self, tables):
        table = tables.at(self.phase)
        good = self.body(table)
        for body, code in (({}, "required"), ({**(good or {}), "seats": 1}, "unknown_field")):
            answer = table.answering.send(
                self.method, table.path + self.path, body, table.tokens[self.who]
            )
            if good is None:
                assert answer.status_code == 200  # it has no body, and looks at none
                continue
            assert answer.status_code == 422
            assert code in {error["code"] for error in answer.json["errors"]}
