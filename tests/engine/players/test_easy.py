from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from engine.actions import DealHand, Discard, Draw, DrawSource, Knock, KnockKind, LayOffs, Pass
from engine.cards import parse_card
from engine.players import easy
from engine.progress import apply
from engine.rules import PRESETS, STANDARD
from engine.views import view
from tests.random_games import steps
from tests.tables import cards, discarding, play, stock_runs_down, table

STOCK, PILE = Draw(DrawSource.STOCK), Draw(DrawSource.DISCARD_PILE)


class Dice(Random):
    """Dice that always show the same."""

    def __init__(self, shown):
        super().__init__(0)
        self.shown = shown

    def random(self):
        return self.shown


TWO_JACKS = "4C 5C 8D 9D JD JH QC KH 2S 3S"
THOUGHTFUL, THOUGHTLESS = 0.99, 0.0


def choice(game, seat=0, dice=THOUGHTFUL):
    return easy.choose(view(game, seat), Dice(dice))


class TestTheEasyPlayer:
    def test_takes_the_upcard_to_complete_a_meld(self):
        assert choice(table(upcard="TH", stock="")) == PILE
        assert choice(table(upcard="4C", second="KC 5C 8D 9D JD JH QH KH 2S 3S")) == PILE

    def test_passes_the_upcard_when_it_completes_none(self):
        assert choice(table()) == Pass()

    def test_takes_a_discard_to_complete_a_meld_and_otherwise_draws_from_the_stock(self):
        game = play(table(), "0 draw pile", "0 discard TS")
        assert choice(game, 1) == STOCK
        completing = play(table(second="4C 5C 8D 2D TD TH QH KH 2S 3S"), "0 draw pile")
        assert choice(play(completing, "0 discard TS"), 1) == PILE

    def test_takes_a_buried_discard_that_melds_and_names_it(self):
        rules = replace(STANDARD, multi_pickup=True)
        game = play(table(rules, second=TWO_JACKS), "0 pass", "1 pass")
        game = play(game, "0 draw stock", "0 discard KS")
        assert choice(game, 1) == Draw(DrawSource.DISCARD_PILE, parse_card("JS"))

    def test_leaves_it_where_it_would_keep_too_much_that_came_with_it(self):
        grow = replace(STANDARD, multi_pickup=True, multi_pickup_return="grow")
        game = table(grow, second=TWO_JACKS, stock="KD 7C 4S")
        game = play(game, "0 pass", "1 pass", "0 draw stock", "0 discard KD", "1 draw stock")
        game = play(game, "1 discard 7C", "0 draw stock", "0 discard TS")
        assert choice(game, 1) == STOCK
        down = replace(game, setup=replace(game.setup, rules=replace(STANDARD, multi_pickup=True)))
        assert choice(down, 1) == Draw(DrawSource.DISCARD_PILE, parse_card("JS"))

    @pytest.mark.parametrize(
        ("second", "action"),
        [
            ("TC TD TH 4C 5C 6C 2D 2H AS 5S", PILE),
            ("TC TD TH 4C 5C 6D 2D KH AS 5S", Pass()),
        ],
    )
    def test_takes_the_last_discard_at_the_wall_only_to_knock_with_it(self, second, action):
        rules = replace(STANDARD, last_discard="knock_only")
        first = "AC 2C 3C 4D 5D 9D 7H 8H 9H TS"
        game = stock_runs_down(play(table(rules, first, second), "0 pass", "1 pass"), 3)
        game = play(game, "0 draw stock", "0 discard TS")
        assert game.hand.at_wall
        assert choice(game, 1) == action

    def test_puts_a_card_back_that_it_cannot_knock_with(self):
        rules = replace(STANDARD, last_discard="knock_only")
        game = stock_runs_down(play(table(rules), "0 pass", "1 pass"), 3)
        game = play(game, "0 draw stock", "0 discard TS", "1 draw pile")
        assert choice(game, 1) == Pass()

    def test_draws_from_the_stock_when_it_has_to(self):
        game = table(upcard="TH", stock="")
        assert choice(play(game, "0 pass", "1 pass")) == STOCK

    def test_knocks_as_soon_as_it_can_in_the_best_way(self):
        assert choice(play(table(), "0 draw pile")) == Knock(KnockKind.KNOCK, parse_card("TS"))
        game = discarding("4C 5C 6C 9D 9H 9S JD JH JS 5S 7D", "2C 3C 8D TD QD KD QH KH 2S 3S")
        assert choice(game) == Knock(KnockKind.KNOCK, parse_card("7D"))

    def test_goes_gin_rather_than_knock_and_big_gin_rather_than_gin(self):
        held = "AC 2C 3C 4C 5D 6D 7D 9H TH JH QH"
        against = "7C 8C 8D 9D JD KC KH 2S 3S 5S"
        assert choice(discarding(held, against)) == Knock(KnockKind.GIN, parse_card("AC"))
        big = discarding(held, against, PRESETS["big_gin"])
        assert choice(big) == Knock(KnockKind.BIG_GIN)

    def test_throws_the_card_that_leaves_the_least_when_it_thinks(self):
        held = "2C 3C 4C 8D 8H 8S 4D 2H QS JD KD"
        game = discarding(held, "9C TC JC QC KC 5D 6D 7D 9D TD")
        assert choice(game) == Discard(parse_card("JD"))

    def test_throws_any_card_four_times_in_ten(self):
        held = "2C 3C 4C 8D 8H 8S 4D 2H QS JD KD"
        game = discarding(held, "9C TC JC QC KC 5D 6D 7D 9D TD")
        rng = Random(5)
        thrown = [easy.choose(view(game, 0), rng).card for _ in range(2000)]
        best = thrown.count(parse_card("JD")) / len(thrown)
        assert abs(best - (0.6 + 0.4 / 11)) < 0.05
        assert set(thrown) == {parse_card(name) for name in held.split()}

    def test_never_throws_a_card_it_may_not_throw(self):
        held = "2C 3C 4C 8D 8H 8S 4D 2H QS JD KD"
        game = discarding(held, "9C TC JC QC KC 5D 6D 7D 9D TD", taken="KD")
        rng = Random(5)
        thrown = {easy.choose(view(game, 0), rng).card for _ in range(500)}
        assert parse_card("KD") not in thrown

    def test_makes_the_best_lay_offs(self):
        assert choice(play(table(), "0 draw pile", "0 knock TS"), 1) == LayOffs()

    def test_deals_when_that_is_due(self):
        game = stock_runs_down(play(table(), "0 pass", "1 pass"), 2)
        assert choice(game) == DealHand()

    @pytest.mark.parametrize(
        "rules",
        [*PRESETS.values(), replace(STANDARD, advice="off"), replace(STANDARD, knock_limit=0)],
    )
    def test_finds_something_legal_under_any_rules(self, rules):
        if rules.hollywood:
            rules = replace(rules, hollywood=False)
        rng = Random(2)
        for made in islice(steps(1), 0, None, 3):
            game = replace(made.game, setup=replace(made.game.setup, rules=rules))
            if not game.over and game.hand.phase != "hand_over":
                seat = game.to_act_seats[0]
                apply(game, seat, easy.choose(view(game, seat), rng))


class TestCompletingAMeld:
    @pytest.mark.parametrize(
        ("held", "card", "completes"),
        [
            ("4C 5C", "6C", True),
            ("4C 4D", "4H", True),
            ("4C 5C 6C", "7C", True),
            ("4C 5C", "8C", False),
            ("4C 5D", "6C", False),
            ("QC KC", "AC", False),
            # A set of sevens would break the run of clubs and leave more than before.
            ("5C 6C 7C 7D", "7H", False),
        ],
    )
    def test_is_to_be_no_worse_off_with_the_card(self, held, card, completes):
        assert easy.completes_meld(cards(held), parse_card(card)) == completes
