from dataclasses import replace

import pytest

from engine import decisions
from engine.actions import Knock, KnockKind, Pass
from engine.cards import card_names, parse_card
from engine.errors import (
    BigGinNotEnabled,
    CardInTwoMelds,
    CardJustDrawn,
    CardJustTaken,
    CardNotInDiscards,
    CardNotInHand,
    DeadwoodTooHigh,
    LayOffNotPossible,
    LayoutNotMinimal,
    MeldNotFound,
    MeldNotInHand,
    MustDrawStock,
    NotARun,
    NotASet,
    NotBigGin,
    NotGin,
    NotYourTurn,
    OnlyTopDiscard,
    RunWrapsAce,
    StockEmpty,
    WrongPhase,
)
from engine.events import Discarded, Drew, HandDrawn, Knocked, LaidOff, Passed
from engine.rules import PRESETS, STANDARD
from tests.tables import (
    NEAR_GIN,
    cards,
    discarding,
    pile_goes_round,
    play,
    refusal,
    stock_runs_down,
    table,
    transition,
)

ALL_MELDED = "AC 2C 3C 4C 5D 6D 7D 9H TH JH QH"
"""Eleven cards in melds, two of four."""

AGAINST_MELDED = "7C 8C 8D 9D JD KC KH 2S 3S 5S"


def facts(game, line):
    return [type(move.event) for move in transition(game, line).moves]


def laid_out(knocked):
    return [" ".join(card_names(meld.cards)) for meld in knocked.melds]


class TestTheOpeningOffer:
    """Full s3: the non-dealer may take the upcard; if it declines, the dealer may."""

    def test_is_the_nondealers_first(self):
        assert isinstance(refusal(table(), "1 pass"), NotYourTurn)
        assert refusal(table(), "1 draw pile").params == {"to_act_seats": (0,)}

    def test_may_be_taken_which_is_a_turn_like_any_other(self):
        game = play(table(), "0 draw pile")
        assert (game.phase, game.to_act_seats, game.hand.turn) == ("discard", (0,), 1)
        assert game.hand.holdings[0] >> parse_card("JS") & 1
        assert game.hand.discard_pile == ()

    def test_declined_goes_to_the_dealer(self):
        game = play(table(), "0 pass")
        assert (game.phase, game.to_act_seats) == ("first_upcard", (1,))
        assert isinstance(refusal(game, "0 draw stock"), NotYourTurn)

    def test_taken_by_the_dealer_leaves_the_nondealer_an_ordinary_turn(self):
        game = play(table(), "0 pass", "1 draw pile", "1 discard KH")
        assert (game.phase, game.to_act_seats) == ("draw", (0,))
        assert play(game, "0 draw pile").hand.holdings[0] >> parse_card("KH") & 1
        assert play(game, "0 draw stock").phase == "discard"

    def test_is_no_time_to_draw_from_the_stock(self):
        assert refusal(table(), "0 draw stock").params == {"phase": "first_upcard"}
        assert isinstance(refusal(play(table(), "0 pass"), "1 draw stock"), WrongPhase)

    def test_taken_may_be_knocked_upon_at_once(self):
        assert play(table(), "0 draw pile", "0 knock TS").phase == "lay_off"

    def test_may_be_gone_gin_upon_at_once(self):
        game = play(table(upcard="TH"), "0 draw pile", "0 gin TS")
        assert game.last_result.outcome == "gin"

    def test_counts_no_turn_for_a_pass(self):
        assert play(table(), "0 pass", "1 pass").hand.turn == 0

    def test_is_over_once_a_card_was_drawn(self):
        game = play(table(), "0 draw pile", "0 discard TS")
        assert refusal(game, "1 pass").params == {"phase": "draw"}

    def test_is_not_made_where_the_opening_is_free(self):
        free = table(replace(STANDARD, opening="free"))
        assert (free.phase, free.to_act_seats) == ("draw", (0,))
        assert isinstance(refusal(free, "0 pass"), WrongPhase)
        assert play(free, "0 draw stock").phase == "discard"
        assert play(free, "0 draw pile").phase == "discard"


class TestTwoPasses:
    """Full s3: the non-dealer begins by drawing the top card of the stock."""

    def test_make_the_nondealer_draw_from_the_stock(self):
        game = play(table(), "0 pass", "1 pass")
        assert (game.phase, game.to_act_seats) == ("draw", (0,))
        assert isinstance(refusal(game, "0 draw pile"), MustDrawStock)
        assert isinstance(refusal(game, "0 draw pile JS"), MustDrawStock)
        assert play(game, "0 draw stock").hand.drawn_card == parse_card("KS")

    def test_bury_the_upcard_under_the_first_discard(self):
        game = play(table(), "0 pass", "1 pass", "0 draw stock", "0 discard KS")
        assert game.hand.discard_pile == (parse_card("JS"), parse_card("KS"))

    def test_bind_only_the_first_draw(self):
        game = play(table(), "0 pass", "1 pass", "0 draw stock", "0 discard KS")
        assert play(game, "1 draw pile").hand.drawn_card == parse_card("KS")

    def test_leave_both_piles_open_where_that_was_agreed(self):
        rules = replace(STANDARD, after_double_pass="either")
        game = play(table(rules), "0 pass", "1 pass")
        assert play(game, "0 draw pile").hand.drawn_card == parse_card("JS")
        assert play(game, "0 draw stock").hand.drawn_card == parse_card("KS")

    def test_are_two_a_third_is_refused(self):
        assert isinstance(refusal(play(table(), "0 pass", "1 pass"), "0 pass"), WrongPhase)


class TestDrawing:
    """Full s4: one card, from the stock or the top of the discard pile."""

    def passed(self):
        return play(table(), "0 pass", "1 pass", "0 draw stock", "0 discard KS")

    def test_from_the_stock_gives_its_top_card_and_the_next_lies_ready(self):
        game = play(self.passed(), "1 draw stock")
        assert game.hand.holdings[1] >> parse_card("QS") & 1
        assert game.hand.stock[0] == parse_card("4S")

    def test_from_the_pile_gives_its_top_card(self):
        game = play(self.passed(), "1 draw pile KS")
        assert game.hand.holdings[1] >> parse_card("KS") & 1
        assert game.hand.discard_pile == (parse_card("JS"),)

    def test_of_a_buried_card_is_refused(self):
        error = refusal(self.passed(), "1 draw pile JS")
        assert isinstance(error, OnlyTopDiscard)
        assert error.params == {"card": parse_card("JS")}

    def test_of_a_card_that_does_not_lie_there_is_refused(self):
        for elsewhere in ("TS", "4C", "4S"):  # in either hand, or in the stock: all one answer
            error = refusal(self.passed(), f"1 draw pile {elsewhere}")
            assert isinstance(error, CardNotInDiscards)
            assert error.params == {"card": parse_card(elsewhere)}

    def test_twice_is_refused(self):
        game = play(self.passed(), "1 draw stock")
        assert refusal(game, "1 draw stock").params == {"phase": "discard"}
        assert refusal(game, "1 draw pile").params == {"phase": "discard"}

    def test_begins_a_turn(self):
        assert play(self.passed(), "1 draw stock").hand.turn == 2

    def test_makes_one_fact(self):
        assert facts(self.passed(), "1 draw stock") == [Drew]
        assert facts(table(), "0 pass") == [Passed]

    def test_from_an_empty_stock_is_refused(self):
        game = self.passed()
        bare = replace(game, hand=replace(game.hand, stock=()))
        assert isinstance(refusal(bare, "1 draw stock"), StockEmpty)


class TestDiscarding:
    def test_ends_the_turn(self):
        game = play(table(), "0 draw pile", "0 discard TS")
        assert (game.phase, game.to_act_seats) == ("draw", (1,))
        assert game.hand.discard_pile == (parse_card("TS"),)
        assert game.hand.holdings[0].bit_count() == 10

    def test_before_drawing_is_refused(self):
        game = play(table(), "0 pass", "1 pass")
        assert refusal(game, "0 discard TS").params == {"phase": "draw"}

    def test_of_a_card_held_by_another_or_by_nobody_is_refused_alike(self):
        game = play(table(), "0 draw pile")
        for elsewhere in ("4C", "KS"):
            error = refusal(game, f"0 discard {elsewhere}")
            assert isinstance(error, CardNotInHand)
            assert error.params == {"card": parse_card(elsewhere)}

    def test_from_a_gin_hand_is_allowed_gin_never_happens_by_itself(self):
        game = play(discarding(ALL_MELDED, AGAINST_MELDED), "0 discard AC")
        assert game.phase == "draw"
        assert game.last_result is None


class TestACardJustTaken:
    """Full s4: it may not be thrown in the same turn."""

    def test_from_the_pile_may_not_be_discarded(self):
        error = refusal(play(table(), "0 draw pile"), "0 discard JS")
        assert isinstance(error, CardJustTaken)
        assert error.params == {"card": parse_card("JS")}

    def test_from_the_pile_may_not_be_the_discard_of_a_knock_or_of_gin(self):
        for word in ("knock", "gin"):
            assert isinstance(refusal(play(table(), "0 draw pile"), f"0 {word} JS"), CardJustTaken)

    def test_from_the_pile_may_be_thrown_in_a_later_turn(self):
        taken = play(table(), "0 draw pile", "0 discard TS", "1 draw stock", "1 discard KS")
        assert play(taken, "0 draw stock", "0 discard JS").phase == "draw"

    def test_from_the_stock_may_be_thrown_at_once(self):
        game = play(table(), "0 pass", "1 pass", "0 draw stock")
        assert play(game, "0 discard KS").phase == "draw"

    def test_from_the_stock_may_not_be_thrown_where_that_was_agreed(self):
        rules = replace(STANDARD, discard_drawn="any_drawn")
        game = play(table(rules), "0 pass", "1 pass", "0 draw stock")
        for line in ("0 discard KS", "0 knock KS"):
            error = refusal(game, line)
            assert isinstance(error, CardJustDrawn)
            assert error.params == {"card": parse_card("KS")}
        assert play(game, "0 discard TS").phase == "draw"
        assert isinstance(refusal(play(table(rules), "0 draw pile"), "0 discard JS"), CardJustTaken)


class TestKnocking:
    """Full s4: no more than the limit in the ten cards that remain after the discard."""

    eleven = "2C 3C 4C 5C 7D 7H 7S 8S 2H AH KH"

    def test_with_ten_is_allowed(self):
        game = play(table(), "0 draw pile", "0 knock TS")
        assert game.hand.knock.deadwood == 10

    def test_with_eleven_is_refused(self):
        error = refusal(discarding(self.eleven), "0 knock KH")
        assert isinstance(error, DeadwoodTooHigh)
        assert error.params == {"deadwood": 11, "knock_limit": 10}

    def test_is_tested_on_the_ten_kept_not_on_the_eleven_held(self):
        game = discarding("4C 5C 6C 9D 9H 9S JD JH JS 5S 7D", "2C 3C 8D TD QD KD QH KH 2S 3S")
        assert play(game, "0 knock 7D").hand.knock.deadwood == 5

    def test_is_possible_in_the_first_turn(self):
        assert play(table(), "0 draw pile", "0 knock TS").hand.turn == 1

    def test_before_drawing_is_refused(self):
        assert isinstance(refusal(play(table(), "0 pass", "1 pass"), "0 knock TS"), WrongPhase)
        assert isinstance(refusal(table(), "0 knock TS"), WrongPhase)

    def test_throws_its_discard_aside_not_on_the_pile(self):
        hand = play(table(), "0 draw pile", "0 knock TS").hand
        assert hand.discard_pile == ()
        assert hand.knock.discard == parse_card("TS")

    def test_shows_both_seats_cards(self):
        knocked = transition(play(table(), "0 draw pile"), "0 knock TS").moves[0].event
        assert isinstance(knocked, Knocked)
        assert (knocked.defender, knocked.defender_cards) == (1, table().hand.holdings[1])

    def test_with_a_card_not_held_is_refused(self):
        assert isinstance(refusal(play(table(), "0 draw pile"), "0 knock 4C"), CardNotInHand)

    @pytest.mark.parametrize(
        ("rules", "upcard", "limit"),
        [
            (replace(STANDARD, knock_limit=9), "JS", 9),
            (PRESETS["straight"], "JS", 0),
            (PRESETS["oklahoma"], "4S", 4),
            (PRESETS["oklahoma"], "AS", 0),
        ],
    )
    def test_above_the_limit_of_the_game_or_the_upcard_is_refused(self, rules, upcard, limit):
        game = table(rules, upcard=upcard, stock="KS")
        error = refusal(play(game, "0 pass", "1 pass", "0 draw stock"), "0 knock KS")
        assert error.params == {"deadwood": 10, "knock_limit": limit}

    def test_by_the_initial_upcard_whoever_took_it(self):
        game = play(table(PRESETS["oklahoma"], upcard="9S"), "0 draw pile")
        assert play(game, "0 knock TS").hand.knock.deadwood == 9
        low = play(table(PRESETS["oklahoma"], upcard="8S"), "0 pass", "1 draw pile")
        later = play(low, "1 discard KH", "0 draw pile")
        assert refusal(later, "0 knock TS").params == {"deadwood": 10, "knock_limit": 8}

    def test_with_one_where_an_ace_permits(self):
        rules = replace(PRESETS["oklahoma"], oklahoma_ace="one")
        game = play(table(rules, upcard="AH"), "0 draw pile")
        assert play(game, "0 knock TS").hand.knock.deadwood == 1


class TestGin:
    """Full s4: all ten retained cards in melds. A lay-out without deadwood is gin by any name."""

    def ready(self, rules=STANDARD):
        return play(table(rules, upcard="AS", stock="TH"), "0 pass", "1 pass", "0 draw stock")

    @pytest.mark.parametrize("word", ["knock", "gin"])
    def test_is_what_leaves_nothing_whatever_it_is_called(self, word):
        game = play(self.ready(), f"0 {word} TS")
        assert game.hand.knock.kind == "gin"
        assert game.last_result.outcome == "gin"

    def test_is_gin_too_when_a_big_one_was_meant_but_a_card_thrown(self):
        hand = self.ready().hand
        called = Knock(KnockKind.BIG_GIN, parse_card("TS"))
        (fact,) = decisions.decide(hand, STANDARD, 0, called)
        assert fact.kind == "gin"

    @pytest.mark.parametrize("called", [KnockKind.GIN, KnockKind.BIG_GIN])
    def test_declared_with_deadwood_left_is_refused_not_turned_into_a_knock(self, called):
        hand = play(table(), "0 draw pile").hand
        with pytest.raises(NotGin) as refused:
            decisions.decide(hand, STANDARD, 0, Knock(called, parse_card("TS")))
        assert refused.value.params == {"deadwood": 10}

    def test_ends_the_hand_at_once(self):
        game = play(self.ready(), "0 gin TS")
        assert (game.phase, game.hand.phase) == ("hand_over", "hand_over")
        assert facts(self.ready(), "0 gin TS") == [Knocked]

    def test_takes_no_lay_off(self):
        # 8D 9D would go on 4D 5D 6D only with a seven; 4C 5C fit A-2-3 of clubs, and stay.
        defender = play(self.ready(), "0 gin TS").last_result.sides[1]
        assert defender.lay_offs == ()
        assert defender.deadwood == 4 + 5 + 8 + 9 + 10 + 2 + 3

    def test_cannot_be_undercut_by_a_defender_without_deadwood(self):
        against = "JC QC KC JD QD KD JH QH KH KS"
        game = discarding("AC 2C 3C 4D 5D 6D 7H 8H 9H TH TS", against)
        result = play(game, "0 gin TS").last_result
        assert (result.winner, result.points, result.sides[1].deadwood) == (0, 25, 0)

    def test_is_possible_in_straight_gin(self):
        assert play(self.ready(PRESETS["straight"]), "0 gin TS").last_result.outcome == "gin"


class TestTheLayOut:
    """Full s2, s4: the knocker chooses it; it need not be the least, but within the limit."""

    two_ways = "2C 2D 3D 4D 2H AS 2S 3S 4S 5S KC"
    against = "AC 4C 5D 6D AH 3H 4H 5H 6H 7H"

    def test_left_to_the_engine_is_the_best(self):
        knocked = play(discarding(self.two_ways, self.against), "0 knock KC").hand.knock
        assert knocked.deadwood == 1
        assert laid_out(knocked) == ["2C 2H 2S", "2D 3D 4D", "3S 4S 5S"]

    def test_may_be_the_knockers_own_in_the_order_it_gives(self):
        line = "0 knock KC AS2S3S4S5S 2C2D2H"
        knocked = play(discarding(self.two_ways, self.against), line).hand.knock
        assert laid_out(knocked) == ["AS 2S 3S 4S 5S", "2C 2D 2H"]
        assert (knocked.deadwood, knocked.unmatched) == (7, cards("3D 4D"))

    def test_that_leaves_more_than_the_limit_is_refused(self):
        error = refusal(discarding(self.two_ways, self.against), "0 knock KC 2C2D2H")
        assert isinstance(error, DeadwoodTooHigh)
        assert error.params == {"deadwood": 22, "knock_limit": 10}

    def test_without_any_meld_counts_every_card(self):
        error = refusal(discarding(self.two_ways, self.against), "0 knock KC -")
        assert error.params == {"deadwood": 28, "knock_limit": 10}

    def test_that_leaves_deadwood_is_a_knock_though_gin_was_there(self):
        game = discarding(ALL_MELDED, AGAINST_MELDED)
        knocked = play(game, "0 knock QH AC2C3C 5D6D7D 9HTHJH").hand.knock
        assert (knocked.kind, knocked.deadwood) == ("knock", 4)
        assert isinstance(refusal(game, "0 gin QH AC2C3C 5D6D7D 9HTHJH"), NotGin)

    @pytest.mark.parametrize(
        ("melds", "kind"),
        [
            ("2C2D", NotASet),
            ("3S4S2D", NotARun),
            ("2C2D2H 2D3D4D", CardInTwoMelds),
            ("JCQCKC", MeldNotInHand),
            ("KCKDKH", MeldNotInHand),
            ("QSKSAS", RunWrapsAce),
        ],
    )
    def test_of_what_are_no_melds_of_these_cards_is_refused(self, melds, kind):
        assert isinstance(
            refusal(discarding(self.two_ways, self.against), f"0 knock KC {melds}"), kind
        )

    def test_may_not_use_the_card_thrown(self):
        error = refusal(discarding(ALL_MELDED, AGAINST_MELDED), "0 knock 4C AC2C3C4C 5D6D7D")
        assert isinstance(error, MeldNotInHand)
        assert error.params == {"meld": 0, "card": parse_card("4C")}

    def test_has_to_be_least_where_that_was_agreed(self):
        rules = replace(STANDARD, knocker_layout="minimal_only")
        game = discarding(self.two_ways, self.against, rules)
        error = refusal(game, "0 knock KC AS2S3S4S5S 2C2D2H")
        assert isinstance(error, LayoutNotMinimal)
        assert error.params == {"deadwood": 7}
        assert play(game, "0 knock KC 2C2H2S 2D3D4D 3S4S5S").hand.knock.deadwood == 1
        assert play(game, "0 knock KC").hand.knock.deadwood == 1

    def test_may_be_any_of_several_least_where_least_was_agreed(self):
        rules = replace(STANDARD, knocker_layout="minimal_only")
        game = discarding(
            "3C 4C 5C 6C AD 3D 3H 4H 2S 3S KC", "AC 2C 6D AH 2H 7H AS 4S 6S 7S", rules
        )
        for melds in ("3C4C5C6C 3D3H3S", "3C3D3H3S 4C5C6C"):
            assert play(game, f"0 knock KC {melds}").hand.knock.deadwood == 7


class TestBigGin:
    """Full s4, s6: eleven cards in melds, declared before discarding, where it was adopted."""

    rules = PRESETS["big_gin"]

    def test_needs_no_discard_and_keeps_eleven_cards(self):
        game = play(discarding(ALL_MELDED, AGAINST_MELDED, self.rules), "0 big_gin")
        assert game.last_result.outcome == "big_gin"
        assert game.hand.holdings[0].bit_count() == 11
        assert game.hand.knock.discard is None

    def test_is_refused_where_it_was_not_adopted(self):
        assert isinstance(
            refusal(discarding(ALL_MELDED, AGAINST_MELDED), "0 big_gin"), BigGinNotEnabled
        )

    def test_with_a_card_left_over_is_refused(self):
        game = play(table(self.rules, upcard="AS", stock="TH"), "0 pass", "1 pass", "0 draw stock")
        error = refusal(game, "0 big_gin")
        assert isinstance(error, NotBigGin)
        assert error.params == {"deadwood": 10}

    def test_is_no_duty_gin_and_playing_on_remain(self):
        game = discarding(ALL_MELDED, AGAINST_MELDED, self.rules)
        assert play(game, "0 gin AC").last_result.outcome == "gin"
        assert play(game, "0 discard 2C").phase == "draw"

    def test_may_be_laid_out_as_the_seat_likes(self):
        game = discarding(ALL_MELDED, AGAINST_MELDED, self.rules)
        knocked = play(game, "0 big_gin 9HTHJHQH AC2C3C4C 5D6D7D").hand.knock
        assert laid_out(knocked) == ["9H TH JH QH", "AC 2C 3C 4C", "5D 6D 7D"]
        assert refusal(game, "0 big_gin AC2C3C 5D6D7D 9HTHJHQH").params == {"deadwood": 4}

    def test_may_hold_the_card_just_taken(self):
        game = discarding(ALL_MELDED, AGAINST_MELDED, self.rules, taken="QH")
        assert play(game, "0 big_gin").last_result.outcome == "big_gin"

    def test_before_drawing_is_refused(self):
        assert isinstance(refusal(table(self.rules), "0 big_gin"), WrongPhase)

    def test_adopted_or_not_eleven_melded_cards_can_always_go_gin(self):
        for taken in (None, "AC", "4C", "QH"):
            game = discarding(ALL_MELDED, AGAINST_MELDED, taken=taken)
            thrown = "9H" if taken == "AC" else "4C" if taken != "4C" else "AC"
            assert play(game, f"0 gin {thrown}").last_result.outcome == "gin"


class TestLayingOff:
    """Full s4: the defender melds, and lays off on the knocker's melds in any useful sequence."""

    def knocked(self, rules=STANDARD):
        return play(table(rules), "0 draw pile", "0 knock TS")

    def test_is_the_defenders_and_nobody_elses(self):
        game = self.knocked()
        assert (game.phase, game.to_act_seats) == ("lay_off", (1,))
        assert isinstance(refusal(game, "0 lay_off"), NotYourTurn)

    def test_left_to_the_engine_is_the_best(self):
        defender = play(self.knocked(), "1 lay_off").last_result.sides[1]
        assert [(laid.card, laid.meld) for laid in defender.lay_offs] == [
            (parse_card("4C"), 0),
            (parse_card("5C"), 0),
        ]
        assert defender.deadwood == 8 + 9 + 10 + 2 + 3

    def test_may_be_none(self):
        defender = play(self.knocked(), "1 lay_off -").last_result.sides[1]
        assert (defender.lay_offs, defender.deadwood) == ((), 41)

    def test_may_go_on_in_a_sequence(self):
        defender = play(self.knocked(), "1 lay_off 4C>0 5C>0").last_result.sides[1]
        assert defender.deadwood == 32
        assert play(self.knocked(), "1 lay_off 4C>0").last_result.sides[1].deadwood == 37

    def test_out_of_sequence_is_refused(self):
        error = refusal(self.knocked(), "1 lay_off 5C>0 4C>0")
        assert isinstance(error, LayOffNotPossible)
        assert error.params == {"card": parse_card("5C"), "meld": 0}

    def test_on_a_meld_that_does_not_take_the_card_is_refused(self):
        error = refusal(self.knocked(), "1 lay_off 4C>2")
        assert error.params == {"card": parse_card("4C"), "meld": 2}

    @pytest.mark.parametrize("index", [3, 99])
    def test_on_a_meld_that_is_not_there_is_refused(self, index):
        error = refusal(self.knocked(), f"1 lay_off 4C>{index}")
        assert isinstance(error, MeldNotFound)
        assert error.params == {"meld": index}

    @pytest.mark.parametrize("line", ["1 lay_off TS>0", "1 lay_off 4C>0 4C>0", "1 lay_off AC>0"])
    def test_of_a_card_not_held_or_no_longer_is_refused(self, line):
        assert isinstance(refusal(self.knocked(), line), CardNotInHand)

    def test_ends_the_hand_with_one_request(self):
        game = play(self.knocked(), "1 lay_off 4C>0")
        assert game.phase == "hand_over"
        assert facts(self.knocked(), "1 lay_off 4C>0") == [LaidOff]

    def test_follows_a_knock_even_where_nothing_fits(self):
        nothing_fits = "JC QC KC JD QD KD JH QH KH QS"
        game = play(table(second=nothing_fits, stock=""), "0 draw pile", "0 knock TS")
        assert game.phase == "lay_off"
        assert play(game, "1 lay_off").last_result.sides[1].deadwood == 10

    def test_counts_the_best_own_melds_of_what_is_left(self):
        defender = play(self.knocked(), "1 lay_off -").last_result.sides[1]
        assert [" ".join(card_names(meld.cards)) for meld in defender.melds] == ["JH QH KH"]

    def test_with_own_melds_named_counts_those(self):
        defender = play(self.knocked(), "1 lay_off - melds -").last_result.sides[1]
        assert (defender.melds, defender.deadwood) == ((), 71)
        defender = play(self.knocked(), "1 lay_off 4C>0 melds JHQHKH").last_result.sides[1]
        assert defender.deadwood == 37

    def test_with_own_melds_named_and_no_list_lays_off_all_that_fits_of_the_rest(self):
        # The king, the queen and the jack of hearts would be a meld, but are not laid out as one:
        # so they go on 8H 9H TH, with 4C and 5C on the clubs.
        against = "4C 5C 8D 9D JD JH QH KH 2S 3S"
        game = discarding("AC 2C 3C 4D 5D 6D 8H 9H TH AS KS", against)
        defender = play(game, "0 knock KS", "1 lay_off melds -").last_result.sides[1]
        assert len(defender.lay_offs) == 5
        assert defender.deadwood == 8 + 9 + 10 + 2 + 3

    def test_of_a_card_of_a_meld_named_is_refused(self):
        game = discarding("AC 2C 3C 4D 5D 6D 8H 9H TH AS KS")
        error = refusal(play(game, "0 knock KS"), "1 lay_off JH>2 melds JHQHKH")
        assert isinstance(error, MeldNotInHand)
        assert error.params == {"meld": 0, "card": parse_card("JH")}

    def test_names_the_knockers_melds_by_their_place_in_its_lay_out(self):
        game = play(table(), "0 draw pile", "0 knock TS 7H8H9H 4D5D6D AC2C3C")
        assert play(game, "1 lay_off 4C>2").last_result.sides[1].deadwood == 37
        assert isinstance(refusal(game, "1 lay_off 4C>0"), LayOffNotPossible)

    def test_may_break_an_own_meld(self):
        # The set of eights keeps 17; with 8S 9S and 8C 7C laid off only the aces are left.
        knocker = "5S 6S 7S KS KC KD 9C TC JC JD 3H"
        defender = "2S 8S 9S AC 2C 7C 8C 2D 8D 2H"
        game = discarding(knocker, defender)
        game = play(game, "0 knock 3H KSKCKD 5S6S7S 9CTCJC", "1 lay_off")
        assert game.last_result.sides[1].deadwood == 9
        assert game.last_result.outcome == "undercut"

    def test_is_made_by_the_knock_itself_where_it_is_optimal(self):
        rules = replace(STANDARD, layoff="optimal")
        made = transition(play(table(rules), "0 draw pile"), "0 knock TS")
        assert [type(move.event) for move in made.moves] == [Knocked, LaidOff]
        assert [move.by for move in made.moves] == ["player", "server"]
        assert made.game.phase == "hand_over"
        assert made.game.last_result == play(self.knocked(), "1 lay_off").last_result

    def test_before_a_knock_is_refused(self):
        assert isinstance(refusal(table(), "0 lay_off"), WrongPhase)

    @pytest.mark.parametrize("line", ["1 pass", "1 draw stock", "1 discard 4C", "1 knock 4C"])
    def test_is_the_only_thing_left_to_do(self, line):
        assert refusal(self.knocked(), line).params == {"phase": "lay_off"}


class TestLayingOffOnGin:
    """An extension: lay-offs against gin and big gin too, never an undercut."""

    rules = replace(STANDARD, layoff_on_gin=True, big_gin=True)

    def test_follows_gin(self):
        game = play(discarding(ALL_MELDED, AGAINST_MELDED, self.rules), "0 gin AC")
        assert game.phase == "lay_off"
        result = play(game, "1 lay_off").last_result
        assert result.outcome == "gin"
        assert [card_names(1 << laid.card) for laid in result.sides[1].lay_offs] == [
            ["8D"],
            ["9D"],
            ["KH"],
        ]

    def test_follows_big_gin(self):
        game = play(discarding(ALL_MELDED, AGAINST_MELDED, self.rules), "0 big_gin")
        assert game.phase == "lay_off"
        assert play(game, "1 lay_off").last_result.outcome == "big_gin"

    def test_never_leads_to_an_undercut(self):
        melded = "AC 2C 3C 5D 6D 7D 9H TH JH 4D KS"
        game = play(discarding(melded, "4C 5C 6C 7C 8D 9D TD KH QH 3D", self.rules), "0 gin KS")
        result = play(game, "1 lay_off").last_result
        assert (result.outcome, result.winner, result.sides[1].deadwood) == ("gin", 0, 0)
        assert result.points == 25

    def test_is_made_at_once_where_lay_offs_are_optimal(self):
        rules = replace(self.rules, layoff="optimal")
        game = play(discarding(ALL_MELDED, AGAINST_MELDED, rules), "0 gin AC")
        assert game.phase == "hand_over"
        assert len(game.last_result.sides[1].lay_offs) == 3

    def test_is_not_played_by_default(self):
        game = play(discarding(ALL_MELDED, AGAINST_MELDED), "0 gin AC")
        assert game.last_result.sides[1].lay_offs == ()


class TestTheEndOfTheStock:
    """Full s4: two cards left after a discard, and the hand is drawn; s6: or one."""

    def begun(self, rules=STANDARD):
        return play(table(rules), "0 pass", "1 pass")

    def test_is_not_reached_with_three_cards_left(self):
        game = stock_runs_down(self.begun(), 3)
        assert (game.phase, len(game.hand.stock)) == ("draw", 3)

    def test_comes_with_the_discard_that_leaves_two(self):
        game = stock_runs_down(self.begun(), 2)
        assert game.last_result.outcome == "drawn"
        assert (game.phase, len(game.hand.stock)) == ("hand_over", 2)

    def test_may_come_with_one_card_where_that_was_agreed(self):
        game = stock_runs_down(self.begun(replace(STANDARD, stock_end=1)), 2)
        assert game.phase == "draw"
        assert stock_runs_down(game, 1).last_result.outcome == "drawn"

    def test_gives_nobody_points_and_shows_both_sides(self):
        result = stock_runs_down(self.begun(), 2).last_result
        assert (result.winner, result.knocker, result.points, result.lines) == (None, None, 0, ())
        assert [side.deadwood for side in result.sides] == [10, 41]
        assert [side.cards for side in result.sides] == [cards(NEAR_GIN), result.sides[1].cards]

    def test_lets_the_seat_that_drew_the_third_last_card_knock(self):
        game = play(stock_runs_down(self.begun(), 3), "0 draw stock")
        assert len(game.hand.stock) == 2
        drawn = card_names(1 << game.hand.drawn_card)[0]
        assert play(game, f"0 knock {drawn}").phase == "lay_off"

    def test_comes_after_a_card_from_the_pile_too(self):
        # No card leaves the stock, so the same two remain, and the discard ends the hand again.
        low = play(stock_runs_down(self.begun(), 3), "0 draw stock")
        bare = replace(low, hand=replace(low.hand, stock=low.hand.stock[:2]))
        assert facts(bare, "0 discard TS") == [Discarded, HandDrawn]

    def test_is_a_fact_of_the_server(self):
        game = play(stock_runs_down(self.begun(), 3), "0 draw stock")
        made = transition(game, "0 discard TS")
        assert [(move.by, move.seat) for move in made.moves] == [("player", 0), ("server", None)]
        assert [type(move.event) for move in made.moves] == [Discarded, HandDrawn]


class TestTheCapOnTurns:
    """The rules give no end to two players who take each other's discards; ``max_turns`` does."""

    rules = replace(STANDARD, max_turns=51)

    def test_is_not_reached_a_turn_before(self):
        game = pile_goes_round(table(self.rules), 50)
        assert (game.phase, game.hand.turn) == ("draw", 50)

    def test_draws_the_hand_after_the_discard(self):
        game = pile_goes_round(table(self.rules), 51)
        assert game.last_result.outcome == "drawn"
        assert (game.hand.turn, len(game.hand.stock)) == (51, 31)

    def test_lets_the_last_turn_knock(self):
        game = play(pile_goes_round(table(self.rules), 50), "0 draw pile")
        assert game.hand.turn == 51
        (thrown,) = card_names(
            game.hand.holdings[0] & ~(cards(NEAR_GIN) | 1 << game.hand.drawn_card)
        )
        assert play(game, f"0 knock {thrown}").phase == "lay_off"

    def test_counts_no_passes(self):
        game = play(table(self.rules), "0 pass", "1 pass", "0 draw stock")
        assert game.hand.turn == 1


class TestTheOrderOfRefusals:
    """Not your turn, wrong phase, then what is wrong with the cards."""

    def test_the_turn_comes_before_the_phase(self):
        assert isinstance(refusal(table(), "1 discard 2C"), NotYourTurn)

    def test_the_phase_comes_before_the_cards(self):
        assert isinstance(refusal(table(), "0 discard 4C"), WrongPhase)
        assert isinstance(refusal(table(), "0 lay_off 4C>9"), WrongPhase)

    def test_the_discard_comes_before_the_lay_out(self):
        game = play(table(), "0 draw pile")
        assert isinstance(refusal(game, "0 knock 4C 2C2D"), CardNotInHand)
        assert isinstance(refusal(game, "0 gin JS 2C2D"), CardJustTaken)

    def test_the_lay_out_comes_before_its_deadwood(self):
        game = play(table(), "0 draw pile")
        assert isinstance(refusal(game, "0 gin TS AC2C3C 3C4D"), NotARun)

    def test_whether_big_gin_is_played_comes_before_its_cards(self):
        game = play(table(), "0 draw pile")
        assert isinstance(refusal(game, "0 big_gin 2C2D"), BigGinNotEnabled)

    def test_the_due_seat_is_named(self):
        with pytest.raises(NotYourTurn) as refused:
            decisions.decide(table().hand, STANDARD, 1, Pass())
        assert refused.value.params == {"to_act_seats": (0,)}
