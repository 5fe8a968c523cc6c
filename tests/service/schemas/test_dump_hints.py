import pytest

from engine.actions import (
    DealHand,
    Discard,
    Draw,
    DrawSource,
    Knock,
    KnockKind,
    LayOffs,
    Pass,
)
from engine.cards import parse_card
from engine.layoffs import LayOff
from engine.players.suggestions import Suggestion
from service.blueprints.moves import action_of
from service.schemas.dump_hints import suggestion
from service.schemas.moves import MOVE_REQUEST
from tests.tables import cards

JACK = parse_card("JS")
RUN = cards("AC 2C 3C")
ACTIONS = [
    Pass(),
    Draw(DrawSource.STOCK),
    Draw(DrawSource.DISCARD_PILE),
    Draw(DrawSource.DISCARD_PILE, JACK),
    Discard(JACK),
    Knock(KnockKind.KNOCK, JACK),
    Knock(KnockKind.GIN, JACK, (RUN, cards("7C 7D 7H"))),
    Knock(KnockKind.BIG_GIN, None, (RUN,)),
    LayOffs(),
    LayOffs((), ()),
    LayOffs((LayOff(JACK, 1), LayOff(parse_card("4C"), 0)), (RUN,)),
]


class TestASuggestion:
    @pytest.mark.parametrize("action", ACTIONS, ids=repr)
    def test_is_the_body_that_asks_for_its_action(self, action):
        wire = suggestion(Suggestion(action), 7)
        read = MOVE_REQUEST.read(wire["move"])
        assert read["move_number"] == 7
        assert action_of(read) == action

    def test_leaves_out_what_was_not_counted(self):
        assert suggestion(Suggestion(Pass(), ("only_choice",)), 1) == {
            "move": {"action": "pass", "move_number": 1}, "reason_codes": ["only_choice"]
        }  # fmt: skip

    def test_has_chances_and_the_cards_that_help(self):
        wire = suggestion(Suggestion(Pass(), (), 1 / 3, 0.0, cards("JS 2C")), 1)
        assert (wire["knock_chance"], wire["gin_chance"]) == (0.3333, 0.0)
        assert wire["helping_cards"] == ["2C", "JS"]

    def test_has_its_value_and_its_danger_where_they_are_said(self):
        wire = suggestion(Suggestion(Discard(JACK), value=-3.14159, danger=0.1234567), 1)
        assert (wire["value"], wire["danger"]) == (-3.14, 0.1235)

    def test_is_worth_nothing_without_a_sign(self):
        wire = suggestion(Suggestion(Pass(), value=-0.001), 1)
        assert str(wire["value"]) == "0.0"

    def test_is_never_a_deal(self):
        with pytest.raises(AssertionError):
            suggestion(Suggestion(DealHand()), 1)
