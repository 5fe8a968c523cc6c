from dataclasses import FrozenInstanceError, fields
from typing import get_args

import pytest

from engine import hand as hand_module
from engine.actions import KnockKind
from engine.events import (
    Claimed,
    DealerDrawn,
    Dealt,
    Discarded,
    Drew,
    Event,
    HandDrawn,
    HandEvent,
    HandVoided,
    Knocked,
    LaidOff,
    Passed,
    Resigned,
)
from tests.tables import play, table, transition


class TestAFact:
    @pytest.mark.parametrize(
        ("kind", "word"),
        [
            (DealerDrawn, "dealer_draw"),
            (Dealt, "deal"),
            (Passed, "pass"),
            (Drew, "draw"),
            (Discarded, "discard"),
            (LaidOff, "lay_off"),
            (HandDrawn, "hand_drawn"),
            (Resigned, "resign"),
            (Claimed, "claim"),
        ],
    )
    def test_has_the_word_of_the_api_for_its_move(self, kind, word):
        assert kind.action == word

    @pytest.mark.parametrize("kind", KnockKind)
    def test_of_a_knock_has_the_word_for_its_kind(self, kind):
        assert Knocked(0, kind, None, (), 0, 0, 1, 0).action == kind.value

    def test_of_a_hand_has_its_bookkeeping(self):
        assert set(get_args(HandEvent)) == set(hand_module._EVOLVERS)

    def test_cannot_be_changed(self):
        for kind in get_args(Event):
            assert kind.__dataclass_params__.frozen
        with pytest.raises(FrozenInstanceError):
            Passed(0).seat = 1

    def test_of_a_seat_names_it(self):
        server = {DealerDrawn, Dealt, HandDrawn, HandVoided}
        for kind in get_args(Event):
            assert ("seat" in {field.name for field in fields(kind)}) == (kind not in server)


class TestAKnock:
    def test_holds_all_that_its_score_follows_from(self):
        knocked = transition(play(table(), "0 draw pile"), "0 knock TS").moves[0].event
        assert knocked.result is None
        held = sum(meld.cards for meld in knocked.melds) | knocked.unmatched
        assert held == play(table(), "0 draw pile", "0 knock TS").hand.holdings[0]
