"""The parts that every use case works with."""

import dataclasses

import pytest


class TestTheHouse:
    def test_holds_what_the_settings_say(self, answering, settings):
        house = answering.house
        assert house.ai_max_ms == settings.ai_max_ms
        assert house.tokens.read(house.tokens.spectator("g_" + "A" * 22)).seat is None

    def test_keeps_nothing_between_requests(self, answering):
        with pytest.raises(dataclasses.FrozenInstanceError):
            answering.house.ai_max_ms = 1
        assert not hasattr(answering.house, "__dict__")
