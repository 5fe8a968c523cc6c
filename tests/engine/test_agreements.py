"""What seats agree on beside the play: that a score is right, and that a hand is void."""

from dataclasses import replace

import pytest

from engine.agreements import Agreed, confirm, consent
from engine.errors import (
    ConfirmationPending,
    GameNotStarted,
    GameOver,
    HandOver,
    NotYourTurn,
    VoidNotPossible,
    WrongPhase,
)
from engine.events import Change, ChangeKind, HandVoided
from engine.game import Mover, SeatKind, new_game
from engine.hand import Phase
from engine.legal import legal
from engine.move_views import SPECTATOR
from engine.progress import begin
from engine.rules import STANDARD
from engine.scoring import HandOutcome
from engine.views import view
from tests.tables import play, refusal, setup, stock_runs_down, table

BOTH = replace(STANDARD, confirm_score="both")
HUMAN, AI = SeatKind.HUMAN, SeatKind.AI
SCORED = ("0 pass", "1 pass", "0 draw stock", "0 knock KS", "1 lay_off")


def scored(rules=BOTH, **options):
    return play(table(rules, **options), *SCORED)


def confirmed(game, *seats):
    for seat in seats:
        game = confirm(game, seat).game
    return game


class TestConfirming:
    """Full s5: both players verify melds, lay-offs and deadwood before the cards are gathered."""

    def test_waits_for_both_after_the_showdown(self):
        game = scored()
        assert (game.phase, game.to_act_seats) == (Phase.CONFIRMING, (0, 1))
        assert game.last_move.after.phase is Phase.CONFIRMING
        assert game.last_result.points == 22

    @pytest.mark.parametrize(("first", "second"), [(0, 1), (1, 0)])
    def test_may_be_done_in_any_order(self, first, second):
        game = confirmed(scored(), first)
        assert (game.phase, game.to_act_seats, game.confirmed_by) == (
            Phase.CONFIRMING, (second,), (first,),
        )  # fmt: skip
        game = confirmed(game, second)
        assert (game.phase, game.confirmed_by) == (Phase.HAND_OVER, (0, 1))

    def test_is_a_change_and_no_move(self):
        game = scored()
        agreed = confirm(game, 1)
        assert (agreed.change, agreed.moves) == (Change(ChangeKind.CONFIRMED, 1), ())
        assert agreed.game.next_move == game.next_move

    def test_again_changes_nothing(self):
        for game in (confirmed(scored(), 1), confirmed(scored(), 0, 1)):
            assert confirm(game, 1) == Agreed(game)

    def test_is_what_a_seat_may_do_until_it_has(self):
        game = confirmed(scored(), 1)
        assert [legal(game, seat).actions for seat in (0, 1)] == [("confirm",), ()]
        assert legal(confirmed(game, 0), 1).actions == ("deal",)

    def test_holds_up_the_next_deal(self):
        game = confirmed(scored(), 0)
        error = refusal(game, "0 deal")
        assert isinstance(error, ConfirmationPending)
        assert error.params == {"to_act_seats": (1,)}
        dealt = play(confirmed(game, 1), "0 deal")
        assert (dealt.hand.number, dealt.confirmed_by) == (2, ())

    def test_is_no_time_for_a_move(self):
        assert isinstance(refusal(scored(), "0 draw stock"), HandOver)

    def test_holds_up_the_end_of_the_game(self):
        game = scored(replace(BOTH, target=20))
        assert not game.over
        assert view(game, 0).winner is None
        assert view(game, 0).next_hand is None
        game = confirmed(game, 1, 0)
        assert (game.over, game.phase, view(game, 0).winner) == (True, Phase.GAME_OVER, 0)

    def test_shows_the_coming_hand_if_there_is_one(self):
        assert view(scored(), SPECTATOR).next_hand.number == 2

    def test_is_of_gin_as_well(self):
        game = play(table(BOTH, stock="TH QS 4S"), "0 pass", "1 pass", "0 draw stock", "0 gin TS")
        assert game.phase is Phase.CONFIRMING

    def test_is_done_by_computers_at_once(self):
        game = scored(kinds=(HUMAN, AI))
        assert (game.to_act_seats, game.confirmed_by) == ((0,), (1,))
        game = scored(kinds=(AI, AI))
        assert (game.phase, game.confirmed_by) == (Phase.HAND_OVER, (0, 1))

    def test_is_not_needed_for_a_hand_without_a_score(self):
        game = play(stock_runs_down(play(table(BOTH), "0 pass", "1 pass"), 3), "0 draw stock")
        drawn = play(game, f"0 discard {'AC'}")
        assert drawn.last_result.outcome is HandOutcome.DRAWN
        assert (drawn.phase, drawn.confirmed_by) == (Phase.HAND_OVER, ())

    def test_is_not_needed_where_scores_stand_by_themselves(self):
        game = scored(STANDARD)
        assert (game.phase, game.confirmed_by) == (Phase.HAND_OVER, ())
        with pytest.raises(WrongPhase):
            confirm(game, 0)

    def test_ends_when_the_game_is_given_up(self):
        game = play(scored(), "1 resign")
        assert (game.phase, game.to_act_seats) == (Phase.GAME_OVER, ())
        with pytest.raises(GameOver):
            confirm(game, 0)

    def test_is_of_the_seats_that_played(self):
        kinds = (HUMAN, HUMAN, HUMAN)
        game = play(begin(setup(replace(BOTH, first_dealer="seat0"), kinds)).game)
        game = replace(game, hand=replace(game.hand, phase=Phase.HAND_OVER))
        game = replace(game, last_result=scored().last_result)
        assert game.unconfirmed_seats == (0, 1)
        with pytest.raises(NotYourTurn):
            confirm(game, 2)

    def test_has_its_time(self):
        with pytest.raises(GameNotStarted):
            confirm(new_game(setup(BOTH)), 0)
        with pytest.raises(WrongPhase):
            confirm(table(BOTH), 0)


class TestAVoid:
    """Full s4: redeal the hand without a score. Here both seats have to consent."""

    def test_needs_both_seats(self):
        game = play(table(), "0 pass")
        one = consent(game, 1, void=True)
        assert (one.change, one.moves) == (Change(ChangeKind.CONSENTED, 1), ())
        assert (one.game.void_consents, one.game.phase) == ((1,), Phase.FIRST_UPCARD)
        both = consent(one.game, 0, void=True)
        (move,) = both.moves
        assert isinstance(move.event, HandVoided)
        assert (move.by, move.seat, move.number) == (Mover.SERVER, None, game.next_move)
        assert (both.game.phase, both.game.void_consents) == (Phase.HAND_OVER, ())

    @pytest.mark.parametrize("played", range(len(SCORED)))
    def test_may_come_until_the_hand_is_over(self, played):
        game = play(table(), *SCORED[:played])
        for seat in (0, 1):
            game = consent(game, seat, void=True).game
        assert game.last_result.outcome is HandOutcome.VOID

    def test_scores_nothing_and_is_dealt_again_by_the_same_seat(self):
        game = table()
        for seat in (0, 1):
            game = consent(game, seat, void=True).game
        result = game.last_result
        assert (result.points, result.winner, result.lines) == (0, None, ())
        assert [total.total for total in game.score.totals] == [0, 0]
        again = play(game, "1 deal")
        assert (again.hand.number, again.hand.dealer) == (2, game.hand.dealer)

    def test_needs_no_confirmation(self):
        game = table(BOTH)
        for seat in (0, 1):
            game = consent(game, seat, void=True).game
        assert game.phase is Phase.HAND_OVER

    def test_shows_both_sides_like_any_end(self):
        game = table()
        for seat in (0, 1):
            game = consent(game, seat, void=True).game
        sides = view(game, SPECTATOR).last_hand.sides
        assert [side.cards for side in sides] == list(game.hand.holdings)

    def test_can_be_taken_back_until_the_other_consents(self):
        game = consent(table(), 0, void=True).game
        back = consent(game, 0, void=False)
        assert (back.change, back.game.void_consents) == (Change(ChangeKind.WITHDREW, 0), ())
        assert consent(back.game, 1, void=True).game.void_consents == (1,)

    def test_said_again_changes_nothing(self):
        game = table()
        assert consent(game, 0, void=False) == Agreed(game)
        game = consent(game, 0, void=True).game
        assert consent(game, 0, void=True) == Agreed(game)

    def test_consent_is_of_one_hand(self):
        game = consent(play(table(), *SCORED[:-1]), 0, void=True).game
        assert play(game, SCORED[-1]).void_consents == ()

    @pytest.mark.parametrize("kinds", [(HUMAN, AI), (AI, HUMAN), (AI, AI)])
    def test_is_never_of_a_hand_that_a_computer_plays(self, kinds):
        for seat in (0, 1):
            with pytest.raises(VoidNotPossible):
                consent(table(kinds=kinds), seat, void=True)

    def test_is_not_for_who_sits_out(self):
        game = begin(setup(replace(STANDARD, first_dealer="seat0"), (HUMAN, HUMAN, AI))).game
        assert game.hand.playing_seats == (0, 1)
        with pytest.raises(NotYourTurn) as error:
            consent(game, 2, void=True)
        assert error.value.params == {"to_act_seats": (0, 1)}
        for seat in (1, 0):
            game = consent(game, seat, void=True).game
        assert game.last_result.outcome is HandOutcome.VOID

    def test_has_its_time(self):
        with pytest.raises(GameNotStarted):
            consent(new_game(setup()), 0, void=True)
        with pytest.raises(HandOver):
            consent(scored(STANDARD), 0, void=True)
        with pytest.raises(HandOver):
            consent(scored(), 0, void=True)
        with pytest.raises(GameOver):
            consent(play(table(), "0 resign"), 0, void=True)

    def test_stands_in_every_view(self):
        game = consent(table(), 1, void=True).game
        assert {view(game, viewer).void_consents for viewer in (0, 1, SPECTATOR)} == {(1,)}
