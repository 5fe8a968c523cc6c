from dataclasses import replace

import pytest

from engine import decisions, shuffle
from engine.actions import Discard
from engine.cards import card_name
from engine.errors import CardJustTaken, MustKnockOrPass, OnlyTopDiscard
from engine.events import Discarded, HandDrawn, Passed
from engine.game import SeatKind, Setup
from engine.legal import legal
from engine.notation import parse_position, position_name
from engine.progress import begin
from engine.rules import STANDARD
from tests.tables import facts, play, refusal, stock_runs_down, table, transition

TURNED = replace(STANDARD, recycle="unshuffled")
SHUFFLED = replace(STANDARD, recycle="shuffled")


def begun(rules, **piles):
    return play(table(rules, **piles), "0 pass", "1 pass")


def last_card(rules, **piles):
    """Somebody has drawn the last card of the stock and is to discard."""
    game = stock_runs_down(begun(rules, **piles), 1)
    return play(game, f"{game.hand.to_act} draw stock")


def thrown(game):
    """The discard of the card just drawn."""
    return f"{game.hand.to_act} discard {card_name(game.hand.drawn_card)}"


class TestRecycling:
    def test_does_not_come_while_a_card_is_left_in_the_stock(self):
        game = stock_runs_down(begun(TURNED), 1)
        assert (len(game.hand.stock), game.hand.recycles, game.phase) == (1, 0, "draw")

    @pytest.mark.parametrize("rules", [TURNED, SHUFFLED])
    def test_makes_all_discards_but_the_top_the_stock(self, rules):
        before = last_card(rules)
        hand = play(before, thrown(before)).hand
        assert hand.discard_pile == (before.hand.drawn_card,)
        assert sorted(hand.stock) == sorted(before.hand.discard_pile)
        assert (hand.recycles, hand.phase, hand.to_act) == (1, "draw", 1)

    def test_unshuffled_turns_the_pile_over_so_that_the_oldest_discard_comes_first(self):
        before = last_card(TURNED)
        hand = play(before, thrown(before)).hand
        assert hand.stock == before.hand.discard_pile
        assert hand.stock[0] == hand.upcard

    def test_shuffled_follows_from_the_fair_deal(self):
        setup = Setup("g_1", SHUFFLED, (SeatKind.HUMAN, SeatKind.HUMAN), bytes(32))
        game = begin(setup).game
        for _ in range(2):
            game = play(game, f"{game.hand.to_act} pass")
        game = stock_runs_down(game, 1)
        game = play(game, f"{game.hand.to_act} draw stock")
        deal = shuffle.Deal("g_1", 1, shuffle.hand_seed(bytes(32), 1))
        (made,) = transition(game, thrown(game)).moves
        assert made.event.recycled == shuffle.recycled_order(deal, 1, game.hand.discard_pile)
        assert made.event.recycled != game.hand.discard_pile

    def test_asks_for_the_order_of_this_time_and_hand(self):
        asked = []

        def reshuffle(times, cards):
            asked.append((times, cards))
            return tuple(reversed(cards))

        rules = replace(SHUFFLED, max_recycles=3)
        game = last_card(rules)
        hand = replace(game.hand, recycles=2)
        (made,) = decisions.decide(hand, rules, 0, Discard(hand.drawn_card), reshuffle)
        assert asked == [(3, hand.discard_pile)]
        assert made.recycled == tuple(reversed(hand.discard_pile))

    def test_is_one_fact_with_the_discard(self):
        before = last_card(TURNED)
        assert facts(before, thrown(before)) == [Discarded]

    def test_comes_as_often_as_agreed_and_then_the_hand_is_drawn(self):
        rules = replace(TURNED, max_recycles=2)
        game = begun(rules)
        seen = set()
        while not game.hand.over:
            seen.add(game.hand.recycles)
            game = play(game, f"{game.hand.to_act} draw stock")
            game = play(game, thrown(game))
        assert seen == {0, 1, 2}
        assert (game.last_result.outcome, len(game.hand.stock)) == ("drawn", 0)

    def test_does_not_come_where_the_pile_holds_only_its_top_card(self):
        hand = replace(last_card(TURNED).hand, discard_pile=())
        made = decisions.decide(hand, TURNED, 0, Discard(hand.drawn_card))
        assert [type(fact) for fact in made] == [Discarded, HandDrawn]

    def test_does_not_read_at_how_many_cards_the_stock_ends(self):
        assert not stock_runs_down(begun(TURNED), 2).hand.over

    def test_never_makes_a_known_card_of_a_seat_unknown_or_the_other_way_round(self):
        game = play(table(TURNED), "0 draw pile", "0 discard TS")
        game = stock_runs_down(game, 1)
        game = play(game, f"{game.hand.to_act} draw stock")
        assert play(game, thrown(game)).hand.taken == game.hand.taken != (0, 0)

    def test_is_not_reached_after_the_last_turn(self):
        rules = replace(TURNED, max_turns=50)
        game = last_card(rules)
        game = replace(game, hand=replace(game.hand, turn=50))
        assert facts(game, thrown(game)) == [Discarded, HandDrawn]

    def test_that_is_not_agreed_never_comes(self):
        game = stock_runs_down(begun(STANDARD), 3)
        game = play(game, f"{game.hand.to_act} draw stock")
        assert facts(game, thrown(game)) == [Discarded, HandDrawn]


WALL = replace(STANDARD, last_discard="knock_only")


def at_the_wall(rules=WALL, **tables):
    """Seat 1 is due: the stock is down to its end, and the ten of spades lies on top."""
    game = stock_runs_down(begun(rules, **tables), rules.stock_end + 1)
    return play(game, "0 draw stock", "0 discard TS")


class TestTheWall:
    def test_is_where_the_hand_would_be_drawn(self):
        game = at_the_wall()
        assert (game.hand.at_wall, game.phase, game.hand.to_act) == (True, "draw", 1)
        assert len(game.hand.stock) == 2
        assert not stock_runs_down(begun(WALL), 3).hand.at_wall

    def test_lets_a_seat_take_the_last_discard_or_pass_and_nothing_else(self):
        options = legal(at_the_wall(), 1)
        assert options.actions == ("draw", "pass")
        assert [card_name(draw.card) for draw in options.draws] == ["TS"]

    def test_has_no_draw_from_the_stock(self):
        assert isinstance(refusal(at_the_wall(), "1 draw stock"), MustKnockOrPass)

    def test_has_no_pick_up_of_a_buried_card(self):
        game = at_the_wall(replace(WALL, multi_pickup=True))
        for card in game.hand.discard_pile[:-1]:
            assert isinstance(refusal(game, f"1 draw pile {card_name(card)}"), OnlyTopDiscard)
        assert len(legal(game, 1).draws) == 1

    def test_draws_the_hand_by_a_pass(self):
        game = at_the_wall()
        assert facts(game, "1 pass") == [Passed, HandDrawn]
        over = play(game, "1 pass")
        assert over.last_result.outcome == "drawn"
        assert over.hand.discard_pile == game.hand.discard_pile
        assert over.hand.holdings == game.hand.holdings

    def test_is_passed_by_its_seat_and_drawn_by_the_server(self):
        made = transition(at_the_wall(), "1 pass")
        assert [(move.seat, move.by) for move in made.moves] == [(1, "player"), (None, "server")]

    def test_refuses_a_plain_discard_of_any_card(self):
        game = play(at_the_wall(), "1 draw pile")
        for name in ("4C", "TS", "AC"):
            assert isinstance(refusal(game, f"1 discard {name}"), MustKnockOrPass)

    def test_puts_a_card_taken_in_vain_back_by_a_pass(self):
        game = at_the_wall()
        taken = play(game, "1 draw pile")
        assert legal(taken, 1).actions == ("pass",)
        over = play(taken, "1 pass")
        assert over.last_result.outcome == "drawn"
        assert over.hand.discard_pile == game.hand.discard_pile
        assert (over.hand.holdings, over.hand.taken) == (game.hand.holdings, game.hand.taken)
        assert (over.hand.turn, taken.hand.turn) == (30, 30)

    def test_counts_the_card_put_back_to_nobodys_deadwood(self):
        over = play(at_the_wall(), "1 draw pile", "1 pass")
        assert [side.cards for side in over.last_result.sides] == list(over.hand.holdings)

    def test_tells_the_pass_with_ten_cards_in_each_hand(self):
        made = transition(play(at_the_wall(), "1 draw pile"), "1 pass").moves[0]
        assert [each.count for each in made.after.card_counts] == [10, 10]
        assert (card_name(made.after.top_discard), made.after.phase) == ("TS", "draw")

    def test_lets_a_seat_knock_with_the_card(self):
        game = self.with_a_use_for_the_ten()
        options = legal(game, 1)
        assert options.actions == ("knock", "pass")
        assert (options.discards, options.discard_count) == ((), 1)
        assert {knock.kind for knock in options.knocks} == {"knock"}
        assert play(game, "1 knock 5S").phase == "lay_off"

    def with_a_use_for_the_ten(self):
        game = at_the_wall(second="TC TD TH 4C 5C 6C 2D 2H AS 5S")
        return play(game, "1 draw pile")

    def test_bars_the_card_from_the_discard_of_the_knock(self):
        game = self.with_a_use_for_the_ten()
        assert isinstance(refusal(game, "1 knock TS"), CardJustTaken)
        assert [card_name(each.card) for each in legal(game, 1).barred] == ["TS"]

    def test_lets_a_seat_go_gin_and_big_gin(self):
        second = "TC TD TH 4C 5C 6C 2D 2H 2S 5S"
        taken = play(at_the_wall(second=second), "1 draw pile")
        assert play(taken, "1 gin 5S").last_result.outcome == "gin"
        big = replace(WALL, big_gin=True)
        second = "TC TD TH 4C 5C 6C 7C 2D 2H 2S"
        taken = play(at_the_wall(big, second=second), "1 draw pile")
        assert legal(taken, 1).knocks[0].kind == "big_gin"
        assert play(taken, "1 big_gin").last_result.outcome == "big_gin"

    def test_comes_with_recycling_only_when_no_recycle_is_left(self):
        rules = replace(WALL, recycle="unshuffled")
        game = begun(rules)
        walls = []
        while not game.hand.at_wall:
            game = play(game, f"{game.hand.to_act} draw stock")
            game = play(game, thrown(game))
            walls.append((game.hand.recycles, len(game.hand.stock), game.hand.at_wall))
        assert walls[-1] == (1, 0, True)
        assert max(recycles for recycles, _, wall in walls if not wall) == 1
        assert play(game, f"{game.hand.to_act} pass").last_result.outcome == "drawn"

    def test_is_not_there_after_the_last_turn(self):
        game = stock_runs_down(begun(WALL), 3)
        game = play(replace(game, hand=replace(game.hand, turn=199)), "0 draw stock")
        assert facts(game, "0 discard TS") == [Discarded, HandDrawn]

    def test_that_is_dead_is_never_reached(self):
        game = play(stock_runs_down(begun(STANDARD), 3), "0 draw stock", "0 discard TS")
        assert (game.hand.at_wall, game.last_result.outcome) == (False, "drawn")

    @pytest.mark.parametrize(
        "lines", [(), ("1 draw pile",), ("1 pass",), ("1 draw pile", "1 pass")]
    )
    def test_can_be_written_in_one_line_and_read_back(self, lines):
        hand = play(at_the_wall(), *lines).hand
        assert hand.at_wall
        assert parse_position(position_name(hand), WALL) == hand
