"""The table of games: what is written is read, and a write that comes too late writes nothing."""

from dataclasses import replace

import pytest

from engine.actions import Pass
from engine.events import Change, ChangeKind, Dealt
from engine.game import SeatKind
from engine.progress import apply, begin
from service.storage import game_lists, games, moves, pool
from service.storage.codec import Codec
from service.storage.errors import StatementRefused, Unavailable
from service.storage.games import FINISHED, PLAYING, WAITING
from service.storage.occupants import Occupant
from service.storage.sealing import SealBroken, Sealer
from tests.service.storage.stored import (
    ADA,
    BOB,
    CODEC,
    COMPUTER,
    DEAL_KEY,
    NOBODY,
    SENDER,
    count,
    loaded,
    passed,
    started,
    waiting,
)


class TestANewGame:
    def test_is_read_as_it_was_stored(self, store):
        stored = started(store)
        read = loaded(store)
        assert replace(read, read_at=stored.read_at) == stored
        assert read.read_at >= stored.read_at

    def test_is_version_1_and_each_move_one_more(self, store):
        assert (waiting(store).version, started(store, "g_2").version) == (1, 3)
        with store.reading() as conn:
            assert [each.version for each in moves.changes(conn, CODEC, "g_1")] == [1]
            logged = moves.numbered_from(conn, CODEC, "g_2", 1)
        assert [(each.move.number, each.version) for each in logged] == [(1, 2), (2, 3)]

    def test_has_no_move_while_it_waits(self, store):
        stored = waiting(store)
        assert (stored.status, stored.moved_version, stored.moved_at) == (WAITING, None, None)
        assert loaded(store).game == stored.game

    def test_keeps_who_sits_where(self, store):
        seats = (replace(ADA, name="Ада\u2019"), replace(COMPUTER, token_version=3))
        started(store, seats=seats)
        assert loaded(store).seats == seats

    def test_that_is_not_there_is_none(self, store):
        assert loaded(store) is None
        with store.reading() as conn:
            assert games.load_by_join_code(conn, CODEC, "code") is None

    def test_is_found_by_its_join_code(self, store):
        waiting(store)
        waiting(store, "g_2", join_code="other")
        with store.reading() as conn:
            assert games.load_by_join_code(conn, CODEC, "other").game.setup.id == "g_2"

    def test_has_an_id_and_a_join_code_of_its_own(self, store):
        waiting(store)
        for game_id, code in (("g_1", "other"), ("g_2", "code")):
            with pytest.raises(StatementRefused):
                waiting(store, game_id, join_code=code)
        assert (count(store, "games"), count(store, "changes")) == (1, 1)


class TestASave:
    def test_is_read_as_it_was_returned(self, store):
        saved = passed(store, started(store))
        read = loaded(store)
        assert replace(read, read_at=saved.read_at) == saved
        assert (saved.version, saved.moved_version) == (4, 4)
        assert saved.updated_at == saved.moved_at > saved.created_at

    def test_logs_its_moves_with_the_sender_on_the_first(self, store):
        passed(store, started(store))
        with store.reading() as conn:
            assert moves.sent(conn, "g_1", 3) == SENDER
            assert moves.sent(conn, "g_1", 2) is None
            (logged,) = moves.numbered_from(conn, CODEC, "g_1", 3)
        assert (logged.version, logged.move.seat) == (4, loaded(store).game.last_move.seat)

    def test_on_a_game_that_was_changed_writes_nothing(self, store):
        stored = started(store)
        first = passed(store, stored)
        rows = count(store, "moves")
        assert passed(store, stored) is None
        assert count(store, "moves") == rows
        assert loaded(store).game == first.game

    def test_on_a_game_that_is_gone_writes_nothing(self, store):
        stored = started(store)
        with store.writing() as conn:
            conn.execute("DELETE FROM games")
        rows = count(store, "moves")
        assert passed(store, stored) is None
        assert count(store, "moves") == rows

    def test_whose_log_cannot_be_written_changes_no_game(self, store):
        stored = started(store)
        with store.writing() as conn:
            conn.execute(
                "INSERT INTO moves SELECT game_id, 3, 9, 1, NULL, NULL, fact, made_at FROM moves"
                " WHERE number = 2"
            )
        with pytest.raises(StatementRefused):
            passed(store, stored)
        assert replace(loaded(store), read_at=stored.read_at) == stored


class TestSittingDown:
    def sit(self, store, before, seat=1, deal=True):
        made = begin(before.game.setup) if deal else None
        game, new = (made.game, made.moves) if made else (before.game, ())
        with store.writing() as conn:
            return games.seat(conn, CODEC, before, seat, BOB, game, new)

    def test_is_a_version_and_the_deal_the_next_ones(self, store):
        sat = self.sit(store, waiting(store))
        assert (sat.version, sat.status, sat.seats) == (4, PLAYING, (ADA, BOB))
        assert replace(loaded(store), read_at=sat.read_at) == sat
        with store.reading() as conn:
            assert [each.version for each in moves.changes(conn, CODEC, "g_1")] == [1, 2]
            logged = moves.numbered_from(conn, CODEC, "g_1", 1)
        assert [each.version for each in logged] == [3, 4]

    def test_may_leave_others_missing(self, store):
        sat = self.sit(store, waiting(store, seats=(NOBODY, NOBODY)), deal=False)
        assert (sat.version, sat.status, sat.moved_version) == (2, WAITING, None)
        assert replace(loaded(store), read_at=sat.read_at) == sat

    def test_too_late_writes_nothing(self, store):
        before = waiting(store)
        self.sit(store, before)
        rows = [count(store, table) for table in ("moves", "changes")]
        assert self.sit(store, before) is None
        assert [count(store, table) for table in ("moves", "changes")] == rows

    def test_keeps_the_time_of_the_last_move(self, store):
        before = started(store, seats=(ADA, NOBODY))
        sat = self.sit(store, before, deal=False)
        assert (sat.moved_version, sat.moved_at) == (before.moved_version, before.moved_at)
        assert replace(loaded(store), read_at=sat.read_at) == sat


class TestTheStatus:
    def test_follows_the_state(self, store, tables):
        for phase, status in (("waiting", WAITING), ("lay_off", PLAYING), ("game_over", FINISHED)):
            table = tables.at(phase)
            house = table.answering.house
            with house.store.reading() as conn:
                stored = games.load(conn, house.codec, table.id)
            assert stored.status == games.status_of(stored.game) == status


class TestTheList:
    def test_goes_through_all_games_in_order(self, store):
        for name in "cab":
            waiting(store, f"g_{name}", join_code=name)
        with store.reading() as conn:
            assert game_lists.ids_after(conn, "", 2) == ["g_a", "g_b"]
            assert game_lists.ids_after(conn, "g_b", 2) == ["g_c"]
            assert game_lists.ids_after(conn, "g_c", 2) == []


class TestReadingConsistently:
    def test_sees_one_moment(self, store):
        stored = started(store)
        with store.reading() as conn, conn.transaction():
            pool.read_consistently(conn)
            before = games.load(conn, CODEC, "g_1")
            passed(store, stored)
            assert games.load(conn, CODEC, "g_1") == before
            assert len(moves.numbered_from(conn, CODEC, "g_1", 1)) == 2

    def test_may_not_write(self, store):
        started(store)

        def write() -> None:
            with store.reading() as conn, conn.transaction():
                pool.read_consistently(conn)
                conn.execute("DELETE FROM games")

        with pytest.raises(Unavailable, match="read-only"):
            write()
        assert count(store, "games") == 1


class TestWhatLiesInTheDatabase:
    """A canary: what must be hidden is planted, then looked for in every row of every table."""

    @staticmethod
    def dump(store):
        with store.reading() as conn:
            tables = conn.execute(
                "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
            ).fetchall()
            texts, raw = [], []
            for (table,) in tables:
                texts += [row[0] for row in conn.execute(f"SELECT t::text FROM {table} t")]
                for row in conn.execute(f"SELECT * FROM {table}"):
                    raw += [bytes(value) for value in row if isinstance(value, bytes)]
        return "\n".join(texts), b"".join(raw)

    def test_shows_no_secret_and_no_card(self, store):
        stored = passed(store, started(store))
        text, raw = self.dump(store)
        assert "g_1" in text
        assert len(raw) > 1000
        with store.reading() as conn:
            dealt = next(
                each.move.event
                for each in moves.numbered_from(conn, CODEC, "g_1", 1)
                if isinstance(each.move.event, Dealt)
            )
        hidden = [DEAL_KEY, dealt.seed, bytes(dealt.deck[:8]), bytes(stored.game.hand.stock[:8])]
        for secret in hidden:
            assert secret not in raw
            assert secret.hex() not in text
            assert secret.hex() not in raw.decode("latin-1")
        for word in (b"stock", b"holdings", b"deck", b"seed", b"deal_key"):
            assert word not in raw
        assert stored.game.hand.server_commit not in text

    def test_would_be_seen(self, store):
        """Without the seal the canary sings."""
        stored = started(store)
        naked = Codec(Sealer([b"s" * 32]))
        naked._seal = lambda game_id, place, plain: plain
        with store.writing() as conn:
            conn.execute("UPDATE games SET setup = %b", (naked.write_setup(stored.game.setup),))
        text, raw = self.dump(store)
        assert DEAL_KEY in raw
        assert DEAL_KEY.hex() in text

    def test_opens_under_no_other_secret(self, store):
        started(store)
        other = Codec(Sealer([b"x" * 32]))
        with store.reading() as conn, pytest.raises(SealBroken):
            games.load(conn, other, "g_1")

    def test_opens_under_a_rotated_secret(self, store):
        stored = started(store)
        rotated = Codec(Sealer([b"x" * 32, b"s" * 32]))
        with store.reading() as conn:
            assert games.load(conn, rotated, "g_1").game == stored.game

    @pytest.mark.parametrize("column", ["setup", "state"])
    def test_does_not_open_in_the_place_of_another_game(self, store, column):
        started(store)
        started(store, "g_2")
        with store.writing() as conn:
            conn.execute(
                f"UPDATE games SET {column} = (SELECT {column} FROM games WHERE id = 'g_2')"
                " WHERE id = 'g_1'"
            )
        with store.reading() as conn, pytest.raises(SealBroken):
            games.load(conn, Codec(Sealer([b"s" * 32])), "g_1")

    def test_does_not_open_in_the_place_of_another_move(self, store):
        started(store)
        with store.writing() as conn:
            conn.execute("UPDATE moves SET number = 4 - number WHERE number = 1")
        with store.reading() as conn, pytest.raises(SealBroken):
            moves.numbered_from(conn, CODEC, "g_1", 1)


class TestAnOccupant:
    def test_of_an_older_row_gets_the_defaults_of_what_came_later(self, store):
        started(store)
        with store.writing() as conn:
            conn.execute("""UPDATE games SET seats = '[{"kind": "human", "occupied": true}]'""")
        assert loaded(store).seats == (Occupant(SeatKind.HUMAN, occupied=True),)


class TestAChange:
    """What a seat says beside the play: a version, with the moves that follow from it."""

    SAID = Change(ChangeKind.CONSENTED, 1)

    def changed(self, store, before, *made):
        game = replace(before.game, void_consents=(1,))
        if made:
            game = replace(made[0].game, void_consents=(1,))
        with store.writing() as conn:
            return games.change(
                conn,
                CODEC,
                before,
                (self.SAID,),
                game,
                *(move for each in made for move in each.moves),
            )

    def test_is_one_version_and_no_move(self, store):
        before = started(store)
        after = self.changed(store, before)
        assert (after.version, after.moved_version) == (before.version + 1, before.moved_version)
        assert after.game.void_consents == (1,)
        assert replace(loaded(store), read_at=after.read_at) == after
        with store.reading() as conn:
            said = moves.changes(conn, CODEC, "g_1")
        assert [(each.version, each.change) for each in said] == [(1, None), (4, self.SAID)]

    def test_comes_before_the_moves_that_follow_from_it(self, store):
        before = started(store)
        after = self.changed(store, before, apply(before.game, before.game.hand.to_act, Pass()))
        assert (after.version, after.moved_version) == (before.version + 2, before.version + 2)
        with store.reading() as conn:
            (logged,) = moves.numbered_from(conn, CODEC, "g_1", 3)
        assert (logged.version, logged.at) == (after.version, after.moved_at)

    def test_that_comes_too_late_writes_nothing(self, store):
        before = started(store)
        passed(store, before)
        assert self.changed(store, before) is None
        assert loaded(store).game.void_consents == ()
        assert count(store, "changes") == 1
