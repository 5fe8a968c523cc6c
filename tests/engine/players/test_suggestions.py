from engine.actions import Pass
from engine.players.suggestions import REASONS, Suggestion


class TestASuggestion:
    def test_is_an_action_without_more_where_nothing_was_counted(self):
        bare = Suggestion(Pass())
        assert (bare.reasons, bare.knock_chance, bare.gin_chance) == ((), None, None)
        assert (bare.helping_cards, bare.value, bare.danger) == (None, None, None)

    def test_has_reasons_that_stand_once_in_the_list(self):
        assert len(set(REASONS)) == len(REASONS)
