from engine.actions import Discard, Pass
from engine.cards import parse_card
from engine.players.suggestions import Suggestion
from engine.players.verdicts import Decision, LuckOfDraw, MoveAnalysis, seat_analyses
from service.schemas.dump_analyses import analysed
from tests.tables import cards

JACK = parse_card("JS")
OPTIONS = (Suggestion(Pass(), ("only_choice",), value=1.5), Suggestion(Discard(JACK), value=-2.0))
DECISION = Decision(2, 31, 4, 1, cards("AC JS"), None, Discard(JACK), OPTIONS, 3.5)
DRAW = LuckOfDraw(2, 30, 4, 1, JACK, -0.25)


def wire(*found):
    return analysed(seat_analyses([1], found), found)


class TestWhatWasSaid:
    def test_is_told_by_decisions_draws_and_seats(self):
        told = wire(MoveAnalysis(29), MoveAnalysis(30, None, DRAW), MoveAnalysis(31, DECISION))
        assert told["seats"] == [
            {"seat": 1, "decisions": 1, "loss": 3.5, "accuracy": 44.54, "luck": -0.25}
        ]
        assert told["draws"] == [
            {"hand_number": 2, "move_number": 30, "turn": 4, "seat": 1, "card": "JS", "luck": -0.25}
        ]
        (decision,) = told["decisions"]
        assert decision["cards"] == ["AC", "JS"]
        assert decision["played"] == {"action": "discard", "card": "JS", "move_number": 31}
        assert [each["value"] for each in decision["options"]] == [1.5, -2.0]
        assert (decision["loss"], decision["verdict_code"]) == (3.5, "mistake")
        assert decision["reason_codes"] == ["only_choice"]

    def test_has_a_top_discard_only_where_one_lies(self):
        assert "top_discard" not in wire(MoveAnalysis(31, DECISION))["decisions"][0]
