import pytest

from engine.cards import (
    CARD_NAMES,
    DECK,
    NO_CARDS,
    POINTS,
    RANKS,
    SUIT_POINTS,
    SUITS,
    card_name,
    card_names,
    cards_of,
    each_card,
    parse_card,
    parse_cards,
    points,
    rank_of,
    suit_of,
)
from engine.errors import BadCard, DuplicateCard


class TestACard:
    def test_is_one_of_52_named_by_rank_and_suit(self):
        assert len(set(CARD_NAMES)) == 52
        assert (CARD_NAMES[0], CARD_NAMES[51]) == ("AC", "KS")

    @pytest.mark.parametrize("card", range(52))
    def test_keeps_its_number_through_its_name(self, card):
        assert parse_card(card_name(card)) == card
        assert card_name(card) == RANKS[rank_of(card)] + SUITS[suit_of(card)]

    @pytest.mark.parametrize(
        ("text", "name"), [("th", "TH"), ("10H", "TH"), ("10h", "TH"), ("as", "AS"), ("qD", "QD")]
    )
    def test_may_be_written_in_lower_case_and_ten_in_digits(self, text, name):
        assert card_name(parse_card(text)) == name

    @pytest.mark.parametrize(
        "text",
        ["", "A", "1C", "0C", "11C", "AX", "ASS", " AS", "AS ", "CA", "10", "100H", "T10H", "1T",
         "\uff21\uff33", "A\u017f", "A\u00df", "\U0001f0a1", "10\u00df", "null"],
    )  # fmt: skip
    def test_is_nothing_else(self, text):
        with pytest.raises(BadCard) as refused:
            parse_card(text)
        assert refused.value.text == text

    def test_counts_one_its_number_or_ten(self):
        assert [POINTS[parse_card(rank + "D")] for rank in RANKS] == [
            1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10,
        ]  # fmt: skip


class TestASetOfCards:
    def test_is_read_in_any_order_and_written_in_card_order(self):
        assert card_names(parse_cards(["KS", "2C", "AC", "5H"])) == ["AC", "2C", "5H", "KS"]

    def test_has_each_card_once(self):
        with pytest.raises(DuplicateCard) as refused:
            parse_cards(["QC", "QD", "qc"])
        assert refused.value.params == {"card": parse_card("QC")}

    def test_may_have_no_cards_or_all(self):
        assert parse_cards([]) == NO_CARDS
        assert card_names(NO_CARDS) == list(each_card(NO_CARDS)) == []
        assert parse_cards(CARD_NAMES) == cards_of(range(52)) == DECK
        assert list(each_card(DECK)) == list(range(52))
        assert card_names(DECK) == list(CARD_NAMES)


class TestPoints:
    @pytest.mark.parametrize("card", range(52))
    def test_of_one_card_are_its_own(self, card):
        assert points(1 << card) == POINTS[card]
        assert points(DECK ^ 1 << card) == 340 - POINTS[card]

    def test_of_all_cards_are_340(self):
        assert points(NO_CARDS) == 0
        assert points(DECK) == 340

    def test_of_one_suit_are_in_a_table(self):
        assert len(SUIT_POINTS) == 8192
        for suit in range(8192):
            assert SUIT_POINTS[suit] == sum(POINTS[card] for card in each_card(suit))
