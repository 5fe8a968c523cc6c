"""The log: every part of it that somebody asks for."""

import pytest

from engine.progress import begin
from service.storage import games, moves
from service.storage.log_rows import Sender
from tests.random_games import steps
from tests.service.storage.stored import BOB, CODEC, SENDER, started, waiting


@pytest.fixture
def game(store):
    """A whole game in which a join came before the first move: versions run one ahead more."""
    first, *rest = list(steps(5))
    setup = first.game.setup
    before = waiting(store, setup.id)
    with store.writing() as conn:
        stored = games.seat(conn, CODEC, before, 1, BOB, first.game, first.moves)
        for made in rest:
            if not made.changes:
                stored = games.save(conn, CODEC, stored, made.game, made.moves, SENDER)
            else:
                stored = games.change(conn, CODEC, stored, made.changes, made.game, *made.moves)
    return stored


@pytest.fixture
def log(store, game):
    with store.reading() as conn:
        return moves.numbered_from(conn, CODEC, game.game.setup.id, 1)


class TestTheWholeLog:
    def test_is_what_was_made_in_its_order(self, game, log):
        made = [move for step in steps(5) for move in step.moves]
        assert [each.move for each in log] == made
        assert [each.move.number for each in log] == list(range(1, game.game.next_move))

    def test_has_all_versions_together_with_the_changes(self, store, game, log):
        with store.reading() as conn:
            changes = [each.version for each in moves.changes(conn, CODEC, game.game.setup.id)]
        assert changes[:2] == [1, 2]
        versions = [*changes, *(each.version for each in log)]
        assert sorted(versions) == list(range(1, game.version + 1))

    def test_has_times_that_never_go_back(self, game, log):
        assert [each.at for each in log] == sorted(each.at for each in log)
        assert log[-1].at == game.moved_at

    def test_of_another_game_is_another(self, store, game, log):
        started(store, "g_other")
        with store.reading() as conn:
            assert moves.numbered_from(conn, CODEC, game.game.setup.id, 1) == log
            assert len(moves.numbered_from(conn, CODEC, "g_other", 1)) == 2
            assert moves.numbered_from(conn, CODEC, "g_none", 1) == []


class TestAPart:
    def test_may_begin_anywhere_and_end_anywhere(self, store, game, log):
        with store.reading() as conn:
            for number in (1, 2, 7, len(log), len(log) + 1):
                for limit in (1, 3, 1000):
                    found = moves.numbered_from(conn, CODEC, game.game.setup.id, number, limit)
                    assert found == log[number - 1 : number - 1 + limit]

    def test_may_follow_a_version(self, store, game, log):
        with store.reading() as conn:
            for version in (0, 1, 2, 3, 4, game.version - 1, game.version):
                found = moves.after_version(conn, CODEC, game, version, 5)
                assert found == [each for each in log if each.version > version][:5]

    def test_may_be_of_hands(self, store, game, log):
        last = game.game.hand.number
        assert last > 1
        with store.reading() as conn:
            for first in range(1, last + 2):
                for until in range(first, last + 2):
                    found = moves.of_hands(conn, CODEC, game.game.setup.id, first, until)
                    assert found == [
                        each for each in log if first <= each.move.hand_number <= until
                    ]

    def test_may_be_a_page_of_a_hand(self, store, game, log):
        of_hand = [each for each in log if each.move.hand_number == 2]
        with store.reading() as conn:
            after = of_hand[2].move.number
            found = moves.page_of_hand(conn, CODEC, game.game.setup.id, 2, after, 3)
        assert found == of_hand[3:6]


class TestTheSender:
    def test_is_that_of_the_request(self, store, game):
        with store.reading() as conn:
            assert moves.sent(conn, game.game.setup.id, len(begin(game.game.setup).moves) + 1) == (
                Sender(0, b"h" * 16)
            )

    def test_is_none_where_no_request_made_the_move(self, store, game):
        with store.reading() as conn:
            assert moves.sent(conn, game.game.setup.id, 1) is None
            assert moves.sent(conn, game.game.setup.id, game.game.next_move) is None
            assert moves.sent(conn, "g_none", 1) is None
