from dataclasses import replace

import pytest

from engine.actions import Pass
from engine.players.suggestions import Suggestion
from engine.players.verdicts import (
    HALVING_LOSS,
    VERDICTS,
    WORST,
    Decision,
    LuckOfDraw,
    MoveAnalysis,
    rounded,
    seat_analyses,
)

LOST = Decision(1, 4, 2, 0, 0, None, Pass(), (Suggestion(Pass(), value=0.0),), 0.0)
DRAWN = LuckOfDraw(1, 4, 2, 0, 7, 1.25)


def losing(*losses, seat=0):
    return [
        MoveAnalysis(number, replace(LOST, seat=seat, loss=loss))
        for number, loss in enumerate(losses)
    ]


class TestAVerdict:
    @pytest.mark.parametrize(
        ("loss", "verdict"),
        [
            (0.0, "best"),
            (0.01, "good"),
            (1.0, "good"),
            (1.01, "inaccuracy"),
            (3.0, "inaccuracy"),
            (3.01, "mistake"),
            (7.0, "mistake"),
            (7.01, "blunder"),
            (90.0, "blunder"),
        ],
    )
    def test_goes_by_the_size_of_the_loss(self, loss, verdict):
        assert replace(LOST, loss=loss).verdict == verdict

    def test_is_one_of_five(self):
        assert [*dict(VERDICTS), WORST] == ["best", "good", "inaccuracy", "mistake", "blunder"]
        assert sorted(dict(VERDICTS).values()) == list(dict(VERDICTS).values())


class TestAccuracy:
    def test_is_halved_again_and_again(self):
        found = [replace(LOST, loss=times * HALVING_LOSS).accuracy for times in range(4)]
        assert found == [100, 50, 25, 12.5]


class TestASeat:
    def test_has_the_sums_of_its_own_decisions_and_draws(self):
        found = [
            *losing(0.1, 0.2, HALVING_LOSS),
            *losing(9.0, seat=1),
            MoveAnalysis(8, None, DRAWN),
            MoveAnalysis(9, None, replace(DRAWN, luck=-3.5)),
            MoveAnalysis(10),
        ]
        first, second = seat_analyses((0, 1), found)
        assert (first.seat, first.decisions, first.loss, first.luck) == (0, 3, 3.3, -2.25)
        assert (second.decisions, second.loss, second.luck) == (1, 9.0, 0.0)
        assert second.accuracy == 12.5
        assert first.accuracy == round((100 * (0.5 ** (0.1 / 3) + 0.5 ** (0.2 / 3)) + 50) / 3, 2)

    def test_that_decided_nothing_has_made_no_mistake(self):
        (found,) = seat_analyses([2], losing(4.0))
        assert (found.decisions, found.loss, found.accuracy, found.luck) == (0, 0.0, 100.0, 0.0)


def test_what_rounds_to_nothing_has_no_sign():
    assert str(rounded(-0.001)) == "0.0"
