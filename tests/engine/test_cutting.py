"""The cut: who has a share in a shuffle, what it is worth, and what staying away costs."""

from dataclasses import replace
from functools import reduce

import pytest

from engine import shuffle
from engine.actions import Claim, DealHand, Draw, DrawSource, Resign
from engine.agreements import abandon, confirm
from engine.clock import Expired, claimable, expire, seconds_for, time_goes_on
from engine.cutting import Seated, commit, cut, seated
from engine.dealing import reshuffle
from engine.errors import (
    CutPending,
    EngineError,
    GameNotStarted,
    GameOver,
    NonceCommitReused,
    NonceMismatch,
    NotClaimableYet,
    NotYourTurn,
    WrongPhase,
)
from engine.events import Change, ChangeKind, Claimed, DealerDrawn, Dealt, Resigned
from engine.game import Mover, SeatKind, new_game
from engine.hand import Phase
from engine.legal import legal
from engine.move_views import SPECTATOR
from engine.progress import apply, begin
from engine.replay import replay
from engine.rules import STANDARD
from engine.shuffle import Deal, SeatNonce, nonce_commit
from engine.views import view
from tests.tables import play, setup

HUMAN = SeatKind.HUMAN
SEAT_1_DEALS = replace(STANDARD, first_dealer="seat1")
TIMED = replace(SEAT_1_DEALS, turn_seconds=60)
POLICIES = ("claim", "ai_takes_over", "forfeit")


def nonce(seat, hand=1):
    return bytes([16 * seat + hand]) * 32


def commits(*seats, hand=1):
    return {seat: nonce_commit(nonce(seat, hand)) for seat in seats}


def refused(act):
    """The type of the error with which ``act`` is refused."""
    with pytest.raises(EngineError) as caught:
        act()
    return caught.type


def cutting(*seats, rules=SEAT_1_DEALS, kinds=(HUMAN, HUMAN)):
    """A game in which everybody is there, and ``seats`` have committed."""
    return seated(new_game(setup(rules, kinds)), commits(*seats), complete=True)


def cut_by(game, *seats, hand=1, goes_on=True):
    for seat in seats:
        following = nonce_commit(nonce(seat, hand + 1)) if goes_on else None
        game = cut(game, seat, nonce(seat, hand), following).game
    return game


def hand_over(*seats, rules=SEAT_1_DEALS, **options):
    """A game between its first two hands; ``seats`` cut for the first and go on."""
    game = cut_by(cutting(*seats, rules=rules, **options).game, *seats)
    while not game.hand.over:
        actions = legal(game, game.hand.to_act)
        seat = game.hand.to_act
        if "pass" in actions.actions:
            game = play(game, f"{seat} pass")
        elif "draw" in actions.actions:
            game = apply(game, seat, Draw(DrawSource.STOCK)).game
        elif "lay_off" in actions.actions:
            game = play(game, f"{seat} lay_off")
        else:
            barred = {each.card for each in actions.barred}
            card = next(each.card for each in actions.discards if each.card not in barred)
            name = shuffle.CARD_NAMES[card]
            game = play(game, f"{seat} {'knock' if actions.knocks else 'discard'} {name}")
    return game


class TestAGameInWhichNobodyContributes:
    def test_is_dealt_at_once_as_ever(self):
        here = cutting()
        made = begin(setup(SEAT_1_DEALS))
        assert here == Seated(made.game, (), made.moves)
        assert here.game.shares is None


class TestAGameInWhichASeatContributes:
    def test_waits_for_its_cut(self):
        here = cutting(1)
        assert here.moves == ()
        assert (here.game.phase, here.game.to_act_seats) == (Phase.CUTTING, (1,))
        assert [change.kind for change in here.changes] == [ChangeKind.COMMITTED, ChangeKind.BEGUN]

    def test_waits_for_everybody_before_it_asks_for_cuts(self):
        here = seated(new_game(setup(SEAT_1_DEALS)), commits(0), complete=False)
        assert (here.game.phase, here.game.to_act_seats) == (Phase.WAITING, ())
        assert refused(lambda: cut(here.game, 0, nonce(0), None)) is GameNotStarted

    def test_shows_the_commitments_of_both_sides_before_any_nonce(self):
        game = cutting(0, 1).game
        coming = view(game, SPECTATOR).next_hand
        assert coming.number == 1
        assert coming.server_commit == begin(setup(SEAT_1_DEALS)).game.hand.server_commit
        assert {each.seat: each.commit for each in coming.nonce_commits} == commits(0, 1)
        assert coming.cuts == ()

    def test_lets_who_is_due_cut_and_nobody_else_do_anything(self):
        game = cutting(1).game
        assert (legal(game, 1).actions, legal(game, 0).actions) == (("cut",), ())
        assert refused(lambda: apply(game, 0, DealHand())) is CutPending
        assert refused(lambda: apply(game, 0, Draw(DrawSource.STOCK))) is CutPending
        assert refused(lambda: cut(game, 0, nonce(0), None)) is NotYourTurn

    def test_does_not_take_a_commitment_twice(self):
        twice = {0: nonce_commit(nonce(0)), 1: nonce_commit(nonce(0))}
        with pytest.raises(NonceCommitReused):
            seated(new_game(setup()), twice, complete=True)

    def test_forgets_the_commitment_of_who_left(self):
        game = seated(new_game(setup()), commits(1), complete=False).game
        left = seated(game, {1: None}, complete=False)
        assert left.changes == (Change(ChangeKind.COMMITTED, 1),)
        assert seated(left.game, {1: None}, complete=True).game.phase is Phase.FIRST_UPCARD
        with pytest.raises(NonceCommitReused):
            commit(left.game, 1, nonce_commit(nonce(1)))


class TestACut:
    def test_is_noted_and_seen_while_what_was_opened_is_not(self):
        game = cutting(0, 1).game
        after = cut(game, 0, nonce(0), None)
        assert after.moves == ()
        assert (after.game.phase, after.game.to_act_seats) == (Phase.CUTTING, (1,))
        for viewer in (SPECTATOR, 0, 1):
            shown = view(after.game, viewer)
            assert shown.next_hand.cuts == (0,)
            assert nonce(0).hex() not in repr(shown)
            assert repr(nonce(0)) not in repr(shown)

    def test_again_changes_nothing(self):
        game = cut_by(cutting(0, 1).game, 0)
        assert cut_by(game, 0) is game

    def test_again_with_another_commitment_is_not_due(self):
        game = cut_by(cutting(0, 1).game, 0)
        assert refused(lambda: cut(game, 0, nonce(0), None)) is NotYourTurn

    def test_of_another_nonce_is_refused(self):
        with pytest.raises(NonceMismatch):
            cut(cutting(0).game, 0, nonce(1), None)

    @pytest.mark.parametrize("seen", [(0, 1), (1, 1)])
    def test_cannot_commit_to_what_the_game_has_seen(self, seen):
        with pytest.raises(NonceCommitReused):
            cut(cutting(0, 1).game, 0, nonce(0), nonce_commit(nonce(*seen)))

    def test_cannot_copy_the_commitment_that_the_other_seat_made_with_its_cut(self):
        game = cut_by(cutting(0, 1).game, 0)
        with pytest.raises(NonceCommitReused):
            cut(game, 1, nonce(1), nonce_commit(nonce(0, 2)))

    def test_is_due_only_before_a_hand(self):
        game = cut_by(cutting(0).game, 0)
        assert refused(lambda: cut(game, 0, nonce(0, 2), None)) is WrongPhase

    def test_ends_with_the_game(self):
        given_up = apply(cutting(0).game, 1, Resign()).game
        with pytest.raises(GameOver):
            cut(given_up, 0, nonce(0), None)


class TestTheLastCut:
    @pytest.mark.parametrize("order", [(0, 1), (1, 0)])
    def test_is_followed_by_the_deal_whoever_makes_it(self, order):
        game = cut_by(cutting(0, 1).game, order[0])
        last = cut(game, order[1], nonce(order[1]), None)
        [deal] = last.moves
        assert deal.by is Mover.SERVER
        assert deal.event.nonces == (SeatNonce(0, nonce(0)), SeatNonce(1, nonce(1)))
        assert last.game.hand.contributors == (0, 1)

    @pytest.mark.parametrize("seats", [(0,), (1,), (0, 1)])
    def test_makes_the_deck_from_the_seed_and_what_was_opened(self, seats):
        game = cut_by(cutting(*seats).game, *seats)
        dealt = game.last_move.event
        opened = [nonce(seat) if seat in seats else None for seat in (0, 1)]
        assert dealt.deck == shuffle.deck_order(Deal("g_table", 1, dealt.seed, *opened))
        assert dealt.seed == begin(setup(SEAT_1_DEALS)).moves[-1].event.seed
        assert dealt.deck != begin(setup(SEAT_1_DEALS)).moves[-1].event.deck

    def test_lets_the_same_shares_decide_who_deals_where_that_is_drawn(self):
        game = cut_by(cutting(0, 1, rules=STANDARD).game, 0)
        last = cut(game, 1, nonce(1), None)
        drawn, dealt = (move.event for move in last.moves)
        assert isinstance(drawn, DealerDrawn)
        assert isinstance(dealt, Dealt)
        order = shuffle.draw_order(Deal("g_table", 1, dealt.seed, nonce(0), nonce(1)))
        assert drawn.draws == shuffle.draw_for_dealer(order, 2)[0]

    def test_shows_the_nonces_to_everybody(self):
        game = cut_by(cutting(0, 1).game, 0, 1)
        assert view(game, SPECTATOR).last_move.deal.nonces == game.last_move.event.nonces


class TestTheNextHand:
    def test_waits_for_the_next_cuts(self):
        game = hand_over(0, 1)
        assert (game.phase, game.to_act_seats) == (Phase.CUTTING, (0, 1))
        shown = view(game, SPECTATOR).next_hand
        assert {each.seat: each.commit for each in shown.nonce_commits} == commits(0, 1, hand=2)
        dealt = cut_by(game, 1, 0, hand=2).last_move.event
        assert dealt.hand_number == 2
        assert dealt.nonces == (SeatNonce(0, nonce(0, 2)), SeatNonce(1, nonce(1, 2)))

    def test_waits_for_nobody_who_stopped_contributing(self):
        game = cut_by(hand_over(0, 1), 0, 1, hand=2, goes_on=False)
        assert game.shares.commits == ()
        assert game.hand.contributors == (0, 1)

    def test_is_dealt_on_request_once_nobody_contributes(self):
        game = hand_over()
        assert game.phase is Phase.HAND_OVER
        assert apply(game, 0, DealHand()).game.hand.number == 2

    def test_waits_for_the_score_to_be_confirmed_before(self):
        game = hand_over(0, rules=replace(SEAT_1_DEALS, confirm_score="both"))
        if game.phase is Phase.CONFIRMING:
            assert refused(lambda: cut(game, 0, nonce(0, 2), None)) is WrongPhase
            game = reduce(lambda game, seat: confirm(game, seat).game, (0, 1), game)
        assert game.phase is Phase.CUTTING


class TestThreeAtTheTable:
    KINDS = (HUMAN, HUMAN, HUMAN)

    def test_all_cut_before_it_is_drawn_who_plays(self):
        game = cutting(0, 1, 2, rules=STANDARD, kinds=self.KINDS).game
        assert game.to_act_seats == (0, 1, 2)
        game = cut_by(game, 2, 1, 0)
        assert len(game.last_move.event.nonces) == 3
        assert game.hand.contributors == game.hand.playing_seats

    def test_who_sits_out_does_not_cut(self):
        game = cutting(0, 1, 2, rules=SEAT_1_DEALS, kinds=self.KINDS).game
        assert game.to_act_seats == (1, 2)
        game = cut_by(game, 1, 2)
        assert {each.seat for each in game.shares.commits} == {0, 1, 2}

    def test_is_dealt_at_once_if_only_who_sits_out_contributes(self):
        assert cutting(0, rules=SEAT_1_DEALS, kinds=self.KINDS).game.phase is Phase.FIRST_UPCARD


class TestDiscardsThatAreShuffledAgain:
    def test_come_in_an_order_that_the_shares_decide(self):
        shared, plain = cut_by(cutting(0).game, 0), begin(setup(SEAT_1_DEALS)).game
        orders = {reshuffle(game.setup, game.hand)(1, tuple(range(20))) for game in (shared, plain)}
        assert len(orders) == 2


class TestWhoDoesNotCutInTime:
    def test_has_as_long_as_for_a_turn(self):
        assert seconds_for(cutting(0, rules=TIMED).game) == 60
        assert seconds_for(cutting(0, rules=SEAT_1_DEALS).game) is None

    def test_gains_no_time_by_the_cut_of_the_other(self):
        game = cutting(0, 1, rules=TIMED).game
        assert time_goes_on(game, cut_by(game, 0))
        assert not time_goes_on(cut_by(game, 0), cut_by(game, 0, 1))

    @pytest.mark.parametrize("name", POLICIES)
    def test_loses_whatever_the_policy_if_it_is_the_only_one(self, name):
        rules = replace(TIMED, timeout_policy=name)
        game = cut_by(cutting(0, 1, rules=rules).game, 1)
        expired = expire(game)
        assert claimable(game) == (name == "claim")
        if name == "claim":
            late = replace(game, late_seat=0)
            assert expired == Expired(late, (Change(ChangeKind.OUT_OF_TIME, 0),))
            assert legal(late, 1).actions == ("claim",)
            assert expire(late) is None
            made = apply(late, 1, Claim())
            assert made.moves[0].event == Claimed(1, 0, 1, None)
        else:
            [made] = [expired]
            assert made.moves[0].event == Resigned(0, 1, None)
            assert made.moves[0].by is Mover.CLOCK
        assert (made.game.phase, made.game.score.winner) == (Phase.GAME_OVER, 1)

    def test_can_still_cut_until_it_is_claimed(self):
        game = replace(cut_by(cutting(0, 1, rules=TIMED).game, 1), late_seat=0)
        after = cut_by(game, 0)
        assert (after.phase, after.late_seat) == (Phase.FIRST_UPCARD, None)
        assert refused(lambda: apply(after, 1, Claim())) is NotClaimableYet

    @pytest.mark.parametrize("name", ["ai_takes_over", "forfeit"])
    def test_gives_the_game_to_nobody_if_the_other_stays_away_too(self, name):
        game = cutting(0, 1, rules=replace(TIMED, timeout_policy=name)).game
        expired = expire(game)
        assert expired.changes == (Change(ChangeKind.ABANDONED, None),)
        assert (expired.game.phase, expired.game.over) == (Phase.GAME_OVER, True)

    def test_cannot_be_claimed_against_by_who_did_not_cut_either(self):
        game = cutting(0, 1, rules=TIMED).game
        assert expire(game) is None
        assert refused(lambda: apply(game, 1, Claim())) is NotClaimableYet

    def test_loses_a_later_hand_too(self):
        game = cut_by(hand_over(0, 1, rules=TIMED), 1, hand=2)
        late = expire(game).game
        assert apply(late, 1, Claim()).game.score.winner == 1


class TestACutForTheNextHandInTheSameWrite:
    """Of three two computers may play a whole hand in reply to the cut of the one who sits out."""

    def test_has_the_whole_time(self):
        first, second = cutting(0, rules=TIMED).game, hand_over(0, rules=TIMED)
        assert first.phase is second.phase is Phase.CUTTING
        assert not time_goes_on(first, second)


class TestAGameGivenUpWhileCutting:
    def test_ends_without_a_hand(self):
        made = apply(cutting(0).game, 0, Resign())
        assert made.moves[0].event == Resigned(0, 1, None)
        assert (made.game.over, made.game.hand) == (True, None)
        assert view(made.game, SPECTATOR).winner == 1

    def test_ends_without_a_winner_if_it_is_abandoned(self):
        game = abandon(cutting(0).game).game
        assert (game.phase, game.to_act_seats) == (Phase.GAME_OVER, ())


class TestTheLog:
    def test_leads_to_the_same_game(self):
        start = new_game(setup(STANDARD))
        here = seated(start, commits(0, 1), complete=True)
        log = list(here.changes)
        game = here.game
        for seat in (1, 0):
            said = cut(game, seat, nonce(seat), nonce_commit(nonce(seat, 2)))
            log += [said.change, *said.moves]
            game = said.game
        assert replay(start.setup, log) == game
