from dataclasses import replace

import pytest

from engine.actions import Discard, Draw, DrawSource, Knock, KnockKind, LayOffs, Pass
from engine.cards import card_name, card_names, parse_card
from engine.players import advisor
from engine.players.advisor import advise
from engine.progress import begin
from engine.rules import STANDARD
from engine.views import view
from tests.tables import (
    AGAINST_MELDED,
    ALL_MELDED,
    OTHER,
    discarding,
    play,
    setup,
    stock_runs_down,
    table,
)

STOCK, PILE = Draw(DrawSource.STOCK), Draw(DrawSource.DISCARD_PILE)
FAR = "AD 3D 5H 7D 9C TD KC 7S 6C QD"
"""No meld, and next to none."""


def advice(game, seat=None):
    return advise(view(game, game.hand.to_act if seat is None else seat))


def first(game):
    return advice(game)[0]


def at_turn(game, turn):
    return replace(game, hand=replace(game.hand, turn=turn))


class TestNobodyToAdvise:
    def test_is_a_seat_that_is_not_due_and_one_who_watches(self):
        assert advice(table(), 1) == ()
        assert advise(view(table(), None)) == ()

    def test_is_anybody_between_two_hands(self):
        game = play(table(), "0 draw pile", "0 knock TS", "1 lay_off")
        assert advice(game, 0) == advice(game, 1) == ()


class TestTheUpcard:
    def test_is_taken_for_a_meld(self):
        taken = first(table(first=FAR, upcard="7H"))
        assert taken.action == PILE
        assert "completes_meld" in taken.reasons
        assert taken.knock_chance is None

    def test_is_taken_to_save_real_points(self):
        taken = first(table(first=FAR, upcard="AS"))
        assert (taken.action, taken.reasons) == (PILE, ("lowers_deadwood",))

    def test_is_left_alone_if_it_is_no_good(self):
        left, taken = advice(table(first=FAR, upcard="JS"))
        assert (left.action, left.reasons) == (Pass(), ("discard_does_not_help",))
        assert (taken.action, taken.reasons) == (PILE, ())
        assert left.knock_chance == 0

    def test_is_not_taken_to_save_less(self):
        """Seven for ten would save three points."""
        assert first(table(first=FAR.replace("7D", "8S"), upcard="7D")).action == Pass()


class TestADraw:
    def test_is_from_the_stock_where_nothing_else_may_be(self):
        game = play(table(), "0 pass", "1 pass")
        (only,) = advice(game)
        assert (only.action, only.reasons) == (STOCK, ("only_choice",))
        assert card_names(only.helping_cards) == ["4C", "3D", "7D", "6H", "TH"]

    def test_is_from_the_stock_if_the_discard_is_no_good(self):
        game = play(table(second=FAR), "0 pass", "1 pass", "0 draw stock", "0 discard KS")
        assert [each.action for each in advice(game)] == [STOCK, PILE]

    def test_is_from_the_pile_if_that_is_gin(self):
        taken = first(table(upcard="TH"))
        assert taken.action == PILE
        assert taken.reasons[0] == "allows_gin"

    def test_of_a_buried_card_is_made_for_a_meld(self):
        rules = replace(STANDARD, multi_pickup=True)
        game = table(rules, second=FAR.replace("9C", "KD"), upcard="KH", stock="QS KS 4S")
        game = play(game, "0 pass", "1 pass", "0 draw stock", "0 discard QS")
        taken = first(game)
        assert taken.action == Draw(DrawSource.DISCARD_PILE, parse_card("KH"))
        assert "completes_meld" in taken.reasons


class TestAKnock:
    def test_is_made_early_with_ten(self):
        game = play(table(), "0 pass", "1 pass", "0 draw stock")
        # Five cards of thirty make gin of it: with less than one in five it does not wait.
        knock = first(game)
        assert (knock.action.kind, card_name(knock.action.discard)) == (KnockKind.KNOCK, "TS")
        assert knock.reasons == ("early_knock",)

    def test_is_laid_out_as_the_view_says(self):
        game = play(table(), "0 pass", "1 pass", "0 draw stock")
        melds = [card_names(meld) for meld in first(game).action.melds]
        assert melds == [["AC", "2C", "3C"], ["4D", "5D", "6D"], ["7H", "8H", "9H"]]

    def test_is_put_off_where_many_cards_make_gin(self, monkeypatch):
        monkeypatch.setattr(advisor, "CHANCE_OF_GIN", 0.1)
        game = play(table(), "0 pass", "1 pass", "0 draw stock")
        waiting = first(game)
        assert waiting.action == Discard(parse_card("KS"))
        assert waiting.reasons[0] == "plays_for_gin"
        assert isinstance(advice(game)[-1].action, Knock)

    def test_is_put_off_late_with_more_than_a_little(self):
        game = at_turn(play(table(), "0 pass", "1 pass", "0 draw stock"), 20)
        waiting = first(game)
        assert waiting.reasons[0] == "risk_of_undercut"
        assert isinstance(waiting.action, Discard)

    def test_is_made_late_with_a_little(self):
        low = discarding("AC 2C 3C 4D 5D 6D 7H 8H 9H 2S KS", OTHER.replace("2S", "TS"))
        low = at_turn(low, 20)
        assert (type(first(low).action), first(low).reasons) == (Knock, ("low_deadwood",))

    def test_is_gin_where_it_may_be(self):
        gin = first(discarding(ALL_MELDED, AGAINST_MELDED))
        assert (gin.action.kind, gin.reasons) == (KnockKind.GIN, ("gin",))

    @pytest.mark.parametrize(("bonus", "kind"), [(31, KnockKind.BIG_GIN), (0, KnockKind.GIN)])
    def test_is_big_gin_where_that_pays(self, bonus, kind):
        rules = replace(STANDARD, big_gin=True, big_gin_bonus=bonus)
        best = first(discarding(ALL_MELDED, AGAINST_MELDED, rules))
        assert (best.action.kind, best.reasons) == (kind, (kind.value,))

    @pytest.mark.parametrize("mode", ["straight", "oklahoma"])
    def test_is_nothing_but_gin_where_that_is_the_rule(self, mode):
        rules = replace(STANDARD, knock_mode=mode)
        game = table(rules, upcard="AS", second=OTHER.replace("2S", "6S"))
        game = play(game, "0 pass", "1 pass", "0 draw stock")
        assert isinstance(first(game).action, Discard)


class TestTheWall:
    WALL = replace(STANDARD, last_discard="knock_only")

    def at_the_wall(self, second):
        game = play(table(self.WALL, second=second), "0 pass", "1 pass")
        return stock_runs_down(game, 2)

    def test_is_passed_by_who_could_not_knock(self):
        game = self.at_the_wall(OTHER)
        assert [each.action for each in advice(game)] == [Pass(), PILE]

    def test_is_passed_with_what_a_late_knock_would_risk(self):
        game = play(self.at_the_wall(OTHER), "1 draw pile")
        assert [each.action for each in advice(game)] == [Pass()]
        assert first(game).reasons == ("only_choice",)

    def test_has_its_card_taken_to_knock_with_a_little(self):
        held = "4C 5C 6C 8D 9D TD 6S 7S KH 2S"
        game = stock_runs_down(play(table(self.WALL, second=held), "0 pass", "1 pass"), 2)
        assert (game.hand.to_act, card_name(game.hand.discard_pile[-1])) == (1, "5S")
        assert first(game).action == PILE
        game = play(game, "1 draw pile")
        assert isinstance(first(game).action, Knock)


class TestADiscard:
    def test_is_the_high_card_that_goes_with_nothing(self):
        game = discarding("AC 2C 3C 4D 5D 7H 8H 9S 9C TS KS", "4C 5C 8D 9D JD JH QH QD 2S 3S")
        thrown = first(game)
        assert thrown.action == Discard(parse_card("KS"))
        assert {"lowers_deadwood", "high_card"} <= set(thrown.reasons)

    def test_keeps_two_of_a_kind_rather_than_a_single_card(self):
        game = discarding("AC 2C 3C QD QH JS 3D 5D 4H 8S 6C", "4C 5C 8D 9D JD JH TH TC 2S 3S")
        assert first(game).action == Discard(parse_card("JS"))
        assert "keeps_combinations" in first(game).reasons

    def test_counts_what_is_gone(self):
        """A pair whose other two lie on the pile is no pair any more."""
        game = discarding("AC 2C 3C QD QH JS TS 5D 4H 8S 6C", "4C 5C 8D 9D JD JH TH TC 2S 3S")
        gone = tuple(map(parse_card, ("QC", "QS")))
        rest = tuple(card for card in game.hand.stock if card not in gone)
        buried = replace(game, hand=replace(game.hand, stock=rest, discard_pile=gone))
        assert card_name(first(buried).action.card)[0] == "Q"
        assert card_name(first(game).action.card)[0] != "Q"

    def test_denies_the_other_seat_what_it_collects(self):
        held, theirs = "AC 2C 3C KD QS 3D 5D 4H 8S 6C 9H", "KC KH 8D 9D JD JH TH TC 2S 3S"
        game = discarding(held, theirs)
        free = first(game)
        known = replace(game.hand, taken=(0, (1 << parse_card("KC")) | (1 << parse_card("KH"))))
        wary = first(replace(game, hand=known))
        assert card_name(wary.action.card) == "QS"
        assert free.action.card in {parse_card("QS"), parse_card("KD")}
        thrown = [each.action.card for each in advice(replace(game, hand=known))]
        assert thrown.index(parse_card("KD")) > thrown.index(parse_card("QS"))

    def test_has_no_outlook_while_more_are_owed(self):
        rules = replace(STANDARD, multi_pickup=True)
        game = table(rules, second=FAR.replace("9C", "KD"), upcard="KH", stock="QS KS 4S")
        game = play(game, "0 pass", "1 pass", "0 draw stock", "0 discard QS", "1 draw pile KH")
        assert {each.helping_cards for each in advice(game)} == {None}
        game = play(game, f"1 discard {card_name(first(game).action.card)}")
        assert None not in {each.helping_cards for each in advice(game)}

    def test_has_none_where_the_hand_ends_with_it(self):
        game = stock_runs_down(play(table(first=FAR), "0 pass", "1 pass"), 3)
        game = play(game, f"{game.hand.to_act} draw stock")
        assert {each.gin_chance for each in advice(game)} == {None}


class TestALayOff:
    def test_is_the_best_one_with_all_that_it_takes(self):
        game = play(table(), "0 draw pile", "0 knock TS")
        (best,) = advice(game)
        assert isinstance(best.action, LayOffs)
        assert [card_name(laid.card) for laid in best.action.lay_offs] == ["4C", "5C"]
        assert best.reasons == ("lowers_deadwood",)

    def test_is_left_to_the_server_where_the_view_gives_no_advice(self):
        game = play(table(replace(STANDARD, advice="off")), "0 draw pile", "0 knock TS")
        assert first(game).action == LayOffs()


class TestTheSameView:
    def test_gets_the_same_advice(self):
        game = begin(setup()).game
        assert advice(game) == advice(game) != ()
