from engine.actions import KnockKind
from engine.hand_scores import HandSide, score_hand
from engine.rules import STANDARD
from service.schemas import dump_scoring
from tests.tables import NEAR_GIN, OTHER, cards


def scored(knocker, defender):
    return dump_scoring.hand_score(score_hand(KnockKind.KNOCK, knocker, defender, STANDARD))


class TestAScore:
    def test_of_cards_shows_both_sides_laid_out(self):
        score = scored(HandSide(2, cards(NEAR_GIN)), HandSide(1, cards(OTHER)))
        assert (score["outcome"], score["winner"], score["winner_seat"]) == ("knock", "knocker", 2)
        assert score["knocker"]["cards"] == sorted(NEAR_GIN.split(), key=lambda name: name[1])
        assert score["knocker"]["unmatched"] == ["TS"]
        assert score["defender"]["lay_offs"][0] == {"card": "4C", "meld": 0}
        assert score["lay_offs_optimal"] is True
        assert sum(line["points"] for line in score["lines"]) == score["points"]

    def test_of_counts_leaves_out_what_was_not_told(self):
        score = scored(HandSide(deadwood=7), HandSide(deadwood=18))
        empty = {"cards": [], "melds": [], "unmatched": [], "lay_offs": []}
        assert score == {
            "outcome": "knock", "winner": "knocker", "points": 11, "multiplier": 1,
            "lines": [{"code": "deadwood_difference", "points": 11}],
            "knocker": {**empty, "deadwood": 7}, "defender": {**empty, "deadwood": 18},
        }  # fmt: skip
