"""What a portal is to be told is written with the change it tells of, or not at all."""

import pytest

from engine.actions import Resign
from engine.agreements import abandon
from engine.game import new_game
from engine.progress import apply, begin
from service.portal_events import JOINED, LEFT, ROTATED, Told
from service.storage import game_ends, games, outbox
from service.storage.games import NOBODYS
from tests.service.statements import listening
from tests.service.storage.stored import (
    ADA,
    BOB,
    CODEC,
    NOBODY,
    SENDER,
    count,
    loaded,
    passed,
    setup_of,
)
from tests.service.storage.told import OWNED, PLAYERS, PORTAL, rows


def inserted(store, owner=OWNED, game_id="g_1"):
    made = begin(setup_of(game_id, PLAYERS))
    with store.writing() as conn:
        games.insert(conn, CODEC, made.game, PLAYERS, None, made.moves, owner)
    return loaded(store, game_id)


def waiting(store, owner=OWNED):
    with store.writing() as conn:
        game = new_game(setup_of(seats=(ADA, NOBODY)))
        return games.insert(conn, CODEC, game, (ADA, NOBODY), "code", (), owner)


def resigned(store, stored):
    made = apply(stored.game, stored.game.hand.to_act, Resign())
    with store.writing() as conn:
        return games.save(conn, CODEC, stored, made.game, made.moves, SENDER)


def outbox_of(store):
    return rows(store, "SELECT type, version FROM outbox ORDER BY number")


def emptied(store):
    rows(store, "DELETE FROM outbox")


class TestAGameOfAPortal:
    def test_tells_that_it_was_made(self, store):
        stored = inserted(store)
        assert outbox_of(store) == [("game_created", 1), ("hand_dealt", stored.version)]
        [(portal_id, game_id)] = set(rows(store, "SELECT portal_id, game_id FROM outbox"))
        assert (portal_id, game_id) == (PORTAL, stored.game.setup.id)

    def test_tells_how_it_ended(self, store):
        stored = inserted(store)
        emptied(store)
        saved = resigned(store, stored)
        assert outbox_of(store) == [("hand_ended", saved.version), ("game_ended", saved.version)]

    def test_tells_nothing_of_a_write_that_came_too_late(self, store):
        stored = inserted(store)
        passed(store, stored)
        emptied(store)
        assert resigned(store, stored) is None
        assert outbox_of(store) == []

    def test_tells_who_sat_down_and_left(self, store):
        stored = waiting(store)
        emptied(store)
        with store.writing() as conn:
            left = games.seat(conn, CODEC, stored, 0, NOBODY, stored.game, (), LEFT)
            sat = games.seat(conn, CODEC, left, 0, ADA, left.game, (), JOINED)
            games.seat(conn, CODEC, sat, 0, ADA, sat.game, (), ROTATED)
        assert outbox_of(store) == [("seat_left", 2), ("seat_joined", 3)]

    def test_tells_that_it_was_abandoned(self, store):
        stored = inserted(store)
        emptied(store)
        agreed = abandon(stored.game)
        with store.writing() as conn:
            game_ends.abandon(conn, CODEC, stored, agreed.change, agreed.game, "secret reason")
        assert outbox_of(store) == [("game_abandoned", stored.version + 1)]
        assert "secret" not in str(rows(store, "SELECT facts FROM outbox"))

    def test_tells_of_its_rematch(self, store):
        old = resigned(store, inserted(store))
        emptied(store)
        again = begin(setup_of("g_2"))
        with store.writing() as conn:
            game_ends.insert_rematch(conn, CODEC, old, again.game, PLAYERS, again.moves, OWNED, 0)
        assert [kind for kind, _ in outbox_of(store)] == [
            "rematch_created",
            "game_created",
            "hand_dealt",
        ]

    def test_never_says_who_plays(self, store):
        resigned(store, inserted(store))
        said = str(rows(store, "SELECT * FROM outbox"))
        assert not any(word in said for word in ("Ada", "Bob", "ref-ada", "table"))


class TestTheCost:
    """Counted in statements: what a game of nobody does is what it did without any of this."""

    OF_A_MOVE = 1

    def test_of_a_move_without_an_event_is_the_same_statement(self, store):
        stored = {}
        for name, owner in (("anonymous", NOBODYS), ("portal", OWNED)):
            stored[name] = inserted(store, owner, f"g_{name}")
            with listening() as said:
                passed(store, stored[name])
            stored[name] = said.statements
        assert stored["anonymous"] == stored["portal"]
        assert len(stored["portal"]) == self.OF_A_MOVE
        assert "outbox" not in stored["portal"][0]

    def test_of_a_move_with_events_is_one_statement_as_well(self, store):
        stored = inserted(store)
        emptied(store)
        with listening() as said:
            resigned(store, stored)
        assert len(said.statements) == self.OF_A_MOVE
        assert said.statements[0].count("INSERT INTO outbox") == 1
        assert count(store, "outbox") == 2

    def test_of_a_game_of_nobody_has_no_part_in_it(self, store):
        with listening() as said:
            resigned(store, inserted(store, NOBODYS))
        assert not any("outbox" in statement for statement in said.statements)

    @pytest.mark.parametrize("owner", [NOBODYS, OWNED])
    def test_of_a_seat_that_is_taken_is_one_more_for_a_portal(self, store, owner):
        stored = waiting(store, owner)
        with listening() as said, store.writing() as conn:
            games.seat(conn, CODEC, stored, 1, BOB, stored.game, (), JOINED)
        told = [statement for statement in said.statements if "outbox" in statement]
        assert len(told) == (owner is OWNED)


class TestTelling:
    def test_keeps_the_order(self, store):
        with store.writing() as conn:
            outbox.tell(conn, PORTAL, "g_1", [Told("x", version, {}) for version in range(50)])
        assert [version for _, version in outbox_of(store)] == list(range(50))

    def test_nothing_says_nothing(self, store):
        with listening() as said, store.writing() as conn:
            outbox.tell(conn, PORTAL, "g_1", ())
        assert said.statements == []
        assert outbox.together(PORTAL, ()) == ("", [])
