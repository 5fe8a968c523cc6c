"""Who sits where is read as it was written, and what was written before a field came."""

import json

from engine.game import SeatKind
from service.storage.occupants import Occupant, column_of, occupants_in

ADA = Occupant(SeatKind.HUMAN, occupied=True, name="Ada", token_version=2, player_ref="p-7")
EASY = Occupant(SeatKind.AI, occupied=True, level="easy", mode="auto")


class TestTheSeats:
    def test_are_read_as_they_were_written(self):
        written = column_of((ADA, EASY))
        assert occupants_in(json.dumps(written.obj)) == (ADA, EASY)

    def test_of_before_a_field_came_have_its_default(self):
        assert occupants_in('[{"kind": "human", "occupied": false}]') == (
            Occupant(SeatKind.HUMAN, occupied=False),
        )
