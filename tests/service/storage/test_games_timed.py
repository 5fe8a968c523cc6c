"""The deadline of a turn, as it is stored."""

from dataclasses import replace
from datetime import timedelta

from engine.actions import Draw, DrawSource, Resign
from engine.clock import expire
from engine.events import Change, ChangeKind
from engine.game import Setup
from engine.progress import apply, begin
from engine.rules import STANDARD
from service.storage import games, moves
from tests.service.storage.stored import (
    ADA,
    BOB,
    CODEC,
    COMPUTER,
    DEAL_KEY,
    SENDER,
    loaded,
    passed,
    started,
)


class TestTheDeadline:
    """By the database's clock alone, and written with what it belongs to."""

    MINUTE = timedelta(seconds=60)

    def timed(self, store, seats=(ADA, BOB), **options):
        rules = replace(STANDARD, turn_seconds=60, first_dealer="seat1")
        kinds = tuple(seat.kind for seat in seats)
        made = begin(Setup("g_1", rules, kinds, DEAL_KEY))
        with store.writing() as conn:
            return games.insert(conn, CODEC, made.game, seats, None, made.moves, **options)

    def test_is_none_in_a_game_without_a_clock(self, store):
        stored = passed(store, started(store))
        assert (stored.turn_deadline, stored.overdue) == (None, False)
        assert loaded(store).turn_deadline is None

    def test_is_set_when_the_game_is_made_and_read_as_it_was_returned(self, store):
        stored = self.timed(store)
        assert stored.turn_deadline == stored.created_at + self.MINUTE
        assert loaded(store).turn_deadline == stored.turn_deadline

    def test_may_be_at_once(self, store):
        stored = self.timed(store, time_is_up=True)
        assert stored.turn_deadline == stored.created_at
        assert stored.overdue
        assert loaded(store).overdue

    def test_is_set_anew_for_the_next_seat(self, store):
        stored = passed(store, self.timed(store))
        assert stored.turn_deadline == stored.updated_at + self.MINUTE
        assert loaded(store).turn_deadline == stored.turn_deadline

    def test_stays_within_a_turn(self, store):
        before = self.timed(store)
        made = apply(before.game, before.game.hand.to_act, Draw(DrawSource.DISCARD_PILE))
        with store.writing() as conn:
            after = games.save(conn, CODEC, before, made.game, made.moves, SENDER)
        assert after.turn_deadline == before.turn_deadline
        assert loaded(store).turn_deadline == before.turn_deadline

    def test_stays_with_a_change_and_goes_with_the_game(self, store):
        before = self.timed(store)
        expired = expire(before.game)
        with store.writing() as conn:
            after = games.change(conn, CODEC, before, expired.changes, expired.game)
        assert after.turn_deadline == before.turn_deadline
        resigned = apply(after.game, 0, Resign())
        with store.writing() as conn:
            over = games.save(conn, CODEC, after, resigned.game, resigned.moves, SENDER)
        assert over.turn_deadline is None
        assert loaded(store).turn_deadline is None

    def test_does_not_stand_where_a_computer_is_due(self, store):
        assert self.timed(store, seats=(COMPUTER, BOB)).turn_deadline is None

    def test_says_from_when_on_the_game_may_be_claimed(self, store):
        stored = self.timed(store)
        assert stored.claimable_at == stored.turn_deadline
        assert passed(store, started(store, "g_2")).claimable_at is None

    def test_is_kept_where_more_changes_than_one_are_written(self, store):
        before = self.timed(store)
        said = tuple(Change(ChangeKind.CONSENTED, seat) for seat in (0, 1))
        game = replace(before.game, void_consents=(0, 1))
        with store.writing() as conn:
            after = games.change(conn, CODEC, before, said, game)
            logged = moves.changes(conn, CODEC, "g_1")
        assert (after.version, after.turn_deadline) == (before.version + 2, before.turn_deadline)
        assert [each.change for each in logged[-2:]] == list(said)
        assert [each.version for each in logged[-2:]] == [after.version - 1, after.version]
