"""What goes over one stream: every version of its viewer's game, once and in order."""

from dataclasses import replace
from time import monotonic

import pytest

from service.feed import OPENING, Feed, Look, is_over
from service.portal_keys import parse_key
from service.storage import game_ends, games
from service.use_cases import read_log
from service.use_cases.manage_keys import create_key, revoke_key
from service.use_cases.open_game import open_game
from tests.events import events
from tests.service.statements import listening
from tests.service.table import DRAWN, PASSED, SCORED, SPECTATOR, THROWN


@pytest.fixture
def follow(answering):
    """Makes feeds of a table's viewers; they leave their places in the end."""
    made = []

    def follow(table, who=0, version=None) -> Feed:
        house = answering.house
        token = house.tokens.read(table.tokens[who])
        watch = house.notifier.watch(table.id, token.seat, monotonic())
        made.append(Feed(token, watch, version, 300, 15))
        return made[-1]

    yield follow
    for feed in made:
        feed.watch.close()


def told(feed, answering):
    """The one event that there is now."""
    [event] = events(feed.news(Look(answering.house)))
    return event


class TestAnEvent:
    def test_is_an_update_under_its_version(self, tables, follow, answering):
        table = tables(*PASSED)
        version = table.view()["version"]
        event = told(follow(table, version=version - 1), answering)
        assert (event.id, event.kind) == (str(version), "update")
        assert event.update == table.get(f"/updates?after={version - 1}").json | {
            "game": event.update["game"]
        }

    def test_is_one_line_of_data(self, tables, follow, answering):
        text = follow(tables(*DRAWN)).news(Look(answering.house))
        assert [line.partition(b":")[0] for line in text.split(b"\n")] == [
            b"id",
            b"event",
            b"data",
            b"",
            b"",
        ]

    def test_follows_on_the_one_before(self, tables, follow, answering):
        table = tables()
        feed = follow(table, version=table.view()["version"])
        for line in DRAWN:
            table.play(line)
            [move] = told(feed, answering).update["moves"]
            assert move["version"] == feed.version == feed.watch.version
            assert feed.news(Look(answering.house)) == b""

    def test_holds_all_that_happened_meanwhile(self, tables, follow, answering):
        table = tables()
        feed = follow(table, version=table.view()["version"])
        table.play(*THROWN)
        moves = told(feed, answering).update["moves"]
        assert [move["action"] for move in moves] == ["pass", "pass", "draw", "discard"]

    def test_is_the_game_alone_for_who_has_none(self, tables, follow, answering):
        update = told(follow(tables(*DRAWN)), answering).update
        assert (update["moves"], update["reset"]) == ([], True)

    def test_is_the_game_alone_for_who_is_far_behind(self, tables, follow, answering, monkeypatch):
        monkeypatch.setattr(read_log, "FURTHEST_BEHIND", 3)
        table = tables(*THROWN)
        now = table.view()["version"]
        assert told(follow(table, version=now - 4), answering).update["reset"]
        assert not told(follow(table, version=now - 3), answering).update["reset"]

    def test_shows_each_viewer_its_own(self, tables, follow, answering):
        table = tables(*PASSED)
        feeds = {who: follow(table, who, table.view()["version"]) for who in (0, 1, SPECTATOR)}
        table.play("0 draw stock")
        look = Look(answering.house)
        cards = {}
        for who, feed in feeds.items():
            [event] = events(feed.news(look))
            [move] = event.update["moves"]
            cards[who] = move.get("card")
        assert cards == {0: "KS", 1: None, SPECTATOR: None}


class TestTheEnd:
    def test_comes_with_the_last_update(self, tables, follow, answering):
        table = tables(*SCORED[:-1], rules={"target": 10})
        feed = follow(table, 1)
        told(feed, answering)
        assert not feed.over
        table.play(SCORED[-1])
        assert told(feed, answering).update["game"]["over"]
        assert feed.over

    def test_comes_where_the_token_was_ended(self, tables, follow, answering):
        table = tables()
        feed = follow(table)
        feed.caller = replace(feed.caller, version=1)
        assert feed.news(Look(answering.house)) == b""
        assert feed.over

    @pytest.mark.parametrize("scopes", [["games:read"], ["scoring"]])
    def test_comes_where_the_key_of_a_portal_ends(self, portal, answering, scopes):
        house, table = answering.house, portal.make()
        made = create_key(house.store, "arcade", scopes)
        key = parse_key(made.key)
        watch = house.notifier.watch(table.id, None, monotonic(), key.hash)
        feed = Feed(key, watch, None, 300, 15)
        try:
            if scopes == ["games:read"]:
                assert told(feed, answering).update["game"]["you"]["viewer"] == "portal"
                assert (feed.news(Look(house)), feed.over) == (b"", False)
                revoke_key(house.store, made.id)
            assert (feed.news(Look(house)), feed.over) == (b"", True)
        finally:
            watch.close()

    def test_comes_where_the_game_is_gone(self, tables, follow, answering):
        table = tables()
        feed = follow(table)
        with answering.house.store.writing() as conn:
            assert game_ends.forget(conn, table.id, delete=True)
        assert feed.news(Look(answering.house)) == b""
        assert feed.over

    @pytest.mark.parametrize(
        ("status", "over"),
        [("waiting", False), ("playing", False), ("finished", True), ("abandoned", True)],
    )
    def test_is_that_of_the_game(self, tables, answering, status, over):
        table = tables()
        with answering.house.store.reading() as conn:
            stored = games.load(conn, answering.house.codec, table.id)
        assert is_over(replace(stored, status=status)) is over


class TestTheBeginning:
    def test_holds_what_there_is_to_tell(self, tables, follow, answering):
        table = tables(*DRAWN)
        look = Look(answering.house)
        opened = opened_by_seat_0(answering, table)
        feed = follow(table, version=1)
        feed.begin(look, opened)
        assert feed.opening.startswith(OPENING)
        [event] = events(feed.opening)
        assert event.id == str(opened.stored.version)
        assert feed.news(Look(answering.house)) == b""

    def test_is_no_event_for_who_has_them_all(self, tables, follow, answering):
        table = tables(*DRAWN)
        opened = opened_by_seat_0(answering, table)
        feed = follow(table, version=opened.stored.version)
        feed.begin(Look(answering.house), opened)
        assert feed.opening == OPENING == b"retry: 2000\n\n"


def opened_by_seat_0(answering, table):
    token = answering.house.tokens.read(table.tokens[0])
    return open_game(answering.house, token, table.id)


class TestALook:
    def test_reads_and_writes_once_for_all_of_a_kind(self, tables, follow, answering):
        table = tables(*PASSED)
        version = table.view()["version"]
        feeds = [follow(table, who, version) for who in (0, 0, 1, SPECTATOR, SPECTATOR)]
        table.play("0 draw stock")
        look = Look(answering.house)
        with listening() as said:
            texts = [feed.news(look) for feed in feeds]
        read = [said for said in said.statements if "WHERE id = %s" in said or "moves" in said]
        assert len(read) == 2  # the game, and its moves
        assert texts[0] == texts[1] != texts[2] != texts[3] == texts[4]
