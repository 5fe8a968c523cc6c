import pytest

from engine.cards import parse_card
from engine.move_views import SPECTATOR, seen, seen_holdings
from engine.progress import begin
from tests.tables import (
    discarding,
    play,
    setup,
    table,
    transition,
)

EVERYBODY = (0, 1, SPECTATOR)
ALL_MELDED = "AC 2C 3C 4C 5D 6D 7D 9H TH JH KS"
AGAINST_MELDED = "7C 8C 8D 9D JD QH KH 2S 3S 5S"


def dealt():
    return begin(setup()).moves[-1]


class TestAMove:
    def drew(self):
        return transition(play(table(), "0 pass", "1 pass"), "0 draw stock").moves[0]

    def test_from_the_stock_shows_its_card_only_to_its_seat(self):
        assert seen(self.drew(), 0, table()).card == parse_card("KS")
        assert seen(self.drew(), 1, table()).card is None
        assert seen(self.drew(), SPECTATOR, table()).card is None

    def test_from_the_stock_shows_its_card_to_all_once_the_hand_is_over(self):
        assert seen(self.drew(), 1, table(), revealed=True).card == parse_card("KS")

    @pytest.mark.parametrize("viewer", EVERYBODY)
    def test_from_the_pile_and_onto_it_shows_its_card_to_all(self, viewer):
        drew = transition(table(), "0 draw pile")
        assert seen(drew.moves[0], viewer, table()).card == parse_card("JS")
        discarded = transition(drew.game, "0 discard TS")
        assert seen(discarded.moves[0], viewer, table()).card == parse_card("TS")

    def test_that_deals_shows_each_seat_its_own_cards(self):
        move = dealt()
        hand = begin(setup()).game.hand
        assert seen(move, 0, table()).deal.cards == hand.holdings[0]
        assert seen(move, 1, table()).deal.cards == hand.holdings[1]
        assert seen(move, SPECTATOR, table()).deal.cards == 0

    @pytest.mark.parametrize("viewer", EVERYBODY)
    def test_that_deals_shows_upcard_limit_and_commitment_to_all(self, viewer):
        deal = seen(dealt(), viewer, table()).deal
        hand = begin(setup()).game.hand
        assert (deal.upcard, deal.knock_limit, deal.server_commit) == (
            hand.upcard,
            10,
            hand.server_commit,
        )
        assert (deal.dealer, deal.playing_seats) == (hand.dealer, (0, 1))

    @pytest.mark.parametrize("viewer", EVERYBODY)
    def test_never_holds_seed_or_deck(self, viewer):
        move = dealt()
        text = repr(seen(move, viewer, table(), revealed=True))
        assert move.event.seed.hex() not in text
        assert repr(move.event.seed) not in text
        assert str(move.event.deck) not in text

    def test_tells_what_was_done_by_the_words_of_the_api(self):
        words = [
            seen(move, SPECTATOR, table()).action
            for line in ("0 draw pile", "0 knock TS", "1 lay_off")
            for move in [self.after(line)]
        ]
        assert words == ["draw", "knock", "lay_off"]

    def after(self, line):
        lines = ["0 draw pile", "0 knock TS", "1 lay_off"]
        return transition(play(table(), *lines[: lines.index(line)]), line).moves[0]

    def test_that_ends_a_hand_carries_its_result(self):
        assert seen(self.after("0 knock TS"), 1, table()).result is None
        assert seen(self.after("1 lay_off"), 0, table()).result.points == 22
        gin = transition(discarding(ALL_MELDED, AGAINST_MELDED), "0 gin KS").moves[0]
        assert seen(gin, SPECTATOR, table()).result.outcome == "gin"
        assert seen(gin, SPECTATOR, table()).knock.result.outcome == "gin"
        resigned = transition(table(), "0 resign").moves[0]
        assert seen(resigned, SPECTATOR, table()).result.outcome == "resigned"


class TestTheCardsDealt:
    def test_are_ones_own_until_the_hand_is_over(self):
        event = dealt().event
        hand = begin(setup()).game.hand
        assert [each.seat for each in seen_holdings(event, 1, revealed=False)] == [1]
        assert seen_holdings(event, SPECTATOR, revealed=False) == ()
        both = seen_holdings(event, SPECTATOR, revealed=True)
        assert [each.cards for each in both] == list(hand.holdings)
