from dataclasses import replace

import pytest

from engine.actions import DrawSource, KnockKind
from engine.hand import Phase
from engine.positions import Position
from engine.rules import STANDARD
from tests.tables import NEAR_GIN, cards

KNOCK_ONLY = replace(STANDARD, last_discard="knock_only")
PILE = DrawSource.DISCARD_PILE


def lay_off(melds, unmatched, rules=STANDARD, **more):
    return Position(
        Phase.LAY_OFF,
        cards(NEAR_GIN),
        20,
        rules,
        knocker_melds=tuple(map(cards, melds)),
        knocker_unmatched=None if unmatched is None else cards(unmatched),
        **more,
    )


class TestTheDiscardPile:
    @pytest.mark.parametrize("stock", [31, 20, 3])
    def test_has_what_lies_nowhere_else(self, stock):
        assert Position(Phase.DRAW, cards(NEAR_GIN), stock).pile_count == 32 - stock

    def test_lacks_the_card_that_was_thrown_with_a_knock(self):
        assert lay_off(["JS QS KS"], None).pile_count == 11
        big_gin = lay_off(["JS QS KS", "TC JC QC KC", "2S 2H 2D 2C"], "")
        assert (big_gin.knock, big_gin.pile_count) == (KnockKind.BIG_GIN, 11)


class TestTheWall:
    @pytest.mark.parametrize(
        ("rules", "stock", "phase", "drawn_from", "found"),
        [
            (KNOCK_ONLY, 2, Phase.DRAW, None, True),
            (KNOCK_ONLY, 3, Phase.DRAW, None, False),
            (STANDARD, 2, Phase.DRAW, None, False),
            (KNOCK_ONLY, 2, Phase.DISCARD, PILE, True),
            (KNOCK_ONLY, 2, Phase.DISCARD, DrawSource.STOCK, False),
            (replace(KNOCK_ONLY, recycle="shuffled"), 2, Phase.DRAW, None, False),
            (replace(KNOCK_ONLY, recycle="shuffled"), 0, Phase.DRAW, None, True),
        ],
    )
    def test_is_where_nobody_may_draw_from_the_stock_any_more(
        self, rules, stock, phase, drawn_from, found
    ):
        told = Position(phase, cards(NEAR_GIN), stock, rules, drawn_from=drawn_from)
        assert told.at_wall is found


class TestTheKnock:
    def test_is_one_with_deadwood_where_its_rest_is_not_told(self):
        told = lay_off(["JS QS KS"], None)
        assert (told.knock, told.opponent_count) == (KnockKind.KNOCK, 10)
        assert told.knocker_cards == cards("JS QS KS")

    def test_is_gin_with_nothing_left(self):
        told = lay_off(["JS QS KS", "JC QC KC", "2S 2H 2D 2C"], "")
        assert (told.knock, told.opponent_count) == (KnockKind.GIN, 10)

    def test_is_gin_with_more_cards_where_hands_grow(self):
        grow = replace(STANDARD, multi_pickup=True, multi_pickup_return="grow")
        told = lay_off(["JS QS KS", "TC JC QC KC", "2S 2H 2D 2C"], "", grow)
        assert (told.knock, told.opponent_count, told.pile_count) == (KnockKind.GIN, 11, 10)
