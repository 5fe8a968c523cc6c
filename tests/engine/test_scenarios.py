"""Each scenario is the position that its name says, under its own rules, for any two seats."""

import pytest

from engine.cards import DECK, card_name, cards_of
from engine.clock import expire
from engine.errors import EngineError
from engine.game import Mover, SeatKind, Setup
from engine.hand import Phase
from engine.legal import legal
from engine.progress import begin
from engine.replay import replay
from engine.scenarios import SCENARIOS, play_scenario
from engine.scoring import HandOutcome
from tests.tables import PEOPLE, play

HUMAN, AI = SeatKind.HUMAN, SeatKind.AI


def made(name, kinds=PEOPLE):
    scenario = SCENARIOS[name]
    setup = Setup("g_sandbox", scenario.rules, kinds, bytes(32), scenario.decks)
    return play_scenario(scenario, setup)


def reached(name):
    return made(name).game


def kinds_of_knocks(game):
    return {knock.kind.value for knock in legal(game, 0).knocks}


@pytest.mark.parametrize("name", SCENARIOS)
class TestAnyScenario:
    def test_is_in_its_phase_with_seat_0_to_decide(self, name):
        game = reached(name)
        assert game.phase is SCENARIOS[name].phase
        if SCENARIOS[name].time_is_up:
            game = expire(game).game
        else:
            assert game.to_act_seats == (0,)
        assert legal(game, 0).actions

    def test_is_played_from_whole_decks(self, name):
        for deck in SCENARIOS[name].decks:
            assert (len(deck), cards_of(deck)) == (52, DECK)

    def test_has_a_real_log(self, name):
        transition = made(name)
        assert replay(transition.game.setup, transition.moves) == transition.game
        assert [move.number for move in transition.moves] == list(
            range(1, transition.game.next_move)
        )

    def test_may_be_played_by_a_computer_too(self, name):
        for kinds in ((HUMAN, AI), (AI, HUMAN)):
            transition = made(name, kinds)
            movers = {move.seat: move.by for move in transition.moves if move.by != Mover.SERVER}
            expected = {HUMAN: Mover.PLAYER, AI: Mover.AI}
            assert all(by is expected[kinds[seat]] for seat, by in movers.items())


class TestTheFirstUpcardOffer:
    def test_is_the_first_thing_in_a_hand(self):
        assert legal(reached("first_upcard_offer"), 0).actions == ("draw", "pass")


class TestAKnock:
    def test_is_possible_and_no_gin(self):
        assert kinds_of_knocks(reached("can_knock")) == {"knock"}

    def test_is_possible_with_gin(self):
        assert "gin" in kinds_of_knocks(reached("can_gin"))

    def test_is_possible_with_big_gin(self):
        assert legal(reached("can_big_gin"), 0).knocks[0].kind.value == "big_gin"

    def test_would_be_undercut(self):
        game = play(reached("undercut_ahead"), "0 knock KS", "1 lay_off")
        assert game.last_result.outcome is HandOutcome.UNDERCUT
        assert game.last_result.winner == 1


class TestTheLayOff:
    def test_has_cards_for_a_run_a_set_and_a_choice(self):
        game = reached("lay_off_run_and_set")
        melds = game.hand.knock.melds
        fits = [(fit.card, melds[fit.meld].kind.value) for fit in legal(game, 0).lay_offs.possible]
        kinds = {kind for _, kind in fits}
        assert kinds == {"run", "set"}
        cards = [card for card, _ in fits]
        assert len(cards) > len(set(cards)), "one of them fits two melds"


class TestTheStock:
    def test_has_one_draw_left_before_the_hand_is_drawn(self):
        game = reached("stock_nearly_empty")
        assert len(game.hand.stock) == game.rules.stock_end + 1
        drawn = play(game, "0 draw stock")
        discard = legal(drawn, 0).discards[-1].card
        assert play(drawn, f"0 discard {card_name(discard)}").last_result.outcome == "drawn"


class TestTheTarget:
    def test_is_one_point_away(self):
        game = reached("one_point_from_target")
        assert [total.total for total in game.score.totals] == [game.rules.target - 1, 0]


class TestTheThirdColumn:
    def test_gets_its_first_entry_by_the_next_win(self):
        game = reached("hollywood_third_column")
        rows = [len(column.rows) for column in game.score.columns]
        assert rows == [2, 1, 0]
        won = play(game, "0 knock KS", "1 lay_off")
        assert [len(column.rows) for column in won.score.columns] == [3, 2, 1]


class TestTheOpponentWhoIsGone:
    def test_is_out_of_time_at_once_so_that_the_game_can_be_claimed(self):
        game = expire(reached("opponent_gone")).game
        assert (game.late_seat, legal(game, 0).actions) == (1, ("claim",))
        assert play(game, "0 claim").score.winner == 0


class TestADeckOfASandbox:
    def test_is_dealt_in_the_hands_it_is_for_and_no_further(self):
        deck = SCENARIOS["can_knock"].decks[0]
        game = begin(Setup("g_1", SCENARIOS["can_knock"].rules, PEOPLE, bytes(32), (deck,))).game
        assert game.hand.upcard == deck[20]
        later = play(game, "0 pass", "1 pass", "0 draw stock", "0 knock KS", "1 lay_off", "0 deal")
        assert later.hand.phase is Phase.FIRST_UPCARD
        plain = begin(Setup("g_1", SCENARIOS["can_knock"].rules, PEOPLE, bytes(32))).game
        assert plain.hand.upcard != deck[20] or plain.hand.stock != game.hand.stock

    def test_does_not_change_what_is_refused(self):
        with pytest.raises(EngineError):
            play(reached("first_upcard_offer"), "0 draw stock")
