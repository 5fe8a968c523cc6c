from dataclasses import replace

import pytest

from engine.actions import DrawSource
from engine.cards import card_names, parse_card
from engine.hand import Phase
from engine.hand_scores import Mistold
from engine.position_checks import completed
from engine.positions import Position
from engine.rules import PRESETS, STANDARD
from tests.tables import NEAR_GIN, cards, row

TEN = cards(NEAR_GIN)
ELEVEN = cards(f"{NEAR_GIN} KS")
KS, JS, QH = map(parse_card, ("KS", "JS", "QH"))
STOCK, PILE = DrawSource.STOCK, DrawSource.DISCARD_PILE
MULTI = replace(STANDARD, multi_pickup=True)
GROW = replace(MULTI, multi_pickup_return="grow")
WALL = replace(STANDARD, last_discard="knock_only")
ON_GIN = replace(STANDARD, layoff_on_gin=True)
JACKS, KINGS = cards("JC JD JH"), cards("KC KD KH")
REST = cards("2H 2S 3S AD")
TWENTY_TWO = TEN | cards("AD 2D 3D 7D 8D 9D TD JD QD KD KS QS")

UPCARD = Position(Phase.FIRST_UPCARD, TEN, 31, upcard=JS)
DRAW = Position(Phase.DRAW, TEN, 20, discard_pile=row("QH JS"))
DISCARD = Position(Phase.DISCARD, ELEVEN, 20, drawn_card=KS, drawn_from=STOCK)
LAY_OFF = Position(Phase.LAY_OFF, TEN, 20, knocker_melds=(JACKS, KINGS), knocker_unmatched=REST)
GOOD = {"upcard": UPCARD, "draw": DRAW, "discard": DISCARD, "lay_off": LAY_OFF}


def refused(position, **changes):
    with pytest.raises(Mistold) as raised:
        completed(replace(position, **changes))
    error = raised.value
    return error.place, error.error.code, error.error.params


@pytest.mark.parametrize("position", GOOD.values(), ids=GOOD)
class TestAGoodPosition:
    def test_is_complete_once_it_was_completed(self, position):
        found = completed(position)
        assert completed(found) == found
        assert found.turn is not None

    def test_is_refused_with_another_number_of_cards(self, position):
        count = position.cards.bit_count()
        limits = {"min": count, "max": count}
        more = position.cards | cards("5S")
        for held in (more, position.cards & ~1, 0):
            assert refused(position, cards=held) == (("cards",), "wrong_card_count", limits)

    def test_is_refused_with_a_card_in_two_places(self, position):
        found = refused(position, opponent_known_cards=cards("3C"))
        assert found == (("opponent_known_cards",), "duplicate_card", {"card": parse_card("3C")})
        if position is not UPCARD:
            twice = refused(position, discard_pile=row("9C 3C"))
            assert twice == (("discard_pile", 1), "duplicate_card", {"card": parse_card("3C")})

    def test_is_refused_with_a_stock_that_no_deck_has(self, position):
        for stock in (-1, 0, 32, 52):
            place, code, params = refused(position, stock_count=stock)
            assert (place, code) == (("stock_count",), "out_of_range")
            assert not params["min"] <= stock <= params["max"]

    def test_is_refused_with_known_cards_that_are_not_held(self, position):
        place, code, params = refused(position, known_cards=cards("AC 6H"))
        assert (place, code, params) == (("known_cards",), "card_not_in_hand", {"card": 31})

    def test_is_refused_with_another_number_of_cards_for_the_other_seat(self, position):
        for count in (9, 11):
            place, code, _ = refused(position, opponent_card_count=count)
            assert (place, code) == (("opponent_card_count",), "out_of_range")
        known = cards("AS 3S 4S 5S 6S 7S 8S 9S QC QD QS")
        place, code, _ = refused(position, opponent_known_cards=known)
        assert place == ("opponent_known_cards",)

    def test_is_refused_without_the_upcard_on_which_the_rules_depend(self, position):
        bare = replace(position, upcard=None)
        for rules in (PRESETS["oklahoma"], replace(STANDARD, spade_doubles="all")):
            assert refused(bare, rules=rules) == (("upcard",), "required", {})


class TestTheUpcard:
    def test_is_all_that_lies_on_the_pile_at_first(self):
        assert completed(UPCARD).discard_pile == (JS,)
        shown = replace(UPCARD, upcard=None, discard_pile=(JS,))
        assert completed(shown) == completed(UPCARD)

    def test_is_no_other_than_lies_there_at_first(self):
        found = refused(UPCARD, discard_pile=(QH,))
        assert found == (("upcard",), "card_not_in_discards", {"card": JS})

    def test_has_to_be_told_while_it_is_offered(self):
        place, code, _ = refused(UPCARD, upcard=None)
        assert (place, code) == (("discard_pile",), "wrong_card_count")

    def test_is_not_offered_where_the_first_draw_is_free(self):
        found = refused(UPCARD, rules=replace(STANDARD, opening="free"))
        assert found == (("phase",), "contradictory_rules", {"option": "opening"})

    def test_is_offered_before_the_first_turn(self):
        assert refused(UPCARD, turn=1) == (("turn",), "out_of_range", {"min": 0, "max": 0})

    def test_may_be_held_by_who_took_it(self):
        taken = replace(DISCARD, upcard=KS, stock_count=31, drawn_from=PILE)
        assert completed(taken).discard_pile == ()


class TestTheTopDiscard:
    def test_has_to_be_told_before_a_draw(self):
        found = refused(DRAW, discard_pile=())
        assert found == (("discard_pile",), "wrong_card_count", {"min": 1, "max": 12})

    def test_is_enough_unless_others_may_be_taken(self):
        assert completed(replace(DRAW, discard_pile=(JS,))).discard_pile == (JS,)
        place, code, limits = refused(DRAW, rules=MULTI)
        assert (place, code, limits) == (
            ("discard_pile",),
            "wrong_card_count",
            {"min": 12, "max": 12},
        )

    def test_lies_on_no_more_than_were_thrown(self):
        pile = row("QH JS QS KS 5C 6C 7C 8C 9C TC JC QC KC AD")
        place, code, _ = refused(DRAW, discard_pile=pile)
        assert (place, code) == (("stock_count",), "out_of_range")


class TestTheStock:
    @pytest.mark.parametrize(
        ("position", "least"),
        [
            (DRAW, 3),
            (replace(DRAW, rules=WALL), 2),
            (replace(DRAW, rules=replace(STANDARD, stock_end=1)), 2),
            (replace(DRAW, rules=replace(STANDARD, recycle="shuffled")), 1),
            (DISCARD, 2),
            (replace(DISCARD, drawn_from=PILE), 3),
            (LAY_OFF, 2),
        ],
    )
    def test_is_not_shorter_than_a_hand_goes_on_with(self, position, least):
        assert completed(replace(position, stock_count=least))
        place, _, limits = refused(position, stock_count=least - 1)
        assert (place, limits["min"]) == (("stock_count",), least)


class TestTheTurn:
    def test_is_the_least_that_the_stock_allows_if_it_is_not_told(self):
        assert [completed(each).turn for each in GOOD.values()] == [0, 11, 11, 11]
        assert completed(replace(DISCARD, drawn_from=PILE)).turn == 12

    def test_may_be_later_and_never_earlier(self):
        assert completed(replace(DRAW, turn=17)).turn == 17
        assert refused(DRAW, turn=10) == (("turn",), "out_of_range", {"min": 11, "max": 199})
        assert refused(DISCARD, turn=201)[2] == {"min": 11, "max": 200}

    def test_is_the_first_where_nothing_but_the_upcard_was_seen(self):
        first = replace(DRAW, stock_count=31, discard_pile=(), upcard=JS)
        assert completed(first).turn == 0
        assert completed(replace(first, dealer=True)).turn == 1
        assert completed(replace(first, discard_pile=(QH,))).turn == 1

    def test_is_not_the_first_for_the_dealer(self):
        first = replace(DRAW, stock_count=31, discard_pile=(JS,), upcard=JS, turn=0)
        assert completed(first).turn == 0
        assert refused(first, dealer=True) == (("turn",), "out_of_range", {"min": 1, "max": 199})


class TestTheCardDrawn:
    def test_is_held(self):
        found = refused(DISCARD, drawn_card=QH)
        assert found == (("drawn_card",), "card_not_in_hand", {"card": QH})

    def test_may_be_one_of_many_taken_from_the_pile(self):
        many = replace(
            DISCARD, rules=MULTI, cards=TWENTY_TWO, drawn_from=PILE, stock_count=10, turn=40
        )
        assert completed(many).cards == TWENTY_TWO
        assert refused(many, cards=TWENTY_TWO | cards("7S"))[2] == {"min": 11, "max": 22}
        assert refused(many, drawn_from=STOCK)[2] == {"min": 11, "max": 11}

    def test_may_stay_where_hands_grow(self):
        held = TWENTY_TWO & ~cards("KS")
        pile = row("4C 5C 6C 7C 8C 9C TC JC QC")
        grown = replace(
            DRAW, rules=GROW, cards=held, stock_count=10, opponent_card_count=12, discard_pile=pile
        )
        assert completed(grown).pile_count == len(pile)
        assert refused(grown, opponent_card_count=23)[2] == {"min": 10, "max": 22}


class TestAKnock:
    def test_is_laid_out_in_melds(self):
        found = refused(LAY_OFF, knocker_melds=(JACKS, cards("KC KD QH")))
        assert found[:2] == (("knocker_melds", 1, "cards"), "not_a_run")

    def test_has_no_card_in_two_of_them(self):
        melds = (JACKS, cards("JH QH KH"))
        place, code, params = refused(LAY_OFF, knocker_melds=melds)
        assert (place, code) == (("knocker_melds", 1, "cards"), "card_in_two_melds")
        assert card_names(1 << params["card"]) == ["JH"]

    def test_has_no_card_in_a_meld_and_beside_it(self):
        place, code, _ = refused(LAY_OFF, knocker_unmatched=REST & ~cards("AD") | cards("JC"))
        assert (place, code) == (("knocker_unmatched",), "duplicate_card")

    def test_shows_as_many_cards_as_the_knocker_kept(self):
        for rest in (cards("2H 2S"), REST | cards("AS")):
            found = refused(LAY_OFF, knocker_unmatched=rest)
            assert found == (("knocker_unmatched",), "wrong_card_count", {"min": 4, "max": 4})
        assert completed(replace(LAY_OFF, opponent_card_count=10))

    def test_leaves_no_more_deadwood_than_the_limit(self):
        place, code, params = refused(LAY_OFF, knocker_unmatched=cards("2H 2S 3S 9D"))
        assert (place, code) == (("knocker_unmatched",), "deadwood_too_high")
        assert params == {"deadwood": 16, "knock_limit": 10}

    def test_leaves_something_unless_gin_may_be_laid_off_on(self):
        gin = replace(LAY_OFF, knocker_melds=(JACKS, KINGS, cards("2H 2S 2D") | cards("2C")))
        gin = replace(gin, cards=TEN & ~cards("2C") | cards("4S"), knocker_unmatched=0)
        assert completed(replace(gin, rules=ON_GIN))
        place, code, params = refused(gin)
        assert (place, code) == (("knocker_unmatched",), "wrong_card_count")
        assert params["min"] == 1

    def test_may_be_told_without_what_it_left(self):
        assert completed(replace(LAY_OFF, knocker_unmatched=None))
        melds = (JACKS, KINGS, cards("2S 3S 4S 5S 6S"))
        found = refused(LAY_OFF, knocker_unmatched=None, knocker_melds=melds)
        assert found == (("knocker_melds",), "wrong_card_count", {"min": 0, "max": 10})

    def test_shows_all_that_was_known_of_the_knocker(self):
        assert completed(replace(LAY_OFF, opponent_known_cards=cards("JC 2S")))
        place, code, _ = refused(LAY_OFF, opponent_known_cards=cards("JC 9D"))
        assert (place, code) == (("opponent_known_cards",), "card_not_in_hand")
