"""What one write adds to the public counts."""

from dataclasses import replace

import pytest

from engine.agreements import abandon, consent
from engine.events import Claimed, Dealt, Resigned
from engine.fair_counts import NOTHING, FairCounts, added, open_hands
from engine.game import SeatKind, Setup
from engine.progress import begin
from engine.rules import STANDARD
from engine.scoring import HandOutcome, HandResult
from engine.shuffle import SeatNonce
from tests.tables import play, setup, stock_runs_down, table, transition

PEOPLE = (SeatKind.HUMAN, SeatKind.HUMAN)
WON = ("0 pass", "1 pass", "0 draw stock", "0 knock KS", "1 lay_off")


def begun(rules=STANDARD):
    return begin(Setup("g_1", rules, PEOPLE, bytes(32)))


def counted(game, line):
    made = transition(game, line)
    return added(game, made.game, made.moves)


class TestADeal:
    def test_counts_with_the_making_of_the_game(self):
        made = begun()
        assert added(None, made.game, made.moves) == FairCounts(hands_dealt=1)

    def test_with_a_nonce_has_a_contributor(self):
        made = begun()
        moves = [
            replace(move, event=replace(move.event, nonces=(SeatNonce(1, bytes(32)),)))
            for move in made.moves
            if isinstance(move.event, Dealt)
        ]
        counts = added(None, made.game, moves)
        assert counts == FairCounts(hands_dealt=1, hands_with_contributor=1)

    def test_has_no_contributor_in_a_seat_that_sits_out(self):
        """All who wait for the deal open their nonces; two of them share in the shuffle."""
        made = begun()
        moves = [
            replace(move, event=replace(move.event, nonces=(SeatNonce(2, bytes(32)),)))
            for move in made.moves
            if isinstance(move.event, Dealt)
        ]
        assert added(None, made.game, moves) == FairCounts(hands_dealt=1)

    def test_of_a_given_deck_does_not_count(self):
        made = begin(replace(setup(), decks=(tuple(range(52)),)))
        assert added(None, made.game, made.moves) == NOTHING

    def test_is_all_that_counts_of_the_next_one(self):
        game = by_its_commitment(play(table(), *WON))
        assert counted(game, "0 deal") == FairCounts(hands_dealt=1)


def by_its_commitment(game):
    """The game with the commitment to the seed that its key leads to."""
    return replace(game, hand=replace(game.hand, server_commit=begun_commit(game)))


def begun_commit(game):
    return begin(game.setup).game.hand.server_commit


class TestTheEndOfAHand:
    def test_reveals_its_seed(self):
        game = by_its_commitment(play(table(), *WON[:-1]))
        assert counted(game, WON[-1]) == FairCounts(seeds_revealed=1)

    def test_without_a_knock_does_so_as_well(self):
        game = by_its_commitment(play(table(), "0 pass", "1 pass"))
        ended = stock_runs_down(game, 2)
        assert added(game, ended, ()) == FairCounts(seeds_revealed=1)

    def test_by_giving_up_does_so_as_well(self):
        game = by_its_commitment(table())
        assert counted(game, "1 resign") == FairCounts(seeds_revealed=1)

    def test_by_abandonment_does_so_as_well(self):
        game = by_its_commitment(table())
        assert added(game, abandon(game).game, ()) == FairCounts(seeds_revealed=1)

    def test_by_a_void_does_so_as_well_and_is_counted(self):
        first = by_its_commitment(consent(table(), 0, void=True).game)
        second = consent(first, 1, void=True)
        counts = added(first, second.game, second.moves)
        assert counts == FairCounts(seeds_revealed=1, hands_void=1)

    def test_with_a_seed_that_was_not_committed_to_leaves_it_due(self):
        game = play(table(), *WON[:-1])
        assert game.hand.server_commit == ""
        assert counted(game, WON[-1]) == FairCounts(seeds_due=1)

    def test_is_not_any_other_move(self):
        game = by_its_commitment(table())
        for line in WON[:-1]:
            assert counted(game, line) == NOTHING
            game = play(game, line)

    def test_before_the_game_was_over_already_reveals_nothing_more(self):
        game = play(table(), *WON)
        assert counted(game, "0 resign") == NOTHING


class TestAGameThatOpensAtItsEnd:
    rules = replace(STANDARD, reveal="game")

    def test_reveals_nothing_when_a_hand_ends(self):
        game = play(table(self.rules), *WON[:-1])
        assert counted(game, WON[-1]) == NOTHING
        assert open_hands(play(game, WON[-1])) == 0

    def test_reveals_all_seeds_at_its_end(self):
        game = play(table(self.rules), *WON, "0 deal")
        assert counted(game, "0 resign") == FairCounts(seeds_revealed=2)


class TestANonceWithheld:
    """A game that is lost while its loser's nonce is waited for."""

    class Cutting:
        """As much of a game as says whose cut is due."""

        def __init__(self, game, *seats):
            self.setup, self.rules, self.hand, self.over = game.setup, game.rules, game.hand, False
            self.cutting_seats = seats

    @pytest.mark.parametrize(("waited_for", "count"), [((1,), 1), ((0, 1), 1), ((0,), 0), ((), 0)])
    def test_is_that_of_the_seat_that_lost(self, waited_for, count):
        game = by_its_commitment(play(table(), *WON))
        made = transition(game, "1 resign")
        result = HandResult(1, HandOutcome.RESIGNED, None, None, None, 0, 1, (), ())
        for fact in (Resigned(1, 0, result), Claimed(0, 1, 0, None)):
            moves = [replace(made.moves[0], event=fact)]
            counts = added(self.Cutting(game, *waited_for), made.game, moves)
            assert counts.nonces_withheld == count
