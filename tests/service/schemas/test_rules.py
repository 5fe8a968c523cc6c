"""The rules on the wire are the rules of the engine."""

from engine.rules import CHOICES, OPTION_NAMES, PRESETS, RANGES
from service.schemas.rules import RULES_REQUEST, Rules


class TestTheOptions:
    def test_are_the_engine_s_in_requests_and_answers(self):
        assert set(RULES_REQUEST.fields) == {"base", *OPTION_NAMES}
        assert set(Rules().fields) == set(OPTION_NAMES)

    def test_are_all_sent_in_answers_and_none_in_requests(self):
        assert all(field.required for field in Rules().fields.values())
        assert not any(field.required for field in RULES_REQUEST.fields.values())

    def test_take_each_value_that_the_engine_knows(self):
        for option, values in CHOICES.items():
            for value in values:
                assert RULES_REQUEST.read({option: value}) == {option: value}
        for option, limits in RANGES.items():
            for value in limits:
                assert RULES_REQUEST.read({option: value}) == {option: value}

    def test_take_each_preset_as_base(self):
        for preset in PRESETS:
            assert RULES_REQUEST.read({"base": preset}) == {"base": preset}
