"""Asking about a lay-out before it is made (full s6)."""

from dataclasses import replace

import pytest

from engine.cards import parse_card
from engine.game import new_game
from engine.meld_checks import (
    MeldCheck,
    MeldIssue,
    ProposedMeld,
    check_lay_out,
    check_melds,
    check_shapes,
    meld_error,
)
from engine.melds import MeldKind
from engine.progress import begin
from engine.rules import STANDARD, resolve
from tests.tables import ALL_MELDED, cards, discarding, play, setup, table

RUN, SET = MeldKind.RUN, MeldKind.SET
RUNS = ((RUN, "AC 2C 3C"), (RUN, "4D 5D 6D"), (RUN, "7H 8H 9H"))


def proposed(*melds):
    return tuple(ProposedMeld(kind, cards(names)) for kind, names in melds)


def checked(game, *melds, seat=0):
    return check_melds(game, seat, proposed(*melds))


@pytest.fixture
def drawn():
    """Seat 0 holds three runs, the ten of spades, and the king that it drew."""
    return play(table(), "0 pass", "1 pass", "0 draw stock")


class TestAMeld:
    @pytest.mark.parametrize(
        ("kind", "names", "code"),
        [
            (RUN, "AC 2C 3C", None),
            (SET, "7C 7D 7H", None),
            (SET, "AC 2C 3C", "not_a_set"),
            (RUN, "7C 7D 7H", "not_a_run"),
            (RUN, "QC KC AC", "run_wraps_ace"),
            (SET, "QC KC AC", "not_a_set"),
            (RUN, "AC 2C", "not_a_run"),
            (SET, "AC AD", "not_a_set"),
            (SET, "", "not_a_set"),
            (RUN, "", "not_a_run"),
        ],
    )
    def test_is_one_of_its_kind_or_the_error_says_why(self, kind, names, code):
        error = meld_error(ProposedMeld(kind, cards(names)))
        assert (error and error.code) == code


class TestALayOut:
    def test_that_is_valid_has_the_deadwood_after_the_best_discard(self, drawn):
        assert checked(drawn, *RUNS) == MeldCheck((), 10, True)

    def test_of_fewer_melds_leaves_more_and_may_not_knock(self, drawn):
        assert checked(drawn, *RUNS[:2]) == MeldCheck((), 10 + 24, False)
        assert checked(drawn) == MeldCheck((), 6 + 15 + 24 + 10, False)

    def test_may_not_knock_above_the_limit(self):
        game = play(table(replace(STANDARD, knock_limit=9)), "0 pass", "1 pass", "0 draw stock")
        assert checked(game, *RUNS) == MeldCheck((), 10, False)

    def test_may_not_knock_when_another_seat_is_due_or_a_draw(self):
        game = table()
        assert checked(game, *RUNS) == MeldCheck((), 10, False)
        thrown = play(game, "0 pass", "1 pass", "0 draw stock", "0 discard KS")
        assert checked(thrown, *RUNS) == MeldCheck((), 10, False)

    def test_keeps_a_card_that_may_not_be_thrown(self):
        taken = play(table(upcard="KS", stock="JS QS 4S"), "0 draw pile")
        assert checked(taken, *RUNS) == MeldCheck((), 10, True)  # the ten goes, the king stays
        both = play(table(upcard="9S", stock="JS QS 4S"), "0 draw pile")
        assert checked(both, *RUNS).deadwood == 9

    def test_of_all_eleven_cards_knocks_where_big_gin_is_played(self):
        melds = ((RUN, "AC 2C 3C 4C"), (RUN, "5D 6D 7D"), (RUN, "9H TH JH QH"))
        held = ALL_MELDED
        rules = replace(STANDARD, big_gin=True)
        against = "7C 8C 8D 9D JD KC KH 2S 3S 5S"
        assert checked(discarding(held, against, rules), *melds) == MeldCheck((), 0, True)
        assert checked(discarding(held, against), *melds) == MeldCheck((), 0, False)

    def test_may_not_knock_if_it_is_not_minimal_where_it_has_to_be(self):
        rules = replace(STANDARD, knocker_layout="minimal_only", knock_limit=10)
        held = "AC 2C 3C 4C 5D 6D 7D 8H 8S 8C KS"
        against = "9C 9D TD JD QD QH KC KH 2S 3S"
        best = ((RUN, "AC 2C 3C 4C"), (RUN, "5D 6D 7D"), (SET, "8H 8S 8C"))
        worse = ((RUN, "2C 3C 4C"), *best[1:])
        assert checked(discarding(held, against, rules), *best).can_knock
        assert not checked(discarding(held, against, rules), *worse).can_knock
        assert checked(discarding(held, against), *worse) == MeldCheck((), 1, True)


class TestAnIssue:
    def test_names_the_meld(self, drawn):
        check = checked(drawn, RUNS[0], (SET, "4D 5D 6D"))
        assert check == MeldCheck((MeldIssue(1, "not_a_set"),), None, False)

    def test_is_a_card_in_two_melds(self, drawn):
        check = checked(drawn, RUNS[0], RUNS[0])
        assert check.issues == tuple(
            MeldIssue(1, "card_in_two_melds", parse_card(name)) for name in ("AC", "2C", "3C")
        )

    def test_is_a_card_that_the_seat_does_not_hold_wherever_it_lies(self, drawn):
        for names, foreign in (("9H TH JH", ("TH", "JH")), ("JS QS KS", ("JS", "QS"))):
            check = checked(drawn, (RUN, names))
            assert check.issues == tuple(
                MeldIssue(0, "card_not_in_hand", parse_card(name)) for name in foreign
            )

    def test_are_all_told_in_the_order_of_the_melds(self, drawn):
        check = checked(drawn, (SET, "4D 5D QD"), (RUN, "QC KC AC"))
        assert [(issue.meld, issue.code) for issue in check.issues] == [
            (0, "not_a_set"),
            (0, "card_not_in_hand"),
            (1, "run_wraps_ace"),
            (1, "card_not_in_hand"),
            (1, "card_not_in_hand"),
        ]


class TestASeatWithoutCards:
    def test_holds_none_before_the_deal_and_when_it_sits_out(self):
        waiting = new_game(setup())
        kinds = (*waiting.setup.seats, waiting.setup.seats[0])
        three = begin(setup(replace(STANDARD, first_dealer="seat0"), kinds)).game
        for game, seat in ((waiting, 0), (three, 2)):
            assert checked(game, seat=seat) == MeldCheck((), 0, False)
            codes = {issue.code for issue in checked(game, RUNS[0], seat=seat).issues}
            assert codes == {"card_not_in_hand"}


class TestALayOutElsewhere:
    """Cards that are held at another table: nothing is known but what is told."""

    def told(self, names, *melds, rules=STANDARD, limit=10):
        return check_lay_out(proposed(*melds), cards(names), rules, limit)

    def test_of_ten_cards_is_a_knock_within_the_limit(self):
        ten = "AC 2C 3C 4D 5D 6D 7H 8H 9H TS"
        assert self.told(ten, *RUNS) == MeldCheck((), 10, can_knock=True)
        assert self.told(ten, *RUNS, limit=9) == MeldCheck((), 10, can_knock=False)
        assert self.told(ten, *RUNS[:2]) == MeldCheck((), 34, can_knock=False)

    def test_of_eleven_throws_the_dearest_that_no_meld_needs(self):
        eleven = "AC 2C 3C 4D 5D 6D 7H 8H 9H TS 2S"
        assert self.told(eleven, *RUNS) == MeldCheck((), 2, can_knock=True)

    def test_of_eleven_melded_cards_is_a_knock_where_big_gin_is_played(self):
        melds = ((RUN, "AC 2C 3C 4C"), (RUN, "5D 6D 7D"), (RUN, "9H TH JH QH"))
        assert self.told(ALL_MELDED, *melds) == MeldCheck((), 0, can_knock=False)
        big = resolve("big_gin", {})
        assert self.told(ALL_MELDED, *melds, rules=big) == MeldCheck((), 0, can_knock=True)

    def test_of_fewer_cards_is_no_knock(self):
        assert self.told("AC 2C 3C", RUNS[0]) == MeldCheck((), 0, can_knock=False)

    def test_has_to_be_the_least_where_that_was_agreed(self):
        ten = "AC 2C 3C 4C 5D 6D 7D 9H TH JH"
        melds = ((RUN, "AC 2C 3C"), (RUN, "5D 6D 7D"), (RUN, "9H TH JH"))
        strict = resolve("standard", {"knocker_layout": "minimal_only"})
        assert self.told(ten, *melds).can_knock
        assert not self.told(ten, *melds, rules=strict).can_knock

    def test_names_what_is_wrong(self):
        found = self.told("AC 2C 3C", (RUN, "AC 2C 4C"), (RUN, "4D 5D 6D"))
        assert {(each.meld, each.code) for each in found.issues} == {
            (0, "not_a_run"), (0, "card_not_in_hand"), (1, "card_not_in_hand")
        }  # fmt: skip
        assert (found.deadwood, found.can_knock) == (None, False)

    def test_without_cards_says_only_whether_the_melds_are_right(self):
        assert check_shapes(proposed(*RUNS)) == MeldCheck((), None, None)
        [issue] = check_shapes(proposed(RUNS[0], (SET, "AC AD AH"))).issues
        assert (issue.meld, issue.code) == (1, "card_in_two_melds")
