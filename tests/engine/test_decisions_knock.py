from dataclasses import replace

import pytest

from engine import decisions
from engine.actions import Knock, KnockKind
from engine.cards import parse_card
from engine.errors import (
    BigGinNotEnabled,
    CardInTwoMelds,
    CardNotInHand,
    DeadwoodTooHigh,
    LayoutNotMinimal,
    MeldNotInHand,
    NotARun,
    NotASet,
    NotBigGin,
    NotGin,
    RunWrapsAce,
    WrongPhase,
)
from engine.events import Knocked
from engine.rules import PRESETS, STANDARD
from tests.tables import (
    AGAINST_MELDED,
    ALL_MELDED,
    cards,
    discarding,
    facts,
    laid_out,
    play,
    refusal,
    table,
    transition,
)


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
