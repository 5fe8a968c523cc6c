from dataclasses import replace

import pytest

from engine.actions import DrawSource, KnockKind
from engine.cards import DECK, each_card, parse_card
from engine.events import Dealt, Discarded, Drew, Knocked, Passed
from engine.hand import Phase, check_cards, dealt_cards, ended, evolve, start
from engine.rules import STANDARD
from tests.tables import NEAR_GIN, OTHER, cards, play, table


def dealt(dealer=1, nondealer=0):
    return Dealt(1, dealer, nondealer, tuple(range(52)), bytes(32), "commitment")


class TestTheDeal:
    """Full s3: ten cards each, one at a time, then the upcard; the rest is the stock."""

    def test_goes_alternately_beginning_with_the_nondealer(self):
        assert dealt_cards(dealt()) == {
            0: sum(1 << card for card in range(0, 20, 2)),
            1: sum(1 << card for card in range(1, 20, 2)),
        }

    def test_turns_the_21st_card_up_and_leaves_31(self):
        hand = start(dealt(), 2, STANDARD)
        assert (hand.upcard, hand.discard_pile) == (20, (20,))
        assert hand.stock == tuple(range(21, 52))

    def test_leaves_the_nondealer_to_begin(self):
        hand = start(dealt(dealer=0, nondealer=1), 2, STANDARD)
        assert (hand.to_act, hand.turn, hand.phase) == (1, 0, Phase.FIRST_UPCARD)
        assert hand.holdings[1] == sum(1 << card for card in range(0, 20, 2))

    def test_begins_with_a_draw_where_the_opening_is_free(self):
        assert start(dealt(), 2, replace(STANDARD, opening="free")).phase is Phase.DRAW

    def test_keeps_the_commitment(self):
        assert start(dealt(), 2, STANDARD).server_commit == "commitment"

    def test_gives_a_seat_that_sits_out_no_cards(self):
        hand = start(dealt(dealer=2, nondealer=0), 3, STANDARD)
        assert hand.holdings[1] == 0
        assert hand.playing_seats == (0, 2)
        assert (hand.other(0), hand.other(2)) == (2, 0)


class TestBookkeeping:
    def hand(self):
        return table().hand

    def test_of_a_pass_gives_the_offer_to_the_dealer_then_the_draw_to_the_nondealer(self):
        once = evolve(self.hand(), STANDARD, Passed(0))
        assert (once.phase, once.to_act) == (Phase.FIRST_UPCARD, 1)
        twice = evolve(once, STANDARD, Passed(1))
        assert (twice.phase, twice.to_act, twice.must_draw_stock) == (Phase.DRAW, 0, True)

    def test_of_a_draw_moves_the_card_and_counts_the_turn(self):
        king = parse_card("KS")
        hand = evolve(self.hand(), STANDARD, Drew(0, DrawSource.STOCK, king))
        assert hand.holdings[0] == cards(NEAR_GIN) | 1 << king
        assert king not in hand.stock
        assert (hand.turn, hand.phase) == (1, Phase.DISCARD)
        assert (hand.drawn_card, hand.drawn_from) == (king, DrawSource.STOCK)
        assert hand.taken == (0, 0)

    def test_remembers_what_was_taken_from_the_pile_as_long_as_it_is_held(self):
        jack = parse_card("JS")
        taken = evolve(self.hand(), STANDARD, Drew(0, DrawSource.DISCARD_PILE, jack))
        assert taken.taken == (1 << jack, 0)
        kept = evolve(taken, STANDARD, Discarded(0, parse_card("TS")))
        assert kept.taken == (1 << jack, 0)
        assert evolve(kept, STANDARD, Discarded(0, jack)).taken == (0, 0)

    def test_forgets_what_was_drawn_when_the_turn_is_over(self):
        hand = play(table(), "0 draw pile", "0 discard TS").hand
        assert (hand.drawn_card, hand.drawn_from) == (None, None)

    def test_of_a_knock_keeps_its_discard_apart(self):
        hand = play(table(), "0 draw pile").hand
        knock = Knocked(0, KnockKind.KNOCK, parse_card("TS"), (), 0, 0, 1, hand.holdings[1])
        after = evolve(hand, STANDARD, knock)
        assert (after.phase, after.to_act) == (Phase.LAY_OFF, 1)
        assert after.discard_pile == ()
        assert not after.holdings[0] >> parse_card("TS") & 1
        check_cards(after)

    def test_of_an_end_leaves_nothing_to_do(self):
        hand = ended(play(table(), "0 draw pile").hand)
        assert hand.over
        assert (hand.drawn_card, hand.drawn_from) == (None, None)


class TestTheCardsOfAHand:
    """One deck, each card in one place: asserted after every move."""

    def test_are_one_deck(self):
        check_cards(table().hand)

    @pytest.mark.parametrize(
        "change",
        [
            pytest.param(lambda hand: {"stock": hand.stock[1:]}, id="one missing"),
            pytest.param(lambda hand: {"stock": (*hand.stock, hand.stock[0])}, id="one twice"),
            pytest.param(
                lambda hand: {"stock": (*hand.stock[1:], hand.upcard)}, id="in stock and pile"
            ),
            pytest.param(
                lambda hand: {"holdings": (hand.holdings[0], hand.holdings[0])}, id="held twice"
            ),
            pytest.param(
                lambda hand: {"holdings": (hand.holdings[0] | 1 << hand.upcard, hand.holdings[1])},
                id="held and lying",
            ),
            pytest.param(lambda _: {"holdings": (0, cards(OTHER))}, id="ten missing"),
        ],
    )
    def test_that_are_not_are_found(self, change):
        hand = table().hand
        with pytest.raises(AssertionError):
            check_cards(replace(hand, **change(hand)))

    def test_are_looked_at_after_the_deal(self):
        with pytest.raises(AssertionError):
            start(replace(dealt(), deck=(0, *range(51))), 2, STANDARD)

    def test_are_looked_at_after_every_move(self):
        game = table()
        broken = replace(game, hand=replace(game.hand, stock=game.hand.stock[1:]))
        with pytest.raises(AssertionError):
            play(broken, "0 pass")

    def test_are_all_of_them_somewhere(self):
        hand = table().hand
        assert (
            hand.holdings[0]
            | hand.holdings[1]
            | sum(1 << card for card in (*hand.stock, *hand.discard_pile))
            == DECK
        )
        assert len(list(each_card(hand.holdings[0]))) == 10
