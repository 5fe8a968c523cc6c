from dataclasses import replace

import pytest

from engine.actions import DrawSource
from engine.cards import card_name, card_names, each_card, parse_card
from engine.decisions import ends_undecided
from engine.errors import (
    CardJustTaken,
    CardNotInDiscards,
    NotBigGin,
    OnlyTopDiscard,
    PickupNotMelded,
    WrongDiscardCount,
    WrongPhase,
)
from engine.events import Drew
from engine.game import new_game
from engine.hand import Phase
from engine.legal import legal
from engine.notation import parse_position, position_name
from engine.rules import STANDARD
from engine.views import view
from tests.tables import OTHER, cards, discarding, play, refusal, setup, table, transition

DOWN = replace(STANDARD, multi_pickup=True)
GROW = replace(DOWN, multi_pickup_return="grow")
BOTH = pytest.mark.parametrize("rules", [DOWN, GROW], ids=["discard_down", "grow"])

THROWN = ("0 pass", "1 pass", "0 draw stock", "0 discard KS")
"""The jack of spades lies under the king; seat 1 holds the two red jacks, and one king."""


def due(rules=DOWN, *more, **tables):
    return play(table(rules, **tables), *THROWN, *more)


def taken(rules=DOWN):
    return due(rules, "1 draw pile JS")


def pile(game):
    return list(map(card_name, game.hand.discard_pile))


class TestTakingABuriedDiscard:
    @BOTH
    def test_takes_every_card_above_it_too(self, rules):
        game = taken(rules)
        assert game.hand.holdings[1] == cards(OTHER + " JS KS")
        assert pile(game) == []

    def test_is_one_fact_that_names_the_card_and_all_that_came_with_it(self):
        (move,) = transition(due(), "1 draw pile JS").moves
        card, king = parse_card("JS"), parse_card("KS")
        assert move.event == Drew(1, DrawSource.DISCARD_PILE, card, (card, king))

    def test_leaves_what_lies_under_it(self):
        game = due(DOWN, "1 draw stock", "1 discard QS", second=OTHER.replace("JD", "QD"))
        game = play(game, "0 draw stock", "0 discard 4S", "1 draw pile QS")
        assert pile(game) == ["JS", "KS"]
        assert game.hand.discards_owed == 2

    def test_is_refused_unless_the_card_makes_a_meld_at_once(self):
        game = due(DOWN, "1 draw stock", "1 discard QS")
        assert isinstance(refusal(game, "0 draw pile KS"), PickupNotMelded)

    def test_may_use_a_card_that_came_with_it_in_the_meld(self):
        game = due(DOWN, "1 draw stock", "1 discard QS")
        assert play(game, "0 draw pile JS").hand.holdings[0] & cards("JS QS KS") == cards(
            "JS QS KS"
        )

    def test_is_refused_for_a_card_that_does_not_lie_there(self):
        assert isinstance(refusal(due(), "1 draw pile QS"), CardNotInDiscards)
        assert isinstance(refusal(due(), "1 draw pile AC"), CardNotInDiscards)

    def test_is_refused_where_it_was_not_agreed(self):
        assert isinstance(refusal(due(STANDARD), "1 draw pile JS"), OnlyTopDiscard)

    def test_of_the_top_asks_for_no_meld(self):
        for line in ("1 draw pile", "1 draw pile KS"):
            (move,) = transition(due(), line).moves
            assert move.event == Drew(1, DrawSource.DISCARD_PILE, parse_card("KS"))

    def test_is_not_there_in_the_opening(self):
        game = table(DOWN)
        assert [draw.cards for draw in legal(game, 0).draws] == [()]

    def test_makes_all_the_cards_known_to_everybody(self):
        assert taken().hand.taken == (0, cards("JS KS"))
        assert view(taken(), 0).seats[1].known_cards == cards("JS KS")

    def test_counts_as_one_turn(self):
        assert taken().hand.turn == 2

    @BOTH
    def test_is_listed_with_its_cards_nearest_to_the_top_first(self, rules):
        listed = legal(due(rules), 1).draws
        assert [(each.source, each.card, each.cards) for each in listed] == [
            ("stock", None, ()),
            ("discard_pile", parse_card("KS"), ()),
            ("discard_pile", parse_card("JS"), (parse_card("JS"), parse_card("KS"))),
        ]

    def test_is_possible_also_just_after_a_recycle_as_far_as_anything_lies_there(self):
        rules = replace(DOWN, recycle="unshuffled")
        hand = replace(due(rules).hand, discard_pile=(parse_card("KS"),), recycles=1)
        game = replace(due(rules), hand=hand)
        assert [card_name(each.card) for each in legal(game, 1).draws if each.card] == ["KS"]


class TestDiscardingDown:
    def test_owes_as_many_cards_as_were_taken(self):
        options = legal(taken(), 1)
        assert (options.discard_count, options.actions) == (2, ("discard",))

    def test_goes_on_until_ten_cards_are_left_and_the_last_is_on_top(self):
        one = play(taken(), "1 discard KS")
        assert (one.hand.phase, one.hand.to_act, one.hand.discards_owed) == ("discard", 1, 1)
        both = play(one, "1 discard 9D")
        assert (both.hand.phase, both.hand.to_act, both.hand.discards_owed) == ("draw", 0, 0)
        assert pile(both) == ["KS", "9D"]
        assert both.hand.holdings[1].bit_count() == 10

    def test_bars_the_chosen_card_alone_and_from_every_discard_of_the_turn(self):
        game = taken()
        assert isinstance(refusal(game, "1 discard JS"), CardJustTaken)
        game = play(game, "1 discard KS")
        assert isinstance(refusal(game, "1 discard JS"), CardJustTaken)
        assert [card_name(each.card) for each in legal(game, 1).barred] == ["JS"]
        assert play(game, "1 discard 9D", "0 draw stock", "0 discard QS", "1 draw stock")

    @pytest.mark.parametrize("drawn", ["taken_only", "any_drawn"])
    def test_never_bars_what_came_with_it(self, drawn):
        rules = replace(DOWN, discard_drawn=drawn)
        game = replace(taken(), setup=setup(rules))
        assert pile(play(game, "1 discard KS")) == ["KS"]
        assert isinstance(refusal(game, "1 discard JS"), CardJustTaken)

    @pytest.mark.parametrize("line", ["1 knock KS", "1 gin KS", "1 big_gin"])
    def test_comes_before_a_knock(self, line):
        refused = refusal(taken(replace(DOWN, big_gin=True)), line)
        assert isinstance(refused, WrongDiscardCount)
        assert refused.params == {"min": 1}
        assert legal(taken(), 1).knocks == ()

    def test_lets_the_last_card_that_is_owed_be_that_of_a_knock(self):
        game = self.near_the_end()
        assert legal(game, 1).knocks == ()
        assert isinstance(refusal(game, "1 knock KS"), WrongDiscardCount)
        game = play(game, "1 discard KS")
        assert legal(game, 1).knocks[0].kind == "gin"
        assert play(game, "1 gin 4S").last_result.outcome == "gin"

    def near_the_end(self):
        """Seat 1 took its third jack, and with what it threw it will be gin."""
        second = "4C 5C 6C JD JH 2H 3H AH 8D 4S"
        game = due(DOWN, second=second, first="AC 2C 3C 4D 5D 6D 7H 8H 9H TS", stock="KS 7C 3S")
        game = play(game, "1 draw stock", "1 discard 8D", "0 draw stock", "0 discard 3S")
        game = play(game, "1 draw pile JS")
        assert game.hand.discards_owed == 4
        return play(game, "1 discard 3S", "1 discard 8D")

    def test_lets_big_gin_be_with_eleven_cards_left(self):
        rules = replace(DOWN, big_gin=True)
        second = "4C 5C 6C 7C JD JH 2H 3H AH 8D"
        game = due(rules, second=second)
        game = play(game, "1 draw pile JS", "1 discard KS")
        assert isinstance(refusal(game, "1 big_gin"), NotBigGin)
        second = "4C 5C 6C 7C JD JH 2H 3H AH 4H"
        game = due(rules, second=second)
        game = play(game, "1 draw pile JS", "1 discard KS")
        assert legal(game, 1).knocks[0].kind == "big_gin"
        assert play(game, "1 big_gin").last_result.outcome == "big_gin"

    def test_has_nothing_but_discards_between(self):
        for line in ("1 draw stock", "1 pass", "1 lay_off"):
            assert isinstance(refusal(taken(), line), WrongPhase)

    def test_ends_at_the_cap_of_turns_only_with_the_last_discard(self):
        game = taken()
        game = replace(game, hand=replace(game.hand, turn=200))
        assert not ends_undecided(game.hand, DOWN)
        game = play(game, "1 discard KS")
        assert game.hand.phase == "discard"
        assert ends_undecided(game.hand, DOWN)
        assert play(game, "1 discard 9D").last_result.outcome == "drawn"

    def test_can_be_written_in_one_line_and_read_back(self):
        for game in (taken(), play(taken(), "1 discard KS")):
            line = position_name(game.hand)
            assert parse_position(line, DOWN) == game.hand
        assert " pile:JS:2 " in position_name(taken().hand)

    def test_is_moves_of_one_turn(self):
        game = taken()
        turns = []
        for line in ("1 discard KS", "1 discard 9D"):
            made = transition(game, line)
            turns += [(move.turn, move.seat) for move in made.moves]
            game = made.game
        assert turns == [(2, 1), (2, 1)]


LARGE = "2C 3C 4C 5C 7D 8D 9D TD JH JS JD 6S 6H"
"""Thirteen cards: a run of four, one of four or three with three jacks, and two sixes."""


def large(held=LARGE, against="AC AD AH AS 2D 3D 4D 5H 8H 8S", rules=GROW, **more):
    return discarding(held, against, rules, **more)


class TestAHandThatGrows:
    def test_owes_one_card(self):
        game = taken(GROW)
        options = legal(game, 1)
        assert (options.discard_count, game.hand.discards_owed) == (1, 1)
        after = play(game, "1 discard 9D")
        assert after.hand.holdings[1].bit_count() == 11
        assert pile(after) == ["9D"]

    def test_keeps_its_cards_in_the_turns_that_follow(self):
        game = play(taken(GROW), "1 discard 9D", "0 draw stock", "0 discard QS", "1 draw stock")
        assert game.hand.holdings[1].bit_count() == 12
        assert view(game, 0).seats[1].card_count == 12
        assert play(game, "1 discard KS").hand.holdings[1].bit_count() == 11

    def test_knocks_by_all_the_cards_that_it_keeps(self):
        game = large()
        kept = {knock.discard: knock.deadwood for knock in legal(game, 0).knocks}
        assert kept == {parse_card("6S"): 6, parse_card("6H"): 6}
        knocked = play(game, "0 knock 6S").hand.knock
        assert knocked.deadwood == 6
        assert sum(meld.cards.bit_count() for meld in knocked.melds) == 11

    def test_does_not_knock_for_ten_of_its_cards_being_good_enough(self):
        game = large("2C 3C 4C 5C 7D 8D 9D TD JH JS JD KS KH 6S")
        assert legal(game, 0).knocks == ()
        assert refusal(game, "0 knock KS").params == {"deadwood": 16, "knock_limit": 10}

    def test_is_gin_with_all_that_it_keeps_in_melds(self):
        game = large("2C 3C 4C 5C 7D 8D 9D TD JH JS JD KS")
        over = play(game, "0 gin KS")
        assert over.last_result.outcome == "gin"
        assert over.last_result.sides[0].cards.bit_count() == 11

    def test_is_big_gin_with_all_that_it_holds_in_melds(self):
        rules = replace(GROW, big_gin=True)
        game = large("2C 3C 4C 5C 7D 8D 9D TD JH JS JD JC", rules=rules)
        assert play(game, "0 big_gin").last_result.outcome == "big_gin"
        game = large("2C 3C 4C 5C 7D 8D 9D TD JH JS JD KC", rules=rules)
        assert isinstance(refusal(game, "0 big_gin"), NotBigGin)

    def test_may_be_the_defenders(self):
        held = "2C 3C 4C 5D 6D 7D 9H 9S 9D 2S KC"
        against = "AD AH 4D 8D 9C TC JC QC TH TS JS QS KS 5C"
        game = play(discarding(held, against, GROW), "0 knock KC")
        assert game.phase == "lay_off"
        fitting = [card_name(fit.card) for fit in legal(game, 1).lay_offs.possible]
        assert sorted(fitting) == ["4D", "5C", "8D", "9C"]
        over = play(game, "1 lay_off")
        defender = over.last_result.sides[1]
        assert defender.cards.bit_count() == 14
        assert {card_name(laid.card) for laid in defender.lay_offs} == {"4D", "5C", "8D"}
        assert sorted(card_names(defender.unmatched)) == ["AD", "AH", "TH"]
        assert defender.deadwood == 12

    def test_can_be_written_in_one_line_and_read_back(self):
        hand = taken(GROW).hand
        assert parse_position(position_name(hand), GROW) == hand

    def test_may_hold_as_many_cards_as_there_are(self):
        """Nothing else is bounded: the stock may run out into one hand."""
        everything = list(each_card((1 << 52) - 1))
        mine = sum(1 << card for card in everything if card not in everything[5:15])
        game = new_game(setup(GROW))
        hand = replace(
            taken(GROW).hand,
            phase=Phase.DISCARD,
            to_act=0,
            holdings=(mine, (1 << 52) - 1 ^ mine),
            stock=(),
            discard_pile=(),
        )
        options = legal(replace(game, hand=hand), 0)
        assert len(options.discards) == 41
