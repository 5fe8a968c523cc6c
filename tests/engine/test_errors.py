import re

import pytest

from engine import errors
from engine.errors import (
    BadCard,
    BadInput,
    ContradictoryRules,
    DeadwoodTooHigh,
    EngineError,
    IllegalAction,
    NotYourTurn,
    OutOfRange,
    UnknownRuleSet,
)

ABSTRACT = {EngineError, BadInput, IllegalAction, errors.OptionError}
KINDS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, EngineError) and kind not in ABSTRACT
]


class TestEveryError:
    @pytest.mark.parametrize("kind", KINDS)
    def test_is_either_wrong_in_itself_or_not_possible_now(self, kind):
        assert issubclass(kind, BadInput) != issubclass(kind, IllegalAction)

    @pytest.mark.parametrize("kind", KINDS)
    def test_is_a_sentence(self, kind):
        assert re.fullmatch(r"[A-Z].+\.", kind.__doc__.split("\n", 1)[0])

    @pytest.mark.parametrize("kind", KINDS)
    def test_has_a_code_in_small_letters(self, kind):
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", kind.code)

    def test_has_a_code_of_its_own(self):
        codes = [kind.code for kind in KINDS]
        assert len(codes) == len(set(codes)) > 30


class TestAnError:
    def test_says_its_sentence(self):
        assert str(DeadwoodTooHigh(11, 10)) == "Deadwood is above the knock limit."

    def test_carries_the_facts_behind_it(self):
        assert DeadwoodTooHigh(11, 10).params == {"deadwood": 11, "knock_limit": 10}
        assert NotYourTurn((1,)).params == {"to_act_seats": (1,)}
        assert OutOfRange("target", 10, 1000).params == {"min": 10, "max": 1000}

    def test_about_options_names_them(self):
        error = ContradictoryRules("stock_end", "recycle")
        assert (error.option, error.options) == ("stock_end", ("stock_end", "recycle"))

    def test_about_words_that_somebody_sent_keeps_them_out_of_its_facts(self):
        assert (BadCard("1X").text, BadCard("1X").params) == ("1X", {})
        assert (UnknownRuleSet("vegas").base, UnknownRuleSet("vegas").params) == ("vegas", {})
