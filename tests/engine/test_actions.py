from dataclasses import FrozenInstanceError
from typing import get_args

import pytest

from engine import decisions
from engine.actions import (
    Action,
    Claim,
    DealHand,
    Discard,
    Draw,
    DrawSource,
    HandAction,
    Knock,
    KnockKind,
    LayOffs,
    Pass,
    Resign,
)
from engine.notation import action_name

ONE_OF_EACH = {
    "pass": Pass(),
    "draw": Draw(DrawSource.STOCK),
    "discard": Discard(0),
    "knock": Knock(KnockKind.KNOCK, 0),
    "lay_off": LayOffs(),
    "deal": DealHand(),
    "resign": Resign(),
    "claim": Claim(),
}


class TestAnAction:
    def test_is_one_of_eight(self):
        assert {type(action) for action in ONE_OF_EACH.values()} == {
            kind for member in get_args(Action) for kind in get_args(member) or (member,)
        }

    @pytest.mark.parametrize(("word", "action"), ONE_OF_EACH.items(), ids=str)
    def test_is_called_by_the_word_of_the_api(self, word, action):
        assert action_name(action).split(" ")[0] == word

    def test_of_play_has_somebody_who_decides_about_it(self):
        assert set(decisions._DECIDERS) == set(get_args(HandAction))

    @pytest.mark.parametrize("action", ONE_OF_EACH.values(), ids=ONE_OF_EACH)
    def test_is_a_value(self, action):
        assert hash(action) == hash(type(action)(*(getattr(action, n) for n in action.__slots__)))
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            action.card = 7


class TestTheWords:
    def test_for_where_a_card_is_drawn_from(self):
        assert list(DrawSource) == ["stock", "discard_pile"]

    def test_for_how_a_hand_is_ended(self):
        assert list(KnockKind) == ["knock", "gin", "big_gin"]
