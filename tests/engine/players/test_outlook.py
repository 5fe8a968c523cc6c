from dataclasses import replace
from random import Random

import pytest

from engine.cards import DECK, card_names, cards_of, each_card, parse_card
from engine.melds import deadwood
from engine.players.outlook import known_to_be_theirs, outlooks, unseen, use_to_them
from engine.rules import STANDARD
from engine.views import view
from tests.tables import cards, discarding, play, table


def counted(kept, drawable, limit, *, bars_drawn=False):
    """The outlook by trying each card and each discard."""
    least = []
    for card in drawable:
        grown = kept | 1 << card
        thrown = [each for each in each_card(grown) if not (bars_drawn and each == card)]
        least.append(min(deadwood(grown ^ 1 << each) for each in thrown))
    helping = [card for card in drawable if deadwood(kept | 1 << card) <= deadwood(kept)]
    return (
        pytest.approx(sum(least) / len(least)),
        pytest.approx(sum(left <= limit for left in least) / len(least)),
        pytest.approx(sum(left == 0 for left in least) / len(least)),
        sum(1 << card for card in helping),
    )


class TestTheCardsNotSeen:
    def test_are_neither_ones_own_nor_on_the_pile_nor_known_to_be_theirs(self):
        game = play(table(), "0 draw pile", "0 discard TS", "1 draw pile", "1 discard 2S")
        shown = view(game, 0)
        assert card_names(known_to_be_theirs(shown)) == ["TS"]
        assert unseen(shown) == DECK & ~(shown.you.cards | cards("TS 2S"))

    def test_are_all_that_may_lie_in_the_stock(self):
        game = play(table(), "0 pass", "1 pass")
        assert not set(game.hand.stock) - set(each_card(unseen(view(game, 0))))

    def test_have_the_upcard_among_them_only_where_it_may_be_drawn_again(self):
        for recycle, lies in (("never", False), ("unshuffled", True)):
            rules = replace(STANDARD, recycle=recycle, discard_view="top")
            game = play(table(rules), "0 pass", "1 pass", "0 draw stock", "0 discard KS")
            assert bool(unseen(view(game, 0)) >> game.hand.upcard & 1) is lies


class TestTheOutlook:
    @pytest.mark.parametrize("seed", range(6))
    @pytest.mark.parametrize("rule", ["taken_only", "any_drawn"])
    @pytest.mark.parametrize("size", [10, 13])
    def test_is_what_trying_each_card_and_each_discard_finds(self, seed, rule, size):
        held = Random(seed).sample(range(52), size + 1)
        shown = view(discarding("AC 2C 3C 4D 5D 6D 7H 8H 9H TS KS"), 0)
        you = replace(shown.you, cards=cards_of(held))
        shown = replace(shown, rules=replace(STANDARD, discard_drawn=rule), you=you)
        drawable = list(each_card(unseen(shown)))
        holdings = [you.cards ^ 1 << card for card in held]
        for holding, found in zip(holdings, outlooks(shown, holdings), strict=True):
            expected = counted(
                holding, drawable, shown.hand.knock_limit, bars_drawn=rule == "any_drawn"
            )
            assert (
                found.mean_deadwood,
                found.knock_chance,
                found.gin_chance,
                found.helping_cards,
            ) == expected

    def test_of_three_runs_and_a_ten_is_gin_with_what_goes_on_a_run_or_with_the_ten(self):
        game = discarding("AC 2C 3C 4D 5D 6D 7H 8H 9H TS KS")
        (ahead,) = outlooks(view(game, 0), [cards("AC 2C 3C 4D 5D 6D 7H 8H 9H TS")])
        assert card_names(ahead.helping_cards) == ["4C", "3D", "7D", "6H", "TH"]
        assert ahead.gin_chance == pytest.approx(5 / unseen(view(game, 0)).bit_count())
        assert ahead.knock_chance == 1


class TestTheUseToTheOtherSeat:
    def test_is_the_greater_the_more_of_a_meld_is_known_to_be_there(self):
        nine = parse_card("9C")
        live = DECK & ~cards("9C")
        nothing = use_to_them(nine, 0, live)
        one = use_to_them(nine, cards("9D"), live)
        two = use_to_them(nine, cards("9D 9H"), live)
        assert nothing < one < two

    def test_is_none_where_its_melds_cannot_be_made_any_more(self):
        live = DECK & ~cards("9C 8C TC 9D 9H")
        assert use_to_them(parse_card("9C"), 0, live) == 0

    def test_counts_the_runs_and_sets_of_three_that_are_left(self):
        live = DECK & ~cards("KC KD")
        assert use_to_them(parse_card("KC"), 0, live) == 2
        assert use_to_them(parse_card("7S"), 0, DECK & ~cards("7S")) == 6
