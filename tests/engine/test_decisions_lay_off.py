from dataclasses import replace

import pytest

from engine.cards import card_names, parse_card
from engine.errors import (
    CardNotInHand,
    LayOffNotPossible,
    MeldNotFound,
    MeldNotInHand,
    NotYourTurn,
    WrongPhase,
)
from engine.events import Knocked, LaidOff
from engine.rules import STANDARD
from tests.tables import (
    AGAINST_MELDED,
    ALL_MELDED,
    discarding,
    facts,
    play,
    refusal,
    table,
    transition,
)


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
        nothing_fits = "JC QC KC JD QD KD 2H 3H 4H KS"
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
