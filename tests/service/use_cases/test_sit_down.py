"""What follows when somebody sits down."""

import pytest

from engine.events import ChangeKind
from engine.game import SeatKind, Setup, new_game
from engine.hand import Phase
from engine.rules import STANDARD
from service.storage.occupants import Occupant
from service.use_cases.refusals import Refused
from service.use_cases.sit_down import sit_down

HERE = Occupant(SeatKind.HUMAN, occupied=True)
OPEN = Occupant(SeatKind.HUMAN, occupied=False)
FIRST, SECOND = "1" * 64, "2" * 64


@pytest.fixture
def game():
    return new_game(Setup("g_1", STANDARD, (SeatKind.HUMAN, SeatKind.HUMAN), bytes(32)))


class TestTheLastToSitDown:
    def test_has_the_first_hand_dealt(self, answering, game):
        sat = sit_down(answering.house, game, (HERE, HERE), {1: None})
        assert sat.changes == ()
        assert [move.event.action for move in sat.made.moves] == ["dealer_draw", "deal"]

    def test_begins_the_cutting_if_somebody_contributes(self, answering, game):
        sat = sit_down(answering.house, game, (HERE, HERE), {0: FIRST, 1: SECOND})
        assert sat.made.moves == ()
        assert sat.made.game.phase is Phase.CUTTING
        assert [each.kind for each in sat.changes] == [
            ChangeKind.COMMITTED, ChangeKind.COMMITTED, ChangeKind.BEGUN,
        ]  # fmt: skip


class TestWhoeverSitsDownBefore:
    def test_only_commits(self, answering, game):
        sat = sit_down(answering.house, game, (HERE, OPEN), {0: FIRST})
        assert sat.made.game.phase is Phase.WAITING
        assert [each.kind for each in sat.changes] == [ChangeKind.COMMITTED]

    def test_cannot_have_the_commitment_of_another_seat(self, answering, game):
        with pytest.raises(Refused) as refused:
            sit_down(answering.house, game, (HERE, OPEN), {0: FIRST, 1: FIRST})
        assert refused.value.code == "nonce_commit_reused"
