from dataclasses import replace

import pytest

from engine.actions import LayOffs
from engine.hand import Phase
from engine.hand_scores import Mistold
from engine.players.levels import ADVISORS, BEST_ADVISOR
from engine.players.suggestions import Suggestion
from engine.position_views import position_view
from engine.positions import Position
from service.use_cases import suggest_move as module
from service.use_cases.refusals import Refused
from service.use_cases.suggest_move import suggest_move
from tests.tables import NEAR_GIN, cards, row

DRAW = Position(Phase.DRAW, cards(NEAR_GIN), 20, discard_pile=row("QH JS"))
LAY_OFF = Position(
    Phase.LAY_OFF,
    cards(NEAR_GIN),
    20,
    knocker_melds=(cards("JC JD JH"), cards("KC KD KH")),
    knocker_unmatched=cards("2H 2S 3S AD"),
)


class TestASuggestion:
    def test_is_what_the_advisor_says_of_the_view(self):
        hint = suggest_move(DRAW, 9)
        assert (hint.for_move, hint.level) == (9, BEST_ADVISOR)
        assert hint.suggestions == ADVISORS[BEST_ADVISOR](position_view(DRAW, 9))

    def test_is_asked_of_nobody_who_is_not_there(self):
        with pytest.raises(Refused) as caught:
            suggest_move(DRAW, level="godlike")
        assert (caught.value.code, caught.value.pointer) == ("unknown_level", "/level")

    def test_is_of_no_position_that_cannot_be(self):
        with pytest.raises(Mistold):
            suggest_move(replace(DRAW, stock_count=0))

    def test_has_no_value_where_the_knockers_deadwood_is_not_known(self, monkeypatch):
        valued = (Suggestion(LayOffs(), value=-7.0),)
        monkeypatch.setattr(module, "ADVISORS", {"wise": lambda view: valued})
        assert suggest_move(LAY_OFF, level="wise").suggestions == valued
        bare = suggest_move(replace(LAY_OFF, knocker_unmatched=None), level="wise")
        assert [each.value for each in bare.suggestions] == [None]
