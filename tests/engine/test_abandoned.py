"""A game that is ended from outside: without a winner, whatever was going on in it."""

from dataclasses import replace

import pytest

from engine.actions import DealHand, Pass, Resign
from engine.agreements import Agreed, abandon, confirm, consent, evolve_change
from engine.errors import GameOver
from engine.events import Change, ChangeKind
from engine.game import new_game
from engine.hand import Phase
from engine.legal import NOTHING, legal
from engine.progress import apply
from engine.replay import replay
from engine.rules import STANDARD
from engine.views import SPECTATOR, view
from tests.tables import play, setup, table

BOTH = replace(STANDARD, confirm_score="both")
DRAWN = ("0 pass", "1 pass", "0 draw stock")
KNOCKED = (*DRAWN, "0 knock KS")
SCORED = (*KNOCKED, "1 lay_off")
LINES = {"first_upcard": (), "discard": DRAWN, "lay_off": KNOCKED, "hand_over": SCORED}
EVERYBODY = (0, 1, SPECTATOR)


def abandoned(*lines, rules=STANDARD):
    return abandon(play(table(rules), *lines)).game


@pytest.mark.parametrize("lines", LINES.values(), ids=LINES)
class TestAnAbandonedGame:
    def test_is_over_without_a_winner(self, lines):
        game = abandoned(*lines)
        assert (game.over, game.phase, game.to_act_seats) == (True, Phase.GAME_OVER, ())
        assert game.hand.over
        for viewer in EVERYBODY:
            shown = view(game, viewer)
            assert (shown.over, shown.winner, shown.winner_team) == (True, None, None)
            assert shown.next_hand is None
        assert [legal(game, seat) for seat in (0, 1)] == [NOTHING, NOTHING]

    def test_takes_no_action_any_more(self, lines):
        game = abandoned(*lines)
        for action in (Pass(), Resign(), DealHand()):
            with pytest.raises(GameOver):
                apply(game, 0, action)
        for say in (lambda: confirm(game, 0), lambda: consent(game, 0, void=True)):
            with pytest.raises(GameOver):
                say()

    def test_has_the_points_it_had(self, lines):
        before = play(table(), *lines)
        after = abandon(before).game
        assert (after.score, after.hands) == (before.score, before.hands)
        assert after.last_result == before.last_result
        assert after.hand.holdings == before.hand.holdings

    def test_is_told_by_one_change_that_no_seat_made(self, lines):
        before = play(table(), *lines)
        agreed = abandon(before)
        assert (agreed.change, agreed.moves) == (Change(ChangeKind.ABANDONED), ())
        assert evolve_change(before, agreed.change) == agreed.game
        assert abandon(agreed.game) == Agreed(agreed.game)


class TestAHandThatWasCutOff:
    def test_has_no_result(self):
        shown = view(abandoned(*KNOCKED), SPECTATOR)
        assert (shown.hand.knock.result, shown.hand.knock.lay_offs) == (None, ())
        assert shown.last_hand is None

    def test_has_not_that_of_the_hand_before(self):
        game = play(table(), *KNOCKED)
        earlier = replace(play(game, "1 lay_off").last_result, hand_number=0)
        shown = view(abandon(replace(game, last_result=earlier)).game, SPECTATOR)
        assert shown.last_hand == earlier
        assert shown.hand.knock.result is None

    def test_takes_consents_to_its_void_along(self):
        game = consent(table(), 0, void=True).game
        assert abandon(game).game.void_consents == ()


class TestAScoreThatNobodyConfirmed:
    def test_makes_no_winner(self):
        game = abandoned(*SCORED, rules=replace(BOTH, target=10))
        assert (game.phase, game.unconfirmed_seats) == (Phase.GAME_OVER, ())
        assert view(game, 0).winner is None


class TestAGameThatWaits:
    def test_can_be_abandoned(self):
        game = abandon(new_game(setup())).game
        assert (game.over, game.phase, game.hand) == (True, Phase.GAME_OVER, None)
        assert legal(game, 0) == NOTHING
        for say in (
            lambda: apply(game, 0, Pass()),
            lambda: confirm(game, 0),
            lambda: consent(game, 0, void=True),
        ):
            with pytest.raises(GameOver):
                say()
        assert replay(setup(), [Change(ChangeKind.ABANDONED)]) == game


class TestAGameThatIsOver:
    def test_stays_as_it_ended(self):
        game = play(table(), "0 resign")
        assert abandon(game) == Agreed(game)
        assert view(game, 0).winner == 1


def test_a_seat_sees_what_it_held_as_before():
    game = abandoned(*DRAWN)
    assert view(game, 0).you.cards == game.hand.holdings[0]
    assert view(game, 0).you.drawn_card is None
