"""The view of a position is that of a game which stands so, and shows nothing that was made up."""

from dataclasses import replace

import pytest

from engine.cards import DECK, cards_of, each_card, parse_card
from engine.hand import Phase
from engine.position_views import position_view
from engine.positions import MOST_HELD, Position
from engine.rules import STANDARD
from engine.views import view
from tests.random_games import GAMES, looked_at
from tests.tables import NEAR_GIN, cards, discarding, play, row, stock_runs_down, table

PLAYED = (Phase.FIRST_UPCARD, Phase.DRAW, Phase.DISCARD, Phase.LAY_OFF)


def told(game):
    """The position of the seat that is due, said as somebody would who plays elsewhere."""
    hand, seat = game.hand, game.hand.to_act
    other = hand.other(seat)
    knock = hand.knock
    return Position(
        phase=hand.phase,
        cards=hand.holdings[seat],
        stock_count=len(hand.stock),
        rules=game.rules,
        upcard=hand.upcard,
        discard_pile=hand.discard_pile,
        known_cards=hand.taken[seat],
        opponent_known_cards=hand.taken[other],
        opponent_card_count=hand.holdings[other].bit_count(),
        drawn_card=hand.drawn_card,
        drawn_from=hand.drawn_from,
        knocker_melds=tuple(meld.cards for meld in knock.melds) if knock else (),
        knocker_unmatched=knock.unmatched if knock else None,
        dealer=seat == hand.dealer,
        turn=hand.turn,
    )


def with_advice(game):
    rules = replace(game.rules, advice="full")
    return replace(game, setup=replace(game.setup, rules=rules))


class TestAView:
    @pytest.mark.parametrize("seed", range(GAMES))
    def test_is_that_of_a_game_wherever_it_stands(self, seed):
        found = 0
        for game, _, _ in looked_at(seed, 0.3):
            hand = game.hand
            if game.phase not in PLAYED or max(map(int.bit_count, hand.holdings)) > MOST_HELD:
                continue
            seen, real = position_view(told(game), 7), view(with_advice(game), hand.to_act)
            assert (seen.next_move, seen.phase, seen.rules) == (7, real.phase, real.rules)
            assert replace(seen.you, seat=real.you.seat) == real.you
            assert self.table(seen) == self.table(real)
            own, other = seen.seats
            assert own.known_cards == real.seats[hand.to_act].known_cards
            theirs = real.seats[hand.other(hand.to_act)]
            assert (other.known_cards, other.card_count) == (theirs.known_cards, theirs.card_count)
            found += 1
        assert found

    def table(self, seen):
        hand = seen.hand
        knock = hand.knock and (hand.knock.kind, hand.knock.melds, hand.knock.unmatched)
        lying = (hand.turn, hand.upcard, hand.discard_pile, hand.stock_count)
        return (*lying, hand.knock_limit, hand.multiplier, knock)

    def test_shows_no_card_that_was_not_told(self):
        told = Position(Phase.DRAW, cards(NEAR_GIN), 12, discard_pile=row("QH JS"))
        seen = position_view(told)
        assert seen.hand.discard_pile == row("QH JS")
        assert [each.known_cards for each in seen.seats] == [0, 0]
        assert seen.hand.upcard in each_card(cards(NEAR_GIN))

    def test_shows_the_top_alone_where_the_rules_show_no_more(self):
        rules = replace(STANDARD, discard_view="top")
        told = Position(Phase.DRAW, cards(NEAR_GIN), 12, rules, discard_pile=row("QH JS"))
        assert position_view(told).hand.discard_pile == row("JS")

    def test_knows_whether_the_stock_alone_may_be_drawn_from(self):
        refused = Position(Phase.DRAW, cards(NEAR_GIN), 31, upcard=parse_card("JS"))
        either = replace(STANDARD, after_double_pass="either")
        assert len(position_view(refused).you.legal.draws) == 1
        assert len(position_view(replace(refused, rules=either)).you.legal.draws) == 2
        later = replace(refused, discard_pile=row("QH"))
        assert len(position_view(later).you.legal.draws) == 2

    def test_knows_the_last_turn_in_which_one_may_only_knock_or_pass(self):
        game = play(table(replace(STANDARD, last_discard="knock_only")), "0 pass", "1 pass")
        game = stock_runs_down(game, 2)
        seat = game.hand.to_act
        for lines in ((), (f"{seat} draw pile",)):
            at_wall = with_advice(play(game, *lines))
            legal = position_view(told(at_wall)).you.legal
            assert legal == view(at_wall, seat).you.legal
            assert "pass" in legal.actions

    def test_counts_a_card_taken_in_this_turn_among_those_known(self):
        game = play(table(), "0 draw pile")
        seen = position_view(replace(told(game), known_cards=0))
        assert seen.seats[0].known_cards == cards("JS")
        assert [each.code for each in seen.you.legal.barred] == ["card_just_taken"]

    def test_has_a_place_for_each_card(self):
        """A property of what is made up, which the view must not show: it is a whole deck."""
        seen = position_view(told(discarding(f"{NEAR_GIN} KS")))
        held = seen.you.cards.bit_count() + seen.seats[1].card_count
        lying = seen.hand.stock_count + len(seen.hand.discard_pile)
        assert held + lying == DECK.bit_count()
        assert not seen.you.cards & cards_of(seen.hand.discard_pile)
